// SPDX-License-Identifier: GPL-3.0-or-later
// The judge through its messages: Python solutions, good and bad, on the cpu device. Every status and every way out.
#include <QtTest>

#include <signal.h>

#include <QTemporaryDir>

#include <fstream>

#include "core/io/json_codec.h"
#include "core/io/safetensors.h"
#include "tests/support/judge_client.h"

using namespace tracedeck;
using namespace tracedeck::test;

namespace {

constexpr double kTimeoutSeconds = 60;
const char* const kAddReference = "import torch\n\ndef run(x, y):\n    return x + y\n";
/// Finds the guest's own host object, which any code in its process can.
const char* const kFindHost = "import gc\n\ndef host():\n    return next(o for o in gc.get_objects() if type(o).__name__ == 'Host')\n\n";

Json addDefinition()
{
    return makeDefinition("add", {{"x", "float32"}, {"y", "float32"}}, {{"z", "float32"}}, kAddReference);
}

Json randomInputs(const std::vector<std::string>& names)
{
    Json inputs = Json::object();
    for (const std::string& name : names) inputs[name] = {{"type", "random"}};
    return inputs;
}

}  // namespace

class TestJudge : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_judge.reset(); }
    void saysHello();
    void judgesPythonSolutions_data();
    void judgesPythonSolutions();
    void runsEveryKindOfInput_data();
    void runsEveryKindOfInput();
    void readsSafetensorsInputs();
    void saysWhatIsWrongWithAWorkload_data();
    void saysWhatIsWrongWithAWorkload();
    void leavesNoProcessBehind();
    void repeatsAUsersSeed();
    void whatIsPrintedCanBeFollowed();
    void withoutBaselineSpeedupIsZero();
    void checksTritonWithoutTiming();
    void recordsWhatItDid();
    void endsWithItsProgram();
    void aKilledJudgeTakesItsHostsAlong();
    void saysWhyItCannotStart_data();
    void saysWhyItCannotStart();
    void strangeMessagesEndTheConnection();

private:
    std::unique_ptr<JudgeClient> startJudge(std::optional<std::uint64_t> seed = {})
    {
        Json first;
        auto judge = JudgeClient::start({.device = "cpu", .python = m_python.interpreter, .tvmFfiLibrary = {}, .seed = seed}, first);
        m_hello = first;
        return judge && first.value("op", "") == "hello" ? std::move(judge) : nullptr;
    }
    /// Opens `add` unless it is open.
    void openAdd()
    {
        if (m_open == "add") return;
        const Json answer = m_judge->ask(openMessage(addDefinition(), makeWorkload(5000, randomInputs({"x", "y"})), makeConfig(1, 4, 2)));
        QVERIFY2(answer.value("op", "") == "opened", answer.dump().c_str());
        QVERIFY(answer.at("reference_latency_ms").get<double>() > 0);
        m_open = "add";
    }

    TestPython m_python;
    Json m_hello;
    std::unique_ptr<JudgeClient> m_judge;
    std::string m_open;
};

void TestJudge::initTestCase()
{
    m_python = TestPython::find();
    if (!m_python.missing.empty()) QSKIP(("no Python with torch: " + m_python.missing).c_str());
    m_judge = startJudge();
    QVERIFY2(m_judge != nullptr, m_hello.dump().c_str());
}

void TestJudge::saysHello()
{
    QCOMPARE(m_hello.at("v").get<int>(), kProtocolVersion);
    QVERIFY(!m_hello.at("hardware").get<std::string>().empty());
    // The build's suffix, such as +cpu, stands in one of the two only.
    const auto release = [](const std::string& version) { return version.substr(0, version.find('+')); };
    QCOMPARE(release(m_hello.at("libs").at("torch").get<std::string>()), release(m_python.facts.packages.at("torch")));
    QCOMPARE(m_hello.at("libs").at("python").get<std::string>(), m_python.facts.version);
}

