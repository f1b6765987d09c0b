// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/store/query.h"
#include "core/store/row_order.h"

namespace tracedeck {

/// For each of the rows, in their order, a key: unsigned order of the keys is the ascending order of the column, as sortTraces
/// says; equal keys mean equal values; kMissingKey stands for no value.
[[nodiscard]] std::vector<KeyedRow> columnKeys(const Dataset& dataset, const RowIndex& rows, TraceColumn column);
/// The same for a figure; what is NaN has no value.
[[nodiscard]] std::vector<KeyedRow> figureKeys(const Dataset& dataset, const RowIndex& rows, const TraceFigure& figure);
/// The same for one axis; workloads without it have no value.
[[nodiscard]] std::vector<KeyedRow> axisKeys(const Dataset& dataset, const RowIndex& rows, const std::string& axis);

}  // namespace tracedeck
