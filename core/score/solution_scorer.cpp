// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/solution_scorer.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tracedeck {

namespace {

/// Stands for "touched, never passed"; a latency is never negative.
constexpr double kNeverPassed = -1;
/// No row has it: a hardware name that the dataset does not know selects nothing.
constexpr std::uint16_t kUnknownHardware = 0xFFFE;

std::optional<std::uint16_t> hardwareIndex(const TraceTable& traces, const std::string& hardware)
{
    if (hardware.empty()) return std::nullopt;
    const auto& names = traces.hardwareNames();
    const auto found = std::find(names.begin(), names.end(), hardware);
    return found == names.end() ? kUnknownHardware : static_cast<std::uint16_t>(found - names.begin());
}

}  // namespace

SolutionScorer::SolutionScorer(const Dataset& dataset, std::string baselineAuthor, const std::string& hardware, RankingRule rule,
                               CountedTraces counted)
    : m_dataset(dataset), m_baselineAuthor(std::move(baselineAuthor)), m_rule(rule), m_counted(std::move(counted)), m_hardware(hardwareIndex(dataset.traces(), hardware)),
      m_best(dataset.traces().names().size()), m_touchedMark(dataset.traces().names().size(), 0)
{
}

bool SolutionScorer::counts(std::uint32_t index, const TraceRow& row) const
{
    if ((row.flags & TraceFlag::kHasEvaluation) == 0 || (row.flags & TraceFlag::kInconsistent) != 0) return false;
    return (!m_hardware || row.hardware == *m_hardware) && m_counted.contains(index);
}

Result<bool> SolutionScorer::collect(const Solution& solution, bool keepOrder)
{
    const TraceTable& traces = m_dataset.traces();
    const auto& keys = traces.workloadKeys();
    const auto rows = traces.rows();
    ++m_mark;
    m_passedUuids.clear();
    bool failed = false;
    for (const std::uint32_t index : m_dataset.traceRowsOfSolution(solution.name)) {
        const TraceRow& row = rows[index];
        if (!counts(index, row) || row.status == Status::InvalidReference) continue;   // not the solution's fault
        if (m_rule == RankingRule::Format && row.status == Status::Passed && !isUsableLatency(row.latencyMs)) {
            ++m_leftOut;   // as if it were not there
            continue;
        }
        const std::uint32_t uuid = keys[row.workload].uuid;
        if (m_touchedMark[uuid] != m_mark) {
            m_touchedMark[uuid] = m_mark;
            m_best[uuid] = kNeverPassed;
        }
        if (row.status != Status::Passed) {
            failed = true;
            continue;
        }
        if (!(row.latencyMs > 0)) {
            return Error{ErrorCode::InvalidInput,
                         "solution '" + solution.name + "' cannot be scored: a PASSED trace on workload '" +
                             traces.workloadUuid(row) + "' has no latency above 0 ms; remove or correct that line",
                         m_dataset.traceFile(index).generic_string(), 0, solution.definition};
        }
        if (m_best[uuid] == kNeverPassed) {
            m_best[uuid] = row.latencyMs;
            if (keepOrder) m_passedUuids.push_back(uuid);
        } else {
            m_best[uuid] = std::min(m_best[uuid], row.latencyMs);
        }
    }
    return failed;
}

Result<SolutionScorer::Baseline> SolutionScorer::findBaseline(const std::string& definition)
{
    const auto solution = baselineOf(m_dataset, definition, m_baselineAuthor);
    if (!solution) return solution.error();
    const auto failed = collect(**solution, true);   // failures of the baseline do not matter
    if (!failed) return failed.error();
    Baseline baseline{*solution, {}};
    baseline.latencies.reserve(m_passedUuids.size());
    for (const std::uint32_t uuid : m_passedUuids) baseline.latencies.push_back({uuid, m_best[uuid]});
    const StringPool& names = m_dataset.traces().names();
    std::sort(baseline.latencies.begin(), baseline.latencies.end(),
              [&names](const auto& a, const auto& b) { return names.text(a.uuid) < names.text(b.uuid); });
    return baseline;
}

const Result<SolutionScorer::Baseline>& SolutionScorer::baseline(const std::string& definition)
{
    const auto known = m_baselines.find(definition);
    if (known != m_baselines.end()) return known->second;
    return m_baselines.emplace(definition, findBaseline(definition)).first->second;
}

Result<void> SolutionScorer::checkBaseline(const std::string& definition)
{
    const auto& found = baseline(definition);
    if (!found) return found.error();
    return {};
}

std::size_t SolutionScorer::baselineWorkloads(const std::string& definition)
{
    const auto& found = baseline(definition);
    return found ? found->latencies.size() : 0;
}

Result<std::optional<SpeedupMetrics>> SolutionScorer::score(const Solution& solution)
{
    const Result<Baseline>& base = baseline(solution.definition);
    if (!base) return base.error();
    if (base->solution == &solution) return std::optional<SpeedupMetrics>{};
    const auto failed = collect(solution, false);
    if (!failed) return failed.error();

    double sum = 0;
    int common = 0;
    int wins = 0;
    for (const BaselineLatency& entry : base->latencies) {
        if (m_touchedMark[entry.uuid] != m_mark) continue;
        ++common;
        if (*failed) continue;   // every touched workload passed otherwise, so m_best holds a latency below
        const double ratio = entry.latencyMs / m_best[entry.uuid];
        sum += ratio;
        if (ratio > 1) ++wins;
    }
    if (common == 0) return std::optional<SpeedupMetrics>{};
    SpeedupMetrics metrics;
    metrics.definitions = 1;
    metrics.workloads = common;
    if (!*failed) {
        metrics.averageSpeedup = sum / common;
        metrics.successRate = 1;
        metrics.winRate = static_cast<double>(wins) / common;
    }
    return std::optional<SpeedupMetrics>{std::move(metrics)};
}

}  // namespace tracedeck
