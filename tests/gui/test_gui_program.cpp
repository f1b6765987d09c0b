// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a program: arguments, exit codes, pictures.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "tests/support/dataset_builder.h"

using tracedeck::test::DatasetBuilder;

namespace {

constexpr int kWaitMs = 120'000;

struct Outcome {
    int exitCode = -1;
    bool exited = false;
    QString output;
    QString errors;
};

/// Runs tracedeck-gui off-screen with settings of its own.
Outcome runWindow(const QStringList& arguments, const QString& home, bool namesPlatform = true)
{
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    if (!namesPlatform)
        for (const char* variable : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
            environment.remove(QString::fromLatin1(variable));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home);
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(TRACEDECK_BIN_DIR "/tracedeck-gui"), arguments);
    Outcome outcome;
    if (!program.waitForFinished(kWaitMs)) {
        program.kill();
        program.waitForFinished();
    }
    outcome.exited = program.exitStatus() == QProcess::NormalExit;
    outcome.exitCode = program.exitCode();
    outcome.output = QString::fromLocal8Bit(program.readAllStandardOutput());
    outcome.errors = QString::fromLocal8Bit(program.readAllStandardError());
    return outcome;
}

}  // namespace

class TestGuiProgram : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void wrongUsageIsRefused_data();
    void wrongUsageIsRefused();
    void helpAndVersionNeedNoDisplay();
    void unreadableFolderGivesThree();
    void unknownNameGivesTwo();
    void grabsEveryPage_data();
    void grabsEveryPage();
    void aMachineWithoutADisplayIsToldSo();
    void grabsTheStartPage();
    void refusesAPictureThatCannotBeWritten();
    void signalsEndItInOrder_data();
    void signalsEndItInOrder();
    void aPictureLeavesTheSettingsAlone();

private:
    QTemporaryDir m_home;
    DatasetBuilder m_builder;
};

void TestGuiProgram::initTestCase()
{
    QVERIFY(QFile::exists(QStringLiteral(TRACEDECK_BIN_DIR "/tracedeck-gui")));
    m_builder.definition({.name = "gemm_a"}).solution({.name = "a_base", .definition = "gemm_a", .author = "baseline"});
    for (int i = 1; i <= 4; ++i) {
        const std::string uuid = "w" + std::to_string(i);
        m_builder.workload({.definition = "gemm_a", .uuid = uuid, .axes = {{"M", i}}});
        m_builder.trace({.definition = "gemm_a", .solution = "a_base", .uuid = uuid, .latencyMs = 0.1 * i, .axes = {{"M", i}}});
    }
}

void TestGuiProgram::wrongUsageIsRefused_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("phrase");
    QTest::newRow("unknown option") << QStringList{QStringLiteral("--no-such-option")} << QStringLiteral("no-such-option");
    QTest::newRow("unknown page") << QStringList{QStringLiteral("--page"), QStringLiteral("moon")} << QStringLiteral("moon");
    QTest::newRow("unknown theme") << QStringList{QStringLiteral("--theme"), QStringLiteral("pink")} << QStringLiteral("pink");
    QTest::newRow("unknown language") << QStringList{QStringLiteral("--language"), QStringLiteral("tlh")} << QStringLiteral("tlh");
    QTest::newRow("no language") << QStringList{QStringLiteral("--language"), QString()} << QStringLiteral("zh_CN");
    QTest::newRow("size without height") << QStringList{QStringLiteral("--size"), QStringLiteral("1280")} << QStringLiteral("1280");
    QTest::newRow("a folder and a file") << QStringList{QStringLiteral(TRACEDECK_SOURCE_DIR), QStringLiteral(TRACEDECK_SOURCE_DIR "/README.md")} << QStringLiteral("only folders");
    QTest::newRow("select without a folder") << QStringList{QStringLiteral("--select"), QStringLiteral("x")} << QStringLiteral("--select");
    QTest::newRow("option without its value") << QStringList{QStringLiteral("--grab")} << QStringLiteral("grab");
}

