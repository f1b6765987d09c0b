// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/model/result.h"
#include "core/report/kernel_timeline.h"
#include "core/score/failures.h"
#include "core/score/fast_p.h"
#include "core/score/heat_map.h"
#include "core/score/rank_table.h"
#include "core/score/ranking.h"
#include "core/store/dataset.h"
#include "core/store/grouping.h"
#include "core/store/query.h"

namespace tracedeck {

// What a report that people read holds, whatever its form (HTML, Markdown): the figures of the other reports for one scope, gathered once.

/// What it is about; empty fields do not restrict.
struct ReportQuestion {
    std::string opType{};
    std::string definition{};         ///< excludes opType
    std::string hardware{};
    std::string author{};             ///< whose solutions are looked at; the baseline's stay, for comparison
    TraceFilter filter{};             ///< which traces there are: for example those of a run (ranges)
    std::string scopeText{};          ///< what `filter` restricts, in words
    std::string baselineAuthor{};     ///< empty: defaultBaselineAuthor()
    /// As in RankingScope. Charts and heat maps, which show one trace a place, take the newest for All.
    SelectionPolicy policy = SelectionPolicy::All;
    std::string date{};               ///< as shown; empty: of the newest trace
};

/// What only the line of a trace tells. Times in milliseconds; NaN: not known.
struct TraceFacts {
    double p10 = std::numeric_limits<double>::quiet_NaN();
    double p90 = std::numeric_limits<double>::quiet_NaN();
    double queuedMs = std::numeric_limits<double>::quiet_NaN();
    double kernelsMs = std::numeric_limits<double>::quiet_NaN();
    std::string reason;               ///< of a failure: tellingReason()
};

/// The results of a definition on one machine.
struct ReportMachine {
    HeatMap map;
    std::vector<std::size_t> workloads;     ///< by axes
    std::vector<std::size_t> measured;      ///< of them, those with a result: what charts show
    std::vector<std::size_t> solutions;     ///< in scope: greatest geometric mean first, then those without one
    std::size_t missing = 0;                ///< of their pairs, how many have no result
};

struct ReportDefinition {
    const Definition* definition = nullptr;
    const Solution* baseline = nullptr;     ///< null: ratios are those to the reference
    std::vector<ReportMachine> machines;    ///< the one with the most traces first; empty: no results
    std::vector<const Solution*> solutions; ///< in scope, as loaded
    std::map<std::string, KeptTimeline> timelines;      ///< by solution, of those that have one
    std::vector<Problem> timelineProblems;              ///< kept ones that can't be read
};

/// A value that occurs in records, and in how many of them.
struct ReportFact {
    std::string name;
    std::string value;
    std::size_t traces = 0;
};

struct ReportFailure {
    FailureGroup group;
    std::string log;                  ///< the end of the first failure's log
    std::size_t logBytesLeftOut = 0;
};

struct DatasetReport {
    std::shared_ptr<const Dataset> dataset;   ///< with the traces of the scope alone
    ReportQuestion question;                  ///< with the baseline author that was taken
    std::string title;                        ///< of what
    std::string scope;                        ///< in words
    std::string date;
    StatusCounts statuses;                    ///< of the traces that count
    TimingCounts timing;                      ///< of those that passed
    std::vector<TraceGroup> authors;          ///< by author: speedup over the reference, latency
    RankTable authorRanks;
    RankTable solutionRanks;
    FastPReport fastP;
    std::vector<ReportDefinition> definitions;   ///< by op_type, then name
    std::vector<ReportFact> environment;      ///< hardware and libraries, most frequent value first
    std::vector<ReportFact> settings;         ///< how evaluations were made
    std::size_t linesRead = 0;                ///< of traces: what environment and settings are counted over
    std::size_t linesUnreadable = 0;
    std::vector<ReportFailure> failures;
    std::unordered_map<std::uint32_t, TraceFacts> facts;   ///< by row, of what charts and tables show

    [[nodiscard]] const TraceFacts* factsOf(std::uint32_t row) const;
    [[nodiscard]] std::size_t missing() const;   ///< over all definitions
    /// Whether there is anything to rank against the baseline.
    [[nodiscard]] bool hasBaseline() const { return !authorRanks.rows.empty(); }
};

/// Called now and then, from several threads, with a share of the work.
using ReportProgress = std::function<void(double share)>;

/// Gathers it. Traces' lines are read back from disk. Errors: as checkScopeNames() and definitionsInScope(); Usage for an author without
/// solutions; Cancelled when the token was set.
[[nodiscard]] Result<DatasetReport> datasetReport(std::shared_ptr<const Dataset> dataset, ReportQuestion question, const ReportProgress& progress = {},
                                                  const std::stop_token& stop = {});

}  // namespace tracedeck
