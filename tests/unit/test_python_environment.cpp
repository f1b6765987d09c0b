// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <thread>

#include "core/run/python_environment.h"

using namespace tracedeck;
namespace fs = std::filesystem;

namespace {

/// Sets variables for one scope; a null value removes.
class Variables {
public:
    explicit Variables(const std::vector<std::pair<QByteArray, QByteArray>>& values)
    {
        for (const auto& [name, value] : values) {
            m_before.emplace_back(name, qEnvironmentVariableIsSet(name.constData()) ? qgetenv(name.constData())
                                                                                    : QByteArray());
            if (value.isNull()) qunsetenv(name.constData());
            else qputenv(name.constData(), value);
        }
    }
    ~Variables()
    {
        for (const auto& [name, value] : m_before) {
            if (value.isNull()) qunsetenv(name.constData());
            else qputenv(name.constData(), value);
        }
    }
    Variables(const Variables&) = delete;
    Variables& operator=(const Variables&) = delete;

private:
    std::vector<std::pair<QByteArray, QByteArray>> m_before;
};

void writeProgram(const fs::path& path, const std::string& text)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    fs::permissions(path, fs::perms::owner_all);
}

}  // namespace

class TestPythonEnvironment : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    [[nodiscard]] fs::path root() const { return m_folder.path().toStdString(); }

