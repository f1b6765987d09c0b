// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <fmt/format.h>

#include "core/report/report.h"
#include "core/report/report_tables.h"
#include "core/report/text_table.h"

namespace tracedeck {

namespace {

Json summaryOf(const NumberSummary& numbers)
{
    if (numbers.count == 0) return nullptr;
    return {{"count", numbers.count},
            {"min", numbers.least},
            {"median", numbers.median},
            {"mean", numbers.mean},
            {"geomean", std::isnan(numbers.geometricMean) ? Json() : Json(numbers.geometricMean)},
            {"max", numbers.greatest}};
}

std::string cellOf(double number)
{
    return std::isnan(number) ? std::string("-") : fmt::format("{:.4g}", number);
}

}  // namespace

Json groupsDocument(const Dataset& dataset, const RowIndex& rows, const std::vector<GroupKey>& keys)
{
    Json by = Json::array();
    for (const GroupKey& key : keys) by.push_back(toString(key));
    Json groups = Json::array();
    for (const TraceGroup& group : groupTraces(dataset, rows, keys, groupMeasures())) {
        Json values = Json::array();
        for (const GroupKey& key : keys) {
            const std::string text = groupText(dataset, group, key);
            values.push_back(text.empty() ? Json() : Json(text));
        }
        Json statuses = Json::object();
        for (int index = 0; index < kStatusCount; ++index) {
            const auto status = static_cast<Status>(index);
            if (group.statuses.of(status) > 0) statuses[std::string(toString(status))] = group.statuses.of(status);
        }
        groups.push_back({{"values", std::move(values)},
                          {"traces", group.statuses.total()},
                          {"passed", group.statuses.of(Status::Passed)},
                          {"statuses", std::move(statuses)},
                          {"latency_ms", summaryOf(group.measures[0])},
                          {"speedup_factor", summaryOf(group.measures[1])}});
    }
    return {{"by", std::move(by)}, {"groups", std::move(groups)}};
}

std::string groupsText(const Dataset& dataset, const RowIndex& rows, const std::vector<GroupKey>& keys)
{
    using Align = TextTable::Align;
    std::vector<TextTable::Column> columns;
    for (const GroupKey& key : keys) columns.push_back({toString(key), Align::Left});
    for (const char* title : {"Traces", "Passed", "Median ms", "Fastest ms", "Slowest ms", "Geomean speedup"}) columns.push_back({title, Align::Right});
    TextTable table(columns);
    for (const TraceGroup& group : groupTraces(dataset, rows, keys, groupMeasures())) {
        std::vector<std::string> cells;
        for (const GroupKey& key : keys) {
            const std::string text = groupText(dataset, group, key);
            cells.push_back(text.empty() ? "-" : text);
        }
        const NumberSummary& latency = group.measures[0];
        cells.push_back(std::to_string(group.statuses.total()));
        cells.push_back(std::to_string(group.statuses.of(Status::Passed)));
        for (const double number : {latency.median, latency.least, latency.greatest, group.measures[1].geometricMean}) cells.push_back(cellOf(number));
        table.addRow(cells);
    }
    return table.toString();
}

}  // namespace tracedeck
