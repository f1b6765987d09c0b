// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

#include "ui/models/sort_keys.h"

namespace tracedeck::ui {

/// Sorts another model of few rows by several columns, by the values of its sort role.
class SortedByKeys : public QSortFilterProxyModel, public SortsByKeys {
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override { sortBy({{column, order}}); }
    void sortBy(const SortKeys& keys) override;

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    SortKeys m_keys;
};

}  // namespace tracedeck::ui
