// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/table_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "core/io/temporary_file.h"
#include "core/model/text.h"
#include "core/report/report.h"
#include "core/report/text_table.h"

namespace tracedeck {

namespace {

constexpr std::size_t kRowsBetweenReports = 1024;
constexpr std::size_t kBytesToWriteAtOnce = std::size_t{1} << 20U;

bool isPlainAscii(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Line ends become `lineEnd`; a CR LF is one.
std::string withLineEnds(std::string_view text, std::string_view lineEnd)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
        if (text[i] == '\n' || text[i] == '\r') {
            result += lineEnd;
        } else {
            result += text[i];
        }
    }
    return result;
}

/// What Markdown takes for markup gets a backslash. An underscore within a word is none: names stay readable.
std::string markdownCell(std::string_view text)
{
    std::string escaped;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool withinWord = i > 0 && i + 1 < text.size() && isPlainAscii(text[i - 1]) && isPlainAscii(text[i + 1]);
        if (std::string_view("\\`*[]<>|&~").find(c) != std::string_view::npos || (c == '_' && !withinWord)) escaped += '\\';
        escaped += c;
    }
    return withLineEnds(escaped, "<br>");
}

std::string latexCell(std::string_view text)
{
    std::string escaped;
    for (const char c : text) {
        switch (c) {
        case '&': case '%': case '$': case '#': case '_': case '{': case '}': escaped += '\\'; escaped += c; break;
        case '~': escaped += "\\textasciitilde{}"; break;
        case '^': escaped += "\\textasciicircum{}"; break;
        case '\\': escaped += "\\textbackslash{}"; break;
        case '<': escaped += "\\textless{}"; break;
        case '>': escaped += "\\textgreater{}"; break;
        case '|': escaped += "\\textbar{}"; break;
        default: escaped += c;
        }
    }
    return withLineEnds(escaped, " ");
}

std::string plainText(const TableCell& cell, const TableToWrite::Column& column, bool everyDigit)
{
    if (const auto* text = std::get_if<std::string>(&cell)) return everyDigit ? toValidUtf8(*text) : printableLines(toValidUtf8(*text));
    if (const auto* number = std::get_if<double>(&cell)) return everyDigit ? shortestNumber(*number) : column.readable(*number);
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
    return {};
}

std::string jsonCell(const TableCell& cell)
{
    if (const auto* number = std::get_if<double>(&cell)) {
        if (std::isnan(*number)) return "\"NaN\"";
        if (std::isinf(*number)) return *number > 0 ? "\"Infinity\"" : "\"-Infinity\"";
        return shortestNumber(*number);
    }
    if (const auto* text = std::get_if<std::string>(&cell)) return Json(toValidUtf8(*text)).dump();
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
    return "null";
}

/// Makes the parts of one file.
class TableFormatter {
public:
    TableFormatter(const TableToWrite& table, TableFormat format) : m_table(table), m_format(format)
    {
        std::set<std::string> used;   // an object holds each key once
        for (const TableToWrite::Column& column : table.columns) {
            const bool isForPeople = format == TableFormat::Markdown || format == TableFormat::Latex;
            const std::string title = toValidUtf8(isForPeople ? column.readableTitle() : column.title);
            std::string key = title;
            for (int count = 2; !used.insert(key).second; ++count) key = fmt::format("{} ({})", title, count);
            m_titles.push_back(title);
            m_keys.push_back(Json(key).dump());
        }
    }

    [[nodiscard]] std::string head() const
    {
        std::string text;
        switch (m_format) {
        case TableFormat::Csv: {
            std::vector<std::string> cells;
            for (const std::string& title : m_titles) cells.push_back(csvCell(title));
            return joined(cells, "", ",", "\n");
        }
        case TableFormat::JsonArray: return "[";
        case TableFormat::Markdown:
            text = joined(m_titles, "| ", " | ", " |\n");
            for (const auto& column : m_table.columns) text += column.isNumber ? "| ---: " : "| --- ";
            return text + "|\n";
        case TableFormat::Latex:
            for (const auto& column : m_table.columns) text += column.isNumber ? 'r' : 'l';
            return "\\begin{tabular}{" + text + "}\n\\hline\n" + joined(m_titles, "", " & ", " \\\\\n") + "\\hline\n";
        }
        return text;
    }

