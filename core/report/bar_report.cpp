// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/bar_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/report/text_look.h"
#include "core/report/text_table.h"
#include "core/score/rank_table.h"
#include "core/store/grouping.h"

namespace tracedeck {

namespace {

std::string_view toString(BarsBy by)
{
    return by == BarsBy::Author ? "author" : by == BarsBy::Solution ? "solution" : "workload";
}

RowIndex scopeRows(const Dataset& dataset, const RankingScope& scope)
{
    TraceFilter filter;
    if (!scope.definition.empty()) filter.definitions.insert(scope.definition);
    if (!scope.opType.empty()) filter.opTypes.insert(scope.opType);
    if (!scope.hardware.empty()) filter.hardware.insert(scope.hardware);
    return selectTraces(dataset, filterTraces(dataset, filter), scope.policy);
}

/// Who has the greatest bar first; those without one by name at the end.
void sortBars(std::vector<Bar>& bars)
{
    std::stable_sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) {
        if (std::isnan(a.value) != std::isnan(b.value)) return std::isnan(b.value);
        return std::isnan(a.value) || a.value == b.value ? a.name < b.name : a.value > b.value;
    });
}

void addRanked(BarChart& chart, const RankTable& table)
{
    chart.title = "Speedup over '" + table.baselineAuthor + "', geometric mean over workloads";
    BarGroup group;
    for (const RankRow& row : table.rows) {
        const double score = row.metrics.averageSpeedup;
        group.bars.push_back({row.name, score > 0 ? score : std::nan(""), score > 0 ? fmt::format("{} workloads", row.metrics.workloads) : std::string("no pass")});
    }
    chart.groups.push_back(std::move(group));
}

/// Nothing can be compared with a baseline: the reference is always there.
void addAgainstReference(BarChart& chart, const Dataset& dataset, const RowIndex& rows)
{
    chart.title = "Speedup over the reference, geometric mean over traces";
    const GroupKey key{chart.question.by == BarsBy::Author ? TraceColumn::Author : TraceColumn::Solution};
    BarGroup group;
    for (const TraceGroup& traces : groupTraces(dataset, rows, {key}, {TraceColumn::Speedup})) {
        const NumberSummary& speedup = traces.measures.front();
        group.bars.push_back({groupText(dataset, traces, key), speedup.geometricMean, speedup.count > 0 ? fmt::format("{} traces", speedup.count) : describeStatusCounts(traces.statuses)});
    }
    sortBars(group.bars);
    chart.groups.push_back(std::move(group));
}

void addWorkloads(BarChart& chart, const Dataset& dataset)
{
    const BarQuestion& question = chart.question;
    const std::string& definition = question.scope.definition;
    chart.hardware = question.scope.hardware.empty() ? busiestHardware(dataset, definition) : question.scope.hardware;
    std::string baseline;
    for (const Solution* solution : dataset.solutionsOf(definition)) {
        if (solution->author == question.baseline) baseline = solution->name;
    }
    const ChartMeasure measure = question.latency ? ChartMeasure::LatencyMs : baseline.empty() ? ChartMeasure::SpeedupToReference : ChartMeasure::RatioToBaseline;
    chart.title = question.latency ? "Latency" : baseline.empty() ? "Speedup over the reference" : "Speedup over '" + baseline + "'";
    std::map<double, BarGroup> groups;   // by the workload's place
    const SelectionPolicy policy = question.scope.policy == SelectionPolicy::All ? SelectionPolicy::Newest : question.scope.policy;
    for (const Series& series : chartSeries(dataset, definition, {}, measure, chart.hardware, baseline, policy)) {
        for (const SeriesPoint& point : series.points) {
            const TraceRow& row = dataset.traces().row(point.row);
            BarGroup& group = groups[point.x];
            if (group.title.empty()) {
                const std::string axes = dataset.traces().axesText(row);
                group.title = axes.empty() ? point.workloadUuid : axes;
            }
            group.bars.push_back({series.solution, point.failed ? std::nan("") : point.y, point.failed ? std::string(tracedeck::toString(row.status)) : std::string()});
        }
    }
    for (auto& [place, group] : groups) {
        sortBars(group.bars);
        if (question.latency) std::reverse(group.bars.begin(), std::find_if(group.bars.begin(), group.bars.end(), [](const Bar& bar) { return std::isnan(bar.value); }));   // the shortest is the best
        chart.groups.push_back(std::move(group));
    }
}

/// A bar of up to `width` columns, in steps of an eighth; what is not 0 is seen.
std::string blocks(double share, std::size_t width)
{
    constexpr std::array<const char*, 8> kParts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto eighths = std::max<std::size_t>(share > 0 ? 1 : 0, static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(8 * width))));
    std::string text;
    for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
    return text + kParts[eighths % 8];
}

}  // namespace

std::optional<BarsBy> barsByFromString(std::string_view name)
{
    for (const BarsBy by : {BarsBy::Author, BarsBy::Solution, BarsBy::Workload}) {
        if (name == toString(by)) return by;
    }
    return std::nullopt;
}

