// SPDX-License-Identifier: GPL-3.0-or-later
// What a spreadsheet makes of our CSV: LibreOffice opens it and says what it sees.
#include <QDir>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <charconv>
#include <cmath>

#include "core/report/report.h"
#include "core/report/table_file.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/program.h"
#include "tests/support/test_files.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;
namespace fs = std::filesystem;

namespace {

/// One cell as the spreadsheet has it.
struct SheetCell {
    QString type;      ///< `float`, `string`; empty: nothing in it
    QString text;
    double number = 0;
    bool isFormula = false;
};
using Sheet = std::vector<std::vector<SheetCell>>;

SheetCell readCell(QXmlStreamReader& xml)
{
    SheetCell cell;
    cell.type = xml.attributes().value(QStringLiteral("office:value-type")).toString();
    cell.isFormula = xml.attributes().hasAttribute(QStringLiteral("table:formula"));
    const std::string value = xml.attributes().value(QStringLiteral("office:value")).toString().toStdString();
    std::from_chars(value.data(), value.data() + value.size(), cell.number);
    int paragraphs = 0;
    int paragraphDepth = 0;   // of elements within one; blanks between them are of the file, not of the cell
    for (int depth = 1; depth > 0 && !xml.atEnd();) {
        const auto token = xml.readNext();
        if (token == QXmlStreamReader::StartElement) {
            ++depth;
            if (paragraphDepth > 0 || xml.name() == QLatin1String("p")) ++paragraphDepth;
            if (paragraphDepth == 1 && paragraphs++ > 0) cell.text += QLatin1Char('\n');
            if (xml.name() == QLatin1String("s")) cell.text += QString(std::max(1, xml.attributes().value(QStringLiteral("text:c")).toInt()), QLatin1Char(' '));
            if (xml.name() == QLatin1String("tab")) cell.text += QLatin1Char('\t');
        } else if (token == QXmlStreamReader::EndElement) {
            --depth;
            if (paragraphDepth > 0) --paragraphDepth;
        } else if (token == QXmlStreamReader::Characters && paragraphDepth > 0) {
            cell.text += xml.text();
        }
    }
    return cell;
}

Sheet readSheet(const QString& path)
{
    Sheet sheet;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return sheet;
    QXmlStreamReader xml(&file);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (xml.name() == QLatin1String("table-row")) sheet.emplace_back();
        if (xml.name() != QLatin1String("table-cell") || sheet.empty()) continue;
        const int count = std::max(1, xml.attributes().value(QStringLiteral("table:number-columns-repeated")).toInt());
        const SheetCell cell = readCell(xml);
        constexpr int kMostCells = 64;   // the rest of the row is empty
        for (int i = 0; i < std::min(count, kMostCells); ++i) sheet.back().push_back(cell);
    }
    return sheet;
}

}  // namespace

class TestSpreadsheet : public QObject {
    Q_OBJECT
private:
    QString m_program;
    QTemporaryDir m_folder;

    /// The cells that LibreOffice reads from a CSV: UTF-8, comma, quote; numbers as in English.
    Sheet opened(const std::string& csv)
    {
        const fs::path input = fs::path(m_folder.path().toStdString()) / "table.csv";
        test::writeBytes(input, csv);
        const QString output = m_folder.filePath(QStringLiteral("table.fods"));
        QFile::remove(output);
        ChildSpec spec;
        spec.command = {m_program.toStdString(), "-env:UserInstallation=file://" + m_folder.filePath(QStringLiteral("profile")).toStdString(), "--headless", "--norestore",
                        "--infilter=CSV:44,34,76,1,,1033,false,false", "--convert-to", "fods", "--outdir", m_folder.path().toStdString(), input.string()};
        const auto run = runCaptured(std::move(spec), {.timeoutSeconds = 240, .capBytes = 65536, .mergeErrorOutput = true});
        if (!run || !QFile::exists(output)) throw std::runtime_error("LibreOffice wrote nothing: " + (run ? run->output : run.error().toString()));
        return readSheet(output);
    }

private slots:
    void initTestCase()
    {
        m_program = QStandardPaths::findExecutable(QStringLiteral("soffice"));
        if (m_program.isEmpty()) QSKIP("LibreOffice Calc is not installed (soffice): what a spreadsheet makes of CSV files is not tested");
    }

