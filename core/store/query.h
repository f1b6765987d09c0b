// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
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
#include <vector>

#include "core/model/timestamp.h"
#include "core/store/dataset.h"

namespace tracedeck {

/// Row numbers of a TraceTable, in the order to show.
using RowIndex = std::vector<std::uint32_t>;

enum class TraceColumn { Definition, OpType, Solution, Language, Author, Workload, Axes, Status, Latency, ReferenceLatency, Speedup, MaxAbsoluteError, MaxRelativeError, Hardware, Timestamp, Folder };
/// The number in a column of numbers, as it is kept (milliseconds, ratios); NaN when the row has none, and for the other columns.
[[nodiscard]] double numberOf(const TraceRow& row, TraceColumn column);

/// Both ends belong to it.
struct ValueRange {
    double least = -std::numeric_limits<double>::infinity();
    double greatest = std::numeric_limits<double>::infinity();

    bool operator==(const ValueRange&) const = default;
};

/// What a trace must have to be shown; empty fields do not restrict.
struct TraceFilter {
    std::set<std::string> definitions{};
    std::set<std::string> solutions{};
    std::set<std::string> authors{};
    std::set<std::string> hardware{};
    std::set<std::string> workloadUuids{};
    std::set<Status> statuses{};
    std::map<std::string, std::int64_t> axes{};   ///< each listed axis must have exactly this value
    /// Words, all of which must occur (any case of ASCII letters) in definition, solution, author, hardware, uuid, status, axes
    /// or the name of a joined folder. A word `axis=integer` matches an axis with exactly that value instead of a part of the axes' text.
    std::string text{};
    std::set<std::string> opTypes{};
    std::set<std::string> languages{};   ///< as in solution files, for example `triton`
    std::set<std::string> folders{};     ///< names of joined folders; of another dataset nothing restricts
    /// Of the columns with numbers, times in milliseconds, and of Timestamp, in microseconds since 1970. A row without a
    /// value, or with one that is no number, is in no range. A range of another column lets nothing through.
    std::map<TraceColumn, ValueRange> ranges{};

