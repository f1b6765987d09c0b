// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace tracedeck::ui {

/// Draws a solution's name; where the column is too narrow for it, the definition's name in it goes first (it stands in the
/// same row or in the page's title), so that what tells solutions apart stays readable. Copies are whole.
class SolutionNameDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    /// `definitionColumn`: the model's column with the name of the definition.
    SolutionNameDelegate(int definitionColumn, QObject* parent);

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    int m_definitionColumn;
};

/// Draws the names of the dataset tree; where there is no room, what the entry above says already goes first: the op_type in the
/// name of a definition, the definition's name in that of a solution.
class TreeNameDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace tracedeck::ui
