// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/report/html_report_parts.h"
#include "core/report/html_text.h"
#include "core/report/report.h"

namespace tracedeck {

namespace {

constexpr std::size_t kMostSourceBytes = 24'000;          ///< of one file
constexpr std::size_t kMostSourceBytesOfAll = 250'000;
constexpr std::size_t kMostExamples = 6;
constexpr std::size_t kMostNames = 12;

TableCell finiteOrNone(double value) { return std::isfinite(value) ? TableCell(value) : TableCell(); }

std::string_view classOf(Status status)
{
    switch (status) {
    case Status::Passed: return "pass";
    case Status::IncorrectShape:
    case Status::IncorrectNumerical:
    case Status::IncorrectDtype: return "wrong";
    case Status::Timeout: return "late";
    case Status::RewardHack: return "caught";
    case Status::RuntimeError:
    case Status::CompileError:
    case Status::InvalidReference:
    case Status::Other: break;
    }
    return "error";
}

std::string axesOf(const Definition& definition)
{
    std::vector<std::string> parts;
    for (const Axis& axis : definition.axes) {
        parts.push_back(axis.isConst() ? fmt::format("{} = {}", axis.name, *axis.value) : axis.isVariable() ? axis.name + " varies" : axis.name + " computed");
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// Counts what sources take up, so that a page of thousands of solutions stays a page.
struct SourceBudget {
    std::size_t left = kMostSourceBytesOfAll;
};

void writeSources(HtmlPage& page, const std::vector<SourceFile>& sources, SourceBudget& budget)
{
    if (page.form() == HtmlForm::Paper) return;   // code on paper helps nobody
    for (const SourceFile& source : sources) {
        const std::size_t shown = std::min({source.content.size(), kMostSourceBytes, budget.left});
        if (source.content.empty()) continue;
        page.beginPart(fmt::format("{} ({} bytes{})", source.path, source.content.size(), shown < source.content.size() ? fmt::format(", the first {} here", shown) : std::string()), "source");
        page.lines(std::string_view(source.content).substr(0, shown));
        page.endPart();
        budget.left -= shown;
    }
}

/// One line a workload that the solution was run on, machines one after another.
class ResultsTable {
public:
    ResultsTable(const DatasetReport& report, const ReportDefinition& part, const std::string& solution) : m_report(report), m_hasSeveralMachines(part.machines.size() > 1)
    {
        for (const ReportMachine& machine : part.machines) {
            const auto found = std::find_if(machine.map.solutions.begin(), machine.map.solutions.end(), [&](const HeatMapSolution& one) { return one.name == solution; });
            if (found == machine.map.solutions.end()) continue;
            const auto s = static_cast<std::size_t>(found - machine.map.solutions.begin());
            for (const std::size_t w : machine.workloads) {
                const HeatMapCell& cell = machine.map.at(w, s);
                if (!cell.isRun()) continue;
                m_places.push_back({&machine.map, &machine.map.workloads[w], &cell});
                const TraceFacts* facts = report.factsOf(*cell.row);
                m_hasSpread = m_hasSpread || (facts != nullptr && std::isfinite(facts->p10));
                m_hasReason = m_hasReason || (facts != nullptr && !facts->reason.empty());
            }
        }
    }

    [[nodiscard]] bool isEmpty() const { return m_places.empty(); }

    [[nodiscard]] TableToWrite table() const
    {
        TableToWrite table;
        std::vector<TableCell (ResultsTable::*)(const Place&) const> cells;
        const auto add = [&](TableToWrite::Column column, TableCell (ResultsTable::*cell)(const Place&) const) {
            table.columns.push_back(std::move(column));
            cells.push_back(cell);
        };
        add({"axes", false, "Workload"}, &ResultsTable::axes);
        if (m_hasSeveralMachines) add({"hardware", false, "Hardware"}, &ResultsTable::hardware);
        add({"status", false, "Status"}, &ResultsTable::status);
        add({"latency_ms", true, "Latency (ms)"}, &ResultsTable::latency);
        if (m_hasSpread) {
            add({"p10_ms", true, "p10"}, &ResultsTable::p10);
            add({"p90_ms", true, "p90"}, &ResultsTable::p90);
        }
        add({"reference_latency_ms", true, "Reference (ms)"}, &ResultsTable::reference);
        add({"ratio", true, "Ratio"}, &ResultsTable::ratio);
        add({"max_absolute_error", true, "Abs. error"}, &ResultsTable::absoluteError);
        add({"max_relative_error", true, "Rel. error"}, &ResultsTable::relativeError);
        add({"timestamp", false, "Measured"}, &ResultsTable::measured);
        if (m_hasReason) add({"reason", false, "Reason"}, &ResultsTable::reason);
        table.rowCount = m_places.size();
        table.cell = [this, cells](std::size_t row, std::size_t column) { return (this->*cells[column])(m_places[row]); };
        return table;
    }

    [[nodiscard]] std::string decorated(const TableToWrite& table, std::size_t row, std::size_t column, std::string escaped) const
    {
        return table.columns[column].title == "status" ? fmt::format("<span class=\"st {}\">{}</span>", classOf(m_places[row].cell->status), escaped) : escaped;
    }

private:
    struct Place {
        const HeatMap* map = nullptr;
        const HeatMapWorkload* workload = nullptr;
        const HeatMapCell* cell = nullptr;
    };

    [[nodiscard]] const TraceRow& row(const Place& place) const { return m_report.dataset->traces().row(*place.cell->row); }
    [[nodiscard]] TableCell fact(const Place& place, double TraceFacts::*member) const
    {
        const TraceFacts* facts = m_report.factsOf(*place.cell->row);
        return facts == nullptr ? TableCell() : finiteOrNone(facts->*member);
    }
    [[nodiscard]] TableCell flagged(const Place& place, std::uint8_t flag, double value) const { return (row(place).flags & flag) != 0 ? TableCell(value) : TableCell(); }

    [[nodiscard]] TableCell axes(const Place& place) const
    {
        std::string text = place.workload->axesText();
        std::replace(text.begin(), text.end(), ';', ' ');
        return text.empty() ? place.workload->uuid : text;
    }
    [[nodiscard]] TableCell hardware(const Place& place) const { return place.map->question.hardware; }
    [[nodiscard]] TableCell status(const Place& place) const { return std::string(toString(place.cell->status)); }
    [[nodiscard]] TableCell latency(const Place& place) const { return flagged(place, TraceFlag::kHasPerformance, row(place).latencyMs); }
    [[nodiscard]] TableCell p10(const Place& place) const { return fact(place, &TraceFacts::p10); }
    [[nodiscard]] TableCell p90(const Place& place) const { return fact(place, &TraceFacts::p90); }
    [[nodiscard]] TableCell reference(const Place& place) const { return flagged(place, TraceFlag::kHasPerformance, row(place).referenceLatencyMs); }
    [[nodiscard]] TableCell ratio(const Place& place) const { return finiteOrNone(place.cell->ratio); }
    [[nodiscard]] TableCell absoluteError(const Place& place) const { return flagged(place, TraceFlag::kHasCorrectness, row(place).maxAbsoluteError); }
    [[nodiscard]] TableCell relativeError(const Place& place) const { return flagged(place, TraceFlag::kHasCorrectness, row(place).maxRelativeError); }
    [[nodiscard]] TableCell measured(const Place& place) const { return std::string(m_report.dataset->traces().timestamp(row(place))); }
    [[nodiscard]] TableCell reason(const Place& place) const
    {
        constexpr std::size_t kLongestReason = 90;
        const TraceFacts* facts = m_report.factsOf(*place.cell->row);
        return facts == nullptr || facts->reason.empty() ? TableCell() : TableCell(shortened(facts->reason, kLongestReason));
    }

    const DatasetReport& m_report;
    std::vector<Place> m_places;
    bool m_hasSeveralMachines;
    bool m_hasSpread = false;
    bool m_hasReason = false;
};

/// What the GPU did in one call, where somebody kept that.
void writeTimeline(HtmlPage& page, const KeptTimeline& kept, const Solution& solution)
{
    const Timeline& timeline = kept.timeline;
    page.beginPart("Kernel timeline");
    std::string words = fmt::format("{} {} in {:.4g} µs; nothing ran for {:.4g} µs of them. One call by itself on the workload {}, recorded by `tracedeck diagnose timeline`: it is no result.",
                                    timeline.entries.size(), timeline.entries.size() == 1 ? "activity" : "activities", timeline.spanUs, timeline.gapsUs(), kept.workload);
    if (kept.source != solution.contentHash()) words += " The solution was another one then: its sources have changed since.";
    page.paragraph(words);
    const std::string more = timeline.entries.size() > kMostTimelineRows ? fmt::format(" The first {} of {}.", kMostTimelineRows, timeline.entries.size()) : std::string();
    page.figure(timelineSvg(timeline, lookOf(page.form())), "What ran when", "microseconds." + more, true);
    TableToWrite table;
    table.columns = {{"start_us", true, "Start (µs)"}, {"duration_us", true, "µs"},   {"name", false, "What"},           {"grid", false, "Grid"},
                     {"block", false, "Block"},        {"registers", true, "Registers"}, {"shared_bytes", true, "Shared (bytes)"}, {"bytes", true, "Bytes"}};
    table.rowCount = std::min(timeline.entries.size(), kMostTimelineRows);
    table.cell = [&timeline](std::size_t row, std::size_t column) -> TableCell {
        const TimelineEntry& entry = timeline.entries[row];
        const bool isKernel = entry.kind == TimelineEntry::Kind::Kernel;
        switch (column) {
        case 0: return entry.startUs;
        case 1: return entry.durationUs;
        case 2: return entry.name;
        case 3: return launchSizeText(entry.grid);
        case 4: return launchSizeText(entry.block);
        case 5: return isKernel ? TableCell(static_cast<std::int64_t>(entry.registers)) : TableCell();
        case 6: return isKernel ? TableCell(static_cast<std::int64_t>(entry.sharedBytes)) : TableCell();
        default: return isKernel ? TableCell() : TableCell(static_cast<std::int64_t>(entry.bytes));
        }
    };
    page.table(table);
    page.endPart();
}

void writeSolution(HtmlPage& page, const DatasetReport& report, const ReportDefinition& part, const std::string& name, SourceBudget& budget)
{
    const Solution* solution = report.dataset->findSolution(name);
    const ResultsTable results(report, part, name);
    std::string line = name;
    if (solution != nullptr) line += fmt::format(" · {} · {}", solution->author, toString(solution->spec.language));
    page.beginPart(line, "card");
    if (solution != nullptr) {
        std::vector<std::pair<std::string, std::string>> facts{{"Language", std::string(toString(solution->spec.language))}, {"Entry point", solution->spec.entryPoint}};
        if (!solution->spec.targetHardware.empty()) facts.emplace_back("Target hardware", fmt::format("{}", fmt::join(solution->spec.targetHardware, ", ")));
        if (!solution->spec.dependencies.empty()) facts.emplace_back("Dependencies", fmt::format("{}", fmt::join(solution->spec.dependencies, ", ")));
        if (solution->spec.isCompiled()) facts.emplace_back("Binding", std::string(toString(solution->spec.binding.value_or(Binding::TvmFfi))));
        facts.emplace_back("Calling style", solution->spec.destinationPassingStyle ? "outputs are passed in" : "returns its outputs");
        if (solution->description && !solution->description->empty()) facts.emplace_back("Description", *solution->description);
        facts.emplace_back("Content hash", solution->contentHash());
        page.facts(facts);
    } else {
        page.paragraph("The dataset has no file of this solution.", "note");
    }
    if (results.isEmpty()) {
        page.paragraph("No results.");
    } else {
        const TableToWrite table = results.table();
        page.table(table, [&](std::size_t row, std::size_t column, std::string escaped) { return results.decorated(table, row, column, std::move(escaped)); });
    }
    if (const auto kept = part.timelines.find(name); solution != nullptr && kept != part.timelines.end()) writeTimeline(page, kept->second, *solution);
    if (solution != nullptr) writeSources(page, solution->sources, budget);
    page.endPart();
}

void writeMachine(HtmlPage& page, const ReportDefinition& part, const ReportMachine& machine)
{
    const std::string& hardware = machine.map.question.hardware;
    const PlotLook look = lookOf(page.form());
    page.heading(4, hardware);
    std::string limit;
    if (machine.solutions.size() > kMostPlotSeries) limit = fmt::format(" The best {} of {} solutions by geometric mean; the table has all.", kMostPlotSeries, machine.solutions.size());
    if (const std::size_t idle = machine.workloads.size() - machine.measured.size(); idle > 0) limit += fmt::format(" {} workloads without any result are left out.", idle);
    page.figure(workloadPlotSvg(machine, WorkloadPlot::LatencyMs, look), "Latency by workload", "milliseconds, logarithmic; × at the lower edge: failed." + limit);
    page.figure(workloadPlotSvg(machine, WorkloadPlot::Ratio, look), "Ratio by workload", ratioText(machine.map) + "; above 1 is faster." + limit);
    std::string bounds;
    if (machine.measured.size() > kMostHeatWorkloads) bounds += fmt::format(" The first {} of {} workloads.", kMostHeatWorkloads, machine.measured.size());
    if (machine.solutions.size() > kMostHeatSolutions) bounds += fmt::format(" The best {} of {} solutions.", kMostHeatSolutions, machine.solutions.size());
    if (machine.solutions.size() > 1) page.figure(heatMapSvg(machine, look), "Heat map", "ratios as above; ×: failed, –: passed without a ratio, empty: not run." + bounds, true);
    page.table(solutionsTable(part, machine));
}

}  // namespace

void writeDefinitions(HtmlPage& page, const DatasetReport& report)
{
    SourceBudget budget;
    for (std::size_t i = 0; i < report.definitions.size(); ++i) {
        const ReportDefinition& part = report.definitions[i];
        if (part.machines.empty()) continue;   // listed among what is missing
        const Definition& definition = *part.definition;
        page.heading(2, definition.name, fmt::format("d{}", i));
        if (definition.description && !definition.description->empty()) page.paragraph(*definition.description);
        page.facts({{"op_type", definition.opType},
                    {"Axes", axesOf(definition)},
                    {"Workloads", std::to_string(part.machines.front().map.workloads.size())},
                    {"Solutions", std::to_string(part.solutions.size())},
                    {"Baseline", part.baseline != nullptr ? part.baseline->name : std::string("none: ratios are those to the reference")}});
        if (!definition.reference.empty()) writeSources(page, {SourceFile{"Reference", definition.reference, false, Json::object()}}, budget);
        for (const ReportMachine& machine : part.machines) writeMachine(page, part, machine);
        page.heading(3, "Solutions of " + definition.name);
        for (const Problem& problem : part.timelineProblems) page.paragraph("A kept timeline can't be read: " + withoutFolders(*report.dataset, problem.error).toString(), "note");
        // By the order on the machine with the most results, then the others'.
        std::set<std::string> written;
        for (const ReportMachine& machine : part.machines) {
            for (const std::size_t solution : machine.solutions) {
                const std::string& name = machine.map.solutions[solution].name;
                if (written.insert(name).second) writeSolution(page, report, part, name, budget);
            }
        }
    }
}

TableToWrite solutionsTable(const ReportDefinition& part, const ReportMachine& machine)
{
    const HeatMap& map = machine.map;
    TableToWrite table;
    table.columns = {{"solution", false, "Solution"},
                     {"author", false, "Author"},
                     {"passed", true, "Passed"},
                     {"failed", true, "Failed"},
                     {"missing", true, "Missing"},
                     {"geometric_mean", true, part.baseline != nullptr ? "× baseline (geomean)" : "× reference (geomean)"},
                     {"least_ratio", true, "Least ratio"},
                     {"greatest_ratio", true, "Greatest ratio"},
                     {"fastest_on", true, "Fastest on"}};
    table.rowCount = machine.solutions.size();
    table.cell = [&map, &machine](std::size_t row, std::size_t column) -> TableCell {
        const std::size_t s = machine.solutions[row];
        const HeatMapSolution& solution = map.solutions[s];
        double least = std::nan("");
        double greatest = std::nan("");
        std::int64_t wins = 0;
        if (column >= 6) {
            for (const std::size_t w : machine.workloads) {
                const HeatMapCell& cell = map.at(w, s);
                least = std::fmin(least, cell.ratio);
                greatest = std::fmax(greatest, cell.ratio);
                const bool isFastest = std::isfinite(cell.latencyMs) && std::all_of(machine.solutions.begin(), machine.solutions.end(), [&](std::size_t other) {
                    return !(map.at(w, other).latencyMs < cell.latencyMs);   // NaN compares false
                });
                wins += isFastest ? 1 : 0;
            }
        }
        switch (column) {
        case 0: return solution.name;
        case 1: return solution.author.empty() ? TableCell() : TableCell(solution.author);
        case 2: return static_cast<std::int64_t>(solution.passed);
        case 3: return static_cast<std::int64_t>(solution.failed);
        case 4: return static_cast<std::int64_t>(map.workloads.size() - solution.passed - solution.failed);
        case 5: return finiteOrNone(solution.geometricMean);
        case 6: return finiteOrNone(least);
        case 7: return finiteOrNone(greatest);
        default: return wins;
        }
    };
    return table;
}

std::vector<MissingResult> missingResults(const DatasetReport& report)
{
    std::vector<MissingResult> all;
    for (const ReportDefinition& part : report.definitions) {
        for (const ReportMachine& machine : part.machines) {
            for (const std::size_t solution : machine.solutions) {
                MissingResult one{part.definition->name, machine.map.solutions[solution].name, machine.map.question.hardware, 0, machine.workloads.size(), {}};
                for (const std::size_t workload : machine.workloads) {
                    if (machine.map.at(workload, solution).isRun()) continue;
                    if (one.missing++ < kMostExamples) one.examples += (one.missing == 1 ? "" : ", ") + machine.map.workloads[workload].axesText();
                }
                if (one.missing > kMostExamples) one.examples += ", …";
                if (one.missing > 0) all.push_back(std::move(one));
            }
        }
    }
    return all;
}

TableToWrite missingTable(const std::vector<MissingResult>& missing)
{
    TableToWrite table;
    table.columns = {{"definition", false, "Definition"}, {"solution", false, "Solution"}, {"hardware", false, "Hardware"}, {"missing", true, "Missing"}, {"workloads", true, "Of workloads"}, {"examples", false, "Which"}};
    table.rowCount = missing.size();
    table.cell = [&missing](std::size_t row, std::size_t column) -> TableCell {
        const MissingResult& one = missing[row];
        switch (column) {
        case 0: return one.definition;
        case 1: return one.solution;
        case 2: return one.hardware;
        case 3: return static_cast<std::int64_t>(one.missing);
        case 4: return static_cast<std::int64_t>(one.workloads);
        default: return one.examples;
        }
    };
    return table;
}

std::string listed(const std::set<std::string>& names)
{
    std::string text;
    std::size_t count = 0;
    for (const std::string& name : names) {
        if (count++ == kMostNames) break;
        text += (text.empty() ? "" : ", ") + name;
    }
    if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
    return text;
}

std::string fileNameOf(std::string_view text)
{
    constexpr std::size_t kLongest = 120;
    std::string name;
    for (const char c : text.substr(0, kLongest)) {
        const bool isPlain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || (c == '.' && !name.empty());
        if (isPlain) name += c;
        else if (!name.empty() && name.back() != '-') name += '-';
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return name.empty() ? std::string("chart") : name;
}

}  // namespace tracedeck