void TestJudge::judgesPythonSolutions_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<bool>("destinationPassing");
    QTest::addColumn<QString>("entry");
    QTest::addColumn<double>("timeout");
    QTest::addColumn<QString>("status");
    QTest::addColumn<QString>("verdict");
    QTest::addColumn<QString>("logged");

    const auto row = [](const char* name, const std::string& source, bool dps, const char* status, const char* verdict = "", const char* logged = "",
                        const char* entry = "main.py::run", double timeout = kTimeoutSeconds) {
        QTest::newRow(name) << QString::fromStdString(source) << dps << QString::fromUtf8(entry) << timeout << QString::fromUtf8(status)
                            << QString::fromUtf8(verdict) << QString::fromUtf8(logged);
    };
    const std::string add = "import torch\ndef run(x, y, z):\n    torch.add(x, y, out=z)\n";
    const auto vr = [](const std::string& expression) { return "import torch\ndef run(x, y):\n    return " + expression + "\n"; };

    row("destination passing", add, true, "PASSED");
    row("value returning", vr("x + y"), false, "PASSED");
    row("a tuple of one", vr("(x + y,)"), false, "PASSED");
    row("output aliases an input", vr("x.add_(y)"), false, "PASSED", "inputs.mutated");
    row("not contiguous", vr("torch.stack([x + y, x], 1)[:, 0]"), false, "PASSED");
    row("needs gradients", vr("(x + y).requires_grad_()"), false, "PASSED");
    row("entry in a subfolder", add, true, "PASSED", "", "", "kernels/fast-add.py::run");
    row("mutated inputs", "def run(x, y, z):\n    z.copy_(x + y)\n    x.zero_()\n", true, "PASSED", "inputs.mutated");

    row("exits with 0", "import os\ndef run(x, y, z):\n    os._exit(0)\n", true, "RUNTIME_ERROR", "exit", "exit code 0");
    row("exits while loading", "import os\nos._exit(3)\n", true, "RUNTIME_ERROR", "exit", "exit code 3");
    row("sys.exit in a call", "import sys\ndef run(x, y, z):\n    sys.exit(0)\n", true, "RUNTIME_ERROR", "exception", "SystemExit");
    row("kills itself", "import os, signal\ndef run(x, y, z):\n    os.kill(os.getpid(), signal.SIGKILL)\n", true, "RUNTIME_ERROR", "signal", "signal 9");
    row("segfault", "import ctypes\ndef run(x, y, z):\n    ctypes.string_at(8)\n", true, "RUNTIME_ERROR", "signal", "signal 11");
    row("aborts", "import os\ndef run(x, y, z):\n    os.abort()\n", true, "RUNTIME_ERROR", "signal", "signal 6");
    row("raises", "def run(x, y, z):\n    raise ValueError('no good')\n", true, "RUNTIME_ERROR", "exception", "ValueError: no good");
    row("sleeps past the timeout", "import time\ndef run(x, y, z):\n    time.sleep(1000)\n", true, "TIMEOUT", "timeout", "Evaluation timeout after 2 seconds",
        "main.py::run", 2);
    row("sleeps while loading", "import time\ntime.sleep(1000)\n", true, "TIMEOUT", "timeout", "Evaluation timeout", "main.py::run", 2);
    row("ignores signals", "import signal, time\nfor n in range(1, 65):\n    try:\n        signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError):\n        pass\n"
        "def run(x, y, z):\n    time.sleep(1000)\n", true, "TIMEOUT", "timeout", "", "main.py::run", 2);

    row("wrong shape", vr("(x + y)[:-1]"), false, "INCORRECT_SHAPE", "output.shape", "[4999]");
    row("wrong dtype", vr("(x + y).double()"), false, "INCORRECT_DTYPE", "output.dtype", "float64");
    row("wrong number of outputs", vr("(x, y)"), false, "RUNTIME_ERROR", "exception", "returned 2 values");
    row("returns nothing", "def run(x, y):\n    pass\n", false, "RUNTIME_ERROR", "exception", "returned 0 values");
    row("returns a text", vr("'sum'"), false, "RUNTIME_ERROR", "exception", "returned a str");
    row("NaN", vr("torch.where(torch.arange(len(x)) == 7, float('nan'), x + y)"), false, "INCORRECT_NUMERICAL", "output.nonfinite", "1 NaN");
    row("Inf", vr("torch.where(torch.arange(len(x)) == 7, -float('inf'), x + y)"), false, "INCORRECT_NUMERICAL", "output.nonfinite", "1 infinite");
    row("wrong values", vr("x - y"), false, "INCORRECT_NUMERICAL", "output.wrong", "output `z`");
    row("writes nothing", "def run(x, y, z):\n    pass\n", true, "INCORRECT_NUMERICAL", "output.poisoned", "5000 of 5000");
    row("writes a part", "def run(x, y, z):\n    z[:4990] = x[:4990] + y[:4990]\n", true, "INCORRECT_NUMERICAL", "output.partial", "10 of 5000");

    // However far a write strays: it meets the red zone, or no memory at all.
    const auto stray = [](const char* tensor, const char* distance) {
        return std::string("import ctypes\ndef run(x, y, z):\n    z.copy_(x + y)\n    ctypes.memset(") + tensor + ".data_ptr() + " + distance + ", 7, 1)\n";
    };
    row("writes one byte past the end", stray("z", "4 * len(z)"), true, "RUNTIME_ERROR", "redzone", "`z`");
    row("writes one byte before the beginning", stray("x", "-1"), true, "RUNTIME_ERROR", "redzone", "`x`");
    row("writes 64 KiB past the end", stray("z", "4 * len(z) + 65536"), true, "RUNTIME_ERROR", "signal", "signal 11");
    row("writes 1 MiB past the end", stray("z", "4 * len(z) + (1 << 20)"), true, "RUNTIME_ERROR", "signal", "signal 11");
    row("writes 64 KiB before the beginning", stray("z", "-65536"), true, "RUNTIME_ERROR", "signal", "signal 11");
    row("writes 64 KiB past an input", stray("y", "4 * len(y) + 65536"), true, "RUNTIME_ERROR", "signal", "signal 11");
    row("looks at what lies around its tensors",
        "maps = []\nfor line in open('/proc/self/maps'):\n    span, access = line.split()[:2]\n    begin, end = (int(n, 16) for n in span.split('-'))\n    maps.append((begin, end, access))\n"
        "def guarded(tensor):\n    i = next(i for i, m in enumerate(maps) if m[0] <= tensor.data_ptr() < m[1])\n    before, own, after = maps[i - 1:i + 2]\n"
        "    return all(m[2].startswith('---') and m[1] - m[0] >= 1 << 20 for m in (before, after)) and before[1] == own[0] and own[1] == after[0]\n"
        "def run(x, y, z):\n    assert guarded(x) and guarded(y) and guarded(z), maps\n    z.copy_(x + y)\n", true, "PASSED");

    row("missing symbol", "def other(x, y, z):\n    pass\n", true, "COMPILE_ERROR", "load", "defines no 'run'");
    row("not callable", "run = 3\n", true, "COMPILE_ERROR", "load", "not callable");
    row("syntax error", "def run(x, y, z)\n    pass\n", true, "COMPILE_ERROR", "load", "SyntaxError");
    row("import error", "import no_such_module\n", true, "COMPILE_ERROR", "load", "no_such_module");
    row("sibling import without a dot", "import main\n", true, "COMPILE_ERROR", "load", "No module named 'main'");
    row("too few parameters", "def run(x, y):\n    pass\n", true, "COMPILE_ERROR", "load", "3 positional arguments");
    row("not a Python file", "x", true, "COMPILE_ERROR", "load", "not a Python file", "kernel.txt::run");

    row("hands out its first result again", "first = None\ndef run(x, y):\n    global first\n    if first is None:\n        first = x + y\n    return first\n", false,
        "INCORRECT_NUMERICAL", "output.wrong");
    row("honest while it is checked", "calls = 0\nkept = None\ndef run(x, y):\n    global calls, kept\n    calls += 1\n    if calls <= 2:\n        kept = x + y\n    return kept\n",
        false, "INCORRECT_NUMERICAL", "output.wrong", "although the checked calls were right");
    row("says done early", std::string(kFindHost) + "def run(x, y, z):\n    import time\n    page = host().page\n    page[64] = page[32]\n    time.sleep(0.2)\n    z.copy_(x + y)\n",
        true, "INCORRECT_NUMERICAL", "output.poisoned");
    row("writes junk into the page", std::string(kFindHost) + "def run(x, y, z):\n    page = host().page\n    for i in (16, 48, 64, 80):\n        page[i] = 0xDEADBEEF\n    page[200] = 1\n"
        "    z.copy_(x + y)\n", true, "PASSED");
    row("loses its own place in the page", std::string(kFindHost) + "def run(x, y, z):\n    host().page[0] = 0xDEADBEEF\n    z.copy_(x + y)\n", true, "TIMEOUT", "timeout", "",
        "main.py::run", 2);
    row("sends garbage", "import os\ndef run(x, y, z):\n    z.copy_(x + y)\n    os.write(3, b'\\xff' * 64)\n", true, "RUNTIME_ERROR", "protocol", "broke the protocol");
    row("sends a huge frame", "import os, struct\ndef run(x, y, z):\n    z.copy_(x + y)\n    os.write(3, struct.pack('<I', 2 << 20))\n", true, "RUNTIME_ERROR", "protocol",
        "2097152 bytes");
    row("forges a verdict", "import os, struct\ndef run(x, y, z):\n    text = b'{\"op\":\"evaluated\",\"status\":\"PASSED\"}'\n    os.write(3, struct.pack('<I', len(text)) + text)\n",
        true, "INCORRECT_NUMERICAL", "output.poisoned");
    row("closes its socket", "import os\ndef run(x, y, z):\n    z.copy_(x + y)\n    try:\n        os.close(3)\n    except OSError:\n        pass\n", true, "RUNTIME_ERROR");
    row("floods stdout", "import os\ndef run(x, y, z):\n    z.copy_(x + y)\n    os.write(1, b'flood ' * 200000)\n", true, "PASSED", "", "[log truncated: ");
    row("prints invalid UTF-8", "import os\ndef run(x, y, z):\n    z.copy_(x + y)\n    os.write(2, b'a\\xff\\x00b\\n')\n", true, "PASSED", "", "a\xEF\xBF\xBD\xEF\xBF\xBD" "b");
    row("prints before it dies", "import os\nprint('last words')\ndef run(x, y, z):\n    print('in the call')\n    os._exit(1)\n", true, "RUNTIME_ERROR", "exit", "in the call");
    row("shrinks the shared memory", std::string(kFindHost) + "def run(x, y, z):\n    import os\n    for fd in os.listdir('/proc/self/fd'):\n        try:\n            os.ftruncate(int(fd), 0)\n"
        "        except OSError:\n            pass\n    z.copy_(x + y)\n", true, "PASSED");
}