void TestGuiProgram::wrongUsageIsRefused()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, phrase);
    const Outcome outcome = runWindow(arguments, m_home.path());
    QVERIFY(outcome.exited);
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY2(outcome.errors.contains(phrase), qPrintable(outcome.errors));
}

void TestGuiProgram::helpAndVersionNeedNoDisplay()
{
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("no-such-platform"));
    program.setProcessEnvironment(environment);
    for (const char* option : {"--help", "--version"}) {
        program.start(QStringLiteral(TRACEDECK_BIN_DIR "/tracedeck-gui"), {QString::fromLatin1(option)});
        QVERIFY(program.waitForFinished(kWaitMs));
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(program.readAllStandardOutput().contains("tracedeck-gui"));
    }
}

void TestGuiProgram::unreadableFolderGivesThree()
{
    const QString picture = m_home.filePath(QStringLiteral("none.png"));
    const Outcome outcome = runWindow({QStringLiteral("/no/such/folder"), QStringLiteral("--grab"), picture}, m_home.path());
    QVERIFY(outcome.exited);
    QCOMPARE(outcome.exitCode, 3);
    QVERIFY2(outcome.errors.contains(QStringLiteral("/no/such/folder")), qPrintable(outcome.errors));
    QVERIFY(!QFile::exists(picture));
}

void TestGuiProgram::unknownNameGivesTwo()
{
    const Outcome outcome = runWindow({QString::fromStdString(m_builder.root().string()), QStringLiteral("--select"), QStringLiteral("nobody"),
                                       QStringLiteral("--grab"), m_home.filePath(QStringLiteral("none.png"))},
                                      m_home.path());
    QVERIFY(outcome.exited);
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY2(outcome.errors.contains(QStringLiteral("nobody")), qPrintable(outcome.errors));
}

void TestGuiProgram::grabsEveryPage_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("theme");
    QTest::addColumn<QString>("language");
    for (const char* page : {"overview", "code", "workloads", "traces", "charts", "leaderboard", "run", "compare"})
        QTest::newRow(page) << QString::fromLatin1(page) << QStringLiteral("light") << QStringLiteral("en");
    QTest::newRow("charts, dark") << QStringLiteral("charts") << QStringLiteral("dark") << QStringLiteral("en");
    QTest::newRow("traces, Chinese") << QStringLiteral("traces") << QStringLiteral("light") << QStringLiteral("zh_CN");
}

void TestGuiProgram::grabsEveryPage()
{
    QFETCH(QString, page);
    QFETCH(QString, theme);
    QFETCH(QString, language);
    const QString picture = m_home.filePath(QStringLiteral("%1-%2-%3.png").arg(page, theme, language));
    const Outcome outcome = runWindow({QString::fromStdString(m_builder.root().string()), QStringLiteral("--select"), QStringLiteral("gemm_a"),
                                       QStringLiteral("--page"), page, QStringLiteral("--theme"), theme, QStringLiteral("--language"), language, QStringLiteral("--size"),
                                       QStringLiteral("1280x800"), QStringLiteral("--grab"), picture},
                                      m_home.path());
    QVERIFY(outcome.exited);
    QVERIFY2(outcome.exitCode == 0, qPrintable(outcome.errors));
    const QImage image(picture);
    QCOMPARE(image.size(), QSize(1280, 800));
    // Something was drawn: more than a few colours, and light or dark as asked.
    QSet<QRgb> colors;
    qint64 lightness = 0;
    for (int y = 0; y < image.height(); y += 4)
        for (int x = 0; x < image.width(); x += 4) {
            colors.insert(image.pixel(x, y));
            lightness += qGray(image.pixel(x, y));
        }
    QVERIFY(colors.size() > 30);
    const qint64 mean = lightness / (image.width() / 4 * image.height() / 4);
    QVERIFY2(theme == u"light" ? mean > 200 : mean < 80, qPrintable(QString::number(mean)));
}

