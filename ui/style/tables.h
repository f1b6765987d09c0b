// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace tracedeck::ui {

/// The house's table: fixed rows of 24 px, no grid, whole rows selected, headers aligned like their columns, sortable.
void setUpTable(QTableView* table);

}  // namespace tracedeck::ui
