// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sort_keys.h"

#include <algorithm>

namespace tracedeck::ui {

SortKeys keysAfterClick(SortKeys keys, int column, bool adds)
{
    constexpr std::size_t kMostKeys = 4;
    const auto turned = [](Qt::SortOrder order) { return order == Qt::AscendingOrder ? Qt::DescendingOrder : Qt::AscendingOrder; };
    const auto found = std::find_if(keys.begin(), keys.end(), [column](const SortKey& key) { return key.column == column; });
    if (found != keys.end() && adds) {
        found->order = turned(found->order);
        return keys;
    }
    if (!adds)
        return {{column, found == keys.begin() && !keys.empty() ? turned(found->order) : Qt::AscendingOrder}};
    if (keys.size() == kMostKeys)
        keys.pop_back();   // never the one that was clicked
    keys.push_back({column, Qt::AscendingOrder});
    return keys;
}

}  // namespace tracedeck::ui