    [[nodiscard]] std::string row(std::size_t index) const
    {
        if (m_format == TableFormat::JsonArray) {
            std::string text = index == 0 ? "\n  {" : ",\n  {";
            for (std::size_t column = 0; column < m_keys.size(); ++column) {
                if (column > 0) text += ", ";
                text += m_keys[column] + ": " + jsonCell(m_table.cell(index, column));
            }
            return text + '}';
        }
        std::vector<std::string> cells;
        cells.reserve(m_titles.size());
        for (std::size_t column = 0; column < m_titles.size(); ++column) {
            const TableCell cell = m_table.cell(index, column);
            std::string text = plainText(cell, m_table.columns[column], m_format == TableFormat::Csv);
            if (m_format == TableFormat::Csv && std::holds_alternative<std::string>(cell)) text = csvCell(text);
            cells.push_back(std::move(text));
        }
        if (m_format == TableFormat::Csv) return joined(cells, "", ",", "\n");
        return m_format == TableFormat::Markdown ? joined(cells, "| ", " | ", " |\n") : joined(cells, "", " & ", " \\\\\n");
    }

    [[nodiscard]] std::string tail() const
    {
        if (m_format == TableFormat::JsonArray) return m_table.rowCount == 0 ? "]\n" : "\n]\n";
        return m_format == TableFormat::Latex ? "\\hline\n\\end{tabular}\n" : std::string();
    }

private:
    [[nodiscard]] std::string escaped(const std::string& text) const
    {
        switch (m_format) {
        case TableFormat::Markdown: return markdownCell(text);
        case TableFormat::Latex: return latexCell(text);
        case TableFormat::Csv:         // cells of texts are quoted before: numbers never are
        case TableFormat::JsonArray: break;
        }
        return text;
    }
    [[nodiscard]] std::string joined(const std::vector<std::string>& cells, std::string_view before, std::string_view between, std::string_view after) const
    {
        std::string line(before);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (i > 0) line += between;
            line += escaped(cells[i]);
        }
        return line += after;
    }

    const TableToWrite& m_table;
    TableFormat m_format;
    std::vector<std::string> m_titles;
    std::vector<std::string> m_keys;   ///< as JSON strings
};

}  // namespace

std::string TableToWrite::Column::readable(double value) const
{
    constexpr double kPerCent = 100;
    if (isChange && std::isfinite(value)) return fmt::format("{:+.1f} %", value * kPerCent);
    return isShare && std::isfinite(value) ? fmt::format("{:.1f} %", value * kPerCent) : readableNumber(value);
}

void appendColumns(TableToWrite& table, std::vector<TableToWrite::Column> columns, std::function<TableCell(std::size_t row, std::size_t column)> cell)
{
    const std::size_t first = table.columns.size();
    table.columns.insert(table.columns.end(), std::make_move_iterator(columns.begin()), std::make_move_iterator(columns.end()));
    table.cell = [before = std::move(table.cell), cell = std::move(cell), first](std::size_t row, std::size_t column) {
        return column < first ? before(row, column) : cell(row, column - first);
    };
}

TableCell finiteCell(double value) { return std::isfinite(value) ? TableCell(value) : TableCell(); }
Json finiteOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::optional<TableFormat> tableFormatFromString(std::string_view name)
{
    if (name == "csv") return TableFormat::Csv;
    if (name == "json") return TableFormat::JsonArray;
    if (name == "markdown") return TableFormat::Markdown;
    if (name == "latex") return TableFormat::Latex;
    return std::nullopt;
}

std::optional<TableFormat> tableFormatOf(const std::filesystem::path& file)
{
    const std::string suffix = asciiLower(file.extension().string());
    if (suffix == ".csv") return TableFormat::Csv;
    if (suffix == ".json") return TableFormat::JsonArray;
    if (suffix == ".md") return TableFormat::Markdown;
    if (suffix == ".tex") return TableFormat::Latex;
    return std::nullopt;
}

