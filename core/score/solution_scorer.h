// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/score/ranking.h"
#include "core/store/dataset.h"

namespace tracedeck {

/// Scores the solutions of one snapshot against one baseline author (data model §3.3, §3.4). Keeps the baselines and the
/// scratch columns between calls, so that ranking everything passes over each trace once. Not for several threads.
class SolutionScorer {
public:
    SolutionScorer(const Dataset& dataset, std::string baselineAuthor, const std::string& hardware, RankingRule rule, CountedTraces counted = {});

    /// nullopt: not scored. Errors as in baselineOf, and with RankingRule::Compat InvalidInput for a PASSED trace without a
    /// positive latency.
    [[nodiscard]] Result<std::optional<SpeedupMetrics>> score(const Solution& solution);
    /// The baseline of a definition can be used: it is the only one, and its traces are sound.
    [[nodiscard]] Result<void> checkBaseline(const std::string& definition);
    /// On how many workloads the baseline of a definition passed; 0 without a usable baseline.
    [[nodiscard]] std::size_t baselineWorkloads(const std::string& definition);

    /// PASSED traces that were left out so far, as their latency is not usable. Always 0 with RankingRule::Compat.
    [[nodiscard]] std::size_t leftOut() const { return m_leftOut; }

private:
    /// Best latency of the baseline on one workload.
    struct BaselineLatency {
        std::uint32_t uuid = 0;
        double latencyMs = 0;
    };
    struct Baseline {
        const Solution* solution = nullptr;
        std::vector<BaselineLatency> latencies;   ///< ascending uuid text: the order in which ratios are summed
    };

    [[nodiscard]] const Result<Baseline>& baseline(const std::string& definition);
    [[nodiscard]] Result<Baseline> findBaseline(const std::string& definition);
    /// Fills the scratch columns from a solution's traces; the result says whether one of them failed.
    [[nodiscard]] Result<bool> collect(const Solution& solution, bool keepOrder);
    [[nodiscard]] bool counts(std::uint32_t index, const TraceRow& row) const;

    const Dataset& m_dataset;
    std::string m_baselineAuthor;
    RankingRule m_rule;
    CountedTraces m_counted;
    std::size_t m_leftOut = 0;
    std::optional<std::uint16_t> m_hardware;   ///< not set: any
    std::unordered_map<std::string, Result<Baseline>> m_baselines;
    // Scratch, indexed by the id of a uuid; an entry is valid when its mark is m_mark.
    std::vector<double> m_best;
    std::vector<std::uint32_t> m_touchedMark;
    std::uint32_t m_mark = 0;
    std::vector<std::uint32_t> m_passedUuids;   ///< in order of first pass, only when asked for
};

}  // namespace tracedeck
