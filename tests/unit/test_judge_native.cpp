// SPDX-License-Identifier: GPL-3.0-or-later
// The judge and its native host: compiled solutions, good and bad, called through apache-tvm-ffi's C ABI.
#include <QtTest>

#include <QTemporaryDir>

#include <fstream>

#include "core/io/json_codec.h"
#include "tests/support/judge_client.h"

using namespace tracedeck;
using namespace tracedeck::test;

namespace {

constexpr double kTimeoutSeconds = 60;
const char* const kHeader = R"(#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>
using namespace tvm::ffi;
static float* data(TensorView t) { return static_cast<float*>(t.data_ptr()); }
static Tensor make(TensorView like) { return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, like.shape(), like.dtype(), like.device()); }
static float* data(Tensor t) { return static_cast<float*>(t.data_ptr()); }
)";
const char* const kFooter = "\nTVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);\n";
const char* const kAddBody = "for (int64_t i = 0; i < x.size(0); ++i) data(z)[i] = data(x)[i] + data(y)[i];";

Json random(const std::vector<std::string>& names)
{
    Json inputs = Json::object();
    for (const std::string& name : names) inputs[name] = {{"type", "random"}};
    return inputs;
}

}  // namespace

class TestJudgeNative : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_judge.reset(); }
    void judgesNativeSolutions_data();
    void judgesNativeSolutions();
    void passesScalarsByKind_data();
    void passesScalarsByKind();
    void takesSeveralOutputs_data();
    void takesSeveralOutputs();
    void needsAnArtifact();
    void needsTvmFfi();

private:
    /// Compiles a solution as benchmark §6.5 says; the path of the library, or empty with the compiler's words in `m_compilerSays`.
    std::string compile(const std::string& source);
    Json evaluate(const std::string& definition, const std::string& source, bool destinationPassing, double timeout = kTimeoutSeconds,
                  const std::string& symbol = "__tvm_ffi_run")
    {
        const std::string library = compile(source);
        if (library.empty()) return nullptr;
        return m_judge->ask(evaluateMessage(makeSolution(definition, source, destinationPassing, "kernel.cpp::run", "cpp"), timeout,
                                            {{"library", library}, {"symbol", symbol}}));
    }

    TestPython m_python;
    QTemporaryDir m_folder;
    int m_libraries = 0;
    std::string m_compilerSays;
    std::unique_ptr<JudgeClient> m_judge;
    bool m_isAddOpen = false;
};

void TestJudgeNative::initTestCase()
{
    m_python = TestPython::find();
    if (!m_python.missing.empty()) QSKIP(("no Python with torch: " + m_python.missing).c_str());
    if (m_python.facts.tvmFfiLibrary.empty()) QSKIP("this Python has no apache-tvm-ffi");
    if (findProgram("g++").empty()) QSKIP("there is no g++");
    Json first;
    m_judge = JudgeClient::start({.device = "cpu", .python = m_python.interpreter, .tvmFfiLibrary = m_python.facts.tvmFfiLibrary, .seed = {}}, first);
    QVERIFY2(m_judge != nullptr && first.value("op", "") == "hello", first.dump().c_str());
}

std::string TestJudgeNative::compile(const std::string& source)
{
    const std::filesystem::path folder = m_folder.path().toStdString();
    const std::filesystem::path file = folder / ("kernel" + std::to_string(++m_libraries) + ".cpp");
    std::ofstream(file) << source;
    const std::filesystem::path library = std::filesystem::path(file).replace_extension(".so");
    ChildSpec spec;
    spec.command = {findProgram("g++").string(), "-std=c++17", "-fPIC", "-O2", "-shared", "-I" + m_python.facts.tvmFfiInclude.string(),
                    "-I" + m_python.facts.dlpackInclude.string(), file.string(), "-o", library.string(),
                    "-L" + m_python.facts.tvmFfiLibrary.parent_path().string(), "-ltvm_ffi"};
    auto run = runCaptured(spec, {.timeoutSeconds = 300, .mergeErrorOutput = true});
    m_compilerSays = run ? run->output : run.error().toString();
    return run && run->exit.succeeded() ? library.string() : std::string();
}

