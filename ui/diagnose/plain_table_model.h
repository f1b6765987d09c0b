// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QColor>
#include <QStyledItemDelegate>
#include <vector>

class QTableView;

namespace tracedeck::ui {

/// One cell of a finished table.
struct PlainCell {
    QString text = {};
    QString tip = {};        ///< plain text; empty: the text itself, where it has no room
    double barFrom = 0;      ///< a bar from here …
    double barTo = -1;       ///< … to here, shares of the cell; none when it ends before it begins
    QString exact = {};      ///< what Ctrl+Shift+C copies; empty: the text
};

/// A table that is filled once, with what a look at a solution found. Texts are shown so that no name can act on what stands beside it.
class PlainTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    struct Column {
        QString title;
        bool isNumber = false;
    };
    enum Role { BarFromRole = Qt::UserRole, BarToRole };

    explicit PlainTableModel(QObject* parent = nullptr);
    void setColumns(std::vector<Column> columns);
    void setRows(std::vector<std::vector<PlainCell>> rows);
    [[nodiscard]] const std::vector<std::vector<PlainCell>>& rows() const { return m_rows; }
    /// Tab separated, one line a row; `exact`: with every digit.
    [[nodiscard]] QString textOf(const QModelIndexList& rows, bool exact) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<PlainCell>> m_rows;
};

/// Draws a cell's bar in place of its text.
class SpanDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// A house table with a PlainTableModel, whose rows can be copied.
[[nodiscard]] QTableView* makePlainTable(PlainTableModel* model, const QString& name, const QString& accessibleName, QWidget* parent);

}  // namespace tracedeck::ui
