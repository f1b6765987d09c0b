// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/ordered_table_model.h"

namespace tracedeck::ui {

void OrderedTableModel::reorder(const std::function<void()>& sortOrder)
{
    if (m_order.empty())
        return;
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const std::vector<std::size_t> old = m_order;
    sortOrder();
    std::vector<int> rowOfElement(m_order.size());
    for (std::size_t row = 0; row < m_order.size(); ++row)
        rowOfElement[m_order[row]] = static_cast<int>(row);
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    after.reserve(before.size());
    for (const QModelIndex& persistent : before)
        after << index(rowOfElement[old[static_cast<std::size_t>(persistent.row())]], persistent.column());
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

}  // namespace tracedeck::ui