    void everyKindOfCellComesOutRight()
    {
        const std::vector<std::string> texts{"plain", "a,b;c", "say \"yes\"", "two\nlines", "注意力内核，ÄÖ", "=1+2", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0", "tab\there", "'quoted", "1e5x", " blank ends ", "=HYPERLINK(\"http://x\")"};
        const std::vector<double> numbers{0.1, 1.0 / 3, 1e-9, 1.7976931348623157e308, 2.5e-308, 123456789012345680.0, -0.05210300162434578, 3, 1e22, 0.052103001624345784, 2.2250738585072014e-308, 9007199254740993.0, 1e-5, 65536, 1};
        const TableToWrite table{{{"Name"}, {"Number", true}, {"Empty"}, {"Count", true}}, texts.size(), [&](std::size_t row, std::size_t column) -> TableCell {
                                     if (column == 0) return texts[row];
                                     if (column == 1) return numbers[row];
                                     return column == 2 ? TableCell() : TableCell(static_cast<std::int64_t>(row) - 3);
                                 }};
        const Sheet sheet = opened(tableText(table, TableFormat::Csv));
        QVERIFY(sheet.size() > texts.size());
        QCOMPARE(sheet[0][0].text, QStringLiteral("Name"));
        for (std::size_t row = 0; row < texts.size(); ++row) {
            const auto& cells = sheet[row + 1];
            QVERIFY(cells.size() >= 4);
            QVERIFY2(!cells[0].isFormula, texts[row].c_str());
            QCOMPARE(cells[0].type, QStringLiteral("string"));
            // A text that would be a formula has an apostrophe in front; every other one is as it was.
            const bool isMarked = std::string_view("=+-@").find(texts[row].front()) != std::string_view::npos;
            QCOMPARE(cells[0].text, QString::fromStdString((isMarked ? "'" : "") + texts[row]));
            QCOMPARE(cells[1].type, QStringLiteral("float"));
            QVERIFY2(!cells[1].isFormula, shortestNumber(numbers[row]).c_str());
            // Its own files have 15 digits.
            QVERIFY2(std::abs(cells[1].number - numbers[row]) <= std::abs(numbers[row]) * 1e-14, (shortestNumber(numbers[row]) + " came out as " + shortestNumber(cells[1].number)).c_str());
            QCOMPARE(cells[2].type, QString());
            QCOMPARE(cells[3].number, static_cast<double>(row) - 3);
        }
    }

    void theTableOfTracesComesOutRight()
    {
        DatasetBuilder builder;
        const std::string name = "=1+1,\"注\"\nx";
        builder.definition({.name = "gemm"}).solution({.name = name, .definition = "gemm", .author = "@ann", .file = "solutions/a.json"});
        builder.trace({.definition = "gemm", .solution = name, .uuid = "-2", .latencyMs = 0.05210300162434578, .axes = {{"M", 16}, {"N", 4}}, .maxRelativeError = 1e-7, .hardware = "+GPU, big", .file = "traces/a.jsonl"});
        builder.trace({.definition = "gemm", .solution = name, .uuid = "-2", .status = Status::RuntimeError, .axes = {{"M", 16}, {"N", 4}}, .file = "traces/a.jsonl"});
        const auto dataset = builder.load();
        const Sheet sheet = opened(csvReport(*dataset, filterTraces(*dataset, {})));
        QVERIFY(sheet.size() >= 3);
        std::map<QString, SheetCell> cells;
        for (std::size_t column = 0; column < sheet[0].size(); ++column) {
            if (column < sheet[1].size()) cells[sheet[0][column].text] = sheet[1][column];
        }
        for (const auto& [title, cell] : cells) QVERIFY2(!cell.isFormula, qPrintable(title));
        QCOMPARE(cells[QStringLiteral("solution")].text, QString::fromStdString("'" + name));
        QCOMPARE(cells[QStringLiteral("author")].text, QStringLiteral("'@ann"));
        QCOMPARE(cells[QStringLiteral("workload_uuid")].text, QStringLiteral("'-2"));
        QCOMPARE(cells[QStringLiteral("hardware")].text, QStringLiteral("'+GPU, big"));
        QCOMPARE(cells[QStringLiteral("axes")].text, QStringLiteral("M=16;N=4"));
        QCOMPARE(cells[QStringLiteral("status")].text, QStringLiteral("PASSED"));
        QVERIFY(std::abs(cells[QStringLiteral("latency_ms")].number - 0.05210300162434578) < 1e-16);
        QVERIFY(std::abs(cells[QStringLiteral("max_relative_error")].number - 1e-7) < 1e-21);
        QCOMPARE(sheet[2][7].text, QStringLiteral("RUNTIME_ERROR"));
        QCOMPARE(sheet[2][8].type, QString());
    }
};

QTEST_GUILESS_MAIN(TestSpreadsheet)
#include "test_spreadsheet.moc"
