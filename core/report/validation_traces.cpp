// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of one definition's results (data model §4): trace, baseline.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/io/fast_trace_line.h"
#include "core/io/json_codec.h"
#include "core/report/validation_checks.h"

namespace tracedeck {

namespace {

void count(TraceFileFacts::Group& group, std::int64_t line)
{
    if (group.count++ == 0) group.firstLine = line;
}

/// Judges the lines of one traces file.
class TraceFileReader {
public:
    explicit TraceFileReader(const TraceJudgement& judgement) : m_judgement(judgement) {}

    /// What is wrong with the line as such, or nothing.
    std::optional<std::string> read(std::string_view text, std::int64_t line)
    {
        if (m_fast.read(text, m_fields)) {
            add(m_fields, true, line);
            return std::nullopt;
        }
        const auto decoded = decodeTrace(text, ReadMode::Strict);
        if (!decoded) return withoutFile(decoded.error());
        const Trace& trace = decoded->value;
        add(fieldsOf(trace), trace.solution.has_value(), line);
        return std::nullopt;
    }

    TraceFileFacts take() &&
    {
        m_facts.distinctUuids = m_uuids.size();
        if (m_judgement.workloadUuids != nullptr) {
            m_facts.uncoveredUuids = static_cast<std::size_t>(
                std::count_if(m_judgement.workloadUuids->begin(), m_judgement.workloadUuids->end(),
                              [this](const std::string& uuid) { return !m_uuids.contains(uuid); }));
        }
        return std::move(m_facts);
    }

private:
    /// `hasSolution`: the field is not null; it may be empty.
    void add(const TraceFields& fields, bool hasSolution, std::int64_t line)
    {
        ++m_facts.records;
        m_uuids.emplace(fields.workloadUuid);
        for (const OddValue& odd : oddValuesOf(fields)) {
            TraceFileFacts::OddGroup& group = m_facts.oddValues[odd.kind];
            group.value = odd;
            count(group.group, line);
        }
        const std::string solution(fields.solution.value_or(std::string_view()));
        judgeLine(fields, hasSolution, solution);
        if (!solution.empty() && !m_facts.nonBaselineSolution && m_judgement.baselineStems != nullptr &&
            !m_judgement.baselineStems->contains(solution)) {
            m_facts.nonBaselineSolution = solution;
        }
        if (fields.hasEvaluation && fields.status != Status::Passed) ++m_facts.nonPassing;
        if (m_judgement.names != nullptr) judgeNames(*m_judgement.names, fields, hasSolution, solution, line);
    }

    /// T3 to T5 and L11.
    void judgeLine(const TraceFields& fields, bool hasSolution, const std::string& solution)
    {
        if (m_facts.foreignDefinition) return;
        const auto error = [this](const std::string& text) {
            m_facts.messages.push_back({CheckLevel::Error, m_judgement.author + ": " + text});
        };
        if (fields.definition != m_judgement.definition) {
            m_facts.foreignDefinition = std::string(fields.definition);
            error(fmt::format("trace definition '{}' != '{}'", fields.definition, m_judgement.definition));
        } else if (!hasSolution || !fields.hasEvaluation) {
            error(fmt::format("trace entry {} missing solution or evaluation", fields.workloadUuid));
        } else if (m_judgement.solutionStems != nullptr && !m_judgement.solutionStems->contains(solution)) {
            error(fmt::format("trace references unknown solution '{}'", solution));
        }
    }

    void judgeNames(const DatasetNames& names, const TraceFields& fields, bool hasSolution, const std::string& solution,
                    std::int64_t line)
    {
        if (!hasSolution && !fields.hasEvaluation) {
            count(m_facts.workloadOnly, line);
            return;
        }
        const std::string definition(fields.definition);
        if (!solution.empty() && !names.solutions.contains(solution)) count(m_facts.unknownSolutions[solution], line);
        if (!names.definitions.contains(definition)) {
            count(m_facts.unknownDefinitions[definition], line);
            return;
        }
        const auto workloads = names.workloads.find(definition);
        // Result files often come without their workloads: then there is nothing to compare with.
        if (workloads == names.workloads.end()) return;
        const auto workload = workloads->second.find(std::string(fields.workloadUuid));
        if (workload == workloads->second.end()) {
            count(m_facts.unknownWorkloads, line);
        } else if (!std::equal(
                       workload->second.begin(), workload->second.end(), fields.axes.begin(), fields.axes.end(),
                       [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; })) {
            count(m_facts.otherAxes, line);
        }
    }