void TestJudgeNative::judgesNativeSolutions_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<bool>("destinationPassing");
    QTest::addColumn<QString>("symbol");
    QTest::addColumn<double>("timeout");
    QTest::addColumn<QString>("status");
    QTest::addColumn<QString>("verdict");
    QTest::addColumn<QString>("logged");
    const auto row = [](const char* name, const std::string& source, bool dps, const char* status, const char* verdict = "", const char* logged = "",
                        double timeout = kTimeoutSeconds, const char* symbol = "__tvm_ffi_run") {
        QTest::newRow(name) << QString::fromStdString(kHeader + source + kFooter) << dps << QString::fromUtf8(symbol) << timeout << QString::fromUtf8(status)
                            << QString::fromUtf8(verdict) << QString::fromUtf8(logged);
    };
    const auto dps = [](const std::string& body) { return "void run(TensorView x, TensorView y, TensorView z) { " + body + " }"; };
    const auto vr = [](const std::string& body) { return "Tensor run(TensorView x, TensorView y) { Tensor z = make(x); " + body + " return z; }"; };

    row("destination passing", dps(kAddBody), true, "PASSED");
    row("value returning", vr(kAddBody), false, "PASSED");
    row("parameters that own", "void run(Tensor x, Tensor y, Tensor z) { " + std::string(kAddBody) + " }", true, "PASSED");
    row("prints", dps(std::string("std::printf(\"hello from the kernel\\n\"); ") + kAddBody), true, "PASSED", "", "hello from the kernel");
    row("mutates an input", dps(std::string(kAddBody) + " data(x)[0] = 1;"), true, "PASSED", "inputs.mutated");
    row("segfault", dps("*reinterpret_cast<volatile int*>(8) = 1;"), true, "RUNTIME_ERROR", "signal", "signal 11");
    row("abort", dps("std::abort();"), true, "RUNTIME_ERROR", "signal", "signal 6");
    row("exits with 0", dps("_exit(0);"), true, "RUNTIME_ERROR", "exit", "exit code 0");
    row("C++ exception", dps("throw std::runtime_error(\"out of luck\");"), true, "RUNTIME_ERROR", "exception", "out of luck");
    row("foreign exception", dps("throw 3;"), true, "RUNTIME_ERROR", "signal", "signal 6");
    row("tvm-ffi error", dps("TVM_FFI_THROW(ValueError) << \"bad value\";"), true, "RUNTIME_ERROR", "exception", "ValueError: bad value");
    row("wrong number of parameters", "void run(TensorView x, TensorView y) {}", true, "RUNTIME_ERROR", "exception", "TypeError: Mismatched number of arguments");
    row("hangs", dps("for (;;) pause();"), true, "TIMEOUT", "timeout", "Evaluation timeout after 2 seconds", 2);
    row("writes past the end", dps(std::string(kAddBody) + " data(z)[x.size(0)] = 1;"), true, "RUNTIME_ERROR", "redzone", "`z`");
    row("writes before the beginning", dps(std::string(kAddBody) + " data(x)[-1] = 1;"), true, "RUNTIME_ERROR", "redzone", "`x`");
    // However far a write strays: it meets the red zone, or no memory at all.
    const auto stray = [&](const char* buffer, const char* distance) {
        return dps(std::string(kAddBody) + " reinterpret_cast<volatile char*>(data(" + buffer + "))[" + distance + "] = 7;");
    };
    row("writes 64 KiB past the end", stray("z", "4 * x.size(0) + 65536"), true, "RUNTIME_ERROR", "signal", "signal 11");
    row("writes 1 MiB past the end", stray("z", "4 * x.size(0) + (1 << 20)"), true, "RUNTIME_ERROR", "signal", "signal 11");
    row("writes 64 KiB before the beginning", stray("z", "-65536"), true, "RUNTIME_ERROR", "signal", "signal 11");
    row("writes one byte past the end", stray("z", "4 * x.size(0)"), true, "RUNTIME_ERROR", "redzone", "`z`");
    row("writes 64 KiB past an input", stray("y", "4 * x.size(0) + 65536"), true, "RUNTIME_ERROR", "signal", "signal 11");
    row("writes 64 KiB before an input", stray("x", "-65536"), true, "RUNTIME_ERROR", "signal", "signal 11");
    row("wrong values", dps("for (int64_t i = 0; i < x.size(0); ++i) data(z)[i] = data(x)[i];"), true, "INCORRECT_NUMERICAL", "output.wrong");
    row("writes nothing", dps(""), true, "INCORRECT_NUMERICAL", "output.poisoned");
    row("NaN", dps(std::string(kAddBody) + " data(z)[3] = __builtin_nanf(\"\");"), true, "INCORRECT_NUMERICAL", "output.nonfinite");
    row("wrong shape", "Tensor run(TensorView x, TensorView y) { return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, {x.size(0) + 1}, x.dtype(), x.device()); }", false,
        "INCORRECT_SHAPE", "output.shape", "[1001]");
    row("wrong dtype", "Tensor run(TensorView x, TensorView y) { return Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, x.shape(), DLDataType{kDLFloat, 64, 1}, x.device()); }",
        false, "INCORRECT_DTYPE", "output.dtype", "float64");
    row("returns nothing", "void run(TensorView x, TensorView y) {}", false, "RUNTIME_ERROR", "exception", "returned 0 values");
    row("returns a text", "String run(TensorView x, TensorView y) { return String(\"a text that is longer than seven bytes\"); }", false, "RUNTIME_ERROR", "exception", "type 65");
    row("no such symbol", dps(kAddBody), true, "COMPILE_ERROR", "load", "exports no function `walk`", kTimeoutSeconds, "__tvm_ffi_walk");
    row("unresolved symbol", "extern int nowhere();\n" + dps("nowhere();"), true, "COMPILE_ERROR", "load", "nowhere");
    row("dies while it is loaded", "struct Early { Early() { _exit(7); } } early;\n" + dps(kAddBody), true, "RUNTIME_ERROR", "exit", "exit code 7");
}

