// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/policy_text.h"
#include "ui/models/trace_table_model.h"

#include <QApplication>
#include <QStyle>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/report/table_file.h"
#include "ui/models/number_format.h"
#include "ui/models/table_roles.h"
#include "ui/models/timing_text.h"
#include "ui/style/icons.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kFlashMilliseconds = 900;
/// More separate places than this are cheaper shown anew than inserted one by one.
constexpr std::size_t kMaximumInsertions = 32;

/// "2026-03-01T10:20:30.123456" as "2026-03-01 10:20:30".
QString timeText(std::string_view timestamp)
{
    QString text = fromView(timestamp.substr(0, 19));
    if (text.size() > 10 && text.at(10) == QLatin1Char('T')) {
        text[10] = QLatin1Char(' ');
    }
    return text;
}

struct Insertion {
    std::size_t first = 0;   ///< position in the new index
    std::size_t count = 0;
};

/// Where `grown` has rows that `old` lacks; nullopt when `old` is not a subsequence of it or there are too many places.
std::optional<std::vector<Insertion>> insertionsBetween(const RowIndex& old, const RowIndex& grown)
{
    std::vector<Insertion> insertions;
    std::size_t next = 0;
    for (std::size_t position = 0; position < grown.size(); ++position) {
        if (next < old.size() && grown[position] == old[next]) {
            ++next;
            continue;
        }
        if (!insertions.empty() && insertions.back().first + insertions.back().count == position) {
            ++insertions.back().count;
            continue;
        }
        if (insertions.size() == kMaximumInsertions) {
            return std::nullopt;
        }
        insertions.push_back({position, 1});
    }
    if (next != old.size()) {
        return std::nullopt;
    }
    return insertions;
}

}  // namespace

TraceTableModel::TraceTableModel(QObject* parent)
    : PinnedTableModel(parent), m_dataset(std::make_shared<const Dataset>()), m_flashTimer(new QTimer(this))
{
    m_flashTimer->setSingleShot(true);
    m_flashTimer->setInterval(kFlashMilliseconds);
    connect(m_flashTimer, &QTimer::timeout, this, &TraceTableModel::endFlash);
    refreshLooks();
}

TraceTableModel::~TraceTableModel() = default;

void TraceTableModel::show(std::shared_ptr<const Dataset> dataset, RowIndex rows)
{
    beginResetModel();
    m_dataset = std::move(dataset);
    m_rows = std::move(rows);
    endResetModel();
}

void TraceTableModel::reorder(RowIndex rows)
{
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::unordered_map<quint32, int> positions;   // only of rows that someone holds on to
    for (const QModelIndex& index : before) {
        positions.emplace(m_rows[static_cast<std::size_t>(index.row())], -1);
    }
    for (std::size_t position = 0; !positions.empty() && position < rows.size(); ++position) {
        if (const auto found = positions.find(rows[position]); found != positions.end()) {
            found->second = static_cast<int>(position);
        }
    }
    QModelIndexList after;
    after.reserve(before.size());
    for (const QModelIndex& index : before) {
        const int position = positions.at(m_rows[static_cast<std::size_t>(index.row())]);
        after << (position < 0 ? QModelIndex() : createIndex(position, index.column()));
    }
    m_rows = std::move(rows);
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

bool TraceTableModel::grow(std::shared_ptr<const Dataset> dataset, RowIndex rows)
{
    const auto insertions = insertionsBetween(m_rows, rows);
    if (!insertions) {
        show(std::move(dataset), std::move(rows));
        return false;
    }
    m_dataset = std::move(dataset);   // rows keep their numbers in a grown snapshot
    for (const Insertion& insertion : *insertions) {
        const auto first = static_cast<std::ptrdiff_t>(insertion.first);
        const auto last = first + static_cast<std::ptrdiff_t>(insertion.count);
        beginInsertRows({}, static_cast<int>(first), static_cast<int>(last) - 1);
        m_rows.insert(m_rows.begin() + first, rows.begin() + first, rows.begin() + last);
        endInsertRows();
    }
    return true;
}

void TraceTableModel::flash(std::uint32_t firstTraceRow)
{
    if (QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0) {
        return;
    }
    m_flashFrom = std::min(m_flashFrom, firstTraceRow);
    m_flashTimer->start();
}

void TraceTableModel::endFlash()
{
    m_flashFrom = StringPool::kNone;
    if (!m_rows.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::BackgroundRole});
    }
}

