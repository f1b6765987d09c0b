// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/facts_table.h"

#include <QEvent>
#include <QFocusEvent>
#include <QHeaderView>
#include <QMouseEvent>
#include <algorithm>
#include <utility>

#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Letters of a column before the last one, so that a long name leaves room for what follows.
constexpr int kWidestCell = 22;

}  // namespace

FactsTable::FactsTable(const QString& accessibleName, QWidget* parent) : QTableWidget(parent)
{
    setAccessibleName(accessibleName);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setWordWrap(false);
    setEditTriggers(NoEditTriggers);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setTabKeyNavigation(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);   // what is cut is in the tool tip
    setVerticalScrollMode(ScrollPerPixel);
    horizontalHeader()->hide();
    verticalHeader()->hide();
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setMinimumSectionSize(16);
    verticalHeader()->setMinimumSectionSize(16);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setMouseTracking(true);
    connect(this, &QTableWidget::currentCellChanged, this, [this](int row) {
        if (hasFocus())
            pointAt(row);
    });
    updateLook();
}

void FactsTable::pointAt(int row)
{
    if (std::exchange(m_pointedAt, row) != row)
        emit factPointedAt(row);
}

void FactsTable::focusInEvent(QFocusEvent* event)
{
    QTableWidget::focusInEvent(event);
    if (event->reason() != Qt::MouseFocusReason)
        pointAt(currentRow());
}

void FactsTable::focusOutEvent(QFocusEvent* event)
{
    QTableWidget::focusOutEvent(event);
    pointAt(-1);
}

void FactsTable::mouseMoveEvent(QMouseEvent* event)
{
    QTableWidget::mouseMoveEvent(event);
    pointAt(rowAt(event->position().toPoint().y()));
}

bool FactsTable::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        pointAt(hasFocus() ? currentRow() : -1);
    return QTableWidget::viewportEvent(event);
}

void FactsTable::setFacts(const QList<Fact>& facts)
{
    pointAt(-1);
    m_facts = facts;
    int columns = 1;
    for (const Fact& fact : facts)
        columns = std::max(columns, static_cast<int>(fact.cells.size()));
    clear();
    clearSpans();
    setColumnCount(columns);
    setRowCount(static_cast<int>(facts.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const Fact& fact = facts[row];
        for (int column = 0; column < fact.cells.size(); ++column) {
            auto* cell = new QTableWidgetItem(visibleText(fact.cells[column]));
            cell->setToolTip(plainToolTip(fact.toolTip.isEmpty() ? fact.cells[column] : fact.toolTip));
            setItem(row, column, cell);
        }
        if (fact.spans && columns > 1)
            setSpan(row, 0, 1, columns);
    }
    updateLook();
    for (int column = 0; column + 1 < columns; ++column) {
        int width = 0;
        for (int row = 0; row < rowCount(); ++row)
            if (const QTableWidgetItem* cell = item(row, column); cell && !m_facts[row].spans)
                width = std::max(width, QFontMetrics(monospacedFont()).horizontalAdvance(cell->text()));
        setColumnWidth(column, std::min(width, kWidestCell * fontMetrics().averageCharWidth()) + 2 * Space::kNormal);
    }
    m_nameWidth = columnWidth(0);
    shareWidth();
    updateGeometry();
}

void FactsTable::resizeEvent(QResizeEvent* event)
{
    QTableWidget::resizeEvent(event);
    shareWidth();
}

/// Of a name and a short value the value stays in sight: the name is the one that can be elided.
void FactsTable::shareWidth()
{
    if (columnCount() != 2)
        return;
    int value = 0;
    for (int row = 0; row < rowCount(); ++row)
        if (const QTableWidgetItem* cell = item(row, 1))
            value = std::max(value, QFontMetrics(monospacedFont()).horizontalAdvance(cell->text()));
    const int left = viewport()->width() - std::min(value + 2 * Space::kNormal, viewport()->width() / 2);
    setColumnWidth(0, std::min(m_nameWidth, left));
}

QSize FactsTable::sizeHint() const
{
    int width = m_nameWidth;
    for (int column = 1; column + 1 < columnCount(); ++column)
        width += columnWidth(column);
    int last = 0;
    for (int row = 0; row < rowCount(); ++row)
        if (const QTableWidgetItem* cell = item(row, columnCount() - 1))
            last = std::max(last, QFontMetrics(monospacedFont()).horizontalAdvance(cell->text()));
    const int height = rowCount() * verticalHeader()->defaultSectionSize();
    return {width + last + 2 * Space::kPage, height + 2};
}

QSize FactsTable::minimumSizeHint() const { return {120, std::min(rowCount(), 3) * verticalHeader()->defaultSectionSize()}; }

void FactsTable::changeEvent(QEvent* event)
{
    QTableWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        updateLook();
}

void FactsTable::updateLook()
{
    const QFont font = monospacedFont();
    verticalHeader()->setDefaultSectionSize(QFontMetrics(font).height() + Space::kTight);
    for (int row = 0; row < rowCount(); ++row)
        for (int column = 0; column < columnCount(); ++column)
            if (QTableWidgetItem* cell = item(row, column)) {
                cell->setFont(font);
                const bool muted = m_facts[row].spans || column > 0;
                cell->setForeground(muted ? themeColors().muted : themeColors().text);
            }
}

}  // namespace tracedeck::ui
