// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/result.h"
#include "core/score/measurement_runs.h"
#include "core/score/statistics.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

// A/B comparison: how the results of side B differ from those of side A (V-32).

/// One side: some traces of a dataset.
struct ComparisonSide {
    std::shared_ptr<const Dataset> dataset;
    TraceFilter filter;
};
/// Adds one `key=value` to a side: `solution`, `author`, `hardware` (several of one key: any of them), `since`, `until` (ISO 8601, both
/// ends belong to it), `run` (`last`, `previous` or a number: see measurementRuns). Error Usage for another key, an empty or unknown name, or
/// what is no time.
[[nodiscard]] Result<void> addToSide(ComparisonSide& side, std::string_view keyAndValue);
/// Only what was measured in a run.
void limitToRun(ComparisonSide& side, const MeasurementRun& run);
/// What a side selects, in words: `author ann, hardware NVIDIA H200`; `all traces` when it leaves nothing out.
[[nodiscard]] std::string describeSide(const ComparisonSide& side);

enum class ComparisonVerdict : std::uint8_t {
    Same, Faster, Slower, CannotTell,
    New,            ///< only B has a result
    Missing,        ///< only A has one
    NowFailing,     ///< A passed, B did not
    NowPassing,     ///< B passed, A did not
    StillFailing    ///< neither passed
};
constexpr int kComparisonVerdictCount = 9;
[[nodiscard]] std::string_view toString(ComparisonVerdict verdict);   ///< SAME, FASTER, …, CANT_TELL, NOW_FAILING, …
[[nodiscard]] std::optional<ComparisonVerdict> comparisonVerdictFromString(std::string_view name);
/// In the order in which a reader wants them: what got worse first.
constexpr std::array kVerdictsByWeight{ComparisonVerdict::NowFailing, ComparisonVerdict::Slower, ComparisonVerdict::Faster,
                                       ComparisonVerdict::NowPassing, ComparisonVerdict::Same, ComparisonVerdict::CannotTell,
                                       ComparisonVerdict::New, ComparisonVerdict::Missing, ComparisonVerdict::StillFailing};
static_assert(kVerdictsByWeight.size() == kComparisonVerdictCount);

[[nodiscard]] std::string timingText(TimingMethod method);   ///< who took the times: `CUPTI`, `another program`, …

/// What one side has on one workload. Times in milliseconds.
struct Measurement {
    std::uint32_t row = 0;          ///< in the side's TraceTable: the newest trace, whose status counts
    std::string solution;
    std::string hardware;
    std::string workloadUuid;
    Status status = Status::RuntimeError;
    TimingMethod timing = TimingMethod::Unknown;
    bool isContradictory = false;   ///< passed, with something in it that can't be (TraceFlag::kInconsistent)
    std::size_t solutionCount = 1;  ///< of how many solutions this is the fastest one that passed
    std::string unreadable;         ///< why the trace's line could not be read back; empty: it was, or nobody had to
    bool hasSamples = false;        ///< every trace in `sessions` has them
    /// One list a trace: that of a process, whose samples are not independent. Where a trace has no samples, its latency alone. A
    /// comparison uses them up and leaves the figures below.
    Sessions sessions;
    double latencyMs = std::numeric_limits<double>::quiet_NaN();   ///< median over all sessions
    double noise = std::numeric_limits<double>::quiet_NaN();       ///< interquartile range ÷ median of all samples; NaN without samples
    std::size_t runs = 0;           ///< sessions
    std::size_t samples = 0;        ///< in all of them; 0 without samples

    [[nodiscard]] bool isPassed() const { return status == Status::Passed; }
};

/// One line of a comparison. Numbers are NaN where there are none.
struct ComparisonRow {
    std::string definition;
    std::string opType;                ///< empty where no dataset has the definition
    std::vector<std::pair<std::string, std::int64_t>> axes;   ///< of the workload, by name
    std::optional<Measurement> a;
    std::optional<Measurement> b;
    bool isMatchedByAxes = false;      ///< the two workloads have different uuids
    ComparisonVerdict verdict = ComparisonVerdict::CannotTell;
    std::string reason;                ///< of the verdict, in words
    double differenceMs = std::numeric_limits<double>::quiet_NaN();   ///< B - A
    double ratio = std::numeric_limits<double>::quiet_NaN();          ///< B ÷ A
    Interval interval{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};   ///< of the ratio, 95 %
    double margin = 0;                 ///< see LatencyComparison

