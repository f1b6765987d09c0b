// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/workbench.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "core/model/judge_record.h"
#include "core/model/timestamp.h"
#include "core/score/workload_sizes.h"
#include "core/store/parallel.h"

namespace tracedeck {

namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
constexpr double kMillisecondsInSecond = 1e3;
constexpr double kMicrosecondsInSecond = 1e6;

template <class Value, std::size_t count>
using NameTable = std::array<std::pair<Value, std::string_view>, count>;

constexpr NameTable<ChartAbscissa, 6> kAbscissas{{{ChartAbscissa::Axis, "axis"},
                                                  {ChartAbscissa::Workload, "workload"},
                                                  {ChartAbscissa::Bytes, "bytes"},
                                                  {ChartAbscissa::Operations, "flops"},
                                                  {ChartAbscissa::Intensity, "intensity"},
                                                  {ChartAbscissa::Moment, "time"}}};
constexpr NameTable<CallTime, 4> kCallTimes{{{CallTime::Stored, "stored"}, {CallTime::Live, "live"}, {CallTime::Queued, "queued"}, {CallTime::Kernels, "kernels"}}};
constexpr NameTable<ChartMeasure, 8> kMeasures{{{ChartMeasure::LatencyMs, "latency"},
                                                {ChartMeasure::SpeedupToReference, "reference"},
                                                {ChartMeasure::RatioToBaseline, "baseline"},
                                                {ChartMeasure::Bandwidth, "bandwidth"},
                                                {ChartMeasure::Throughput, "throughput"},
                                                {ChartMeasure::LightShare, "light"},
                                                {ChartMeasure::AbsoluteError, "absolute-error"},
                                                {ChartMeasure::RelativeError, "relative-error"}}};

template <class Table, class Value>
std::string_view nameIn(const Table& table, Value value)
{
    const auto found = std::find_if(table.begin(), table.end(), [value](const auto& entry) { return entry.first == value; });
    return found == table.end() ? std::string_view() : found->second;
}

template <class Table>
auto valueIn(const Table& table, std::string_view name) -> std::optional<decltype(table.front().first)>
{
    const auto found = std::find_if(table.begin(), table.end(), [name](const auto& entry) { return entry.second == name; });
    if (found == table.end()) return std::nullopt;
    return found->first;
}

/// A time in milliseconds of a record; NaN where there is none that can be true.
double timeIn(const Json* record, const char* key)
{
    if (record == nullptr || !record->is_object()) return kNoValue;
    const auto found = record->find(key);
    if (found == record->end() || !found->is_number()) return kNoValue;
    const double time = found->template get<double>();
    return isUsableLatency(time) ? time : kNoValue;
}

const char* keyOf(CallTime time)
{
    switch (time) {
    case CallTime::Live: return "live_ms";
    case CallTime::Queued: return "queued_ms";
    case CallTime::Kernels: return "kernels_ms";
    case CallTime::Stored: break;
    }
    return "";
}

/// What the line of a trace says about its times, in milliseconds.
struct LineTimes {
    double own = kNoValue;         ///< of the kind asked for
    double reference = kNoValue;   ///< likewise
    double low = kNoValue;         ///< p10 and p90 of the samples, only of the stored kind
    double high = kNoValue;
    bool isUnreadable = false;
};

LineTimes timesOf(const Dataset& dataset, std::uint32_t index, CallTime kind)
{
    LineTimes times;
    if (const PolicyView* view = dataset.policyView(); view != nullptr && kind == CallTime::Stored) {
        if (const auto pooled = view->pooled.find(index); pooled != view->pooled.end()) {
            times.low = pooled->second.lowMs;
            times.high = pooled->second.highMs;
            return times;
        }
    }
    const auto trace = dataset.readTrace(index);
    if (!trace || !trace->evaluation) {
        times.isUnreadable = true;
        return times;
    }
    if (kind == CallTime::Stored) {
        const Json* statistics = callStatistics(*trace->evaluation);
        times.low = timeIn(statistics, "p10");
        times.high = timeIn(statistics, "p90");
        return times;
    }
    const Json* record = judgeTime(*trace->evaluation);
    times.own = timeIn(record, keyOf(kind));
    if (record != nullptr) {
        const auto reference = record->find("reference");
        times.reference = reference == record->end() ? kNoValue : timeIn(&*reference, keyOf(kind));
    }
    return times;
}

double bytesOf(const std::optional<WorkEstimate>& work) { return work && work->inputBytes + work->outputBytes > 0 ? work->inputBytes + work->outputBytes : kNoValue; }
double operationsOf(const std::optional<WorkEstimate>& work) { return work && work->operations && *work->operations > 0 ? *work->operations : kNoValue; }

/// What of a workload's size a question needs.
struct Needs {
    bool bytes = false;
    bool operations = false;
    bool light = false;   ///< a ceiling, and bytes or operations
};
Needs needsOf(const ChartQuestion& question)
{
    const bool hasIntensity = question.abscissa == ChartAbscissa::Intensity;
    return {.bytes = hasIntensity || question.abscissa == ChartAbscissa::Bytes || question.measure == ChartMeasure::Bandwidth,
            .operations = hasIntensity || question.abscissa == ChartAbscissa::Operations || question.measure == ChartMeasure::Throughput,
            .light = question.measure == ChartMeasure::LightShare};
}

/// Turns series of stored latencies into what was asked for.
class Workbench {
public:
    Workbench(const Dataset& dataset, const ChartQuestion& question) : m_dataset(dataset), m_question(question), m_needs(needsOf(question)), m_ceilings(question.ceilings != nullptr ? *question.ceilings : CeilingTable::dataSheets()), m_sizes(dataset, question.definition) {}

