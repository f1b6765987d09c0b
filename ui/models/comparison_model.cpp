// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/comparison_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ui/models/number_format.h"
#include "ui/models/table_roles.h"
#include "ui/style/comparison_look.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr double kMicroseconds = 1000;   // in a millisecond
constexpr double kPercent = 100;

bool isComparisonNumber(int column) { return column >= ComparisonModel::LatencyA && column <= ComparisonModel::IntervalHigh; }

/// Place of a verdict among those that a reader wants to see first.
std::ptrdiff_t weightOf(ComparisonVerdict verdict)
{
    return std::find(kVerdictsByWeight.begin(), kVerdictsByWeight.end(), verdict) - kVerdictsByWeight.begin();
}

/// `+12.3`, so that the direction is seen at once.
QString signedText(double percent)
{
    if (!std::isfinite(percent))
        return {};
    const QString text = QString::number(std::abs(percent), 'f', 1);
    if (text == QLatin1String("0.0"))
        return text;
    return (percent > 0 ? QLatin1Char('+') : QLatin1Char('-')) + text;
}

}  // namespace

ComparisonModel::ComparisonModel(QObject* parent) : OrderedTableModel(parent), m_comparison(std::make_shared<const Comparison>()), m_numberFont(monospacedFont()) {}

ComparisonModel::~ComparisonModel() = default;

/// Whether the rows that are shown are these, in whatever order.
bool ComparisonModel::isShown(const std::vector<std::size_t>& rows) const
{
    if (rows.size() != m_order.size() || rows.empty())
        return false;
    std::vector<bool> shown(m_comparison->rows.size(), false);
    for (const std::size_t row : m_order)
        shown[row] = true;
    return std::all_of(rows.begin(), rows.end(), [&shown](std::size_t row) { return shown[row]; });
}

PinnedChange PinnedSide::change(const ComparisonRow& row, std::size_t pin) const
{
    if (!dataset || pin >= latencies->size() || !row.b || !row.b->isPassed() || row.b->row >= dataset->traces().size())
        return {};
    const TraceRow& trace = dataset->traces().row(row.b->row);
    return {row.b->latencyMs / latencies->latencyMs(pin, trace) - 1, 1, latencies->isBase(pin, row.b->row, trace)};
}

void ComparisonModel::setPinned(const PinnedSide& pinned)
{
    replacePinned(pinned.latencies, [&] { m_pinnedSide = pinned; });
}

bool ComparisonModel::show(std::shared_ptr<const Comparison> comparison, std::vector<std::size_t> rows)
{
    if (comparison == m_comparison && isShown(rows)) {
        reorder(std::move(rows));
        return false;
    }
    beginResetModel();
    m_comparison = std::move(comparison);
    m_order = std::move(rows);
    endResetModel();
    return true;
}

void ComparisonModel::sortRows(const Comparison& comparison, std::vector<std::size_t>& rows, const SortKeys& keys, const std::stop_token& stop, const PinnedSide& pinned)
{
    // Stable passes from the key that counts least to the one that counts most, as the table of traces is sorted: between them it can be stopped.
    for (auto key = keys.rbegin(); key != keys.rend() && !stop.stop_requested(); ++key)
        std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return isLess(comparison.rows[a], comparison.rows[b], *key, pinned); });
}

int ComparisonModel::rowOf(std::size_t element) const
{
    const auto found = std::find(m_order.begin(), m_order.end(), element);
    return found == m_order.end() ? -1 : static_cast<int>(found - m_order.begin());
}

void ComparisonModel::refreshLooks()
{
    m_numberFont = monospacedFont();
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::FontRole, Qt::ForegroundRole});
}

int ComparisonModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_order.size()); }
int ComparisonModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount + pinCount(); }