void TestJudgeNative::judgesNativeSolutions()
{
    QFETCH(QString, source);
    QFETCH(bool, destinationPassing);
    QFETCH(QString, symbol);
    QFETCH(double, timeout);
    QFETCH(QString, status);
    QFETCH(QString, verdict);
    QFETCH(QString, logged);
    if (!m_isAddOpen) {
        const Json definition = makeDefinition("add", {{"x", "float32"}, {"y", "float32"}}, {{"z", "float32"}}, "def run(x, y):\n    return x + y\n");
        const Json opened = m_judge->ask(openMessage(definition, makeWorkload(1000, random({"x", "y"})), makeConfig(1, 4, 2)));
        QVERIFY2(opened.value("op", "") == "opened", opened.dump().c_str());
        m_isAddOpen = true;
    }
    const Json answer = evaluate("add", source.toStdString(), destinationPassing, timeout, symbol.toStdString());
    QVERIFY2(answer.is_object() && answer.value("op", "") == "evaluated", (answer.dump() + m_compilerSays).c_str());
    const Json& evaluation = answer.at("evaluation");
    QVERIFY2(QString::fromStdString(evaluation.at("status").get<std::string>()) == status, evaluation.dump(1).c_str());
    QVERIFY(answer.at("store").get<bool>());
    if (!verdict.isEmpty()) QVERIFY2(hasVerdict(evaluation, verdict.toStdString()), evaluation.dump(1).c_str());
    QVERIFY2(QString::fromStdString(evaluation.at("log").get<std::string>()).contains(logged), evaluation.dump(1).c_str());
    const auto decoded = decodeEvaluation(evaluation, ReadMode::Strict);
    QVERIFY2(decoded.has_value(), decoded ? "" : decoded.error().toString().c_str());
}

void TestJudgeNative::passesScalarsByKind_data()
{
    QTest::addColumn<QString>("signature");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("status");
    QTest::newRow("int for int") << "int64_t k" << "3" << "PASSED";
    QTest::newRow("int for float") << "double k" << "3" << "PASSED";
    QTest::newRow("float for float") << "double k" << "3.0" << "PASSED";
    QTest::newRow("bool for int") << "int64_t k" << "true" << "PASSED";
    QTest::newRow("float for int") << "int64_t k" << "3.0" << "RUNTIME_ERROR";
}

