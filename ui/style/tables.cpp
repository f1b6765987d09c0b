// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/tables.h"

#include <QHeaderView>
#include <QTableView>
#include <algorithm>

#include "ui/style/theme.h"

namespace tracedeck::ui {

void setUpTable(QTableView* table)
{
    table->setWordWrap(false);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setFrameShape(QFrame::NoFrame);
    table->setTabKeyNavigation(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    // Rows are never measured: a fixed height costs nothing, whatever the number of rows.
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(std::max(kRowHeight, table->fontMetrics().height() + Space::kNormal));
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    table->setSortingEnabled(true);
}

}  // namespace tracedeck::ui
