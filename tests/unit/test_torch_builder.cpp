// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <filesystem>
#include <fstream>

#include "core/build/native_builder.h"
#include "core/io/child_process.h"
#include "tests/support/native_build.h"

using namespace tracedeck;
using test::sourceFile;
namespace fs = std::filesystem;

namespace {

/// Python's own headers only: PyTorch's take a minute.
constexpr const char* kQuick = R"(#include <Python.h>
static PyObject* answer(PyObject*, PyObject*) { return PyLong_FromLong(42); }
static PyMethodDef methods[] = {{"run", answer, METH_NOARGS, ""}, {nullptr, nullptr, 0, nullptr}};
#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, TEXT(TORCH_EXTENSION_NAME), "", -1, methods, nullptr, nullptr, nullptr, nullptr};
#define START(name) START_(name)
#define START_(name) PyInit_##name
PyMODINIT_FUNC START(TORCH_EXTENSION_NAME)() { return PyModule_Create(&definition); }
)";

constexpr const char* kReal = R"(#include <torch/extension.h>
void run(torch::Tensor x, torch::Tensor y) { y.copy_(x * 2); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &run); }
)";

Solution torchSolution(const std::string& source, const std::string& path = "main.cpp", Language language = Language::Cpp)
{
    Solution result = test::nativeSolution(source, path, language);
    result.spec.binding = Binding::Torch;
    return result;
}

std::string logOf(const std::variant<BuiltLibrary, BuildFailure>& result)
{
    return std::visit([](const auto& outcome) { return outcome.log; }, result);
}

}  // namespace

class TestTorchBuilder : public QObject {
    Q_OBJECT

    BuildOptions m_options;
    PythonChoice m_python;
    std::unique_ptr<QTemporaryDir> m_cache;

    std::variant<BuiltLibrary, BuildFailure> build(const Solution& what) const { return buildNative(what, m_options, {}); }