void TestGuiProgram::aMachineWithoutADisplayIsToldSo()
{
    const Outcome window = runWindow({}, m_home.path(), false);
    QVERIFY(window.exited);
    QCOMPARE(window.exitCode, 1);
    QVERIFY2(window.errors.contains(QStringLiteral("no display")), qPrintable(window.errors));
    const QString picture = m_home.filePath(QStringLiteral("no-display.png"));
    const Outcome outcome = runWindow({QStringLiteral("--size"), QStringLiteral("1280x800"), QStringLiteral("--grab"), picture}, m_home.path(), false);
    QVERIFY2(outcome.exitCode == 0, qPrintable(outcome.errors));
    QCOMPARE(QImage(picture).size(), QSize(1280, 800));
}

void TestGuiProgram::grabsTheStartPage()
{
    const QString picture = m_home.filePath(QStringLiteral("start.png"));
    const Outcome outcome = runWindow({QStringLiteral("--size"), QStringLiteral("1280x800"), QStringLiteral("--grab"), picture}, m_home.path());
    QVERIFY(outcome.exited);
    QVERIFY2(outcome.exitCode == 0, qPrintable(outcome.errors));
    QCOMPARE(QImage(picture).size(), QSize(1280, 800));
}

void TestGuiProgram::refusesAPictureThatCannotBeWritten()
{
    const Outcome outcome = runWindow({QString::fromStdString(m_builder.root().string()), QStringLiteral("--grab"), QStringLiteral("/no/such/folder/x.png")},
                                      m_home.path());
    QVERIFY(outcome.exited);
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.errors.contains(QStringLiteral("/no/such/folder/x.png")), qPrintable(outcome.errors));
}

void TestGuiProgram::signalsEndItInOrder_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("SIGHUP") << SIGHUP;
}

void TestGuiProgram::signalsEndItInOrder()
{
    QFETCH(int, signal);
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_home.path());
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(TRACEDECK_BIN_DIR "/tracedeck-gui"), {QString::fromStdString(m_builder.root().string())});
    QVERIFY(program.waitForStarted(kWaitMs));
    const auto isCaught = [&] {
        QFile status(QStringLiteral("/proc/%1/status").arg(program.processId()));
        if (!status.open(QIODevice::ReadOnly)) return false;
        const QString text = QString::fromLatin1(status.readAll());
        const quint64 caught = text.section(QStringLiteral("SigCgt:"), 1).section(QLatin1Char('\n'), 0, 0).trimmed().toULongLong(nullptr, 16);
        return (caught >> (signal - 1) & 1U) != 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isCaught(), kWaitMs);
    QCOMPARE(::kill(static_cast<pid_t>(program.processId()), signal), 0);
    QVERIFY(program.waitForFinished(kWaitMs));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 128 + signal);
}

void TestGuiProgram::aPictureLeavesTheSettingsAlone()
{
    QTemporaryDir home;
    const QString settings = home.filePath(QStringLiteral("tracedeck/tracedeck.conf"));
    QVERIFY(QDir(home.path()).mkdir(QStringLiteral("tracedeck")));
    const QByteArray before("[window]\ntheme=dark\n\n[recent]\ndatasets=/somewhere/else\n");
    QFile file(settings);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(before);
    file.close();
    const QString picture = m_home.filePath(QStringLiteral("settings.png"));
    const Outcome outcome = runWindow({QString::fromStdString(m_builder.root().string()), QStringLiteral("--page"), QStringLiteral("charts"), QStringLiteral("--grab"),
                                       picture},
                                      home.path());
    QVERIFY(outcome.exited);
    QVERIFY2(outcome.exitCode == 0, qPrintable(outcome.errors));
    QVERIFY(QFile::exists(picture));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), before);
    QStringList files;
    QDirIterator entries(home.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (entries.hasNext()) files << entries.next();
    QCOMPARE(files, QStringList{settings});
}

QTEST_GUILESS_MAIN(TestGuiProgram)
#include "test_gui_program.moc"