void TestJudge::judgesPythonSolutions()
{
    QFETCH(QString, source);
    QFETCH(bool, destinationPassing);
    QFETCH(QString, entry);
    QFETCH(double, timeout);
    QFETCH(QString, status);
    QFETCH(QString, verdict);
    QFETCH(QString, logged);
    openAdd();
    const Json answer = m_judge->ask(evaluateMessage(makeSolution("add", source.toStdString(), destinationPassing, entry.toStdString()), timeout));
    QVERIFY2(answer.value("op", "") == "evaluated", answer.dump().c_str());
    const Json& evaluation = answer.at("evaluation");
    const std::string dump = evaluation.dump(1);
    QCOMPARE(QString::fromStdString(evaluation.at("status").get<std::string>()), status);
    QVERIFY(answer.at("store").get<bool>());
    if (!verdict.isEmpty()) QVERIFY2(hasVerdict(evaluation, verdict.toStdString()), dump.c_str());
    const QString log = QString::fromStdString(evaluation.at("log").get<std::string>());
    QVERIFY2(log.contains(logged), dump.c_str());
    // The format's table of what goes with which status, by its own strict reader.
    const auto decoded = decodeEvaluation(evaluation, ReadMode::Strict);
    QVERIFY2(decoded.has_value(), decoded ? "" : decoded.error().toString().c_str());
    if (status == QLatin1String("PASSED")) {
        QVERIFY(decoded->value.performance->latencyMs > 0);
        QVERIFY(decoded->value.performance->referenceLatencyMs > 0);
        QCOMPARE(decoded->value.performance->speedupFactor, decoded->value.performance->referenceLatencyMs / decoded->value.performance->latencyMs);
        QVERIFY(decoded->value.correctness->maxAbsoluteError <= 1e-2);
    }
    const QString name = QString::fromUtf8(QTest::currentDataTag());
    if (name == QLatin1String("NaN") || verdict.startsWith(QLatin1String("output.po")) || verdict == QLatin1String("output.partial")) {
        QCOMPARE(evaluation.at("correctness").at("max_absolute_error").get<std::string>(), std::string("NaN"));
    }
    if (name == QLatin1String("Inf")) QCOMPARE(evaluation.at("correctness").at("max_relative_error").get<std::string>(), std::string("Infinity"));
    if (name == QLatin1String("wrong values")) QVERIFY(decoded->value.correctness->maxAbsoluteError > 1e-2);
    if (name == QLatin1String("floods stdout")) QVERIFY(log.size() < 2 * 1024 * 1024);

    // Whatever that was: an honest solution right after it passes.
    if (status != QLatin1String("PASSED")) {
        const Json after = m_judge->ask(evaluateMessage(makeSolution("add", "def run(x, y):\n    return x + y\n", false), kTimeoutSeconds));
        QVERIFY2(after.value("op", "") == "evaluated", after.dump().c_str());
        QCOMPARE(after.at("evaluation").at("status").get<std::string>(), std::string("PASSED"));
    }
}

