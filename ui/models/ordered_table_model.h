// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/models/pinned_table_model.h"
#include "ui/models/sort_keys.h"

namespace tracedeck::ui {

/// A table that shows the elements of a list it doesn't own in an order of its own.
class OrderedTableModel : public PinnedTableModel, public SortsByKeys {
    Q_OBJECT
public:
    using PinnedTableModel::PinnedTableModel;

    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override { sortBy({{column, order}}); }
    /// As a layout change: persistent indexes follow their elements.
    void sortBy(const SortKeys& keys) override;
    /// Tables that show no pins have all their columns before it.
    [[nodiscard]] int firstPinColumn() const override { return columnCount(); }
    [[nodiscard]] const std::vector<std::size_t>& order() const { return m_order; }

protected:
    /// Whether element `a` comes before `b` by this key alone. What has no value comes last in either direction.
    [[nodiscard]] virtual bool isLess(std::size_t a, std::size_t b, const SortKey& key) const = 0;
    /// Shows this many elements, sorted by the keys there are. Within a reset of the model.
    void showElements(std::size_t count);
    /// The same for some of them, by number.
    void showElements(std::vector<std::size_t> elements);
    /// The elements that are shown in another order, as a layout change.
    void reorder(std::vector<std::size_t> order);
    /// Sorts again after the elements changed.
    void sortAgain() { sortBy(SortKeys(m_keys)); }

    SortKeys m_keys;
    std::vector<std::size_t> m_order;   ///< element of each row

private:
    void sortOrder();
};

}  // namespace tracedeck::ui