int TraceTableModel::findRow(quint32 traceRow) const
{
    const auto found = std::find(m_rows.begin(), m_rows.end(), traceRow);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int TraceTableModel::columnOf(TraceColumn column)
{
    return static_cast<int>(std::find(kColumns.begin(), kColumns.end(), column) - kColumns.begin());
}

bool TraceTableModel::isNumber(TraceColumn column)
{
    switch (column) {
    case TraceColumn::Latency:
    case TraceColumn::ReferenceLatency:
    case TraceColumn::Speedup:
    case TraceColumn::MaxAbsoluteError:
    case TraceColumn::MaxRelativeError: return true;
    default: return false;
    }
}

QString TraceTableModel::title(TraceColumn column)
{
    switch (column) {
    case TraceColumn::Definition: return tr("Definition");
    case TraceColumn::OpType: return tr("Op type");
    case TraceColumn::Solution: return tr("Solution");
    case TraceColumn::Language: return tr("Language");
    case TraceColumn::Author: return tr("Author");
    case TraceColumn::Workload: return tr("Workload");
    case TraceColumn::Axes: return tr("Axes");
    case TraceColumn::Status: return tr("Status");
    case TraceColumn::Latency: return tr("Latency (µs)");
    case TraceColumn::ReferenceLatency: return tr("Reference (µs)");
    case TraceColumn::Speedup: return tr("Speedup (×)");
    case TraceColumn::MaxAbsoluteError: return tr("Max abs. error");
    case TraceColumn::MaxRelativeError: return tr("Max rel. error");
    case TraceColumn::Hardware: return tr("Hardware");
    case TraceColumn::Timestamp: return tr("Measured");
    case TraceColumn::Folder: return tr("Dataset");
    }
    return {};
}

QString TraceTableModel::key(TraceColumn column)
{
    switch (column) {
    case TraceColumn::Definition: return QStringLiteral("definition");
    case TraceColumn::OpType: return QStringLiteral("op_type");
    case TraceColumn::Solution: return QStringLiteral("solution");
    case TraceColumn::Language: return QStringLiteral("language");
    case TraceColumn::Author: return QStringLiteral("author");
    case TraceColumn::Workload: return QStringLiteral("workload");
    case TraceColumn::Axes: return QStringLiteral("axes");
    case TraceColumn::Status: return QStringLiteral("status");
    case TraceColumn::Latency: return QStringLiteral("latency");
    case TraceColumn::ReferenceLatency: return QStringLiteral("reference_latency");
    case TraceColumn::Speedup: return QStringLiteral("speedup");
    case TraceColumn::MaxAbsoluteError: return QStringLiteral("max_absolute_error");
    case TraceColumn::MaxRelativeError: return QStringLiteral("max_relative_error");
    case TraceColumn::Hardware: return QStringLiteral("hardware");
    case TraceColumn::Timestamp: return QStringLiteral("timestamp");
    case TraceColumn::Folder: return QStringLiteral("dataset");
    }
    return {};
}

void TraceTableModel::refreshLooks()
{
    for (int status = 0; status < kStatusCount; ++status) {
        const StatusLook look = statusLook(static_cast<Status>(status));
        m_statusIcons[static_cast<std::size_t>(status)] = look.icon;
        m_statusColors[static_cast<std::size_t>(status)] = look.color;
    }
    m_launchBoundIcon = icon(QStringLiteral("info"));
    m_numberFont = monospacedFont();
    m_mutedColor = themeColors().muted;
    m_flashColor = themeColors().accent;
    m_flashColor.setAlphaF(0.22F);
    if (!m_rows.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1),
                         {Qt::DecorationRole, Qt::ForegroundRole, Qt::BackgroundRole, Qt::FontRole});
    }
}

int TraceTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TraceTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : firstPinColumn() + pinCount();
}