    const TraceJudgement& m_judgement;
    FastTraceLine m_fast;
    TraceFields m_fields;
    std::unordered_set<std::string> m_uuids;
    TraceFileFacts m_facts;
};

}  // namespace

TraceFileFacts readTraceFile(const std::filesystem::path& file, const TraceJudgement& judgement,
                             const std::stop_token& stop)
{
    TraceFileReader reader(judgement);
    const LinesOutcome outcome = readValidatedLines(
        file, [&reader](std::string_view text, std::int64_t line) { return reader.read(text, line); }, stop);
    TraceFileFacts facts = std::move(reader).take();
    facts.error = outcome.error;
    facts.isUnreadable = outcome.isUnreadable;
    return facts;
}

CheckResult checkTraces(const DefinitionParts& parts)
{
    std::vector<CheckMessage> messages;
    if (parts.traces.empty()) messages.push_back({CheckLevel::Info, "no trace files"});
    for (const auto& [file, facts] : parts.traces) {
        const std::string& author = file->parts[0];
        if (!facts->error.empty()) {
            messages.push_back({CheckLevel::Error, author + ": parse error: " + facts->error});
            continue;
        }
        messages.insert(messages.end(), facts->messages.begin(), facts->messages.end());
        if (facts->records > 0 && facts->uncoveredUuids > 0) {
            messages.push_back({CheckLevel::Warning, fmt::format("{} missing {}/{} workloads", author,
                                                                 facts->uncoveredUuids, parts.workloadUuids.size())});
        }
    }
    return makeCheckResult(std::move(messages));
}

CheckResult checkBaseline(const DefinitionParts& parts)
{
    constexpr std::string_view kBaselineAuthor = "baseline";
    std::vector<CheckMessage> messages;
    const auto add = [&messages](CheckLevel level, std::string text) { messages.push_back({level, std::move(text)}); };
    std::vector<std::string> stems;
    for (const ScannedSolution* solution : parts.solutions) {
        if (solution->parts[0] == kBaselineAuthor) stems.push_back(solution->stem);
    }
    if (stems.empty()) add(CheckLevel::Warning, "no baseline solution");
    else add(CheckLevel::Info, fmt::format("solution: {}", fmt::join(stems, ", ")));

    const TraceFileFacts* facts = nullptr;
    for (const auto& trace : parts.traces) {
        if (trace.file->parts[0] == kBaselineAuthor) facts = trace.facts;
    }
    if (facts == nullptr) {
        if (!stems.empty()) add(CheckLevel::Warning, "trace missing");
    } else if (!facts->error.empty()) {
        add(CheckLevel::Error, "trace parse error: " + facts->error);
    } else {
        if (facts->nonBaselineSolution) {
            add(CheckLevel::Error,
                fmt::format("trace references non-baseline solution '{}'", *facts->nonBaselineSolution));
        }
        if (facts->nonPassing > 0) {
            add(CheckLevel::Warning, fmt::format("trace has {} non-passing entries", facts->nonPassing));
        }
        else add(CheckLevel::Info, "trace: all passed");
        const std::size_t total = parts.workloadUuids.size();
        if (total > 0) {
            const bool isCovered = facts->uncoveredUuids == 0;
            add(isCovered ? CheckLevel::Info : CheckLevel::Warning,
                fmt::format("{} {}/{} workloads", isCovered ? "trace:" : "trace covers", facts->distinctUuids, total));
        }
    }
    return makeCheckResult(std::move(messages));
}

}  // namespace tracedeck
