// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <QXmlStreamReader>

#include "core/report/dataset_report.h"
#include "core/report/heat_map_report.h"
#include "core/report/html_report.h"
#include "core/report/html_text.h"
#include "core/report/markdown_report.h"
#include "core/report/report.h"
#include "core/report/report_tables.h"
#include "core/store/dataset_part.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string judgeRecordOf(double p10, double p90)
{
    return Json{{"version", 1}, {"protocol", "cpu"}, {"calls", {{"warmup", 3}, {"counted", 9}}}, {"time", {{"method", "judge"}, {"p10", p10}, {"p90", p90}}}}.dump();
}

/// Two definitions; `g` has a baseline, `h` none. `fast` failed on one workload and was not run on another.
void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "g"}).definition({.name = "h", .opType = "norm"}).definition({.name = "idle", .opType = "norm"});
    builder.solution({.name = "base", .definition = "g", .author = "baseline"}).solution({.name = "fast", .definition = "g", .author = "ann"});
    builder.solution({.name = "lone", .definition = "h", .author = "bob"});
    int axis = 0;
    for (const char* uuid : {"a", "b", "c"}) {
        ++axis;
        builder.workload({.definition = "g", .uuid = uuid, .axes = {{"M", axis}}});
        builder.trace({.definition = "g", .solution = "base", .uuid = uuid, .latencyMs = 1.25, .axes = {{"M", axis}}, .timestamp = "2026-01-02T00:00:00", .libs = {{"torch", "2.9"}}});
    }
    builder.trace({.definition = "g", .solution = "fast", .uuid = "a", .latencyMs = 0.3, .axes = {{"M", 1}}, .timestamp = "2026-01-03T00:00:00", .judge = judgeRecordOf(0.29, 0.33), .libs = {{"torch", "2.10"}}});
    builder.trace({.definition = "g", .solution = "fast", .uuid = "b", .status = Status::RuntimeError, .axes = {{"M", 2}}, .log = "Traceback\nRuntimeError: out of luck at 0x7f\n"});
    builder.trace({.definition = "h", .solution = "lone", .uuid = "z", .latencyMs = 0.5, .axes = {{"M", 1}}});
}

DatasetReport reportOf(const DatasetBuilder& builder, ReportQuestion question = {})
{
    auto report = datasetReport(builder.load(), std::move(question));
    if (!report) throw std::runtime_error(report.error().toString());
    return *std::move(report);
}

/// A dataset in which every text that may appear anywhere tries to break out.
const std::string& hostileText()
{
    static const std::string text = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>\"'&<b>\x1b[31mred\x1b[0m\x07 \u202egpj.exe `|*_[x](javascript:alert(1)) =cmd|'/c calc'!A1";
    return text;
}

/// Definitions and solutions under plain file names whatever they are called within.
class HostileBuilder : public DatasetBuilder {
public:
    HostileBuilder()
    {
        const std::string& evil = hostileText();
        const Json tensor = {{"shape", {"M"}}, {"dtype", "float32"}};
        file("definitions/t/one.json", Json{{"name", evil}, {"op_type", "t" + evil}, {"description", evil}, {"axes", {{"M", {{"type", "var"}}}}}, {"inputs", {{"x", tensor}}}, {"outputs", {{"y", tensor}}},
                                            {"reference", "def run(x):\n    return x\n# " + evil + "\n"}}.dump());
        file("solutions/a/t/one/one.json",
             Json{{"name", "=1+" + evil}, {"definition", evil}, {"author", "@" + evil}, {"description", evil},
                  {"spec", {{"language", "python"}, {"target_hardware", {evil}}, {"entry_point", "main.py::run"}, {"dependencies", {evil}}, {"destination_passing_style", false}}},
                  {"sources", {{{"path", "main.py"}, {"content", evil}}}}}.dump());
        trace({.definition = evil, .solution = "=1+" + evil, .uuid = evil, .hardware = evil, .timestamp = evil, .file = "traces/a/t/one.jsonl", .libs = {{evil, evil}}});
        trace({.definition = evil, .solution = "=1+" + evil, .uuid = "other", .status = Status::RuntimeError, .axes = {{"M", 2}}, .hardware = evil, .log = evil + "\nRuntimeError: " + evil + "\n", .file = "traces/a/t/one.jsonl"});
    }
};