QVariant TraceTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const quint32 traceRow = m_rows[static_cast<std::size_t>(index.row())];
    const TraceRow& row = m_dataset->traces().row(traceRow);
    if (role == TraceRowRole) {
        return traceRow;
    }
    if (index.column() >= kLightColumn) {
        if (role == Qt::BackgroundRole) {
            return traceRow >= m_flashFrom ? QVariant(m_flashColor) : QVariant();
        }
        if (index.column() == kLightColumn) {
            return lightCell(row, role);
        }
        const std::size_t pin = pinOf(index.column());
        const QVariant cell = pinCell(index.column(), {pinned()->change(pin, row), 1, pinned()->isBase(pin, traceRow, row)}, role);
        return role == Qt::ForegroundRole && !counts(traceRow, row) ? QVariant(m_mutedColor) : cell;
    }
    const TraceColumn column = kColumns[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole: return visibleText(displayText(row, column));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft)));
    case Qt::DecorationRole:
        if (column == TraceColumn::Status) {
            return m_statusIcons[static_cast<std::size_t>(row.status)];
        }
        if (column == TraceColumn::Latency && (row.flags & TraceFlag::kLaunchBound) != 0) {
            return m_launchBoundIcon;
        }
        return column == TraceColumn::Solution && row.solution != StringPool::kNone ? QVariant(seriesChip(fromView(m_dataset->traces().solutionName(row)))) : QVariant();
    case Qt::ForegroundRole:
        if (column == TraceColumn::Status) {
            return m_statusColors[static_cast<std::size_t>(row.status)];
        }
        return (isNumber(column) && std::isnan(numberOf(row, column))) || !counts(traceRow, row) ? QVariant(m_mutedColor) : QVariant();
    case Qt::BackgroundRole: return traceRow >= m_flashFrom ? QVariant(m_flashColor) : QVariant();
    case Qt::FontRole:
        return isNumber(column) || column == TraceColumn::Axes || column == TraceColumn::Timestamp || column == TraceColumn::Workload
                   ? QVariant(m_numberFont)
                   : QVariant();
    case Qt::ToolTipRole: return plainToolTip(toolTip(traceRow, row, column));
    case kCellRole: return cell(row, column);
    case Qt::AccessibleTextRole:
        return column == TraceColumn::Status && !counts(traceRow, row) ? tr("%1, does not count").arg(accessibleText(row, column)) : accessibleText(row, column);
    default: return {};
    }
}

void TraceTableModel::setLight(std::shared_ptr<const LightTimes> light)
{
    m_light = std::move(light);
    if (!m_rows.empty()) {
        emit dataChanged(index(0, kLightColumn), index(rowCount() - 1, kLightColumn));
    }
}

QVariant TraceTableModel::lightCell(const TraceRow& row, int role) const
{
    constexpr double kLightPercent = 100;
    const double share = m_light->share(row);
    switch (role) {
    case Qt::DisplayRole: return std::isnan(share) ? QString() : QString::number(kLightPercent * share, 'f', 1);
    case kCellRole: return std::isnan(share) ? QVariant() : QVariant(kLightPercent * share);
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | Qt::AlignRight));
    case Qt::FontRole: return m_numberFont;
    case Qt::AccessibleTextRole: return std::isnan(share) ? tr("none") : tr("%1 percent of the speed of light").arg(kLightPercent * share, 0, 'f', 1);
    case Qt::ToolTipRole:
        return plainToolTip(std::isnan(share) ? tr("What this workload's bytes and operations take at least is not known for this hardware.")
                                              : tr("%1 at the speed of light").arg(durationText(m_light->lightMs(row))) +
                                                    (share > 1 ? QLatin1Char('\n') + tr("Faster than that: the formula or the ceilings are wrong.") : QString()));
    default: return {};
    }
}

bool TraceTableModel::counts(quint32 traceRow, const TraceRow& row) const
{
    return m_counted.contains(traceRow) && (m_hardware.empty() || m_dataset->traces().hardwareName(row) == m_hardware);
}

QString TraceTableModel::toolTip(quint32 traceRow, const TraceRow& row, TraceColumn column) const
{
    QStringList lines{fullText(row, column)};
    if (column == TraceColumn::Latency && (row.flags & TraceFlag::kLaunchBound) != 0) {
        lines << launchBoundText();
    }
    if (!m_hardware.empty() && m_dataset->traces().hardwareName(row) != m_hardware) {
        lines << tr("Does not count: only %1 does.").arg(fromView(m_hardware));
    } else if (!m_counted.contains(traceRow)) {
        lines << tr("Does not count: %1").arg(policySentence(m_policy));
    }
    return lines.join(QLatin1Char('\n'));
}