void TestJudge::runsEveryKindOfInput_data()
{
    QTest::addColumn<QString>("definition");
    QTest::addColumn<QString>("inputs");
    QTest::addColumn<QString>("source");
    QTest::addColumn<bool>("destinationPassing");
    QTest::addColumn<QString>("status");

    const auto row = [](const char* name, const Json& definition, const Json& inputs, const char* source, bool dps, const char* status = "PASSED") {
        QTest::newRow(name) << QString::fromStdString(definition.dump()) << QString::fromStdString(inputs.dump()) << QString::fromUtf8(source) << dps << QString::fromUtf8(status);
    };
    for (const char* dtype : {"float32", "bfloat16", "int32", "int64", "int16", "int8"}) {
        row((std::string(dtype) + ", destination passing").c_str(), makeDefinition("twice", {{"x", dtype}}, {{"y", dtype}}, "def run(x):\n    return x + x\n"), randomInputs({"x"}),
            "def run(x, y):\n    y.copy_(x + x)\n", true);
    }
    row("bfloat16, value returning", makeDefinition("twice", {{"x", "bfloat16"}}, {{"y", "bfloat16"}}, "def run(x):\n    return x * 2\n"), randomInputs({"x"}),
        "def run(x):\n    return x + x\n", false);
    row("bool", makeDefinition("not", {{"x", "bool"}}, {{"y", "bool"}}, "def run(x):\n    return ~x\n"), randomInputs({"x"}), "def run(x, y):\n    y.copy_(x == False)\n", true);
    row("bool, wrong", makeDefinition("not", {{"x", "bool"}}, {{"y", "bool"}}, "def run(x):\n    return ~x\n"), randomInputs({"x"}), "def run(x, y):\n    y.copy_(x)\n", true,
        "INCORRECT_NUMERICAL");
    row("scalars keep their kind", makeDefinition("scale", {{"x", "float32"}, {"k", "=int32"}, {"s", "=float32"}, {"negate", "=bool"}}, {{"y", "float32"}},
                                                  "def run(x, k, s, negate):\n    assert (type(k), type(s), type(negate)) == (int, float, bool)\n    return -x * k * s if negate else x * k * s\n"),
        {{"x", {{"type", "random"}}}, {"k", {{"type", "scalar"}, {"value", 3}}}, {"s", {{"type", "scalar"}, {"value", 0.5}}}, {"negate", {{"type", "scalar"}, {"value", true}}}},
        "def run(x, k, s, negate, y):\n    assert (k, s, negate) == (3, 0.5, True) and type(k) is int and type(negate) is bool\n    y.copy_(-1.5 * x)\n", true);
    row("scalars that nobody gave are drawn", makeDefinition("scale", {{"x", "float32"}, {"k", "=int32"}, {"s", "=float32"}}, {{"y", "float32"}},
                                                             "def run(x, k, s):\n    return x * k * s\n"),
        randomInputs({"x"}), "def run(x, k, s):\n    assert type(k) is int and -1024 <= k < 1024 and type(s) is float\n    return x * (k * s)\n", false);
    row("several outputs", makeDefinition("split", {{"x", "float32"}}, {{"a", "float32"}, {"b", "int32"}}, "import torch\ndef run(x):\n    return x * 2, (x > 0).to(torch.int32)\n"),
        randomInputs({"x"}), "import torch\ndef run(x):\n    return [x + x, torch.where(x > 0, 1, 0).int()]\n", false);
    row("several outputs, the second wrong", makeDefinition("split", {{"x", "float32"}}, {{"a", "float32"}, {"b", "int32"}},
                                                            "import torch\ndef run(x):\n    return x * 2, (x > 0).to(torch.int32)\n"),
        randomInputs({"x"}), "def run(x, a, b):\n    a.copy_(x + x)\n    b.copy_(x < 0)\n", true, "INCORRECT_NUMERICAL");
    Json sum = makeDefinition("sum", {{"x", "float32"}}, {{"s", "=float32"}}, "def run(x):\n    return float(x.sum())\n");
    row("a host number as output", sum, randomInputs({"x"}), "def run(x):\n    return x.sum()\n", false);
    row("a host number can't be written to", sum, randomInputs({"x"}), "def run(x, s):\n    pass\n", true, "RUNTIME_ERROR");
    row("the reference decides the dtype", makeDefinition("widen", {{"x", "float32"}}, {{"y", "float32"}}, "def run(x):\n    return x.double()\n"), randomInputs({"x"}),
        "def run(x):\n    return x.double()\n", false);
    row("and the declared one fails", makeDefinition("widen", {{"x", "float32"}}, {{"y", "float32"}}, "def run(x):\n    return x.double()\n"), randomInputs({"x"}),
        "def run(x, y):\n    y.copy_(x)\n", true, "INCORRECT_DTYPE");
    row("probabilities of sampling", makeDefinition("sample", {{"probs", "float32"}}, {{"y", "int64"}},
                                                      "import torch\ndef run(probs):\n    return torch.multinomial(probs, 77, replacement=True)\n", "sampling"), randomInputs({"probs"}),
        "import torch\ndef run(probs, y):\n    rows = probs.reshape(-1, 77)\n    assert float((rows.sum(1) - 1).abs().max()) < 1e-4 and float(probs.min()) > 0\n"
        "    y.copy_(torch.multinomial(rows, 77, replacement=True).reshape(-1))\n", true);
}

