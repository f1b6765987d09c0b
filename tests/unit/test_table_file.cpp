// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <limits>

#include "core/report/table_file.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;


namespace {

/// One column of texts.
TableToWrite textTable(std::vector<std::string> texts)
{
    const std::size_t count = texts.size();
    return {{{"Name", false}}, count, [texts = std::move(texts)](std::size_t row, std::size_t) { return TableCell(texts[row]); }};
}

std::string contentOf(const std::filesystem::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// Name and latency of two rows, the second without a latency.
TableToWrite twoRows()
{
    return {{{"Name", false}, {"Latency (µs)", true}, {"Runs", true}}, 2, [](std::size_t row, std::size_t column) -> TableCell {
                if (column == 0) return std::string(row == 0 ? "a_b" : "c|d");
                if (column == 1) return row == 0 ? TableCell(12.3456789) : TableCell();
                return static_cast<std::int64_t>(row) + 7;
            }};
}

}  // namespace

class TestTableFile : public QObject {
    Q_OBJECT
private slots:
    void writesEachFormat_data()
    {
        QTest::addColumn<TableFormat>("format");
        QTest::addColumn<QString>("expected");
        QTest::newRow("csv") << TableFormat::Csv << QStringLiteral("Name,Latency (µs),Runs\na_b,12.3456789,7\nc|d,,8\n");
        QTest::newRow("json") << TableFormat::JsonArray
                              << QStringLiteral("[\n  {\"Name\": \"a_b\", \"Latency (µs)\": 12.3456789, \"Runs\": 7},\n"
                                                "  {\"Name\": \"c|d\", \"Latency (µs)\": null, \"Runs\": 8}\n]\n");
        QTest::newRow("markdown") << TableFormat::Markdown
                                  << QStringLiteral("| Name | Latency (µs) | Runs |\n| --- | ---: | ---: |\n| a_b | 12.35 | 7 |\n| c\\|d |  | 8 |\n");
        QTest::newRow("latex") << TableFormat::Latex
                               << QStringLiteral("\\begin{tabular}{lrr}\n\\hline\nName & Latency (µs) & Runs \\\\\n\\hline\na\\_b & 12.35 & 7 \\\\\n"
                                                 "c\\textbar{}d &  & 8 \\\\\n\\hline\n\\end{tabular}\n");
    }
    void writesEachFormat()
    {
        QFETCH(TableFormat, format);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(tableText(twoRows(), format)), expected);
    }

    void escapesWhatTheFormatTakesForItself_data()
    {
        QTest::addColumn<TableFormat>("format");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("cell");
        const auto add = [](const char* name, TableFormat format, const char* text, const char* cell) {
            QTest::newRow(name) << format << QString::fromUtf8(text) << QString::fromUtf8(cell);
        };
        add("csv comma", TableFormat::Csv, "a,b", "\"a,b\"");
        add("csv quote", TableFormat::Csv, "say \"a\"", "\"say \"\"a\"\"\"");
        add("csv line end", TableFormat::Csv, "a\nb", "\"a\nb\"");
        add("csv formula is neutral", TableFormat::Csv, "=1+2", "'=1+2");
        add("markdown pipe", TableFormat::Markdown, "a|b", "a\\|b");
        add("markdown line end", TableFormat::Markdown, "a\r\nb", "a<br>b");
        add("markdown emphasis", TableFormat::Markdown, "*a* _b_ `c`", "\\*a\\* \\_b\\_ \\`c\\`");
        add("markdown name keeps underscores", TableFormat::Markdown, "gemm_n4096_k8", "gemm_n4096_k8");
        add("markdown link and tag", TableFormat::Markdown, "[a](b) <i> &lt;", "\\[a\\](b) \\<i\\> \\&lt;");
        add("latex specials", TableFormat::Latex, "& % $ # _ { }", "\\& \\% \\$ \\# \\_ \\{ \\}");
        add("latex tilde, caret, backslash", TableFormat::Latex, "~^\\", "\\textasciitilde{}\\textasciicircum{}\\textbackslash{}");
        add("latex line end", TableFormat::Latex, "a\nb", "a b");
    }
    void escapesWhatTheFormatTakesForItself()
    {
        QFETCH(TableFormat, format);
        QFETCH(QString, text);
        QFETCH(QString, cell);
        const QString written = QString::fromStdString(tableText(textTable({text.toStdString()}), format));
        switch (format) {
        case TableFormat::Csv: QCOMPARE(written, QStringLiteral("Name\n%1\n").arg(cell)); break;
        case TableFormat::Markdown: QCOMPARE(written, QStringLiteral("| Name |\n| --- |\n| %1 |\n").arg(cell)); break;
        case TableFormat::Latex: QCOMPARE(written, QStringLiteral("\\begin{tabular}{l}\n\\hline\nName \\\\\n\\hline\n%1 \\\\\n\\hline\n\\end{tabular}\n").arg(cell)); break;
        case TableFormat::JsonArray: QFAIL("JSON has its own test");
        }
    }

