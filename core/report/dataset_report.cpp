// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/dataset_report.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/model/judge_record.h"
#include "core/model/name_rules.h"
#include "core/model/text.h"
#include "core/model/timestamp.h"
#include "core/report/report_tables.h"
#include "core/store/dataset_part.h"
#include "core/store/joined_dataset.h"
#include "core/store/parallel.h"

namespace tracedeck {

namespace {

constexpr std::size_t kLongestLog = 4'000;
constexpr std::size_t kMostFailureLogs = 60;   ///< groups beyond have their one line only
constexpr std::size_t kRowsAtOnce = 64;
constexpr std::size_t kMostLinesRead = 50'000;

TraceFilter filterOf(const ReportQuestion& question)
{
    TraceFilter filter = question.filter;
    if (!question.opType.empty()) filter.opTypes.insert(question.opType);
    if (!question.definition.empty()) filter.definitions.insert(question.definition);
    if (!question.hardware.empty()) filter.hardware.insert(question.hardware);
    if (!question.author.empty()) filter.authors = {question.author, question.baselineAuthor};
    return filter;
}

std::string scopeText(const ReportQuestion& question)
{
    std::vector<std::string> parts;
    if (!question.definition.empty()) parts.push_back("definition " + question.definition);
    if (!question.opType.empty()) parts.push_back("op_type " + question.opType);
    if (!question.author.empty()) parts.push_back("author " + question.author);
    if (!question.hardware.empty()) parts.push_back("measured on " + question.hardware);
    if (!question.scopeText.empty()) parts.push_back(question.scopeText);
    return parts.empty() ? std::string("the whole dataset") : fmt::format("{}", fmt::join(parts, ", "));
}

/// The newest time of a trace, as it is written there.
std::string newestTime(const Dataset& dataset)
{
    const TraceTable& traces = dataset.traces();
    std::int64_t newest = 0;
    std::string_view text;
    for (const TraceRow& row : traces.rows()) {
        const auto time = timestampMicroseconds(traces.timestamp(row));
        if (time && (text.empty() || *time > newest)) {
            newest = *time;
            text = traces.timestamp(row);
        }
    }
    return std::string(text);
}

bool isInScope(const HeatMapSolution& solution, const ReportQuestion& question)
{
    // What only traces know has no author: in a report on an author there is none of it.
    return question.author.empty() || solution.author == question.author || solution.author == question.baselineAuthor;
}

/// What runs on a GPU only is not missing on the CPU: a solution is looked at on the machines on which it has results; without any, on the first.
void keepWhatBelongs(ReportDefinition& part)
{
    std::set<std::string> ranSomewhere;
    for (const ReportMachine& machine : part.machines) {
        for (const HeatMapSolution& solution : machine.map.solutions) {
            if (solution.passed + solution.failed > 0) ranSomewhere.insert(solution.name);
        }
    }
    for (ReportMachine& machine : part.machines) {
        std::erase_if(machine.solutions, [&](std::size_t number) {
            const HeatMapSolution& solution = machine.map.solutions[number];
            const bool ranHere = solution.passed + solution.failed > 0;
            return !ranHere && (ranSomewhere.contains(solution.name) || &machine != &part.machines.front());
        });
        for (const std::size_t workload : machine.workloads) {
            std::size_t results = 0;
            for (const std::size_t solution : machine.solutions) results += machine.map.at(workload, solution).isRun() ? 1U : 0U;
            machine.missing += machine.solutions.size() - results;
            if (results > 0) machine.measured.push_back(workload);
        }
    }
}

Result<ReportDefinition> definitionPart(const Dataset& dataset, const Definition& definition, const ReportQuestion& question, const std::stop_token& stop)
{
    ReportDefinition part;
    part.definition = &definition;
    for (const Solution* solution : dataset.solutionsOf(definition.name)) {
        if (question.author.empty() || solution->author == question.author || solution->author == question.baselineAuthor) part.solutions.push_back(solution);
    }
    if (const auto baseline = baselineOf(dataset, definition.name, question.baselineAuthor)) part.baseline = *baseline;
    for (const Solution* solution : part.solutions) {
        for (const std::filesystem::path& root : rootsOf(dataset)) {
            auto kept = readTimeline(root, definition.name, solution->name);
            if (!kept) part.timelineProblems.push_back(Problem{Severity::Warning, kept.error()});
            else if (*kept) part.timelines.emplace(solution->name, std::move(**kept));   // the first folder's stays
        }
    }
    std::map<std::string, std::size_t> rowsOn;
    for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition.name)) {
        const TraceRow& row = dataset.traces().row(index);
        constexpr auto kResult = TraceFlag::kHasEvaluation | TraceFlag::kHasSolution;
        if ((row.flags & kResult) == kResult) ++rowsOn[std::string(dataset.traces().hardwareName(row))];
    }
    std::vector<std::pair<std::string, std::size_t>> machines(rowsOn.begin(), rowsOn.end());
    std::stable_sort(machines.begin(), machines.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [hardware, rows] : machines) {
        if (hardware.empty()) continue;   // nobody knows where: nothing to set it against
        HeatMapQuestion heat{definition.name, hardware, part.baseline != nullptr ? HeatMeasure::Baseline : HeatMeasure::Reference, question.baselineAuthor, question.policy};
        auto map = heatMap(dataset, heat, stop);
        if (!map) return map.error();
        ReportMachine machine{*std::move(map), {}, {}, {}, 0};
        machine.workloads = machine.map.workloadsByAxes();
        for (const std::size_t solution : machine.map.solutionsByMean()) {
            if (isInScope(machine.map.solutions[solution], question)) machine.solutions.push_back(solution);
        }
        part.machines.push_back(std::move(machine));
    }
    keepWhatBelongs(part);
    return part;
}