void TraceTableModel::setCounted(CountedTraces counted, SelectionPolicy policy, const QString& hardware)
{
    m_counted = std::move(counted);
    m_policy = policy;
    m_hardware = hardware.toStdString();
    if (!m_rows.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::ForegroundRole});
    }
}

QVariant TraceTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    if (isPinColumn(section)) {
        return pinHeader(section, role);
    }
    if (section == kLightColumn) {
        switch (role) {
        case Qt::DisplayRole: return tr("Of light (%)");
        case kColumnKeyRole: return QStringLiteral("light");
        case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | Qt::AlignRight));
        case Qt::ToolTipRole: return tr("Share of the speed of light, the shortest time that bytes and operations can take");
        default: return {};
        }
    }
    const TraceColumn column = kColumns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) {
        return title(column);
    }
    if (role == kColumnKeyRole) {
        return key(column);
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft)));
    }
    if (role == Qt::ToolTipRole) {
        return tr("%1: click to sort, Shift+click to sort within the order there is, right click to choose columns").arg(title(column));
    }
    return {};
}

QString TraceTableModel::displayText(const TraceRow& row, TraceColumn column) const
{
    const TraceTable& traces = m_dataset->traces();
    switch (column) {
    case TraceColumn::Definition: return QString::fromStdString(traces.definitionName(row));
    case TraceColumn::OpType: {
        const Definition* definition = m_dataset->findDefinition(traces.definitionName(row));
        return definition ? QString::fromStdString(definition->opType) : QString();
    }
    case TraceColumn::Solution: return fromView(traces.solutionName(row));
    case TraceColumn::Language: {
        const Solution* solution = m_dataset->findSolution(std::string(traces.solutionName(row)));
        return solution ? fromView(toString(solution->spec.language)) : QString();
    }
    case TraceColumn::Author: return QString::fromStdString(authorOf(*m_dataset, row));
    case TraceColumn::Workload: return QString::fromStdString(traces.workloadUuid(row)).left(8);
    case TraceColumn::Axes: return QString::fromStdString(traces.axesText(row)).replace(QLatin1Char(';'), QLatin1String("  "));
    case TraceColumn::Status: return statusLook(row.status).word;
    case TraceColumn::Latency:
    case TraceColumn::ReferenceLatency: return microsecondsText(numberOf(row, column));
    case TraceColumn::Speedup: return significantText(row.speedupFactor);
    case TraceColumn::MaxAbsoluteError:
    case TraceColumn::MaxRelativeError: return errorText(numberOf(row, column));
    case TraceColumn::Hardware: return fromView(traces.hardwareName(row));
    case TraceColumn::Timestamp: return timeText(traces.timestamp(row));
    case TraceColumn::Folder: return QString::fromStdString(m_dataset->folderName(row));
    }
    return {};
}

QString TraceTableModel::fullText(const TraceRow& row, TraceColumn column) const
{
    const QVariant value = cell(row, column);
    return value.userType() == QMetaType::Double ? exactText(value.toDouble()) : value.toString();
}

QVariant TraceTableModel::cell(const TraceRow& row, TraceColumn column) const
{
    const TableCell found = traceCell(*m_dataset, row, column);
    if (const auto* text = std::get_if<std::string>(&found)) {
        return QString::fromStdString(*text);
    }
    const auto* number = std::get_if<double>(&found);
    return number ? QVariant(*number) : QVariant();
}

QString TraceTableModel::accessibleText(const TraceRow& row, TraceColumn column) const
{
    const QString text = visibleText(displayText(row, column));
    if (isNumber(column) && std::isnan(numberOf(row, column))) {
        return tr("none");
    }
    switch (column) {
    case TraceColumn::Latency:
        return (row.flags & TraceFlag::kLaunchBound) != 0 ? tr("%1 microseconds, launch-bound").arg(text) : tr("%1 microseconds").arg(text);
    case TraceColumn::ReferenceLatency: return tr("%1 microseconds").arg(text);
    case TraceColumn::Speedup: return tr("%1 times").arg(text);
    default: return text;
    }
}

}  // namespace tracedeck::ui