void TestJudge::runsEveryKindOfInput()
{
    QFETCH(QString, definition);
    QFETCH(QString, inputs);
    QFETCH(QString, source);
    QFETCH(bool, destinationPassing);
    QFETCH(QString, status);
    m_open = "other";
    const Json parsed = Json::parse(definition.toStdString());
    const Json opened = m_judge->ask(openMessage(parsed, makeWorkload(77, Json::parse(inputs.toStdString())), makeConfig(1, 3, 2)));
    QVERIFY2(opened.value("op", "") == "opened", opened.dump().c_str());
    const Json answer = m_judge->ask(evaluateMessage(makeSolution(parsed.at("name"), source.toStdString(), destinationPassing), kTimeoutSeconds));
    QVERIFY2(answer.value("op", "") == "evaluated", answer.dump().c_str());
    QVERIFY2(QString::fromStdString(answer.at("evaluation").at("status").get<std::string>()) == status, answer.dump(1).c_str());
}

void TestJudge::readsSafetensorsInputs()
{
    QTemporaryDir folder;
    std::vector<float> values(16);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) * 0.25F;
    const std::filesystem::path root = folder.path().toStdString();
    QVERIFY(writeSafetensors(root / "blob.safetensors", {{"table", DType::Float32, {16}, std::as_bytes(std::span(values))}}).has_value());
    const Json definition = makeDefinition("lookup", {{"x", "float32"}, {"table", "float32"}}, {{"y", "float32"}}, "def run(x, table):\n    return x + table\n");
    const Json inputs = {{"x", {{"type", "random"}}}, {"table", {{"type", "safetensors"}, {"path", "blob.safetensors"}, {"tensor_key", "table"}}}};
    m_open = "other";
    const Json opened = m_judge->ask(openMessage(definition, makeWorkload(16, inputs), makeConfig(0, 2, 1), root.string()));
    QVERIFY2(opened.value("op", "") == "opened", opened.dump().c_str());
    const Json answer = m_judge->ask(evaluateMessage(
        makeSolution("lookup", "import torch\ndef run(x, table, y):\n    assert table.tolist() == [i * 0.25 for i in range(16)]\n    y.copy_(x + table)\n    table.zero_()\n", true),
        kTimeoutSeconds));
    const Json& evaluation = answer.at("evaluation");
    QVERIFY2(evaluation.at("status") == "PASSED", evaluation.dump(1).c_str());   // rewritten before each call, although it is zeroed
    QVERIFY(hasVerdict(evaluation, "inputs.mutated"));
    QCOMPARE(evaluation.at("judge").at("fresh_bytes").get<double>(), 0.5);
}