std::string tableText(const TableToWrite& table, TableFormat format)
{
    const TableFormatter formatter(table, format);
    std::string text = formatter.head();
    for (std::size_t row = 0; row < table.rowCount; ++row) text += formatter.row(row);
    return text + formatter.tail();
}

Result<void> writeTable(const TableToWrite& table, TableFormat format, const std::filesystem::path& path, const TableProgress& progress,
                        const std::stop_token& stop)
{
    auto file = TemporaryFile::create(path);
    if (!file) return file.error();
    const TableFormatter formatter(table, format);
    std::string text = formatter.head();
    for (std::size_t row = 0; row < table.rowCount; ++row) {
        if (row % kRowsBetweenReports == 0) {
            if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the export was cancelled", toValidUtf8(path.string()), 0, {}};
            if (progress) progress(row);
        }
        text += formatter.row(row);
        if (text.size() >= kBytesToWriteAtOnce) {
            if (auto written = file->write(text); !written) return written;
            text.clear();
        }
    }
    text += formatter.tail();
    if (auto written = file->write(text); !written) return written;
    if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the export was cancelled", toValidUtf8(path.string()), 0, {}};
    if (progress) progress(table.rowCount);
    return file->commit(TemporaryFile::Existing::Replace);
}

TableCell traceCell(const Dataset& dataset, const TraceRow& row, TraceColumn column)
{
    constexpr double kMicrosecondsPerMillisecond = 1000;
    const TraceTable& traces = dataset.traces();
    const auto text = [](std::string_view value) { return value.empty() ? TableCell() : TableCell(std::string(value)); };
    const auto number = [&row](std::uint8_t flag, double value) { return (row.flags & flag) != 0 ? TableCell(value) : TableCell(); };
    switch (column) {
    case TraceColumn::Definition: return text(traces.definitionName(row));
    case TraceColumn::OpType: {
        const Definition* definition = dataset.findDefinition(traces.definitionName(row));
        return definition == nullptr ? TableCell() : text(definition->opType);
    }
    case TraceColumn::Solution: return text(traces.solutionName(row));
    case TraceColumn::Language: {
        const Solution* solution = dataset.findSolution(std::string(traces.solutionName(row)));
        return solution == nullptr ? TableCell() : text(toString(solution->spec.language));
    }
    case TraceColumn::Author: return text(authorOf(dataset, row));
    case TraceColumn::Workload: return text(traces.workloadUuid(row));
    case TraceColumn::Axes: return text(traces.axesText(row));
    case TraceColumn::Status: return (row.flags & TraceFlag::kHasEvaluation) != 0 ? text(toString(row.status)) : TableCell();
    case TraceColumn::Latency: return number(TraceFlag::kHasPerformance, row.latencyMs * kMicrosecondsPerMillisecond);
    case TraceColumn::ReferenceLatency: return number(TraceFlag::kHasPerformance, row.referenceLatencyMs * kMicrosecondsPerMillisecond);
    case TraceColumn::Speedup: return number(TraceFlag::kHasPerformance, row.speedupFactor);
    case TraceColumn::MaxAbsoluteError: return number(TraceFlag::kHasCorrectness, row.maxAbsoluteError);
    case TraceColumn::MaxRelativeError: return number(TraceFlag::kHasCorrectness, row.maxRelativeError);
    case TraceColumn::Hardware: return text(traces.hardwareName(row));
    case TraceColumn::Timestamp: return text(traces.timestamp(row));
    case TraceColumn::Folder: return text(dataset.folderName(row));
    }
    return {};
}

std::string readableNumber(double value)
{
    constexpr double kLeast = 1e-3;
    constexpr double kGreatest = 1e15;
    constexpr int kDigits = 4;
    const double size = std::abs(value);
    if (!std::isfinite(value) || value == 0) return shortestNumber(value + 0.0);
    if (size < kLeast || size >= kGreatest) return fmt::format("{:.{}e}", value, kDigits - 1);
    const int before = static_cast<int>(std::floor(std::log10(size))) + 1;
    return fmt::format("{:.{}f}", value, std::max(0, kDigits - before));
}

}  // namespace tracedeck
