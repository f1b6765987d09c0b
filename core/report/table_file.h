// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/model/json.h"
#include "core/model/result.h"
#include "core/store/query.h"

namespace tracedeck {

// Tables as files that other programs read.

enum class TableFormat {
    Csv,        ///< RFC 4180 with LF ends, header line, every digit
    JsonArray,  ///< one object a row, every digit; a number that JSON lacks is "NaN", "Infinity" or "-Infinity"
    Markdown,   ///< a pipe table, four significant digits
    Latex       ///< a tabular that needs no package, four significant digits
};
/// `csv`, `json`, `markdown` or `latex`.
[[nodiscard]] std::optional<TableFormat> tableFormatFromString(std::string_view name);
/// By the end of a file's name: csv, json, md, tex (any case).
[[nodiscard]] std::optional<TableFormat> tableFormatOf(const std::filesystem::path& file);

/// Nothing (an empty cell, null in JSON), a text, or a number.
using TableCell = std::variant<std::monostate, std::string, double, std::int64_t>;

/// A number, or nothing (null) where it is NaN or infinite.
[[nodiscard]] TableCell finiteCell(double value);
[[nodiscard]] Json finiteOrNull(double value);

/// A table that is asked for its cells one by one, so that a million rows need no copy.
struct TableToWrite {
    struct Column {
        std::string title;       ///< CSV, JSON
        bool isNumber = false;   ///< aligned to the right
        std::string label{};     ///< for people: Markdown, LaTeX, HTML; empty: the title
        bool isShare = false;    ///< 0…1, which people see as per cent
        bool isChange = false;   ///< a share with its sign: 0.5 for half as much again

        [[nodiscard]] const std::string& readableTitle() const { return label.empty() ? title : label; }
        /// Four significant digits, or per cent with one decimal.
        [[nodiscard]] std::string readable(double value) const;
    };
    std::vector<Column> columns;
    std::size_t rowCount = 0;
    std::function<TableCell(std::size_t row, std::size_t column)> cell;   ///< on the thread that writes
};

/// More columns at the right end. `cell`: of a row and a number from 0 on.
void appendColumns(TableToWrite& table, std::vector<TableToWrite::Column> columns, std::function<TableCell(std::size_t row, std::size_t column)> cell);

/// The whole file in one text.
[[nodiscard]] std::string tableText(const TableToWrite& table, TableFormat format);

/// Called now and then with the number of rows that are written.
using TableProgress = std::function<void(std::size_t rowsDone)>;
/// Writes the file as a whole or not at all. Error Cancelled: the token was set; nothing is left behind.
[[nodiscard]] Result<void> writeTable(const TableToWrite& table, TableFormat format, const std::filesystem::path& path,
                                      const TableProgress& progress = {}, const std::stop_token& stop = {});

/// What a column of traces holds for one trace: times in microseconds, names and timestamps whole, the status as in the file.
[[nodiscard]] TableCell traceCell(const Dataset& dataset, const TraceRow& row, TraceColumn column);

/// Four significant digits without an exponent from 0.001 to 10^15, else with one.
[[nodiscard]] std::string readableNumber(double value);

}  // namespace tracedeck
