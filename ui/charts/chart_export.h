// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>

#include "core/model/result.h"

namespace tracedeck::ui {

class LatencyChart;

/// Writes what a chart shows (range, scales, lines switched on) with a title and a legend. The form follows the file's
/// suffix: png (twice the size, for sharp text), svg or pdf. The file is replaced as a whole or not at all.
[[nodiscard]] Result<void> writeChartPicture(const LatencyChart& chart, const QString& title, const QSize& size, const QString& path);

}  // namespace tracedeck::ui