std::size_t countOf(const std::string& text, const std::string& part)
{
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
    return count;
}

}  // namespace

class TestDatasetReport : public QObject {
    Q_OBJECT
private slots:
    void textsCannotBecomeMarkup_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("html");
        QTest::newRow("markup") << R"(<b a="1" b='2'>&)" << "&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;";
        QTest::newRow("escape sequence") << "a\x1b[31m" << "a\\x1b[31m";
        QTest::newRow("line end") << "a\nb" << "a\\nb";
        QTest::newRow("right to left") << QStringLiteral("a\u202eb") << "a\\u202eb";
        QTest::newRow("plain") << QStringLiteral("größe µs") << QStringLiteral("größe µs");
    }
    void textsCannotBecomeMarkup()
    {
        QFETCH(QString, text);
        QFETCH(QString, html);
        QCOMPARE(QString::fromStdString(htmlText(text.toStdString())), html);
    }
    void linesKeepTheirEnds()
    {
        QCOMPARE(htmlLines("a\r\nb\tc\rd\x1b\n"), std::string("a\nb\tc\nd\\x1b\n"));
        QCOMPARE(htmlText("\xff\xfe"), std::string("\xEF\xBF\xBD\xEF\xBF\xBD"));
    }
    void namesAreShortenedInTheMiddle()
    {
        QCOMPARE(shortened("abcdefghij", 7), std::string("abc…hij"));
        QCOMPARE(shortened("größenwahn", 10), std::string("größenwahn"));
    }

    void figuresAreThoseOfTheOtherReports()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto dataset = builder.load();
        const DatasetReport report = reportOf(builder);
        QCOMPARE(report.statuses.total(), std::size_t{6});
        QCOMPARE(report.date, std::string("2026-01-03T00:00:00"));
        QCOMPARE(report.question.baselineAuthor, std::string("baseline"));
        const auto ranks = rankTable(*dataset, "baseline", {}, RankBy::Author);
        QVERIFY(ranks);
        QCOMPARE(rankDocument(report.authorRanks).dump(), rankDocument(*ranks).dump());
        QCOMPARE(report.definitions.size(), std::size_t{3});
        const auto map = heatMap(*dataset, {"g", "Test CPU", HeatMeasure::Baseline, "baseline"});
        QVERIFY(map);
        QCOMPARE(heatMapDocument(report.definitions[0].machines.at(0).map, heatMapOrder(*map)).dump(), heatMapDocument(*map, heatMapOrder(*map)).dump());
        const std::string html = htmlReport(report).html;
        // Every digit is there for who reads the page by a program.
        for (const double number : {1.25 / 0.3, 1.25, 0.3, 0.33}) QVERIFY2(contains(html, "data-v=\"" + shortestNumber(number) + "\""), shortestNumber(number).c_str());
    }
    void saysWhatIsMissingAndWhatFailed()
    {
        DatasetBuilder builder;
        fill(builder);
        const DatasetReport report = reportOf(builder);
        QCOMPARE(report.missing(), std::size_t{1});
        QCOMPARE(report.failures.size(), std::size_t{1});
        QCOMPARE(report.failures[0].group.example, std::string("RuntimeError: out of luck at 0x7f"));
        QVERIFY(contains(report.failures[0].log, "Traceback\n"));
        const std::string html = htmlReport(report).html;
        QVERIFY(contains(html, "1 definitions have no result at all"));
        QVERIFY(contains(html, "1 × RUNTIME_ERROR: RuntimeError: out of luck at 0x7f"));
        QVERIFY(contains(html, "M=3"));
        QVERIFY(contains(html, "none: ratios are those to the reference"));
        QVERIFY(contains(html, "2.10 (1)"));
    }
    void scopesLeaveOut_data()
    {
        QTest::addColumn<QString>("opType");
        QTest::addColumn<QString>("author");
        QTest::addColumn<QString>("hardware");
        QTest::addColumn<int>("results");
        QTest::addColumn<int>("definitions");
        QTest::newRow("all") << "" << "" << "" << 6 << 3;
        QTest::newRow("op_type") << "norm" << "" << "" << 1 << 2;
        QTest::newRow("author, beside the baseline") << "" << "ann" << "" << 5 << 1;
        QTest::newRow("hardware") << "" << "" << "Test CPU" << 6 << 3;
    }
    void scopesLeaveOut()
    {
        QFETCH(QString, opType);
        QFETCH(QString, author);
        QFETCH(QString, hardware);
        QFETCH(int, results);
        QFETCH(int, definitions);
        DatasetBuilder builder;
        fill(builder);
        ReportQuestion question;
        question.opType = opType.toStdString();
        question.author = author.toStdString();
        question.hardware = hardware.toStdString();
        const DatasetReport report = reportOf(builder, question);
        QCOMPARE(report.statuses.total(), static_cast<std::size_t>(results));
        QCOMPARE(report.definitions.size(), static_cast<std::size_t>(definitions));
    }
    void unknownNamesAreErrors()
    {
        DatasetBuilder builder;
        fill(builder);
        ReportQuestion question;
        question.author = "nobody";
        const auto report = datasetReport(builder.load(), question);
        QVERIFY(!report);
        QVERIFY(contains(report.error().reason, "there is no author 'nobody'"));
    }
    void aPartOfADatasetReadsItsLinesBack()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto dataset = builder.load();
        std::vector<std::uint32_t> rows;
        for (std::uint32_t row = 0; row < dataset->traces().size(); row += 2) rows.push_back(row);
        const auto part = onlyTraces(*dataset, rows);
        QCOMPARE(part->traces().size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QCOMPARE(part->traces().workloadUuid(part->traces().row(i)), dataset->traces().workloadUuid(dataset->traces().row(rows[i])));
            const auto own = part->readTrace(i);
            const auto original = dataset->readTrace(rows[i]);
            QVERIFY(own && original);
            QCOMPARE(own->solution.value_or(""), original->solution.value_or(""));
            QCOMPARE(own->evaluation->timestamp, original->evaluation->timestamp);
        }
        std::size_t indexed = 0;
        for (const auto& definition : part->definitions()) indexed += part->traceRowsOfDefinition(definition->name).size();
        QCOMPARE(indexed, rows.size());
    }
    void sameDataGivesTheSameBytes()
    {
        DatasetBuilder builder;
        fill(builder);
        QCOMPARE(htmlReport(reportOf(builder)).html, htmlReport(reportOf(builder)).html);
        QCOMPARE(markdownReport(reportOf(builder)), markdownReport(reportOf(builder)));
        QVERIFY(!contains(htmlReport(reportOf(builder)).html, builder.root().parent_path().string()));   // nothing of this machine
    }
    void anEmptyDatasetGivesAPage()
    {
        DatasetBuilder builder;
        builder.definition({.name = "g"});
        const std::string html = htmlReport(reportOf(builder)).html;
        QVERIFY(contains(html, "1 definitions have no result at all"));
        QVERIFY(html.ends_with("</html>\n"));
        QVERIFY(contains(markdownReport(reportOf(builder)), "no traces"));
    }

    void hostileTextsStayTexts()
    {
        const HostileBuilder builder;
        const DatasetReport report = reportOf(builder);
        const std::string html = htmlReport(report).html;
        QCOMPARE(countOf(html, "<script>"), std::size_t{1});   // our own
        QCOMPARE(countOf(html, "</script>"), std::size_t{1});
        QCOMPARE(countOf(html, "<img"), std::size_t{0});
        QVERIFY(contains(html, "&lt;/script&gt;&lt;script&gt;document.title"));
        for (const HtmlForm form : {HtmlForm::Browser, HtmlForm::Paper}) {
            const std::string page = htmlReport(report, form).html;
            QVERIFY(!contains(page, "\x1b") && !contains(page, "\x07") && !contains(page, "\u202e"));
        }
        const std::string markdown = markdownReport(report);
        QVERIFY(!contains(markdown, "\x1b") && !contains(markdown, "\u202e"));
        // No angle bracket, bracket or backtick of a name without its backslash.
        for (const char letter : {'<', '[', '`'}) {
            for (std::size_t at = markdown.find(letter); at != std::string::npos; at = markdown.find(letter, at + 1)) QVERIFY(at > 0 && markdown[at - 1] == '\\');
        }
        const auto dataset = builder.load();
        const RowIndex rows{0, 1};
        for (const std::string& csv : {csvReport(*dataset, rows), tableText(tracesTable(*dataset, rows), TableFormat::Csv)}) {
            QVERIFY(!contains(csv, ",=") && !contains(csv, ",\"=") && !contains(csv, ",@") && !contains(csv, ",\"@"));
            QVERIFY(contains(csv, "\"'=1+"));
        }
        const std::string latex = tableText(tracesTable(*dataset, rows), TableFormat::Latex);
        QVERIFY(!contains(latex, "\x1b") && !contains(latex, "<") && contains(latex, "\\textbackslash{}x1b"));
    }
    void picturesAreSoundXml()
    {
        const HostileBuilder hostile;
        DatasetBuilder builder;
        fill(builder);
        for (const DatasetReport& report : {reportOf(hostile), reportOf(builder)}) {
            const auto pictures = reportPictures(report);
            QVERIFY(pictures.size() >= 3);
            for (const PagePicture& picture : pictures) {
                QXmlStreamReader reader(QString::fromStdString(picture.svg));
                while (!reader.atEnd()) reader.readNext();
                QVERIFY2(!reader.hasError(), qPrintable(QString::fromStdString(picture.name) + ": " + reader.errorString()));
                QVERIFY(!contains(picture.name, "/") && picture.name.ends_with(".svg") && !picture.name.starts_with("."));
            }
        }
    }
    void tracesAsATableAreTheCsvReport()
    {
        DatasetBuilder builder;
        fill(builder);
        builder.trace({.definition = "g", .solution = "gone", .uuid = "a", .latencyMs = 0, .maxAbsoluteError = -1.5, .maxRelativeError = std::nan("")});
        builder.trace({.definition = "g", .solution = "", .uuid = "a", .evaluated = false});
        const auto dataset = builder.load();
        RowIndex rows;
        for (std::uint32_t row = 0; row < dataset->traces().size(); ++row) rows.push_back(row);
        QCOMPARE(tableText(tracesTable(*dataset, rows), TableFormat::Csv), csvReport(*dataset, rows));
    }
    void formulasAreNeutralAndNumbersExact_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("cell");
        QTest::newRow("formula") << "=1+1" << "'=1+1";
        QTest::newRow("formula with quotes") << "=a(\"b\")" << "\"'=a(\"\"b\"\")\"";
        QTest::newRow("at") << "@x" << "'@x";
        QTest::newRow("plus") << "+x" << "'+x";
        QTest::newRow("minus") << "-O3" << "'-O3";
        QTest::newRow("tab") << "\t=1" << "'\t=1";
        QTest::newRow("honest") << "rmsnorm_h512=3" << "rmsnorm_h512=3";
    }
    void formulasAreNeutralAndNumbersExact()
    {
        QFETCH(QString, text);
        QFETCH(QString, cell);
        QCOMPARE(QString::fromStdString(csvCell(text.toStdString())), cell);
        const TableToWrite table{{{"x", true}}, 1, [](std::size_t, std::size_t) { return TableCell(-2.5); }};
        QCOMPARE(tableText(table, TableFormat::Csv), std::string("x\n-2.5\n"));
    }
    void sharesAreForPeopleOnly()
    {
        const TableToWrite table{{{"rate", true, "Rate", true}}, 1, [](std::size_t, std::size_t) { return TableCell(0.125); }};
        QCOMPARE(tableText(table, TableFormat::Csv), std::string("rate\n0.125\n"));
        QCOMPARE(tableText(table, TableFormat::Markdown), std::string("| Rate |\n| ---: |\n| 12.5 % |\n"));
        QVERIFY(contains(tableText(table, TableFormat::Latex), "12.5 \\%"));
    }
};

QTEST_APPLESS_MAIN(TestDatasetReport)
#include "test_dataset_report.moc"
