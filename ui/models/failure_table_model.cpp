// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/failure_table_model.h"

#include <array>

#include "ui/models/number_format.h"
#include "ui/models/table_roles.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Names in a tool tip.
constexpr int kMostNames = 20;

bool isCountColumn(int column) { return column == FailureTableModel::Count || column == FailureTableModel::Workloads; }

QString listOf(const std::set<std::string>& names)
{
    QStringList lines;
    for (const std::string& name : names) {
        if (lines.size() == kMostNames) {
            lines << QStringLiteral("…");
            break;
        }
        lines << QString::fromStdString(name);
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

FailureTableModel::FailureTableModel(QObject* parent) : OrderedTableModel(parent), m_groups(std::make_shared<const Groups>()), m_numberFont(monospacedFont()) {}

FailureTableModel::~FailureTableModel() = default;

void FailureTableModel::show(std::shared_ptr<const Dataset> dataset, std::shared_ptr<const Groups> groups)
{
    beginResetModel();
    m_dataset = std::move(dataset);
    m_groups = std::move(groups);
    showElements(m_groups->size());
    endResetModel();
}

void FailureTableModel::refreshLooks()
{
    m_numberFont = monospacedFont();
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::FontRole, Qt::DecorationRole, Qt::ForegroundRole});
}

int FailureTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_order.size()); }
int FailureTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

qlonglong FailureTableModel::number(const FailureGroup& group, int column) { return static_cast<qlonglong>(column == Count ? group.rows.size() : group.workloads); }

QString FailureTableModel::text(const FailureGroup& group, int column) const
{
    const auto names = [](const std::set<std::string>& of) { return of.size() == 1 ? QString::fromStdString(*of.begin()) : countText(static_cast<qint64>(of.size())); };
    switch (column) {
    case StatusColumn: return statusLook(group.status).word;
    case Count:
    case Workloads: return countText(number(group, column));
    case Reason: return group.example.empty() ? tr("nothing is said") : QString::fromStdString(group.example);
    case Pattern: return QString::fromStdString(group.pattern);
    case FirstWorkload: return QString::fromStdString(m_dataset->traces().axesText(m_dataset->traces().row(group.first()))).replace(QLatin1Char(';'), QStringLiteral(" · "));
    case Solutions: return names(group.solutions);
    case Definitions: return names(group.definitions);
    default: return {};
    }
}

QVariant FailureTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const FailureGroup& group = groupAt(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return visibleText(text(group, column));
    case kCellRole:
        if (column == StatusColumn)
            return fromView(toString(group.status));
        return isCountColumn(column) ? QVariant(number(group, column)) : QVariant(text(group, column));
    case Qt::DecorationRole: return column == StatusColumn ? QVariant(statusLook(group.status).icon) : QVariant();
    case Qt::ForegroundRole: return column == StatusColumn ? QVariant(statusLook(group.status).color) : QVariant();
    case Qt::FontRole: return isCountColumn(column) ? QVariant(m_numberFont) : QVariant();
    case Qt::TextAlignmentRole: return static_cast<int>(Qt::AlignVCenter | (isCountColumn(column) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ToolTipRole:
        switch (column) {
        case Reason: return plainToolTip(group.reason == group.example ? text(group, column) : text(group, column) + QLatin1Char('\n') + tr("Taken for the same: %1").arg(QString::fromStdString(group.reason)));
        case Solutions: return plainToolTip(listOf(group.solutions));
        case Definitions: return plainToolTip(listOf(group.definitions));
        default: return plainToolTip(text(group, column));
        }
    default: return {};
    }
}

QVariant FailureTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array kKeys{"status", "count", "reason", "pattern", "first_workload", "workloads", "solutions", "definitions"};
    static_assert(kKeys.size() == ColumnCount);
    if (role == kColumnKeyRole)
        return QString::fromLatin1(kKeys[static_cast<std::size_t>(section)]);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (isCountColumn(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Count: return tr("Traces that failed this way");
        case Reason: return tr("The line that says most, of the first of these failures; what differs in numbers, addresses and folders only is the same failure");
        case Pattern: return tr("What sets the failing workloads apart from those on which the same solutions passed");
        case FirstWorkload: return tr("The failing workload with the least axes; a click shows its trace");
        default: return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case StatusColumn: return tr("Status");
    case Count: return tr("Failures");
    case Reason: return tr("Reason");
    case Pattern: return tr("Only where");
    case FirstWorkload: return tr("First workload");
    case Workloads: return tr("Workloads");
    case Solutions: return tr("Solutions");
    case Definitions: return tr("Definitions");
    default: return {};
    }
}

bool FailureTableModel::isLess(std::size_t a, std::size_t b, const SortKey& key) const
{
    const FailureGroup& left = (*m_groups)[a];
    const FailureGroup& right = (*m_groups)[b];
    const bool ascending = key.order == Qt::AscendingOrder;
    if (key.column == StatusColumn)
        return ascending ? left.status < right.status : left.status > right.status;
    if (isCountColumn(key.column))
        return ascending ? number(left, key.column) < number(right, key.column) : number(left, key.column) > number(right, key.column);
    const std::string x = text(left, key.column).toStdString();
    const std::string y = text(right, key.column).toStdString();
    if (x.empty() || y.empty())
        return !x.empty() && y.empty();
    return ascending ? naturallyLess(x, y) : naturallyLess(y, x);
}

}  // namespace tracedeck::ui
