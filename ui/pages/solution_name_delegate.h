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

}  // namespace tracedeck::ui
