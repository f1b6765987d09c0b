// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <functional>
#include <vector>

#include "core/model/result.h"

class QCustomPlot;
class QPainter;

namespace tracedeck::ui {

class LatencyChart;

// Pictures as files. The form follows the file's suffix: png (twice the size, for sharp text), svg or pdf. The file is replaced as a whole or
// not at all.

/// Writes what a chart shows (range, scales, lines switched on) with a title and a legend.
[[nodiscard]] Result<void> writeChartPicture(const LatencyChart& chart, const QString& title, const QSize& size, const QString& path);
/// A chart and what its picture is to be called.
struct TitledChart {
    const LatencyChart* chart = nullptr;
    QString title;
};
/// The same for several charts of one size, two beside each other.
[[nodiscard]] Result<void> writeChartPictures(const std::vector<TitledChart>& charts, const QSize& size, const QString& path);
/// Writes a plot that nobody sees as it is; `title` is for the file's own description.
[[nodiscard]] Result<void> writePlotPicture(QCustomPlot& plot, const QString& title, const QSize& size, const QString& path);
/// Writes what `paint` draws into (0, 0, width, height) of a painter.
[[nodiscard]] Result<void> writePainting(const std::function<void(QPainter&)>& paint, const QString& title, const QSize& size, const QString& path);

}  // namespace tracedeck::ui