    void jsonReadsBack()
    {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        const std::vector<TableCell> cells{std::string("q\"\\\n\t\xFF"), 0.1, kInfinite, -kInfinite, std::numeric_limits<double>::quiet_NaN(), std::monostate{}};
        const TableToWrite table{{{"Same", false}, {"Same", true}}, cells.size(),
                                 [&](std::size_t row, std::size_t column) { return column == 0 ? cells[row] : TableCell(std::int64_t{1}); }};
        const Json read = Json::parse(tableText(table, TableFormat::JsonArray));
        QCOMPARE(read.size(), cells.size());
        QCOMPARE(read[0]["Same"].get<std::string>(), std::string("q\"\\\n\t\uFFFD"));
        QCOMPARE(read[1]["Same"].get<double>(), 0.1);
        QCOMPARE(read[2]["Same"].get<std::string>(), std::string("Infinity"));
        QCOMPARE(read[3]["Same"].get<std::string>(), std::string("-Infinity"));
        QCOMPARE(read[4]["Same"].get<std::string>(), std::string("NaN"));
        QVERIFY(read[5]["Same"].is_null());
        QCOMPARE(read[0]["Same (2)"].get<int>(), 1);
        QVERIFY(Json::parse(tableText({{{"A", false}}, 0, {}}, TableFormat::JsonArray)).empty());
    }

    void numbersAreReadable_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << 0.0 << QStringLiteral("0");
        QTest::newRow("negative zero") << -0.0 << QStringLiteral("0");
        QTest::newRow("small") << 0.0012344 << QStringLiteral("0.001234");
        QTest::newRow("one") << 1.0 << QStringLiteral("1.000");
        QTest::newRow("hundreds") << 123.456 << QStringLiteral("123.5");
        QTest::newRow("more than four digits") << 123456.7 << QStringLiteral("123457");
        QTest::newRow("negative") << -12.3456 << QStringLiteral("-12.35");
        QTest::newRow("tiny") << 1.23456e-7 << QStringLiteral("1.235e-07");
        QTest::newRow("huge") << 1.5e20 << QStringLiteral("1.500e+20");
        QTest::newRow("infinite") << std::numeric_limits<double>::infinity() << QStringLiteral("inf");
    }
    void numbersAreReadable()
    {
        QFETCH(double, value);
        QTEST(QString::fromStdString(readableNumber(value)), "text");
    }

    void formatFollowsTheFileName_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("format");
        QTest::newRow("csv") << QStringLiteral("a.csv") << static_cast<int>(TableFormat::Csv);
        QTest::newRow("json in capitals") << QStringLiteral("a.JSON") << static_cast<int>(TableFormat::JsonArray);
        QTest::newRow("markdown") << QStringLiteral("a.b.md") << static_cast<int>(TableFormat::Markdown);
        QTest::newRow("latex") << QStringLiteral("a.tex") << static_cast<int>(TableFormat::Latex);
        QTest::newRow("other") << QStringLiteral("a.txt") << -1;
        QTest::newRow("none") << QStringLiteral("csv") << -1;
    }
    void formatFollowsTheFileName()
    {
        QFETCH(QString, name);
        const auto format = tableFormatOf(name.toStdString());
        QTEST(format ? static_cast<int>(*format) : -1, "format");
    }

    void writesAFileWholeOrNotAtAll()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath(QStringLiteral("t.csv")).toStdString();
        std::size_t done = 0;
        QVERIFY(writeTable(twoRows(), TableFormat::Csv, path, [&](std::size_t rows) { done = rows; }));
        QCOMPARE(done, std::size_t{2});
        QCOMPARE(contentOf(path), tableText(twoRows(), TableFormat::Csv));

        // Cancelled halfway through a table that is written in several pieces: the old file stays, and nothing else.
        std::stop_source source;
        const TableToWrite big{{{"Text", false}}, 100'000, [](std::size_t, std::size_t) { return TableCell(std::string(40, 'x')); }};
        const auto stopped = writeTable(big, TableFormat::Csv, path, [&](std::size_t rows) {
            if (rows > 50'000) source.request_stop();
        }, source.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
        QCOMPARE(contentOf(path), tableText(twoRows(), TableFormat::Csv));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("t.csv")});
        QVERIFY(!writeTable(twoRows(), TableFormat::Csv, folder.filePath(QStringLiteral("no/such/t.csv")).toStdString()));
    }

    void cellsOfTracesSayWhatTheFileSays()
    {
        DatasetBuilder builder;
        builder.definition({.name = "g", .opType = "gemm"}).solution({.name = "s", .definition = "g", .author = "ann", .language = "triton"});
        builder.trace({.definition = "g", .solution = "s", .uuid = "u-1", .latencyMs = 0.25, .axes = {{"M", 16}}, .hardware = "Card"});
        builder.trace({.definition = "g", .solution = "s", .uuid = "u-1", .status = Status::Timeout, .axes = {{"M", 16}}});
        const auto dataset = builder.load();
        const auto cell = [&](std::size_t row, TraceColumn column) { return traceCell(*dataset, dataset->traces().row(row), column); };
        QCOMPARE(std::get<std::string>(cell(0, TraceColumn::Author)), std::string("ann"));
        QCOMPARE(std::get<std::string>(cell(0, TraceColumn::OpType)), std::string("gemm"));
        QCOMPARE(std::get<std::string>(cell(0, TraceColumn::Language)), std::string("triton"));
        QCOMPARE(std::get<std::string>(cell(0, TraceColumn::Workload)), std::string("u-1"));
        QCOMPARE(std::get<std::string>(cell(0, TraceColumn::Axes)), std::string("M=16"));
        QCOMPARE(std::get<std::string>(cell(0, TraceColumn::Status)), std::string("PASSED"));
        QCOMPARE(std::get<double>(cell(0, TraceColumn::Latency)), 250.0);
        QCOMPARE(std::get<std::string>(cell(1, TraceColumn::Status)), std::string("TIMEOUT"));
        QVERIFY(std::holds_alternative<std::monostate>(cell(1, TraceColumn::Latency)));
        QVERIFY(std::holds_alternative<std::monostate>(cell(1, TraceColumn::MaxAbsoluteError)));
    }
};

QTEST_GUILESS_MAIN(TestTableFile)
#include "test_table_file.moc"
