// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace tracedeck::ui {

/// Draws numbers right-aligned with their decimal points below each other: what a number lacks in decimals is filled
/// with figure spaces. Needs a font with equal digits. What is copied stays as the model has it.
class NumberDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    /// Room for `decimals` digits after the point.
    NumberDelegate(int decimals, QObject* parent);

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    int m_decimals;
};

}  // namespace tracedeck::ui