double BarChart::greatest() const
{
    double most = 0;
    for (const BarGroup& group : groups) {
        for (const Bar& bar : group.bars) {
            if (std::isfinite(bar.value)) most = std::max(most, bar.value);
        }
    }
    return most;
}

Result<BarChart> barChart(const Dataset& dataset, const BarQuestion& question)
{
    if (auto checked = checkScopeNames(dataset, question.scope, {}); !checked) return checked.error();
    BarChart chart;
    chart.question = question;
    const RowIndex rows = scopeRows(dataset, question.scope);
    chart.statuses = countStatuses(dataset, rows);
    if (question.by == BarsBy::Workload) {
        if (question.scope.definition.empty()) return Error{ErrorCode::Usage, "bars of workloads are of one definition: name it with --definition", {}, 0, "definition"};
        addWorkloads(chart, dataset);
        return chart;
    }
    if (question.latency) return Error{ErrorCode::Usage, "latencies of different workloads have no common mean: choose --by workload", {}, 0, "measure"};
    const auto table = rankTable(dataset, question.baseline, question.scope, question.by == BarsBy::Author ? RankBy::Author : RankBy::Solution, RankingRule::Format, RankMetric::GeometricMean);
    if (table && !table->rows.empty()) addRanked(chart, *table);
    else addAgainstReference(chart, dataset, rows);
    return chart;
}

std::string barText(const BarChart& chart)
{
    constexpr std::size_t kUsualWidth = 80;
    constexpr std::size_t kNarrowest = 30;
    const std::size_t width = std::max(kNarrowest, textLook().width == 0 ? kUsualWidth : textLook().width);
    std::string text = fitted(fmt::format("Traces: {}", describeStatusCounts(chart.statuses)), width) + "\n\n";
    const double greatest = chart.greatest();
    if (chart.groups.empty() || (chart.groups.size() == 1 && chart.groups.front().bars.empty())) return text + "Nothing to show: there are no results in scope.\n";
    text += toned(fitted(printable(chart.title + (chart.hardware.empty() ? "" : " on " + chart.hardware)), width), TextTone::Heading) + "\n";
    std::size_t names = 0;
    for (const BarGroup& group : chart.groups) {
        for (const Bar& bar : group.bars) names = std::max(names, displayWidth(printable(bar.name)));
    }
    constexpr std::size_t kValueWidth = 12;
    names = std::min(names, width / 3);
    const std::size_t room = width - names - kValueWidth - 2;   // a blank on either side of the bar
    for (const BarGroup& group : chart.groups) {
        if (!group.title.empty()) text += "\n" + fitted(printable(group.title), width) + "\n";
        for (const Bar& bar : group.bars) {
            const std::string name = fitted(printable(bar.name), names);
            text += name + std::string(names - displayWidth(name) + 1, ' ');
            if (std::isfinite(bar.value) && greatest > 0) {
                const bool isSlower = !chart.question.latency && bar.value < 1;
                text += toned(blocks(bar.value / greatest, room), isSlower ? TextTone::Bad : TextTone::Good) + fmt::format(" {} {}\n", readableNumber(bar.value), chart.unit());
            } else {
                text += toned(fitted(printable(bar.note.empty() ? "-" : bar.note), room + kValueWidth), toneOf(bar.note)) + "\n";
            }
        }
    }
    return text;
}

Json barDocument(const BarChart& chart)
{
    Json groups = Json::array();
    for (const BarGroup& group : chart.groups) {
        Json bars = Json::array();
        for (const Bar& bar : group.bars) bars.push_back({{"name", bar.name}, {"value", finiteOrNull(bar.value)}, {"note", bar.note}});
        groups.push_back({{"title", group.title}, {"bars", std::move(bars)}});
    }
    return {{"by", std::string(toString(chart.question.by))}, {"measure", chart.question.latency ? "latency_ms" : "speedup"}, {"title", chart.title}, {"hardware", chart.hardware}, {"groups", std::move(groups)}};
}

TableToWrite barTable(const BarChart& chart)
{
    std::vector<std::pair<const BarGroup*, const Bar*>> lines;
    for (const BarGroup& group : chart.groups) {
        for (const Bar& bar : group.bars) lines.emplace_back(&group, &bar);
    }
    const std::size_t count = lines.size();
    return {{{"group"}, {"name"}, {chart.question.latency ? "latency_ms" : "speedup", true}, {"note"}}, count, [lines = std::move(lines)](std::size_t row, std::size_t column) -> TableCell {
                const auto& [group, bar] = lines[row];
                const auto text = [](const std::string& value) { return value.empty() ? TableCell() : TableCell(value); };
                if (column == 2) return finiteCell(bar->value);
                return text(column == 0 ? group->title : column == 1 ? bar->name : bar->note);
            }};
}

}  // namespace tracedeck