    [[nodiscard]] std::string axesText() const;   ///< `M=16;N=4096`
    /// B's, or A's where B has no result.
    [[nodiscard]] const Measurement& latest() const { return b ? *b : *a; }
};

/// Something that is not the same for all results of both sides: hardware, a library's version, who took the times.
struct EnvironmentDifference {
    std::string name;
    std::set<std::string> a;   ///< values that occur
    std::set<std::string> b;
};

struct ComparisonOptions {
    /// Newest: the newest trace of each (solution, workload, hardware) counts. All: its status does, and the times of all that passed.
    /// LowestMedian: the one with the least latency, which favours the side measured more often.
    SelectionPolicy policy = SelectionPolicy::Newest;
    double aaFloor = 0;   ///< see compareLatencies
};

/// What some rows of a comparison come to.
struct ComparisonSummary {
    std::array<std::size_t, kComparisonVerdictCount> counts{};   ///< indexed by ComparisonVerdict
    RatioMean ratioMean;                ///< geometric mean of B ÷ A over the rows that have a ratio
    std::size_t ratios = 0;             ///< how many those are

    [[nodiscard]] std::size_t countOf(ComparisonVerdict verdict) const { return counts[static_cast<std::size_t>(verdict)]; }
};

/// The summary is that of all rows.
struct Comparison : ComparisonSummary {
    std::string a;                      ///< what the sides are, in words
    std::string b;
    bool isBySolution = true;           ///< only results of one solution were compared
    bool isByHardware = true;           ///< only results of one GPU were compared
    std::vector<ComparisonRow> rows;    ///< by definition, solution, hardware, axes, workload uuid
    std::vector<EnvironmentDifference> differences;

    /// Rows where B is certainly slower than A by more than this share, or fails where A passed.
    [[nodiscard]] std::size_t regressions(double share) const;
};

/// The verdict on one row, with all that follows from the two measurements: a pure function of them. Without samples on both sides and with
/// fewer than 3 traces, nobody knows how noisy the times are: such a row can't tell, whatever the difference.
[[nodiscard]] ComparisonRow compareMeasurements(std::optional<Measurement> a, std::optional<Measurement> b, double aaFloor = 0);

/// Which rows to look at; empty fields do not restrict.
struct ComparisonFilter {
    std::set<ComparisonVerdict> verdicts{};
    std::set<std::string> opTypes{};
    /// Words, all of which must occur (any case of ASCII letters) in definition, op_type, axes, solutions, hardware, uuids, statuses or verdict.
    std::string text{};
};
/// Numbers of the rows that pass, in order.
[[nodiscard]] std::vector<std::size_t> selectRows(const Comparison& comparison, const ComparisonFilter& filter);
[[nodiscard]] ComparisonSummary summarizeRows(const Comparison& comparison, const std::vector<std::size_t>& rows);
/// Leaves only these rows, and their summary.
void keepRows(Comparison& comparison, const std::vector<std::size_t>& rows);

/// Called from several threads, with the number of rows that are compared and of all.
using ComparisonProgress = std::function<void(std::size_t done, std::size_t total)>;

/// Compares B with A. Results belong together when definition, workload uuid, solution and hardware are equal; hardware may differ when both
/// sides name some and not the same (a side that names none takes the other's), solutions when the sides name different solutions or authors: then
/// the fastest that passed counts for a side on each workload. Of different datasets, workloads with uuids that the other one does not know belong together when their axes are
/// equal, and one on each side has them. Samples are read back from disk. Error Cancelled when the token was set; Usage when a side selects nothing,
/// or names several GPUs where GPUs differ.
[[nodiscard]] Result<Comparison> compareSides(ComparisonSide a, ComparisonSide b, const ComparisonOptions& options = {}, std::stop_token stop = {},
                                              const ComparisonProgress& progress = {});

}  // namespace tracedeck