double ComparisonModel::number(const ComparisonRow& row, int column)
{
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    switch (column) {
    case LatencyA: return row.a ? row.a->latencyMs * kMicroseconds : kNone;
    case LatencyB: return row.b ? row.b->latencyMs * kMicroseconds : kNone;
    case NoiseA: return row.a ? row.a->noise * kPercent : kNone;
    case NoiseB: return row.b ? row.b->noise * kPercent : kNone;
    case Difference: return row.differenceMs * kMicroseconds;
    case Change: return (row.ratio - 1) * kPercent;
    case IntervalLow: return (row.interval.low - 1) * kPercent;
    case IntervalHigh: return (row.interval.high - 1) * kPercent;
    default: return kNone;
    }
}

/// Of the columns that show a text as it is.
std::string_view ComparisonModel::words(const ComparisonRow& row, int column)
{
    switch (column) {
    case Definition: return row.definition;
    case OpType: return row.opType;
    case SolutionA: return row.a ? std::string_view(row.a->solution) : std::string_view();
    case SolutionB: return row.b ? std::string_view(row.b->solution) : std::string_view();
    case HardwareA: return row.a ? std::string_view(row.a->hardware) : std::string_view();
    case HardwareB: return row.b ? std::string_view(row.b->hardware) : std::string_view();
    case Workload: return row.latest().workloadUuid;
    case Reason: return row.reason;
    default: return {};
    }
}

QString ComparisonModel::shownText(const ComparisonRow& row, int column)
{
    const auto failure = [](const std::optional<Measurement>& side) {
        return side && !side->isPassed() ? statusLook(side->status).word : QString();
    };
    switch (column) {
    case Verdict: {
        const ComparisonLook look = comparisonLook(row.verdict);
        return look.symbol + QLatin1Char(' ') + look.word;
    }
    case LatencyA:
    case LatencyB: {
        const double value = number(row, column);
        return std::isfinite(value) ? significantText(value) : failure(column == LatencyA ? row.a : row.b);
    }
    case NoiseA:
    case NoiseB: {
        const double value = number(row, column);
        return std::isfinite(value) ? QString::number(value, 'f', 1) : QString();
    }
    case Difference: {
        const double value = number(row, column);
        return std::isfinite(value) ? (value > 0 ? QStringLiteral("+") : QString()) + significantText(value) : QString();
    }
    case Change:
    case IntervalLow:
    case IntervalHigh: return signedText(number(row, column));
    case Axes: return QString::fromStdString(row.axesText()).replace(QLatin1Char(';'), QStringLiteral(" · "));
    default: return fromView(words(row, column));
    }
}