    Result<ChartAnswer> answer(const std::stop_token& stop)
    {
        const std::string axis = m_question.abscissa == ChartAbscissa::Axis ? m_question.axis : std::string();
        m_answer.series = chartSeries(m_dataset, m_question.definition, axis, ChartMeasure::LatencyMs, m_question.hardware, {}, m_question.policy);
        readTimes(stop);
        collectBaselines();
        for (Series& series : m_answer.series) {
            std::vector<SeriesPoint> kept;
            for (SeriesPoint& point : series.points) {
                if (setAbscissa(point) && setOrdinate(point)) kept.push_back(std::move(point));
            }
            std::sort(kept.begin(), kept.end(), [](const SeriesPoint& a, const SeriesPoint& b) { return std::tie(a.x, a.workloadUuid, a.row) < std::tie(b.x, b.workloadUuid, b.row); });
            series.points = std::move(kept);
        }
        if (m_needs.bytes || m_needs.operations || m_needs.light) addRoofs();
        m_answer.formulaProblem = m_sizes.problem();
        if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the chart was stopped", {}, 0, {}};
        std::erase_if(m_answer.series, [](const Series& series) { return series.points.empty(); });
        return std::move(m_answer);
    }

private:
    [[nodiscard]] const TraceRow& rowOf(const SeriesPoint& point) const { return m_dataset.traces().row(point.row); }

    /// Reads the lines back that are needed, on all processors.
    void readTimes(const std::stop_token& stop)
    {
        if (isErrorMeasure(m_question.measure) || (m_question.time == CallTime::Stored && !m_question.wantsBand)) return;
        std::vector<std::uint32_t> rows;
        for (const Series& series : m_answer.series) {
            for (const SeriesPoint& point : series.points) {
                if (!point.failed) rows.push_back(point.row);
            }
        }
        if (m_question.time == CallTime::Stored && rows.size() > kMostBandPoints) return;
        std::vector<LineTimes> times(rows.size());
        parallelFor(rows.size(), defaultThreads(), [&](std::size_t i) { times[i] = timesOf(m_dataset, rows[i], m_question.time); }, stop);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (times[i].isUnreadable) ++m_answer.unreadable;
            m_times.emplace(rows[i], times[i]);
        }
    }

    /// The time of the kind asked for; NaN where the record lacks it.
    [[nodiscard]] double timeOf(const SeriesPoint& point) const
    {
        if (m_question.time == CallTime::Stored) return rowOf(point).latencyMs;
        const auto found = m_times.find(point.row);
        return found == m_times.end() ? kNoValue : found->second.own;
    }

