// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/ordered_table_model.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracedeck::ui {

void OrderedTableModel::sortOrder()
{
    std::stable_sort(m_order.begin(), m_order.end(), [this](std::size_t a, std::size_t b) {
        for (const SortKey& key : m_keys) {
            if (key.column < 0 || key.column >= columnCount())
                continue;   // the columns became fewer
            if (isLess(a, b, key))
                return true;
            if (isLess(b, a, key))
                return false;
        }
        return false;
    });
}

void OrderedTableModel::showElements(std::size_t count)
{
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    showElements(std::move(all));
}

void OrderedTableModel::showElements(std::vector<std::size_t> elements)
{
    m_order = std::move(elements);
    sortOrder();
}

void OrderedTableModel::sortBy(const SortKeys& keys)
{
    m_keys = keys;
    if (m_order.empty())
        return;
    const std::vector<std::size_t> old = m_order;
    sortOrder();
    reorder(std::exchange(m_order, old));
}

void OrderedTableModel::reorder(std::vector<std::size_t> order)
{
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const std::vector<std::size_t> old = std::exchange(m_order, std::move(order));
    std::vector<int> rowOfElement(*std::max_element(m_order.begin(), m_order.end()) + 1);
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