QVariant ComparisonModel::cell(const ComparisonRow& row, int column)
{
    if (isComparisonNumber(column)) {
        const double value = number(row, column);
        if (std::isfinite(value))
            return value;
        return column == LatencyA && row.a   ? QVariant(fromView(toString(row.a->status)))
               : column == LatencyB && row.b ? QVariant(fromView(toString(row.b->status)))
                                             : QVariant();
    }
    if (column == Verdict)
        return fromView(toString(row.verdict));
    const QString text = column == Axes ? QString::fromStdString(row.axesText()) : fromView(words(row, column));
    return text.isEmpty() ? QVariant() : QVariant(text);
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const std::size_t element = elementAt(index.row());
    const ComparisonRow& row = m_comparison->rows[element];
    const int column = index.column();
    if (isPinColumn(column) && role != VerdictRole && role != ElementRole)
        return pinCell(column, m_pinnedSide.change(row, pinOf(column)), role);
    switch (role) {
    case Qt::DisplayRole: return visibleText(shownText(row, column));
    case kCellRole: return cell(row, column);
    case VerdictRole: return static_cast<int>(row.verdict);
    case ElementRole: return static_cast<qulonglong>(element);
    case Qt::FontRole: return isComparisonNumber(column) ? QVariant(m_numberFont) : QVariant();
    case Qt::TextAlignmentRole: return static_cast<int>(Qt::AlignVCenter | (isComparisonNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ForegroundRole: {
        const bool isFailure = (column == LatencyA && row.a && !row.a->isPassed()) || (column == LatencyB && row.b && !row.b->isPassed());
        return isFailure ? QVariant(statusLook((column == LatencyA ? row.a : row.b)->status).color) : QVariant();
    }
    case Qt::ToolTipRole:
        return plainToolTip(tr("%1: %2").arg(comparisonLook(row.verdict).word, QString::fromStdString(row.reason)) +
                            (column == Verdict || column == Reason ? QString() : QLatin1Char('\n') + shownText(row, column)));
    case Qt::AccessibleTextRole: return column == Verdict ? tr("%1. %2").arg(comparisonLook(row.verdict).word, QString::fromStdString(row.reason)) : visibleText(shownText(row, column));
    default: return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (isPinColumn(section))
        return pinHeader(section, role);
    static constexpr std::array kKeys{"verdict", "definition", "op_type", "axes", "solution_a", "solution_b", "hardware_a", "hardware_b", "latency_a", "noise_a", "latency_b", "noise_b",
                                      "difference", "change", "interval_low", "interval_high", "workload", "reason"};
    static_assert(kKeys.size() == ColumnCount);
    if (role == kColumnKeyRole)
        return QString::fromLatin1(kKeys[static_cast<std::size_t>(section)]);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (isComparisonNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Verdict: return tr("What can be said with certainty; the reason is in the tool tip of each row");
        case LatencyA:
        case LatencyB: return tr("Median of all samples, or how the evaluation ended");
        case NoiseA:
        case NoiseB: return tr("Interquartile range ÷ median of the samples, in percent; empty where no samples are stored");
        case Difference: return tr("B − A");
        case Change: return tr("B ÷ A − 1: below zero B is faster");
        case IntervalLow:
        case IntervalHigh: return tr("95 % interval of the change, by bootstrap");
        default: return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Verdict: return tr("Verdict");
    case Definition: return tr("Definition");
    case OpType: return tr("Op type");
    case Axes: return tr("Axes");
    case SolutionA: return tr("Solution A");
    case SolutionB: return tr("Solution B");
    case HardwareA: return tr("GPU A");
    case HardwareB: return tr("GPU B");
    case LatencyA: return tr("A (µs)");
    case NoiseA: return tr("Noise A (%)");
    case LatencyB: return tr("B (µs)");
    case NoiseB: return tr("Noise B (%)");
    case Difference: return tr("Difference (µs)");
    case Change: return tr("Change (%)");
    case IntervalLow: return tr("From (%)");
    case IntervalHigh: return tr("To (%)");
    case Workload: return tr("Workload");
    case Reason: return tr("Reason");
    default: return {};
    }
}

bool ComparisonModel::isLess(const ComparisonRow& left, const ComparisonRow& right, const SortKey& key, const PinnedSide& pinned)
{
    const bool ascending = key.order == Qt::AscendingOrder;
    if (key.column >= ColumnCount) {
        const auto pin = static_cast<std::size_t>(key.column - ColumnCount);
        const double x = pinned.change(left, pin).change;
        const double y = pinned.change(right, pin).change;
        if (std::isnan(x) || std::isnan(y))
            return !std::isnan(x) && std::isnan(y);
        return ascending ? x < y : x > y;
    }
    if (key.column == Verdict)
        return ascending ? weightOf(left.verdict) < weightOf(right.verdict) : weightOf(left.verdict) > weightOf(right.verdict);
    if (key.column == Axes) {
        // By value, not by letters: M=2 before M=16.
        return ascending ? left.axes < right.axes : right.axes < left.axes;
    }
    if (isComparisonNumber(key.column)) {
        const double x = number(left, key.column);
        const double y = number(right, key.column);
        if (!std::isfinite(x) || !std::isfinite(y))
            return std::isfinite(x) && !std::isfinite(y);
        return ascending ? x < y : x > y;
    }
    const std::string_view x = words(left, key.column);
    const std::string_view y = words(right, key.column);
    if (x.empty() || y.empty())
        return !x.empty() && y.empty();
    return ascending ? naturallyLess(x, y) : naturallyLess(y, x);
}

}  // namespace tracedeck::ui
