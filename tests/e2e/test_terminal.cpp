// SPDX-License-Identifier: GPL-3.0-or-later
// What the command line writes to a terminal: within its width, in colour where that is wanted.
#include <QRegularExpression>
#include <QTest>

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "core/report/text_look.h"
#include "core/report/text_table.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/program.h"
#include "tests/support/test_files.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

/// What the program writes to a terminal of so many columns.
QString onTerminal(const QStringList& arguments, unsigned short columns, const std::vector<std::pair<const char*, const char*>>& environment = {})
{
    test::keepOutOfUserData();
    std::vector<std::string> words{std::string(TRACEDECK_BIN_DIR) + "/tracedeck"};
    for (const QString& argument : arguments) words.push_back(argument.toStdString());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    winsize size{};
    size.ws_row = 40;
    size.ws_col = columns;
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
    if (child == 0) {
        ::setenv("TERM", "xterm", 1);
        ::unsetenv("NO_COLOR");
        for (const auto& [name, value] : environment) ::setenv(name, value, 1);
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    QByteArray output;
    char buffer[4096];
    for (ssize_t count = 0; (count = ::read(terminal, buffer, sizeof buffer)) > 0;) output.append(buffer, static_cast<qsizetype>(count));
    ::close(terminal);
    int status = 0;
    ::waitpid(child, &status, 0);
    return QString::fromUtf8(output).remove(QLatin1Char('\r'));
}

QString withoutColors(QString text) { return text.remove(QRegularExpression(QStringLiteral("\x1b\\[[0-9;]*m"))); }

}  // namespace

class TestTerminal : public QObject {
    Q_OBJECT
private:
    DatasetBuilder m_builder;
    QString root() const { return QString::fromStdString(m_builder.root().string()); }

private slots:
    void initTestCase()
    {
        const std::string name = "a_definition_with_a_name_that_is_rather_long_注意力";
        m_builder.definition({.name = name}).solution({.name = "baseline_of_" + name, .definition = name, .author = "baseline"});
        m_builder.solution({.name = "fast_" + name, .definition = name, .author = "ann"}).solution({.name = "bad_" + name, .definition = name, .author = "bob"});
        for (int i = 1; i <= 3; ++i) {
            const std::string uuid = "w" + std::to_string(i);
            m_builder.trace({.definition = name, .solution = "baseline_of_" + name, .uuid = uuid, .latencyMs = 1, .axes = {{"M", i}}});
            m_builder.trace({.definition = name, .solution = "fast_" + name, .uuid = uuid, .latencyMs = 0.25, .axes = {{"M", i}}});
            m_builder.trace({.definition = name, .solution = "bad_" + name, .uuid = uuid, .status = Status::RuntimeError, .axes = {{"M", i}}, .log = "no"});
        }
    }

    void tablesFitTheTerminal_data()
    {
        QTest::addColumn<QStringList>("report");
        QTest::addColumn<int>("columns");
        const QList<QStringList> reports{{"summary"}, {"rank", "--by", "solution"}, {"best"}, {"fastp", "--by", "solution"}, {"groups", "--by", "solution"}, {"heatmap", "--definition", "*"}, {"light"}, {"history"},
                                         {"compare", "--a", "author=baseline", "--b", "author=ann"}, {"visualize"}, {"visualize", "--measure", "latency"}, {"visualize", "--by", "workload"}};
        for (const QStringList& report : reports) {
            for (const int columns : {40, 60, 80, 132}) QTest::addRow("%s in %d", qPrintable(report.join(QLatin1Char(' '))), columns) << report << columns;
        }
    }
    void tablesFitTheTerminal()
    {
        QFETCH(QStringList, report);
        QFETCH(int, columns);
        const QString definition = QString::fromStdString(m_builder.load()->definitions().front()->name);
        for (QString& word : report) word.replace(QLatin1Char('*'), definition);
        const QString text = withoutColors(onTerminal(QStringList{"report"} + report + QStringList{"--local", root()}, static_cast<unsigned short>(columns)));
        QVERIFY2(!text.contains(QStringLiteral("tracedeck: error")), qPrintable(text));
        const QStringList lines = text.split(QLatin1Char('\n'));
        // Everything from a table's title to the next empty line; sentences may wrap.
        bool isTable = false;
        int tableLines = 0;
        for (qsizetype i = 0; i < lines.size(); ++i) {
            if (i + 1 < lines.size() && !lines[i + 1].isEmpty() && QString(lines[i + 1]).remove(QLatin1Char('-')).isEmpty()) isTable = true;
            if (lines[i].isEmpty() || lines[i].startsWith(QStringLiteral("Best: "))) isTable = false;   // that sentence follows at once
            const bool isBar = report.front() == QLatin1String("visualize");
            if (!isTable && !isBar) continue;
            ++tableLines;
            QVERIFY2(displayWidth(lines[i].toStdString()) <= static_cast<std::size_t>(columns), qPrintable(lines[i]));
        }
        QVERIFY2(tableLines >= 3 || report.front() == QLatin1String("light"), qPrintable(text));
    }

    void whatMattersStays()
    {
        const QString text = withoutColors(onTerminal({"report", "compare", "--local", root(), "--a", "author=baseline", "--b", "author=ann"}, 80));
        QVERIFY2(text.contains(QStringLiteral("Verdict")) && text.contains(QStringLiteral("A ms")) && text.contains(QStringLiteral("CANT_TELL")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("(no room for: ")), qPrintable(text));
    }