double timeOf(const Json& time, const char* key)
{
    const auto found = time.find(key);
    return found != time.end() && found->is_number() ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

/// Counts what occurs in the lines of traces.
class LineReader {
public:
    LineReader(const Dataset& dataset, const RowIndex& rows) : m_dataset(dataset), m_rows(rows), m_facts(rows.size()), m_states(rows.size(), 0) {}

    void readAll(const ReportProgress& progress, const std::stop_token& stop)
    {
        const std::size_t chunks = (m_rows.size() + kRowsAtOnce - 1) / kRowsAtOnce;
        std::vector<Counts> counts(chunks);
        std::atomic<std::size_t> done{0};
        parallelFor(
            chunks, defaultThreads(),
            [&](std::size_t chunk) {
                const std::size_t end = std::min(m_rows.size(), (chunk + 1) * kRowsAtOnce);
                for (std::size_t i = chunk * kRowsAtOnce; i < end; ++i) read(i, counts[chunk]);
                if (progress) progress(static_cast<double>(++done) / static_cast<double>(chunks));
            },
            stop);
        for (const Counts& part : counts) {
            for (const auto& [key, traces] : part.environment) m_counts.environment[key] += traces;
            for (const auto& [key, traces] : part.settings) m_counts.settings[key] += traces;
        }
    }

    void store(DatasetReport& report)
    {
        report.environment = listed(m_counts.environment);
        report.settings = listed(m_counts.settings);
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (m_states[i] == kRead) {
                ++report.linesRead;
                report.facts.emplace(m_rows[i], std::move(m_facts[i]));
            } else if (m_states[i] == kUnreadable) {
                ++report.linesUnreadable;
            }
        }
    }

private:
    using Values = std::map<std::pair<std::string, std::string>, std::size_t>;
    struct Counts {
        Values environment;
        Values settings;
    };
    static constexpr char kRead = 1;
    static constexpr char kUnreadable = 2;

    void read(std::size_t index, Counts& counts)
    {
        const auto trace = m_dataset.readTrace(m_rows[index]);
        if (!trace || !trace->evaluation) {
            m_states[index] = trace ? kRead : kUnreadable;
            return;
        }
        m_states[index] = kRead;
        const Evaluation& evaluation = *trace->evaluation;
        ++counts.environment[{"hardware", evaluation.environment.hardware}];
        for (const auto& [name, version] : evaluation.environment.libs) ++counts.environment[{name, version}];
        TraceFacts& facts = m_facts[index];
        if (evaluation.status != Status::Passed) facts.reason = tellingReason(evaluation);
        if (const Json* statistics = callStatistics(evaluation)) {
            facts.p10 = timeOf(*statistics, "p10");
            facts.p90 = timeOf(*statistics, "p90");
        }
        const Json* record = judgeRecord(evaluation);
        if (record == nullptr) return;
        countSettings(*record, counts.settings);
        if (const Json* time = judgeTime(evaluation)) {
            facts.queuedMs = timeOf(*time, "queued_ms");
            facts.kernelsMs = timeOf(*time, "kernels_ms");
        }
    }

    static void countSettings(const Json& record, Values& settings)
    {
        const auto count = [&settings](const std::string& name, const Json& value) {
            if (value.is_string()) ++settings[{name, value.get<std::string>()}];
            else if (value.is_number() || value.is_boolean()) ++settings[{name, value.dump()}];
        };
        for (const char* key : {"protocol", "evaluator", "confinement", "seed_by", "index_inputs"}) {
            if (const auto found = record.find(key); found != record.end()) count(key, *found);
        }
        if (const auto calls = record.find("calls"); calls != record.end() && calls->is_object()) {
            for (const auto& [key, value] : calls->items()) count("calls." + key, value);
        }
        if (const auto time = record.find("time"); time != record.end() && time->is_object()) {
            for (const char* key : {"method", "noisy", "launch_bound"}) {
                if (const auto found = time->find(key); found != time->end()) count(std::string("time.") + key, *found);
            }
        }
    }

    static std::vector<ReportFact> listed(const Values& values)
    {
        std::vector<ReportFact> facts;
        for (const auto& [key, traces] : values) facts.push_back({key.first, key.second, traces});
        std::stable_sort(facts.begin(), facts.end(), [](const ReportFact& a, const ReportFact& b) {
            return a.name != b.name ? a.name < b.name : a.traces > b.traces;
        });
        return facts;
    }

    const Dataset& m_dataset;
    const RowIndex& m_rows;
    std::vector<TraceFacts> m_facts;
    std::vector<char> m_states;
    Counts m_counts;
};

