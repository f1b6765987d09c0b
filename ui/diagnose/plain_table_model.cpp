// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnose/plain_table_model.h"

#include <QApplication>
#include <QClipboard>
#include <QItemSelectionModel>
#include <QPainter>
#include <QShortcut>
#include <QTableView>
#include <algorithm>

#include "ui/style/tables.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {

PlainTableModel::PlainTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void PlainTableModel::setColumns(std::vector<Column> columns)
{
    beginResetModel();
    m_columns = std::move(columns);
    m_rows.clear();
    endResetModel();
}

void PlainTableModel::setRows(std::vector<std::vector<PlainCell>> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int PlainTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
int PlainTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_columns.size()); }

QVariant PlainTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const auto& row = m_rows[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    const PlainCell cell = column < row.size() ? row[column] : PlainCell{};
    switch (role) {
    case Qt::DisplayRole: return visibleText(cell.text);
    case Qt::ToolTipRole: return plainToolTip(visibleLines(cell.tip.isEmpty() ? cell.text : cell.tip));
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (m_columns[column].isNumber ? Qt::AlignRight : Qt::AlignLeft)));
    case Qt::FontRole: return monospacedFont();
    case BarFromRole: return cell.barFrom;
    case BarToRole: return cell.barTo;
    default: return {};
    }
}

QVariant PlainTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column& column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return column.title;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (column.isNumber ? Qt::AlignRight : Qt::AlignLeft)));
    return {};
}

QString PlainTableModel::textOf(const QModelIndexList& rows, bool exact) const
{
    QStringList lines;
    QModelIndexList sorted = rows;
    std::sort(sorted.begin(), sorted.end(), [](const QModelIndex& one, const QModelIndex& other) { return one.row() < other.row(); });
    for (const QModelIndex& index : sorted) {
        QStringList cells;
        for (const PlainCell& cell : m_rows[static_cast<std::size_t>(index.row())])
            cells << visibleText(exact && !cell.exact.isEmpty() ? cell.exact : cell.text);
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

void SpanDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem empty = option;
    initStyleOption(&empty, index);
    empty.text.clear();
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &empty, painter, option.widget);
    const double from = index.data(PlainTableModel::BarFromRole).toDouble();
    const double to = index.data(PlainTableModel::BarToRole).toDouble();
    if (to < from)
        return;
    const QRectF area = QRectF(option.rect).adjusted(Space::kTight, Space::kTight, -Space::kTight, -Space::kTight);
    // What is there can be seen, however short it is.
    painter->fillRect(QRectF(area.left() + from * area.width(), area.top(), std::max(1.5, (to - from) * area.width()), area.height()),
                      option.state & QStyle::State_Selected ? themeColors().textOnAccent : themeColors().accent);
}

QTableView* makePlainTable(PlainTableModel* model, const QString& name, const QString& accessibleName, QWidget* parent)
{
    auto* table = new QTableView(parent);
    table->setObjectName(name);
    table->setAccessibleName(accessibleName);
    table->setModel(model);
    setUpTable(table);
    table->setSortingEnabled(false);
    table->setTextElideMode(Qt::ElideMiddle);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    for (const bool exact : {false, true}) {
        auto* shortcut = new QShortcut(exact ? QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C) : QKeySequence(QKeySequence::Copy), table);
        shortcut->setContext(Qt::WidgetShortcut);
        QObject::connect(shortcut, &QShortcut::activated, table, [table, model, exact] {
            QApplication::clipboard()->setText(model->textOf(table->selectionModel()->selectedRows(), exact));
        });
    }
    return table;
}

}  // namespace tracedeck::ui