    /// One time of the baseline for each workload and machine: where every trace is shown, the newest one is the baseline.
    void collectBaselines()
    {
        if (m_question.measure != ChartMeasure::RatioToBaseline) return;
        RowIndex rows;
        std::map<std::uint32_t, double> timeOfRow;
        for (const Series& series : m_answer.series) {
            if (series.solution != m_question.baselineSolution) continue;
            for (const SeriesPoint& point : series.points) {
                rows.push_back(point.row);
                if (!point.failed) timeOfRow.emplace(point.row, timeOf(point));
            }
        }
        std::sort(rows.begin(), rows.end());
        const auto policy = m_question.policy == SelectionPolicy::All ? SelectionPolicy::Newest : m_question.policy;
        for (const std::uint32_t index : selectTraces(m_dataset, rows, policy)) {
            const TraceRow& row = m_dataset.traces().row(index);
            const auto time = timeOfRow.find(index);
            if (time != timeOfRow.end() && !std::isnan(time->second)) m_baselines[{m_dataset.traces().workloadUuid(row), row.hardware}] = time->second;
        }
    }

    bool setAbscissa(SeriesPoint& point)
    {
        const TraceRow& row = rowOf(point);
        if (m_needs.bytes || m_needs.operations) {
            const auto& work = m_sizes.of(row);
            if ((m_needs.bytes && std::isnan(bytesOf(work))) || (m_needs.operations && std::isnan(operationsOf(work)))) {
                ++m_answer.withoutSize;
                return false;
            }
            if (m_needs.bytes && work->isUpperEstimate) m_answer.isUpperEstimate = true;
            if (m_needs.operations) m_answer.formula = work->formula;
            if (m_question.abscissa == ChartAbscissa::Bytes) point.x = bytesOf(work);
            if (m_question.abscissa == ChartAbscissa::Operations) point.x = operationsOf(work);
            if (m_question.abscissa == ChartAbscissa::Intensity) point.x = operationsOf(work) / bytesOf(work);
        }
        if (m_needs.light && !hasLight(row)) return false;
        if (m_question.abscissa == ChartAbscissa::Moment) {
            const auto moment = timestampMicroseconds(m_dataset.traces().timestamp(row));
            if (!moment) {
                ++m_answer.withoutMoment;
                return false;
            }
            point.x = static_cast<double>(*moment) / kMicrosecondsInSecond;
        }
        return true;
    }

    [[nodiscard]] const Ceilings* ceilingsOf(const TraceRow& row) const { return m_ceilings.find(m_dataset.traces().hardwareName(row)); }
    [[nodiscard]] std::optional<SpeedOfLight> lightOf(const TraceRow& row)
    {
        const Ceilings* ceilings = ceilingsOf(row);
        const auto& work = m_sizes.of(row);
        return ceilings == nullptr || !work ? std::nullopt : speedOfLight(*work, *ceilings);
    }
    /// Counts what is missing.
    bool hasLight(const TraceRow& row)
    {
        if (ceilingsOf(row) == nullptr) {
            ++m_answer.withoutCeiling;
            return false;
        }
        if (!lightOf(row)) {
            ++m_answer.withoutSize;
            return false;
        }
        const auto& work = m_sizes.of(row);
        m_answer.isUpperEstimate = m_answer.isUpperEstimate || work->isUpperEstimate;
        m_answer.formula = work->formula;
        return true;
    }

    void addRoofs()
    {
        std::map<std::string, Roof> roofs;
        for (const Series& series : m_answer.series) {
            for (const SeriesPoint& point : series.points) {
                const TraceRow& row = rowOf(point);
                const Ceilings* ceilings = ceilingsOf(row);
                const auto& work = m_sizes.of(row);
                const std::string hardware(m_dataset.traces().hardwareName(row));
                if (ceilings == nullptr || !work || roofs.contains(hardware)) continue;
                const auto peak = ceilings->peaks.operationsPerSecond.find(work->operand);
                roofs[hardware] = {hardware, ceilings->peaks.memoryBytesPerSecond, peak == ceilings->peaks.operationsPerSecond.end() ? 0 : peak->second, ceilings->source};
            }
        }
        for (auto& [hardware, roof] : roofs) m_answer.roofs.push_back(std::move(roof));
    }