private slots:
    void initTestCase()
    {
        for (const char* name : {"setting", "option", "variable", "venv/bin/python", "conda/bin/python",
                                 "data/tracedeck/guest-env/bin/python"}) {
            writeProgram(root() / name, "#!/bin/sh\n");
        }
    }

    void firstThatIsSetDecides_data()
    {
        QTest::addColumn<int>("given");   // how many of the six places are set, from the last on
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("interpreter");
        QTest::newRow("setting") << 6 << "setting"
                                 << "setting";
        QTest::newRow("option") << 5 << "option"
                                << "option";
        QTest::newRow("variable") << 4 << "TRACEDECK_PYTHON"
                                  << "variable";
        QTest::newRow("virtual environment") << 3 << "VIRTUAL_ENV"
                                             << "venv/bin/python";
        QTest::newRow("conda environment") << 2 << "CONDA_PREFIX"
                                           << "conda/bin/python";
        QTest::newRow("private environment") << 1 << "private"
                                             << "data/tracedeck/guest-env/bin/python";
    }
    void firstThatIsSetDecides()
    {
        QFETCH(int, given);
        QFETCH(QString, source);
        QFETCH(QString, interpreter);
        const auto place = [&](int least, const char* name) {
            return given >= least ? QByteArray::fromStdString((root() / name).string()) : QByteArray();
        };
        const Variables variables({{"TRACEDECK_PYTHON", place(4, "variable")},
                                   {"VIRTUAL_ENV", place(3, "venv")},
                                   {"CONDA_PREFIX", place(2, "conda")},
                                   {"XDG_DATA_HOME", place(1, "data")}});
        const auto choice = choosePython(place(6, "setting").toStdString(), place(5, "option").toStdString());
        QCOMPARE(QString::fromStdString(choice.source), source);
        QCOMPARE(choice.interpreter, root() / interpreter.toStdString());
        QVERIFY(choice.explanation.find(choice.interpreter.string()) != std::string::npos);
    }

    void nothingFoundSaysWhatToDo()
    {
        const Variables variables({{"TRACEDECK_PYTHON", {}},
                                   {"VIRTUAL_ENV", {}},
                                   {"CONDA_PREFIX", {}},
                                   {"XDG_DATA_HOME", QByteArray::fromStdString((root() / "empty").string())}});
        const auto choice = choosePython("", "");
        QCOMPARE(choice.source, std::string("none"));
        QVERIFY(choice.interpreter.empty());
        QVERIFY(choice.explanation.find("packaging/guest-env.sh") != std::string::npos);
        QCOMPARE(privateEnvironmentFolder(), root() / "empty" / "tracedeck" / "guest-env");
    }

    void brokenChoiceIsNotPassedOver()
    {
        const Variables variables({{"TRACEDECK_PYTHON", "/nonexistent/python"},
                                   {"VIRTUAL_ENV", QByteArray::fromStdString((root() / "venv").string())}});
        const auto choice = choosePython("", "");
        QCOMPARE(choice.source, std::string("TRACEDECK_PYTHON"));
        QVERIFY(choice.explanation.find("there is no such program") != std::string::npos);
        const auto facts = inspectPython(choice.interpreter);
        QVERIFY(!facts);
        QCOMPARE(facts.error().code, ErrorCode::NotFound);
        QCOMPARE(facts.error().file, std::string("/nonexistent/python"));
    }

    void brokenInterpreterIsExplained()
    {
        writeProgram(root() / "broken", "#!/bin/sh\necho oh dear >&2\nexit 7\n");
        const auto failed = inspectPython(root() / "broken");
        QVERIFY(!failed);
        QVERIFY(failed.error().reason.find("exit code 7") != std::string::npos);
        QVERIFY(failed.error().reason.find("oh dear") != std::string::npos);
        writeProgram(root() / "liar", "#!/bin/sh\necho 'tracedeck-facts [1'\n");
        QVERIFY(!inspectPython(root() / "liar"));
        writeProgram(root() / "silent", "#!/bin/sh\n");
        QVERIFY(!inspectPython(root() / "silent"));
        QCOMPARE(inspectPython({}).error().code, ErrorCode::NotFound);
    }

    void whatIsNoPythonIsCalledThat_data()
    {
        QTest::addColumn<QString>("interpreter");
        QTest::addColumn<QString>("phrase");
        QTest::addColumn<QString>("explanation");
        QTest::newRow("another program") << "/bin/ls" << "is not a Python interpreter: it printed \"" << "/bin/ls is used because --python names it.";
        QTest::newRow("a program that says nothing") << "/bin/true" << "is not a Python interpreter: it printed nothing" << "";
        QTest::newRow("text") << "text" << "cannot be started: it is a file that may not be executed" << "but it is a file that may not be executed";
        QTest::newRow("text that may be executed") << "executable" << "cannot be started: Exec format error" << "";
        QTest::newRow("folder") << "folder" << "cannot be started: it is a folder" << "but it is a folder";
        QTest::newRow("nothing") << "nothing" << "cannot be started: there is no such program" << "but there is no such program";
        QTest::newRow("a broken Python") << "broken" << "this Python does not work (exit code 1): Fatal Python error" << "";
    }
    void whatIsNoPythonIsCalledThat()
    {
        QFETCH(QString, interpreter);
        QFETCH(QString, phrase);
        QFETCH(QString, explanation);
        std::ofstream(root() / "text") << "hello\n";
        writeProgram(root() / "executable", "\x01\x02 no program\n");
        fs::create_directories(root() / "folder");
        writeProgram(root() / "broken", "#!/bin/sh\necho 'Fatal Python error: init_fs_encoding' >&2\nexit 1\n");
        const fs::path path = interpreter.startsWith('/') ? fs::path(interpreter.toStdString()) : root() / interpreter.toStdString();
        const auto facts = inspectPython(path);
        QVERIFY(!facts);
        QVERIFY2(QString::fromStdString(facts.error().reason).startsWith(phrase), facts.error().reason.c_str());
        QCOMPARE(facts.error().file, path.string());
        const auto choice = choosePython("", path.string());
        QVERIFY2(QString::fromStdString(choice.explanation).contains(explanation), choice.explanation.c_str());

        const auto findings = diagnose(choice);
        QCOMPARE(findings[4].subject, std::string("Python"));
        QCOMPARE(findings[4].level, Finding::Level::Missing);
        QVERIFY2(findings[4].found.find(" is used because") == std::string::npos, findings[4].found.c_str());
        QVERIFY(findings[4].remedy.find("guest-env.sh") != std::string::npos);
        const auto obstacles = whatPreventsRuns(findings);
        QVERIFY(std::find(obstacles.begin(), obstacles.end(), "Python") != obstacles.end());
    }

    void onlyWhatEveryRunNeedsPreventsRuns()
    {
        using Level = Finding::Level;
        QVERIFY(whatPreventsRuns({{Level::Missing, "C++ compiler", "", ""}, {Level::Missing, "tvm-ffi", "", ""}, {Level::Ok, "Python", "", ""}}).empty());
        QCOMPARE(whatPreventsRuns({{Level::Warning, "torch", "", ""}, {Level::Missing, "worker", "", ""}}), std::vector<std::string>{"worker"});
    }

    void inspectionReadsVersionsWithoutTouchingTheFolder()
    {
        const auto choice = choosePython("", "");
        if (choice.interpreter.empty()) QSKIP(choice.explanation.c_str());
        QTemporaryDir folder;
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder.path()));
        // A module of that name in the current folder must not be looked at.
        QVERIFY(QDir().mkdir("torch"));
        std::ofstream("json.py") << "raise SystemExit(9)\n";
        const auto facts = inspectPython(choice.interpreter);
        QVERIFY(QDir::setCurrent(before));
        QVERIFY2(facts, facts ? "" : facts.error().toString().c_str());
        QVERIFY(facts->version.starts_with("3."));
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
                 (QStringList{"json.py", "torch"}));
        if (facts->packages.contains("apache-tvm-ffi")) {
            QVERIFY(fs::is_regular_file(facts->tvmFfiInclude / "tvm" / "ffi" / "c_api.h"));
            QVERIFY(fs::is_regular_file(facts->dlpackInclude / "dlpack" / "dlpack.h"));
            QVERIFY(fs::is_regular_file(facts->tvmFfiLibrary));
        }
        if (!facts->torchFolder.empty()) {
            QVERIFY(fs::is_regular_file(facts->torchFolder / "include" / "torch" / "extension.h"));
            QVERIFY2(facts->torchCppStandard.starts_with("c++"), facts->torchCppStandard.c_str());
        }
    }

    void doctorNamesEverySubjectOnceWithARemedyForWhatIsMissing()
    {
        writeProgram(root() / "bare", "#!/bin/sh\necho 'tracedeck-facts {\"version\": \"3.99\", \"packages\": {}, "
                                      "\"include\": \"\", \"dlpack\": \"\", \"library\": \"\", \"python_include\": \"\", \"torch\": \"\", "
                                      "\"standard\": \"\"}'\n");
        const auto findings = diagnose({root() / "bare", "option", "chosen by this test"});
        QStringList subjects;
        for (const auto& finding : findings) {
            subjects << QString::fromStdString(finding.subject);
            QVERIFY(!finding.found.empty());
            QVERIFY2(finding.level == Finding::Level::Ok || !finding.remedy.empty(), finding.subject.c_str());
        }
        QCOMPARE(subjects, (QStringList{"GPU", "driver", "nvcc", "C++ compiler", "Python", "torch", "triton", "tvm-ffi",
                                        "CUPTI", "worker", "confinement", "Compute Sanitizer", "Nsight Compute", "cuobjdump", "caches"}));
        const auto& python = findings[4];
        QCOMPARE(python.level, Finding::Level::Ok);
        QVERIFY(python.found.find("3.99") != std::string::npos);
        QVERIFY(python.found.find("chosen by this test") != std::string::npos);
        QCOMPARE(findings[5].level, Finding::Level::Missing);
        QVERIFY(findings[5].remedy.find("guest-env.sh") != std::string::npos);
    }

    void whatIsNoLongerWantedIsStopped()
    {
        writeProgram(root() / "slow", "#!/bin/sh\nsleep 50\n");
        std::stop_source source;
        std::jthread stopper([&source] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            source.request_stop();
        });
        QElapsedTimer clock;
        clock.start();
        QVERIFY(diagnose({root() / "slow", "option", "chosen by this test"}, source.get_token()).empty());
        QVERIFY2(clock.elapsed() < 20'000, qPrintable(QString::number(clock.elapsed())));
        const auto facts = inspectPython(root() / "slow", source.get_token());
        QVERIFY(!facts);
        QCOMPARE(facts.error().code, ErrorCode::Cancelled);
    }

    void doctorWithoutPythonSaysSo()
    {
        const auto findings = diagnose({{}, "none", "there is none"});
        QCOMPARE(findings.size(), std::size_t{15});
        QCOMPARE(findings[4].level, Finding::Level::Missing);
        QCOMPARE(findings[4].found, std::string("there is none"));
    }
};

QTEST_GUILESS_MAIN(TestPythonEnvironment)
#include "test_python_environment.moc"