    bool operator==(const TraceFilter&) const = default;
};

/// A number that is worked out of a trace; NaN: it has none. May be asked by several threads at once.
using TraceFigure = std::function<double(const TraceRow&)>;

struct TraceSort {
    TraceColumn column = TraceColumn::Definition;
    bool descending = false;
    TraceFigure figure{};   ///< when set, what is sorted by in place of the column; its NaN are no value
};

/// Pure function of a snapshot: rows that pass, in load order. Stops early (with what it has) when the token is set.
[[nodiscard]] RowIndex filterTraces(const Dataset& dataset, const TraceFilter& filter, std::stop_token stop = {});
/// Stable; the first key counts most. Rows without a value (no solution, unknown author, no measurement) come last in
/// either direction; an error that is NaN counts as greater than infinity. Axes compare by name, then by number; statuses
/// in the order of the enumeration; timestamps as times, texts that are no time after them.
/// When the token is set, the rows may be left in any order.
void sortTraces(const Dataset& dataset, RowIndex& rows, const std::vector<TraceSort>& keys, std::stop_token stop = {});
/// The rows of `subset` as `ordered` has them, in time that grows with the rows and not with what they are ordered by. nullopt when `ordered`
/// lacks one of them. No row is in either twice; all are below `rowCount`.
[[nodiscard]] std::optional<RowIndex> inOrderOf(const RowIndex& ordered, const RowIndex& subset, std::size_t rowCount);
/// Author of the row's solution; empty when the dataset has no such solution.
[[nodiscard]] std::string authorOf(const Dataset& dataset, const TraceRow& row);

/// Which of several traces of one (solution, workload, hardware) counts.
enum class SelectionPolicy {
    Newest,          ///< the newest one; a failure after a pass is a failure
    NewestPassing,   ///< the newest one that passed
    LowestMedian,    ///< the one that passed with the lowest latency, which is a median over calls
    MiddleRun,       ///< of those that passed, the one whose latency is in the middle (of an even number: the lower one)
    Pooled,          ///< the newest one that passed stands for all that passed, in a snapshot of datasetFor() with the times of all
    PinnedRun,       ///< the newest one of one run; pairs that were not measured in it have none. Without a snapshot of datasetFor(): Newest
    All              ///< each for itself
};
inline constexpr int kSelectionPolicyCount = 7;
/// `newest`, `newest-passing`, `lowest-median`, `middle-run`, `pooled`, `pinned-run` or `all`: as on the command line and in documents.
[[nodiscard]] std::string_view toString(SelectionPolicy policy);
/// Also `fastest`, for the lowest median.
[[nodiscard]] std::optional<SelectionPolicy> selectionPolicyFromString(std::string_view name);
/// The names that selectionPolicyFromString() takes.
[[nodiscard]] std::vector<std::string> selectionPolicyNames();
/// Whether a trace has a time that counts: it passed, with nothing in it that cannot be.
[[nodiscard]] bool isTimed(const TraceRow& row);
/// A sentence that says which traces count, for people.
[[nodiscard]] std::string describePolicy(SelectionPolicy policy);
/// Keeps the rows that the policy selects, in the order given (V-01). Groups are (solution, definition, workload uuid,
/// hardware). Newest means by timestamp, then by load order. Where a policy asks for a trace that passed and none has (with a usable
/// latency), the newest one counts. Traces without evaluation have no hardware: a group of their own. When the token is set,
/// some or all may be missing.
[[nodiscard]] RowIndex selectTraces(const Dataset& dataset, const RowIndex& rows, SelectionPolicy policy, std::stop_token stop = {});

/// Rows of a whole snapshot that the policy selects and that were measured on `hardware` (unless empty), in load order: `report csv`
/// with `--policy` and `--hardware`.
[[nodiscard]] RowIndex countedRows(const Dataset& dataset, SelectionPolicy policy, const std::string& hardware, std::stop_token stop = {});

/// Which traces of a whole snapshot a policy selects. Made once for many questions: it looks at every trace.
class CountedTraces {
public:
    CountedTraces() = default;   ///< all count
    /// When the token is set, none or some may count.
    CountedTraces(const Dataset& dataset, SelectionPolicy policy, std::stop_token stop = {});
    /// Those that a figure is made of: with SelectionPolicy::Pooled also the ones that no single row stands for.
    [[nodiscard]] static CountedTraces contributing(const Dataset& dataset, SelectionPolicy policy, std::stop_token stop = {});
    /// Rows that a grown snapshot has more count, until they are looked at too.
    [[nodiscard]] bool contains(std::uint32_t row) const { return !m_counts || row >= m_counts->size() || (*m_counts)[row] != 0; }

private:
    std::shared_ptr<const std::vector<char>> m_counts;   ///< null: all; copies share it
};

/// Latency in ms of a baseline solution by (workload uuid's number in TraceTable::names(), hardware): of its traces among `rows` those that the policy selects
/// and that passed; where every trace counts, the newest one.
using BaselineLatencies = std::map<std::pair<std::uint32_t, std::uint16_t>, double>;
[[nodiscard]] BaselineLatencies baselineLatencies(const Dataset& dataset, const RowIndex& rows, const std::string& baselineSolution, SelectionPolicy policy);

/// What a chart shows on the vertical axis.
enum class ChartMeasure {
    LatencyMs, SpeedupToReference, RatioToBaseline,
    Bandwidth, Throughput, LightShare,   ///< by chartAnswer() only; LightShare: the shortest possible time ÷ the time
    AbsoluteError, RelativeError         ///< likewise: the greatest one of all outputs, also of what did not pass; 0: exact
};
[[nodiscard]] constexpr bool isErrorMeasure(ChartMeasure measure) { return measure == ChartMeasure::AbsoluteError || measure == ChartMeasure::RelativeError; }
/// The error of a trace; NaN when none was stored.
[[nodiscard]] inline double errorOf(const TraceRow& row, ChartMeasure measure)
{
    const bool isKnown = (row.flags & TraceFlag::kHasCorrectness) != 0;
    return !isKnown ? std::numeric_limits<double>::quiet_NaN() : measure == ChartMeasure::AbsoluteError ? row.maxAbsoluteError : row.maxRelativeError;
}
/// One solution's line in a chart: x in axis units or workload position.
struct SeriesPoint {
    double x = 0;
    double y = 0;
    std::uint32_t row = 0;       ///< trace behind the point
    bool failed = false;         ///< not PASSED: y is NaN
    std::string workloadUuid;
    double low = std::numeric_limits<double>::quiet_NaN();    ///< the band around y, where it is known
    double high = std::numeric_limits<double>::quiet_NaN();
};
struct Series {
    std::string solution;
    std::string author;
    std::vector<SeriesPoint> points;   ///< ascending x, then workload uuid, then row
    std::string hardware{};            ///< set when the call was not limited to one machine and several occur
};
/// Series of one definition for the given hardware, solutions in load order, unknown ones after them by name. With
/// `hardware` empty and several machines in the data there is one series for each (solution, hardware): they never mix.
/// `axis` empty: x is the position of the workload in file order 1…n; workloads that only traces know follow.
/// RatioToBaseline: latency of `baselineSolution` ÷ latency, on the same workload uuid and hardware; a trace whose baseline
/// did not pass there has no point. Failures are points in every measure. A trace without the axis, without a usable latency or without a positive
/// finite value (for example a speedup of 0: the reference was not timed), has none.
[[nodiscard]] std::vector<Series> chartSeries(const Dataset& dataset, const std::string& definition, const std::string& axis,
                                              ChartMeasure measure, const std::string& hardware, const std::string& baselineSolution,
                                              SelectionPolicy policy);

/// Distinct values of an axis in the workloads and traces of a definition, ascending.
[[nodiscard]] std::vector<std::int64_t> axisValuesOf(const Dataset& dataset, const std::string& definition, const std::string& axis);
/// Distinct hardware names in the traces of a definition (empty: of the dataset), ascending.
[[nodiscard]] std::vector<std::string> hardwareOf(const Dataset& dataset, const std::string& definition = {});
/// The hardware with the most traces of a definition; of equal ones the first by name. Empty when there is none.
[[nodiscard]] std::string busiestHardware(const Dataset& dataset, const std::string& definition);

/// How many traces ended how.
struct StatusCounts {
    std::array<std::size_t, kStatusCount> byStatus{};   ///< indexed by Status
    std::size_t notEvaluated = 0;                       ///< traces without an evaluation

