// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sibling_traces_model.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "ui/models/number_format.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

bool isMeasured(const TraceRow& row) { return (row.flags & TraceFlag::kHasEvaluation) != 0 && (row.flags & TraceFlag::kHasSolution) != 0; }
bool hasPassed(const TraceRow& row) { return row.status == Status::Passed && std::isfinite(row.latencyMs) && row.latencyMs > 0; }

}  // namespace

SiblingTraces siblingsOf(const Dataset& dataset, std::uint32_t row, SelectionPolicy policy, const std::stop_token& stop)
{
    const TraceTable& table = dataset.traces();
    const TraceRow& shown = table.row(row);
    const auto sameWorkload = [&](std::uint32_t other) { return table.row(other).workload == shown.workload && isMeasured(table.row(other)); };
    SiblingTraces siblings;
    RowIndex others;
    for (const std::uint32_t other : dataset.traceRowsOfDefinition(table.definitionName(shown))) {
        if (!sameWorkload(other))
            continue;
        if (table.row(other).solution == shown.solution)
            siblings.runs.push_back(other);
        else
            others.push_back(other);
    }
    siblings.rivals = selectTraces(dataset, others, policy, stop);
    std::stable_sort(siblings.rivals.begin(), siblings.rivals.end(), [&](std::uint32_t a, std::uint32_t b) {
        const TraceRow& left = table.row(a);
        const TraceRow& right = table.row(b);
        const auto key = [&](const TraceRow& r) { return std::tuple(r.hardware != shown.hardware, !hasPassed(r), hasPassed(r) ? r.latencyMs : 0.0); };
        return key(left) < key(right);
    });
    sortTraces(dataset, siblings.runs, {{TraceColumn::Timestamp, true}}, stop);
    return siblings;
}

SiblingTracesModel::SiblingTracesModel(Kind kind, QObject* parent) : QAbstractTableModel(parent), m_kind(kind) {}

void SiblingTracesModel::show(std::shared_ptr<const Dataset> dataset, std::uint32_t row, RowIndex rows)
{
    beginResetModel();
    m_dataset = std::move(dataset);
    m_shown = row;
    m_rows = std::move(rows);
    endResetModel();
}

void SiblingTracesModel::clear()
{
    beginResetModel();
    m_dataset.reset();
    m_rows.clear();
    endResetModel();
}

int SiblingTracesModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
int SiblingTracesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int{ColumnCount}; }

QString SiblingTracesModel::fullName(const TraceRow& row) const
{
    const TraceTable& table = m_dataset->traces();
    return fromView(m_kind == Kind::Rivals ? table.solutionName(row) : table.timestamp(row));
}

QString SiblingTracesModel::text(const TraceRow& row, int column) const
{
    const TraceTable& table = m_dataset->traces();
    const TraceRow& shown = table.row(m_shown);
    switch (column) {
    case NameColumn:
        return visibleText(m_kind == Kind::Rivals ? nameWithoutDefinition(fullName(row), QString::fromStdString(table.definitionName(row)))
                                                  : fullName(row));
    case StatusColumn: return statusLook(row.status).word;
    case LatencyColumn: return hasPassed(row) ? microsecondsText(row.latencyMs) : QString();
    case RatioColumn:
        // Times of different hardware say nothing about the solutions.
        return hasPassed(row) && hasPassed(shown) && row.hardware == shown.hardware ? ratioText(shown.latencyMs / row.latencyMs) : QString();
    case HardwareColumn: return visibleText(fromView(table.hardwareName(row)));
    default: return {};
    }
}

QVariant SiblingTracesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const std::uint32_t number = m_rows[static_cast<std::size_t>(index.row())];
    const TraceRow& row = m_dataset->traces().row(number);
    const bool isNumber = index.column() == LatencyColumn || index.column() == RatioColumn;
    switch (role) {
    case Qt::DisplayRole: return text(row, index.column());
    case TraceRowRole: return number;
    case Qt::DecorationRole: return index.column() == StatusColumn ? QVariant(statusLook(row.status).icon) : QVariant();
    case Qt::FontRole:
        if (index.column() == NameColumn || isNumber) {
            QFont font = monospacedFont();
            font.setBold(number == m_shown);
            return font;
        }
        return {};
    case Qt::TextAlignmentRole:
        return isNumber ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case Qt::ToolTipRole: {
        QString tip = fullName(row);
        if (number == m_shown)
            tip += QLatin1Char('\n') + tr("This is the trace that is shown.");
        return plainToolTip(tip + QLatin1Char('\n') + fromView(m_dataset->traces().hardwareName(row)) + QLatin1Char('\n') +
                            fromView(m_dataset->traces().timestamp(row)));
    }
    default: return {};
    }
}

QVariant SiblingTracesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment((section == LatencyColumn || section == RatioColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole && section == RatioColumn)
        return tr("Latency of the trace that is shown, divided by this one's: above 1 this one is faster");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn: return m_kind == Kind::Rivals ? tr("Solution") : tr("Measured");
    case StatusColumn: return tr("Status");
    case LatencyColumn: return tr("Latency (µs)");
    case RatioColumn: return tr("Speedup");
    case HardwareColumn: return tr("Hardware");
    default: return {};
    }
}

}  // namespace tracedeck::ui
