// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

#include "ui/models/sort_keys.h"

namespace tracedeck::ui {

/// The header of a table that can be sorted by several columns: each of them shows its place among the keys and its direction.
class SortHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit SortHeader(QWidget* parent);

    /// Shows these keys; does not sort.
    void setKeys(const SortKeys& keys);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;

private:
    SortKeys m_keys;
};

}  // namespace tracedeck::ui
