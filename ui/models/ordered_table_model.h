// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <vector>

namespace tracedeck::ui {

/// A table that shows the elements of a list it doesn't own in an order of its own.
class OrderedTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

protected:
    /// Lets `sortOrder` permute m_order as a layout change: persistent indexes follow their elements.
    void reorder(const std::function<void()>& sortOrder);

    std::vector<std::size_t> m_order;   ///< element of each row
};

}  // namespace tracedeck::ui
