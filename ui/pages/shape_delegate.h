// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace tracedeck::ui {

/// Draws shapes such as `[M, K]` with one axis standing out, bold on the accent's tint.
class ShapeDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    /// Empty: none stands out.
    void setAxis(const QString& axis) { m_axis = axis; }
    [[nodiscard]] const QString& axis() const { return m_axis; }
    /// Whether the axis is one of the entries of a shape.
    [[nodiscard]] static bool hasAxis(const QString& shape, const QString& axis);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QString m_axis;
};

}  // namespace tracedeck::ui