void TestJudge::saysWhatIsWrongWithAWorkload_data()
{
    QTest::addColumn<QString>("reference");
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("message");
    const QString good = QStringLiteral("def run(x, table):\n    return x + table\n");
    const auto blob = [](const char* path, const char* key) {
        return QString::fromStdString(Json({{"type", "safetensors"}, {"path", path}, {"tensor_key", key}}).dump());
    };
    const QString random = QStringLiteral(R"({"type":"random"})");
    QTest::newRow("no such file") << good << blob("missing.safetensors", "table") << "table";
    QTest::newRow("outside the root") << good << blob("../../etc/passwd", "table") << "table";
    QTest::newRow("not downloaded") << good << blob("pointer.safetensors", "table") << "git lfs pull --include \"pointer.safetensors\"";
    QTest::newRow("no such tensor") << good << blob("blob.safetensors", "other") << "no tensor `other`";
    QTest::newRow("wrong shape") << good << blob("blob.safetensors", "short") << "shape [4]";
    QTest::newRow("wrong dtype") << good << blob("blob.safetensors", "half") << "dtype F16";
    QTest::newRow("reference raises") << QStringLiteral("def run(x, table):\n    raise KeyError('lost')\n") << random << "raised an exception";
    QTest::newRow("reference is no Python") << QStringLiteral("def run(\n") << random << "not valid Python";
    QTest::newRow("reference can't be imported") << QStringLiteral("import no_such_module\ndef run(x, table):\n    return x\n") << random << "can't be loaded";
    QTest::newRow("reference dies") << QStringLiteral("import os\ndef run(x, table):\n    os._exit(5)\n") << random << "exit code 5";
    QTest::newRow("reference returns too much") << QStringLiteral("def run(x, table):\n    return x, x\n") << random << "raised an exception";
    QTest::newRow("reference hangs") << QStringLiteral("import time\ndef run(x, table):\n    time.sleep(1000)\n") << random << "time limit";
}

void TestJudge::saysWhatIsWrongWithAWorkload()
{
    QFETCH(QString, reference);
    QFETCH(QString, table);
    QFETCH(QString, message);
    QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    const std::vector<std::byte> zeros(64);
    const std::span<const std::byte> bytes(zeros);
    QVERIFY(writeSafetensors(root / "blob.safetensors", {{"short", DType::Float32, {4}, bytes.first(16)}, {"half", DType::Float16, {16}, bytes.first(32)}}).has_value());
    std::ofstream(root / "pointer.safetensors") << "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
    const Json definition = makeDefinition("lookup", {{"x", "float32"}, {"table", "float32"}}, {{"y", "float32"}}, reference.toStdString());
    Json open = openMessage(definition, makeWorkload(16, {{"x", {{"type", "random"}}}, {"table", Json::parse(table.toStdString())}}), makeConfig(0, 1, 1), root.string());
    if (reference.contains(QLatin1String("sleep"))) open["timeout"] = 2;
    m_open = "other";
    const Json answer = m_judge->ask(open);
    QCOMPARE(answer.value("op", ""), std::string("open_failed"));
    const QString said = QString::fromStdString(answer.at("message").get<std::string>());
    QVERIFY2(said.contains(message), qPrintable(said));
    if (reference.contains(QLatin1String("KeyError"))) QVERIFY(answer.at("log").get<std::string>().find("KeyError: 'lost'") != std::string::npos);
}

void TestJudge::leavesNoProcessBehind()
{
    openAdd();
    const pid_t judge = m_judge->process().pid();
    // The reference host may or may not be alive: evaluate an honest solution first, which needs it.
    m_judge->ask(evaluateMessage(makeSolution("add", "def run(x, y):\n    return x + y\n", false), kTimeoutSeconds));
    const std::vector<pid_t> before = descendantsOf(judge);
    const char* const source = "import os, time\n"
                               "def daemon():\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n            os.setsid()\n            time.sleep(10000)\n        os._exit(0)\n"
                               "def run(x, y, z):\n    for _ in range(5):\n        daemon()\n    z.copy_(x + y)\n";
    const Json answer = m_judge->ask(evaluateMessage(makeSolution("add", source, true), kTimeoutSeconds));
    QVERIFY2(answer.at("evaluation").at("status") == "PASSED", answer.dump(1).c_str());
    QCOMPARE(descendantsOf(judge), before);
}

