// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/problem_tree_model.h"

#include <QFont>
#include <QHash>
#include <algorithm>

#include "ui/models/number_format.h"
#include "ui/style/icons.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {

ProblemTreeModel::ProblemTreeModel(QObject* parent) : QAbstractItemModel(parent) { refreshLooks(); }

void ProblemTreeModel::setItems(std::vector<ProblemItem> items)
{
    beginResetModel();
    m_items = std::move(items);
    regroup();
    endResetModel();
}

void ProblemTreeModel::setGrouping(Grouping grouping)
{
    if (grouping == m_grouping)
        return;
    beginResetModel();
    m_grouping = grouping;
    regroup();
    endResetModel();
}

void ProblemTreeModel::regroup()
{
    m_groups.clear();
    QHash<QString, std::size_t> groupOf;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const ProblemItem& item = m_items[i];
        const QString title = m_grouping == Grouping::Outcome ? item.outcome
                              : !item.file.isEmpty()          ? item.file
                              : !item.subject.isEmpty()       ? tr("definition %1").arg(item.subject)
                                                              : tr("the dataset");
        const auto found = groupOf.find(title);
        if (found == groupOf.end()) {
            groupOf.insert(title, m_groups.size());
            m_groups.push_back({title, false, {}});
        }
        Group& group = found == groupOf.end() ? m_groups.back() : m_groups[*found];
        group.items.push_back(i);
        group.hasErrors = group.hasErrors || item.level == ProblemItem::Level::Error;
    }
    // What is left out comes first; otherwise in load order.
    std::stable_partition(m_groups.begin(), m_groups.end(), [](const Group& group) { return group.hasErrors; });
    for (Group& group : m_groups)
        std::stable_sort(group.items.begin(), group.items.end(), [this](std::size_t a, std::size_t b) { return m_items[a].line < m_items[b].line; });
}

const ProblemItem* ProblemTreeModel::item(const QModelIndex& index) const
{
    if (!index.isValid() || !checkIndex(index) || isGroup(index))
        return nullptr;
    return &m_items[m_groups[index.internalId() - 1].items[static_cast<std::size_t>(index.row())]];
}

QModelIndex ProblemTreeModel::find(const ProblemItem& wanted) const
{
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        for (std::size_t row = 0; row < m_groups[g].items.size(); ++row)
            if (const ProblemItem& present = m_items[m_groups[g].items[row]];
                present.line == wanted.line && present.reason == wanted.reason && present.file == wanted.file && present.field == wanted.field)
                return createIndex(static_cast<int>(row), 0, static_cast<quintptr>(g + 1));
    return {};
}

void ProblemTreeModel::refreshLooks()
{
    m_errorIcon = icon(QStringLiteral("status-error"), statusColor(Status::RuntimeError, isDarkTheme()));
    m_warningIcon = icon(QStringLiteral("problems"), statusColor(Status::IncorrectNumerical, isDarkTheme()));
    if (m_groups.empty())
        return;
    emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::DecorationRole});
    for (int group = 0; group < rowCount(); ++group) {
        const QModelIndex parent = index(group, 0);
        emit dataChanged(index(0, 0, parent), index(rowCount(parent) - 1, 0, parent), {Qt::DecorationRole});
    }
}

QModelIndex ProblemTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row() + 1) : quintptr{0});
}

QModelIndex ProblemTreeModel::parent(const QModelIndex& child) const
{
    return !child.isValid() || isGroup(child) ? QModelIndex() : createIndex(static_cast<int>(child.internalId()) - 1, 0, quintptr{0});
}

int ProblemTreeModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_groups.size());
    return isGroup(parent) && parent.column() == 0 ? static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].items.size()) : 0;
}

int ProblemTreeModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant ProblemTreeModel::groupData(const Group& group, int column, int role) const
{
    if (column != 0)
        return {};
    switch (role) {
    case Qt::DisplayRole: return tr("%1 (%2)").arg(visibleText(group.title), countText(static_cast<qint64>(group.items.size())));
    case Qt::DecorationRole: return group.hasErrors ? m_errorIcon : m_warningIcon;
    case Qt::ToolTipRole: return plainToolTip(group.title);
    case Qt::FontRole: {
        QFont font;
        font.setBold(true);
        return font;
    }
    default: return {};
    }
}

QVariant ProblemTreeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    if (isGroup(index))
        return groupData(m_groups[static_cast<std::size_t>(index.row())], index.column(), role);
    const ProblemItem& problem = *item(index);
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case ReasonColumn: return visibleText(problem.reason);
        case OutcomeColumn: return problem.isFixable() ? tr("%1, can be fixed").arg(problem.outcome) : problem.outcome;
        case LineColumn: return problem.line > 0 ? QVariant(problem.line) : QVariant();
        case FieldColumn: return visibleText(problem.field);
        case FileColumn: return visibleText(problem.file);
        default: return {};
        }
    case Qt::DecorationRole:
        if (index.column() == ReasonColumn)
            return problem.level == ProblemItem::Level::Error ? m_errorIcon : m_warningIcon;
        return {};
    case Qt::AccessibleTextRole:
        if (index.column() == ReasonColumn)
            return tr("%1, %2").arg(problem.level == ProblemItem::Level::Error ? tr("error") : tr("warning"), visibleText(problem.text()));
        return {};
    case Qt::ToolTipRole: return plainToolTip(problem.text());
    case Qt::TextAlignmentRole:
        return index.column() == LineColumn ? QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    default: return {};
    }
}

QVariant ProblemTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment((section == LineColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case ReasonColumn: return tr("What is wrong");
    case OutcomeColumn: return tr("Outcome");
    case LineColumn: return tr("Line");
    case FieldColumn: return tr("Field");
    case FileColumn: return tr("File");
    default: return {};
    }
}

}  // namespace tracedeck::ui
