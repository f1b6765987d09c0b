// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace tracedeck::ui {

/// Draws a number with a quiet bar behind it whose length is a share of the cell (a role with 0…1), decimal points below
/// each other.
class BarDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    BarDelegate(int shareRole, int decimals, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    int m_shareRole;
    int m_decimals;
};

}  // namespace tracedeck::ui