void TestJudge::repeatsAUsersSeed()
{
    const char* const source = "def run(x, y, z):\n    print('first', float(x[0]), float(y[-1]))\n    z.copy_(x + y)\n";
    const auto logWith = [&](std::optional<std::uint64_t> seed) {
        auto judge = startJudge(seed);
        if (!judge) return std::string();
        judge->ask(openMessage(addDefinition(), makeWorkload(100, randomInputs({"x", "y"})), makeConfig(1, 2, 2)));
        const Json answer = judge->ask(evaluateMessage(makeSolution("add", source, true), kTimeoutSeconds));
        const Json& record = answer.at("evaluation").at("judge");
        if (record.at("seed_by") != (seed ? "user" : "judge") || (seed && record.at("seed") != std::to_string(*seed))) return std::string();
        return answer.at("evaluation").at("log").get<std::string>();
    };
    const std::string once = logWith(18446744073709551615ULL);
    QVERIFY(!once.empty());
    QCOMPARE(logWith(18446744073709551615ULL), once);
    QVERIFY(logWith(7) != once);
    QVERIFY(logWith({}) != logWith({}));
    // Fresh contents in every call: as many different lines as calls. Six have late inputs.
    const QStringList lines = QString::fromStdString(once).trimmed().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 2 + 2 * 3 + 6);
    QCOMPARE(QSet<QString>(lines.begin(), lines.end()).size(), lines.size());
}

void TestJudge::whatIsPrintedCanBeFollowed()
{
    openAdd();
    const char* const source = "import time\nprint('loading', flush=True)\ntime.sleep(0.6)\ndef run(x, y, z):\n    print('a call', flush=True)\n    z.copy_(x + y)\n";
    Json message = evaluateMessage(makeSolution("add", source, true), kTimeoutSeconds);
    message["live_log"] = true;
    const Json answer = m_judge->ask(message);
    QCOMPARE(answer.at("evaluation").at("status").get<std::string>(), std::string("PASSED"));
    QVERIFY(!m_judge->logs.empty());
    QVERIFY2(m_judge->logs.front().starts_with("loading"), m_judge->logs.front().c_str());
    const std::string whole = answer.at("evaluation").at("log").get<std::string>();
    for (const std::string& piece : m_judge->logs) QVERIFY2(piece.size() <= 4096 && whole.find(piece) != std::string::npos, piece.c_str());
    // Nobody who does not ask is told.
    message.erase("live_log");
    QCOMPARE(m_judge->ask(message).at("evaluation").at("status").get<std::string>(), std::string("PASSED"));
    QVERIFY(m_judge->logs.empty());
}

void TestJudge::withoutBaselineSpeedupIsZero()
{
    Json open = openMessage(addDefinition(), makeWorkload(100, randomInputs({"x", "y"})), makeConfig(0, 1, 1));
    open["profile_baseline"] = false;
    m_open = "other";
    const Json opened = m_judge->ask(open);
    QCOMPARE(opened.at("reference_latency_ms").get<double>(), 0.0);
    const Json answer = m_judge->ask(evaluateMessage(makeSolution("add", "def run(x, y):\n    return x + y\n", false), kTimeoutSeconds));
    const Json& performance = answer.at("evaluation").at("performance");
    QCOMPARE(performance.at("reference_latency_ms").get<double>(), 0.0);
    QCOMPARE(performance.at("speedup_factor").get<double>(), 0.0);
    QVERIFY(performance.at("latency_ms").get<double>() > 0);
}

void TestJudge::checksTritonWithoutTiming()
{
    if (!m_python.facts.packages.contains("triton")) QSKIP("this Python has no triton");
    if (!m_python.facts.packages.contains("numpy")) QSKIP("Triton's interpreter needs numpy");
    openAdd();
    const char* const source = "import torch\nimport triton\nimport triton.language as tl\n\n"
                               "@triton.jit\ndef add(x, y, z, n, B: tl.constexpr):\n    i = tl.program_id(0) * B + tl.arange(0, B)\n    m = i < n\n"
                               "    tl.store(z + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)\n\n"
                               "def run(x, y, z):\n    add[(triton.cdiv(x.numel(), 1024),)](x, y, z, x.numel(), B=1024)\n";
    const Json answer = m_judge->ask(evaluateMessage(makeSolution("add", source, true, "main.py::run", "triton"), kTimeoutSeconds));
    QVERIFY2(answer.at("evaluation").at("status") == "PASSED", answer.dump(1).c_str());
    QCOMPARE(answer.at("store").get<bool>(), false);
    QVERIFY(answer.at("note").get<std::string>().find("interpreter") != std::string::npos);
    QVERIFY(answer.at("evaluation").at("judge").at("time").is_null());
}