/// The last lines of a log.
void keepEndOfLog(ReportFailure& failure, std::string log)
{
    if (log.size() > kLongestLog) {
        std::size_t start = log.size() - kLongestLog;
        if (const auto line = log.find('\n', start); line != std::string::npos && line + 1 < log.size()) start = line + 1;
        failure.logBytesLeftOut = start;
        log.erase(0, start);
    }
    failure.log = std::move(log);
}

Result<void> addFailures(DatasetReport& report, const ReportProgress& progress, const std::stop_token& stop)
{
    const SelectionPolicy policy = report.question.policy == SelectionPolicy::All ? SelectionPolicy::Newest : report.question.policy;
    auto groups = failureGroups(*report.dataset, {}, policy, stop, [&](std::size_t done, std::size_t total) {
        if (progress && total > 0) progress(0.8 + 0.15 * static_cast<double>(done) / static_cast<double>(total));
    });
    if (!groups) return groups.error();
    for (FailureGroup& group : *groups) {
        ReportFailure failure{std::move(group), {}, 0};
        if (report.failures.size() < kMostFailureLogs) {
            const auto trace = report.dataset->readTrace(failure.group.first());
            if (trace && trace->evaluation) keepEndOfLog(failure, trace->evaluation->log);
        }
        report.failures.push_back(std::move(failure));
    }
    return {};
}