    void colorsAreForTerminals_data()
    {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("value");
        QTest::addColumn<bool>("colored");
        QTest::newRow("terminal") << "TRACEDECK_NOTHING" << "1" << true;
        QTest::newRow("NO_COLOR") << "NO_COLOR" << "1" << false;
        QTest::newRow("NO_COLOR empty") << "NO_COLOR" << "" << true;
        QTest::newRow("dumb") << "TERM" << "dumb" << false;
    }
    void colorsAreForTerminals()
    {
        QFETCH(QString, variable);
        QFETCH(QString, value);
        QFETCH(bool, colored);
        const QByteArray name = variable.toLatin1();
        const QByteArray text = value.toLatin1();
        const QString output = onTerminal({"report", "rank", "--local", root()}, 100, {{name.constData(), text.constData()}});
        QCOMPARE(output.contains(QLatin1Char('\x1b')), colored);
    }

    void filesAndPipesAreWholeAndPlain()
    {
        const auto piped = test::runTracedeck({"report", "best", "--local", root()});
        QCOMPARE(piped.exit.exitCode, 0);
        QVERIFY(piped.output.find('\x1b') == std::string::npos && piped.output.find("…") == std::string::npos);
        QTemporaryDir place;
        onTerminal({"report", "best", "--local", root(), "--out", place.filePath(QStringLiteral("best.txt"))}, 40);
        QCOMPARE(test::readBytes(place.filePath(QStringLiteral("best.txt")).toStdString()), piped.output);
    }

    void everyReportHasJson_data()
    {
        QTest::addColumn<QStringList>("report");
        QTest::addColumn<bool>("writesFile");
        for (const QStringList& report : QList<QStringList>{{"summary"}, {"best"}, {"rank"}, {"fastp"}, {"groups", "--by", "author"}, {"csv"}, {"heatmap", "--definition", "*"}, {"chart", "--definition", "*"}, {"light"}, {"history"},
                                                            {"failures"}, {"visualize"}, {"tensors", "--workload", "w1"}, {"compare", "--a", "author=baseline", "--b", "author=ann"}})
            QTest::addRow("%s", qPrintable(report.front())) << report << false;
        for (const char* name : {"html", "markdown", "charts"}) QTest::addRow("%s", name) << QStringList{QString::fromLatin1(name)} << true;
    }
    void everyReportHasJson()
    {
        QFETCH(QStringList, report);
        QFETCH(bool, writesFile);
        const QString definition = QString::fromStdString(m_builder.load()->definitions().front()->name);
        for (QString& word : report) word.replace(QLatin1Char('*'), definition);
        if (report.front() == QLatin1String("tensors")) {
            m_builder.workload({.definition = definition.toStdString(), .uuid = "w1", .axes = {{"M", 1}}});
        }
        QTemporaryDir place;
        QStringList arguments = QStringList{"report"} + report + QStringList{"--local", root(), "--json"};
        if (writesFile) arguments << QStringLiteral("--out") << place.filePath(QStringLiteral("out"));
        const auto run = test::runTracedeck(arguments);
        QVERIFY2(run.exit.exitCode == 0, run.errorOutput.c_str());
        const Json document = Json::parse(run.output, nullptr, false);
        QVERIFY2(!document.is_discarded(), run.output.c_str());
        if (writesFile) QVERIFY(!document["files"].empty());
    }

    void barsSayWhatTheyAreOf()
    {
        const auto run = test::runTracedeck({"report", "visualize", "--local", root(), "--json"});
        const Json document = Json::parse(run.output);
        QCOMPARE(document["by"], Json("author"));
        QCOMPARE(document["groups"][0]["bars"][0]["name"], Json("ann"));
        QCOMPARE(document["groups"][0]["bars"][0]["value"], Json(4.0));
        const auto latencies = test::runTracedeck({"report", "visualize", "--local", root(), "--measure", "latency", "--csv"});
        QCOMPARE(latencies.exit.exitCode, 0);
        QVERIFY2(latencies.output.starts_with("group,name,latency_ms,note\nM=1;N=4,fast_") || latencies.output.starts_with("group,name,latency_ms,note\nM=1,fast_"), latencies.output.c_str());
        QVERIFY(latencies.output.find(",,RUNTIME_ERROR\n") != std::string::npos);
        QCOMPARE(test::runTracedeck({"report", "visualize", "--local", root(), "--by", "author", "--measure", "latency"}).exit.exitCode, 2);
        const auto text = test::runTracedeck({"report", "visualize", "--local", root()});
        QVERIFY(text.output.find("████") != std::string::npos);
    }

    void widthsAreThoseOfTerminals()
    {
        QCOMPARE(displayWidth("abc"), 3U);
        QCOMPARE(displayWidth("注意力"), 6U);
        QCOMPARE(displayWidth("e\u0301"), 1U);
        QCOMPARE(fitted("abcdefghij", 10), std::string("abcdefghij"));
        QCOMPARE(fitted("abcdefghij", 5), std::string("ab…ij"));
        QCOMPARE(fitted("abcdefghij", 1), std::string("…"));
        QCOMPARE(fitted("注意力内核", 7), std::string("注…核"));
        for (std::size_t width = 0; width < 12; ++width) QVERIFY(displayWidth(fitted("a注b意c力", width)) <= width);
    }
};

QTEST_GUILESS_MAIN(TestTerminal)
#include "test_terminal.moc"