void TestJudge::recordsWhatItDid()
{
    openAdd();
    const Json answer = m_judge->ask(evaluateMessage(makeSolution("add", "def run(x, y):\n    return x + y\n", false), kTimeoutSeconds));
    QCOMPARE(m_judge->stages, (std::vector<std::string>{"check", "time", "verify"}));
    const Json& evaluation = answer.at("evaluation");
    QCOMPARE(evaluation.at("environment").at("hardware"), m_hello.at("hardware"));
    QCOMPARE(evaluation.at("environment").at("libs").at("timing").get<std::string>(), std::string("tracedeck-cpu"));
    QVERIFY(QRegularExpression(QStringLiteral(R"(^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$)")).match(QString::fromStdString(evaluation.at("timestamp"))).hasMatch());
    const Json& record = evaluation.at("judge");
    QCOMPARE(record.at("version").get<int>(), 1);
    QCOMPARE(record.at("protocol").get<std::string>(), std::string("cpu"));
    QCOMPARE(record.at("calls"), Json({{"warmup", 2}, {"counted", 8}, {"verified", 5 + 6}}));
    QCOMPARE(record.at("fresh_bytes").get<double>(), 1.0);
    QCOMPARE(record.at("time").at("n").get<int>(), 8);
    QVERIFY(record.at("time").at("p5").get<double>() <= record.at("time").at("p50").get<double>());
    QVERIFY(record.at("time").at("p50").get<double>() <= record.at("time").at("p95").get<double>());
    QVERIFY(record.at("verdicts").empty());
}

void TestJudge::endsWithItsProgram()
{
    auto judge = startJudge();
    QVERIFY(judge);
    judge->ask(openMessage(addDefinition(), makeWorkload(100, randomInputs({"x", "y"})), makeConfig(0, 1, 1)));
    Json evaluate = evaluateMessage(makeSolution("add", "import time\ndef run(x, y, z):\n    time.sleep(1000)\n", true), 100);
    evaluate["id"] = 77;
    QVERIFY(judge->tell(evaluate));
    QVERIFY(judge->awaitStage("check"));
    const std::vector<pid_t> hosts = descendantsOf(judge->process().pid());
    QVERIFY(!hosts.empty());
    judge->closeSocket();
    QVERIFY(eventually(20, [&] { return judge->process().tryWait().has_value(); }));
    for (const pid_t host : hosts) QVERIFY(eventually(10, [host] { return ::kill(host, 0) != 0; }));
}

void TestJudge::aKilledJudgeTakesItsHostsAlong()
{
    auto judge = startJudge();
    QVERIFY(judge);
    judge->ask(openMessage(addDefinition(), makeWorkload(100, randomInputs({"x", "y"})), makeConfig(0, 1, 1)));
    Json evaluate = evaluateMessage(makeSolution("add", "import time\ndef run(x, y, z):\n    time.sleep(1000)\n", true), 100);
    evaluate["id"] = 77;
    QVERIFY(judge->tell(evaluate));
    QVERIFY(judge->awaitStage("check"));
    const std::vector<pid_t> hosts = descendantsOf(judge->process().pid());
    QVERIFY(hosts.size() >= 3);   // the warm guest, the reference host, the solution host
    ::kill(judge->process().pid(), SIGKILL);
    const auto isGone = [](pid_t pid) {
        std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
        std::string text;
        std::getline(file, text);
        const auto bracket = text.rfind(')');
        return bracket == std::string::npos || text[bracket + 2] == 'Z';   // a zombie waits for whoever inherited it
    };
    for (const pid_t host : hosts) QVERIFY(eventually(10, [&] { return isGone(host); }));
}

void TestJudge::saysWhyItCannotStart_data()
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<QString>("python");
    QTest::addColumn<QString>("message");
    QTest::newRow("unknown device") << "tpu:0" << "" << "tpu:0";
    QTest::newRow("no interpreter") << "cpu" << "" << "no Python interpreter";
    QTest::newRow("interpreter is not there") << "cpu" << "/nonexistent/python" << "/nonexistent/python";
    QTest::newRow("not an interpreter") << "cpu" << "/bin/false" << "/bin/false";
}

void TestJudge::saysWhyItCannotStart()
{
    QFETCH(QString, device);
    QFETCH(QString, python);
    QFETCH(QString, message);
    // The reason reaches the program whichever of the two is faster.
    for (const auto pause : {std::chrono::milliseconds(0), std::chrono::milliseconds(500)}) {
        Json first;
        auto judge = JudgeClient::start({.device = device.toStdString(),
                                         .python = python.toStdString(),
                                         .tvmFfiLibrary = {},
                                         .seed = {},
                                         .pauseBeforeInit = pause},
                                        first);
        QVERIFY(judge);
        QCOMPARE(first.value("op", ""), std::string("fatal"));
        const QString said = QString::fromStdString(first.at("message").get<std::string>());
        QVERIFY2(said.contains(message), qPrintable(said));
        QVERIFY(eventually(10, [&] { return judge->process().tryWait().has_value(); }));
    }
}

void TestJudge::strangeMessagesEndTheConnection()
{
    for (const Json& message : {Json{{"op", "dance"}}, evaluateMessage(makeSolution("add", "x", true), 1), Json{{"op", "evaluate"}}}) {
        auto judge = startJudge();
        QVERIFY(judge);
        QVERIFY(judge->tell(message));
        QVERIFY(eventually(20, [&] { return judge->process().tryWait().has_value(); }));
        QCOMPARE(judge->process().tryWait()->exitCode, 1);
    }
}

QTEST_GUILESS_MAIN(TestJudge)
#include "test_judge.moc"