void TestJudgeNative::passesScalarsByKind()
{
    QFETCH(QString, signature);
    QFETCH(QString, value);
    QFETCH(QString, status);
    m_isAddOpen = false;
    const Json definition = makeDefinition("scale", {{"x", "float32"}, {"k", "=float32"}}, {{"z", "float32"}}, "def run(x, k):\n    return x * k\n");
    const Json inputs = {{"x", {{"type", "random"}}}, {"k", {{"type", "scalar"}, {"value", Json::parse(value.toStdString())}}}};
    const Json opened = m_judge->ask(openMessage(definition, makeWorkload(50, inputs), makeConfig(0, 2, 1)));
    QVERIFY2(opened.value("op", "") == "opened", opened.dump().c_str());
    const std::string source = kHeader + ("void run(TensorView x, " + signature.toStdString() + ", TensorView z) { for (int64_t i = 0; i < x.size(0); ++i) data(z)[i] = data(x)[i] * k; }") + kFooter;
    const Json answer = evaluate("scale", source, true);
    QVERIFY2(answer.is_object() && answer.value("op", "") == "evaluated", (answer.dump() + m_compilerSays).c_str());
    QVERIFY2(QString::fromStdString(answer.at("evaluation").at("status").get<std::string>()) == status, answer.dump(1).c_str());
}

void TestJudgeNative::takesSeveralOutputs_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<bool>("destinationPassing");
    const auto row = [](const char* name, const std::string& source, bool dps) { QTest::newRow(name) << QString::fromStdString(kHeader + source + kFooter) << dps; };
    const std::string body = "double sum = 0; for (int64_t i = 0; i < x.size(0); ++i) { data(a)[i] = 2 * data(x)[i]; sum += data(x)[i]; }";
    row("an array of tensors", "Array<Any> run(TensorView x) { Tensor a = make(x); Tensor s = Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, Shape{}, x.dtype(), x.device()); " + body +
                                   " *data(s) = static_cast<float>(sum); return {a, s}; }", false);
    row("a tensor and a number", "Array<Any> run(TensorView x) { Tensor a = make(x); " + body + " return {a, sum}; }", false);
}

void TestJudgeNative::takesSeveralOutputs()
{
    QFETCH(QString, source);
    QFETCH(bool, destinationPassing);
    m_isAddOpen = false;
    const Json definition = makeDefinition("both", {{"x", "float32"}}, {{"a", "float32"}, {"s", "=float32"}}, "def run(x):\n    return x * 2, x.sum()\n");
    const Json opened = m_judge->ask(openMessage(definition, makeWorkload(50, random({"x"})), makeConfig(0, 2, 1)));
    QVERIFY2(opened.value("op", "") == "opened", opened.dump().c_str());
    const Json answer = evaluate("both", source.toStdString(), destinationPassing);
    QVERIFY2(answer.is_object() && answer.value("op", "") == "evaluated", (answer.dump() + m_compilerSays).c_str());
    QVERIFY2(answer.at("evaluation").at("status") == "PASSED", answer.dump(1).c_str());
}

void TestJudgeNative::needsAnArtifact()
{
    const Json definition = makeDefinition("twice", {{"x", "float32"}}, {{"z", "float32"}}, "def run(x):\n    return x * 2\n");
    m_isAddOpen = false;
    m_judge->ask(openMessage(definition, makeWorkload(50, random({"x"})), makeConfig(0, 1, 1)));
    Json message = evaluateMessage(makeSolution("twice", "int", true, "kernel.cpp::run", "cpp"), kTimeoutSeconds);
    message["build_log"] = "kernel.cpp:1: error: nothing here";
    const Json answer = m_judge->ask(message);
    QCOMPARE(answer.at("evaluation").at("status").get<std::string>(), std::string("COMPILE_ERROR"));
    QVERIFY(answer.at("evaluation").at("log").get<std::string>().find("nothing here") != std::string::npos);
}

void TestJudgeNative::needsTvmFfi()
{
    Json first;
    auto judge = JudgeClient::start({.device = "cpu", .python = m_python.interpreter, .tvmFfiLibrary = {}, .seed = {}}, first);
    QVERIFY(judge);
    const Json definition = makeDefinition("twice", {{"x", "float32"}}, {{"z", "float32"}}, "def run(x):\n    return x * 2\n");
    judge->ask(openMessage(definition, makeWorkload(50, random({"x"})), makeConfig(0, 1, 1)));
    const Json answer = judge->ask(evaluateMessage(makeSolution("twice", "int", true, "kernel.cpp::run", "cpp"), kTimeoutSeconds, {{"library", "/x.so"}, {"symbol", "run"}}));
    QCOMPARE(answer.at("store").get<bool>(), false);
    QVERIFY(answer.at("note").get<std::string>().find("apache-tvm-ffi") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestJudgeNative)
#include "test_judge_native.moc"