    [[nodiscard]] std::size_t of(Status status) const { return byStatus[static_cast<std::size_t>(status)]; }
    [[nodiscard]] std::size_t total() const;
    bool operator==(const StatusCounts&) const = default;
};
[[nodiscard]] StatusCounts countStatuses(const Dataset& dataset, const RowIndex& rows);
/// Of all traces of the dataset.
[[nodiscard]] StatusCounts countStatuses(const Dataset& dataset);
/// For example "53 PASSED, 15 INCORRECT_NUMERICAL"; statuses that do not occur are left out; "no traces" for none.
[[nodiscard]] std::string describeStatusCounts(const StatusCounts& counts);

/// How the times of traces that passed were taken.
struct TimingCounts {
    std::array<std::size_t, kTimingMethodCount> byMethod{};   ///< indexed by TimingMethod
    std::size_t launchBound = 0;

    [[nodiscard]] std::size_t of(TimingMethod method) const { return byMethod[static_cast<std::size_t>(method)]; }
    /// Times of several methods, which may not be compared.
    [[nodiscard]] bool isMixed() const;
    void add(const TraceRow& row);
    bool operator==(const TimingCounts&) const = default;
};

/// What a dataset holds for one definition.
struct DefinitionCounts {
    std::size_t solutions = 0;
    std::size_t workloads = 0;
    StatusCounts traces;
};
[[nodiscard]] DefinitionCounts countsOf(const Dataset& dataset, const std::string& definition);

}  // namespace tracedeck
