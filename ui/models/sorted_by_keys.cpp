// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sorted_by_keys.h"

namespace tracedeck::ui {

void SortedByKeys::sortBy(const SortKeys& keys)
{
    m_keys = keys;
    // The base class turns the whole order around when it is told to descend: each key does that by itself.
    QSortFilterProxyModel::sort(keys.empty() ? -1 : keys.front().column, Qt::AscendingOrder);
    invalidate();   // the same first column does not make the base class sort again
}

bool SortedByKeys::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    for (const SortKey& key : m_keys) {
        const QModelIndex a = left.siblingAtColumn(key.column);
        const QModelIndex b = right.siblingAtColumn(key.column);
        const bool ascending = key.order == Qt::AscendingOrder;
        if (QSortFilterProxyModel::lessThan(a, b))
            return ascending;
        if (QSortFilterProxyModel::lessThan(b, a))
            return !ascending;
    }
    return false;
}

}  // namespace tracedeck::ui