Result<void> addRankings(DatasetReport& report)
{
    const Dataset& dataset = *report.dataset;
    const ReportQuestion& question = report.question;
    const RankingScope scope{question.opType, question.definition, question.hardware, question.policy};
    auto authors = rankTable(dataset, question.baselineAuthor, scope, RankBy::Author);
    if (!authors) return authors.error();
    report.authorRanks = *std::move(authors);
    auto solutions = rankTable(dataset, question.baselineAuthor, scope, RankBy::Solution);
    if (!solutions) return solutions.error();
    report.solutionRanks = *std::move(solutions);
    auto curves = fastP(dataset, FastPPreset::Site, RankBy::Author, question.baselineAuthor, scope);
    if (!curves) return curves.error();
    report.fastP = *std::move(curves);
    return {};
}

}  // namespace

const TraceFacts* DatasetReport::factsOf(std::uint32_t row) const
{
    const auto found = facts.find(row);
    return found == facts.end() ? nullptr : &found->second;
}

std::size_t DatasetReport::missing() const
{
    std::size_t count = 0;
    for (const ReportDefinition& definition : definitions) {
        for (const ReportMachine& machine : definition.machines) count += machine.missing;
    }
    return count;
}

Result<DatasetReport> datasetReport(std::shared_ptr<const Dataset> dataset, ReportQuestion question, const ReportProgress& progress, const std::stop_token& stop)
{
    const Error cancelled{ErrorCode::Cancelled, "the report was cancelled", {}, 0, {}};
    const RankingScope scope{question.opType, question.definition, question.hardware, question.policy};
    if (const auto checked = checkScopeNames(*dataset, scope, question.baselineAuthor); !checked) return checked.error();
    if (!question.author.empty()) {
        if (auto known = requireKnownNames("author", {question.author}, authorsOf(*dataset), toValidUtf8(dataset->root().string())); !known) return known.error();
    }
    if (question.baselineAuthor.empty()) question.baselineAuthor = defaultBaselineAuthor(*dataset);

    DatasetReport report;
    const TraceFilter filter = filterOf(question);
    if (filter == TraceFilter{}) {
        report.dataset = dataset;
    } else {
        report.dataset = onlyTraces(*dataset, filterTraces(*dataset, filter, stop));
    }
    report.question = question;
    report.scope = scopeText(question);
    report.title = displayName(*dataset);
    report.date = question.date.empty() ? newestTime(*report.dataset) : question.date;

    const Dataset& part = *report.dataset;
    const RowIndex counted = countedRows(part, question.policy, {}, stop);
    report.statuses = countStatuses(part, counted);
    for (const std::uint32_t row : counted) {
        if (part.traces().row(row).status == Status::Passed) report.timing.add(part.traces().row(row));
    }
    report.authors = groupTraces(part, counted, {{TraceColumn::Author}}, groupMeasures(), stop);
    if (const auto ranked = addRankings(report); !ranked) return ranked.error();
    if (stop.stop_requested()) return cancelled;
    if (progress) progress(0.1);

    auto definitions = definitionsInScope(part, scope);
    if (!definitions) return definitions.error();
    std::stable_sort(definitions->begin(), definitions->end(), [](const Definition* a, const Definition* b) { return a->opType < b->opType; });
    RowIndex shown;
    for (const Definition* definition : *definitions) {
        auto made = definitionPart(part, *definition, question, stop);
        if (!made) return made.error();
        // A report on an author leaves out what the author never touched.
        const bool isTouched = question.author.empty() || !made->machines.empty() ||
                               std::any_of(made->solutions.begin(), made->solutions.end(), [&](const Solution* solution) { return solution->author == question.author; });
        if (!isTouched) continue;
        for (const ReportMachine& machine : made->machines) {
            for (const HeatMapCell& cell : machine.map.cells) {
                if (cell.row && shown.size() < kMostLinesRead) shown.push_back(*cell.row);
            }
        }
        report.definitions.push_back(*std::move(made));
    }
    if (progress) progress(0.2);
    LineReader reader(part, shown);
    reader.readAll([&progress](double share) { if (progress) progress(0.2 + 0.6 * share); }, stop);
    if (stop.stop_requested()) return cancelled;
    reader.store(report);
    if (const auto added = addFailures(report, progress, stop); !added) return added.error();
    return report;
}

}  // namespace tracedeck
