// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>
#include <vector>

namespace tracedeck::ui {

/// One of the columns that a table is sorted by.
struct SortKey {
    int column = 0;
    Qt::SortOrder order = Qt::AscendingOrder;

    bool operator==(const SortKey&) const = default;
};
/// The first one counts most.
using SortKeys = std::vector<SortKey>;

/// What a click on a column's header makes of the keys. A plain click sorts by that column alone; with `adds` it decides between
/// rows that are equal so far. A key that is clicked again turns around. At most four keys stay.
[[nodiscard]] SortKeys keysAfterClick(SortKeys keys, int column, bool adds);

/// A model that sorts itself by several columns.
class SortsByKeys {
public:
    virtual ~SortsByKeys() = default;
    virtual void sortBy(const SortKeys& keys) = 0;

protected:
    SortsByKeys() = default;
    SortsByKeys(const SortsByKeys&) = default;
    SortsByKeys& operator=(const SortsByKeys&) = default;
};

}  // namespace tracedeck::ui