    /// What a time of this point comes to; NaN where there is nothing to set it against.
    [[nodiscard]] double measureOf(const SeriesPoint& point, double time)
    {
        const TraceRow& row = rowOf(point);
        switch (m_question.measure) {
        case ChartMeasure::LatencyMs: return time;
        case ChartMeasure::SpeedupToReference:
            // Of the stored times the trace itself has the ratio.
            if (m_question.time == CallTime::Stored) return row.speedupFactor * row.latencyMs / time;
            return m_times.at(point.row).reference / time;
        case ChartMeasure::RatioToBaseline: {
            const auto found = m_baselines.find({point.workloadUuid, row.hardware});
            return found == m_baselines.end() ? kNoValue : found->second / time;
        }
        case ChartMeasure::Bandwidth: return bytesOf(m_sizes.of(row)) / time * kMillisecondsInSecond;
        case ChartMeasure::Throughput: return operationsOf(m_sizes.of(row)) / time * kMillisecondsInSecond;
        case ChartMeasure::LightShare: {
            const auto light = lightOf(row);
            return light ? light->ms / time : kNoValue;
        }
        case ChartMeasure::AbsoluteError:
        case ChartMeasure::RelativeError: break;   // see setError()
        }
        return kNoValue;
    }

    /// What failed and has an error is a point like the others; an error that is no number can't be drawn but as a failure.
    bool setError(SeriesPoint& point)
    {
        const double error = errorOf(rowOf(point), m_question.measure);
        if (std::isnan(error) && !point.failed && (rowOf(point).flags & TraceFlag::kHasCorrectness) == 0) {
            ++m_answer.withoutError;
            return false;
        }
        point.failed = !std::isfinite(error);
        point.y = point.failed ? kNoValue : error;
        return true;
    }

    bool setOrdinate(SeriesPoint& point)
    {
        if (isErrorMeasure(m_question.measure)) return setError(point);
        if (point.failed) return true;
        const double time = timeOf(point);
        if (std::isnan(time)) {
            ++m_answer.withoutTime;
            return false;
        }
        point.y = measureOf(point, time);
        if (!std::isfinite(point.y) || point.y <= 0) return false;
        const auto line = m_times.find(point.row);
        if (line == m_times.end() || std::isnan(line->second.low) || std::isnan(line->second.high)) return true;
        const double one = measureOf(point, line->second.low);
        const double other = measureOf(point, line->second.high);
        point.low = std::min(one, other);
        point.high = std::max(one, other);
        return true;
    }

    const Dataset& m_dataset;
    const ChartQuestion& m_question;
    Needs m_needs;
    const CeilingTable& m_ceilings;
    WorkloadSizes m_sizes;
    ChartAnswer m_answer;
    std::map<std::uint32_t, LineTimes> m_times;   ///< by row
    std::map<std::pair<std::string, std::uint16_t>, double> m_baselines;
};

}  // namespace

std::string_view toString(ChartAbscissa abscissa) { return nameIn(kAbscissas, abscissa); }
std::optional<ChartAbscissa> chartAbscissaFromString(std::string_view name) { return valueIn(kAbscissas, name); }
std::string_view toString(CallTime time) { return nameIn(kCallTimes, time); }
std::optional<CallTime> callTimeFromString(std::string_view name) { return valueIn(kCallTimes, name); }
std::string_view toString(ChartMeasure measure) { return nameIn(kMeasures, measure); }
std::optional<ChartMeasure> chartMeasureFromString(std::string_view name) { return valueIn(kMeasures, name); }

Result<ChartAnswer> chartAnswer(const Dataset& dataset, const ChartQuestion& question, const std::stop_token& stop)
{
    return Workbench(dataset, question).answer(stop);
}

}  // namespace tracedeck