    /// What a script prints that has the guest's loader and the built module's place as `library`, `symbol`.
    [[nodiscard]] std::string runGuest(const BuiltLibrary& built, const std::string& script) const
    {
        std::ifstream in(TRACEDECK_SOURCE_DIR "/core/guest/tracedeck_guest_extension.py");
        const std::string guest{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        ChildSpec spec;
        spec.command = {m_python.interpreter.string(), "-I", "-B", "-c",
                        "import sys\nclass LoadError(Exception):\n    pass\n" + guest + "\nlibrary, symbol = sys.argv[1:]\n" + script,
                        built.library.string(), built.symbol};
        const auto run = runCaptured(std::move(spec), {.timeoutSeconds = 120, .capBytes = 65536, .mergeErrorOutput = true});
        return run ? run->output : run.error().toString();
    }

private slots:
    void initTestCase()
    {
        if (const std::string obstacle = test::takePython(m_options, &m_python); !obstacle.empty()) QSKIP(obstacle.c_str());
        if (m_options.torch.folder.empty()) QSKIP("this Python has no PyTorch with C++ headers");
        if (!fs::exists(m_options.torch.pythonInclude / "Python.h")) QSKIP("this Python has no headers");
    }

    void init()
    {
        m_cache = std::make_unique<QTemporaryDir>();
        m_options.cacheFolder = m_cache->path().toStdString();
    }

    void cleanup() { QVERIFY(descendantsOf(::getpid()).empty()); }

    void realSolutionRunsOnTensors()
    {
        const auto result = build(torchSolution(kReal));
        QVERIFY2(std::holds_alternative<BuiltLibrary>(result), logOf(result).c_str());
        const auto& built = std::get<BuiltLibrary>(result);
        QVERIFY(built.symbol.starts_with("PyInit_tracedeck_"));
        QCOMPARE(runGuest(built, "import torch\nx = torch.arange(3.0)\ny = torch.empty(3)\nload_extension(library, symbol, 'run')(x, y)\nprint(y.tolist())"),
                 std::string("[0.0, 2.0, 4.0]\n"));
        QCOMPARE(runGuest(built, "import torch\ntry:\n    load_extension(library, symbol, 'walk')\nexcept LoadError as error:\n    print(error)"),
                 std::string("the compiled module defines no function 'walk': add m.def(\"walk\", …) to its PYBIND11_MODULE\n"));
    }

    void sameContentComesFromTheCache()
    {
        Solution what = torchSolution(kQuick);
        const auto first = build(what);
        QVERIFY2(std::holds_alternative<BuiltLibrary>(first), logOf(first).c_str());
        what.name = "another";
        const auto second = std::get<BuiltLibrary>(build(what));
        QVERIFY(second.fromCache);
        QCOMPARE(second.library, std::get<BuiltLibrary>(first).library);
        QCOMPARE(runGuest(second, "import torch\nprint(load_extension(library, symbol, 'run')())"), std::string("42\n"));
        m_options.torch.version += "+other";
        const auto other = std::get<BuiltLibrary>(build(what));
        QVERIFY(!other.fromCache);
        QVERIFY(other.symbol != second.symbol);
    }

    void unresolvedSymbolsAreTheAuthorsToRead()
    {
        const auto result = build(torchSolution(std::string("int missing();\nint also() { return missing(); }\n") + kQuick));
        QVERIFY2(std::holds_alternative<BuiltLibrary>(result), logOf(result).c_str());
        const std::string printed = runGuest(std::get<BuiltLibrary>(result), "import os, torch\nsys.setdlopenflags(os.RTLD_NOW)\ntry:\n"
                                                                           "    load_extension(library, symbol, 'run')\nexcept LoadError as error:\n    print(error)");
        QVERIFY2(printed.find("the compiled module can't be loaded") == 0 && printed.find("missing") != std::string::npos, printed.c_str());
    }

    void failuresSayWhatIsWrong_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QStringList>("phrases");
        QTest::newRow("syntax error") << "int f() {\n    return nonsense;\n}\n" << "main.cpp" << QStringList{"main.cpp:2", "nonsense", "compiling main.cpp failed"};
        QTest::newRow("no module") << "int f() { return 0; }\n" << "main.cpp" << QStringList{"PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)", "m.def(\"run\""};
        QTest::newRow("CUDA code in a cpp solution") << "int x;\n" << "kernel.cu" << QStringList{"only in solutions of language cuda"};
    }
    void failuresSayWhatIsWrong()
    {
        QFETCH(QString, source);
        QFETCH(QString, path);
        QFETCH(QStringList, phrases);
        const auto result = build(torchSolution(source.toStdString(), path.toStdString()));
        QVERIFY(std::holds_alternative<BuildFailure>(result));
        QCOMPARE(std::get<BuildFailure>(result).code, ErrorCode::ProcessFailed);
        const QString log = QString::fromStdString(logOf(result));
        for (const auto& phrase : phrases) QVERIFY2(log.contains(phrase), qPrintable(log));
        QVERIFY2(!log.contains(m_cache->path()), qPrintable(log));
    }

    void entryMustBeACompiledFile()
    {
        Solution what = torchSolution(kQuick);
        what.spec.entryPoint = "main.h::run";
        what.sources.push_back(sourceFile("main.h", "int x;\n"));
        QCOMPARE(std::get<BuildFailure>(build(what)).code, ErrorCode::ProcessFailed);
    }

    void missingPartsAreNotTheSolutionsFault()
    {
        const TorchFiles complete = m_options.torch;
        m_options.torch.folder.clear();
        const auto noTorch = build(torchSolution(kQuick));
        m_options.torch = complete;
        m_options.torch.pythonInclude = "/nonexistent";
        const auto noPython = build(torchSolution(kQuick));
        m_options.torch = complete;
        QCOMPARE(std::get<BuildFailure>(noTorch).code, ErrorCode::Unsupported);
        QVERIFY(logOf(noTorch).find("torch/extension.h") != std::string::npos);
        QCOMPARE(std::get<BuildFailure>(noPython).code, ErrorCode::Unsupported);
        QVERIFY(logOf(noPython).find("/nonexistent/Python.h") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestTorchBuilder)
#include "test_torch_builder.moc"
