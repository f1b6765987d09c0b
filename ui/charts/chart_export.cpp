// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <memory>
#include <optional>

#include "core/io/trace_writer.h"
#include "ui/charts/latency_chart.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// A chart of its own with the same content and view, so that the one on screen does not change.
void copyView(const LatencyChart& from, const QString& title, const QSize& size, LatencyChart& to)
{
    to.resize(size);
    to.setContent(from.content());
    to.setHidden(from.hidden());
    to.setNotes(from.notes());
    to.setLogarithmic(from.xAxis->scaleType() == QCPAxis::stLogarithmic, from.yAxis->scaleType() == QCPAxis::stLogarithmic);
    to.xAxis->setRange(from.xAxis->range());
    to.yAxis->setRange(from.yAxis->range());
    to.addTitleAndLegend(title);
}

Error cannotDraw(const QString& path)
{
    return {ErrorCode::Io, "the picture could not be drawn; try a smaller window or another format", path.toStdString(), 0, {}};
}

/// Draws into a vector form: svg, or else pdf. False when nothing can be drawn there.
bool drawVectors(const QString& suffix, QBuffer& buffer, const QString& title, const QSize& size, const std::function<void(QCPPainter&)>& paint)
{
    constexpr int kDotsPerInch = 96;
    QCPPainter painter;
    QSvgGenerator generator;
    std::optional<QPdfWriter> writer;
    if (suffix == QLatin1String("svg")) {
        generator.setOutputDevice(&buffer);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(0, 0), size));
        generator.setTitle(title);
        if (!painter.begin(&generator)) {
            return false;
        }
    } else {
        writer.emplace(&buffer);
        writer->setResolution(kDotsPerInch);
        writer->setPageSize(QPageSize(QSizeF(size) / kDotsPerInch, QPageSize::Inch));
        writer->setPageMargins(QMarginsF());
        writer->setTitle(title);
        if (!painter.begin(&*writer)) {
            return false;
        }
    }
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    paint(painter);
    painter.end();
    return true;
}

Result<void> writeForm(const QString& title, const QSize& size, const QString& path, const std::function<QImage()>& draw,
                       const std::function<void(QCPPainter&)>& paint)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (suffix == QLatin1String("png")) {
        if (!draw().save(&buffer, "PNG")) {
            return cannotDraw(path);
        }
    } else if (suffix == QLatin1String("svg") || suffix == QLatin1String("pdf")) {
        if (!drawVectors(suffix, buffer, title, size, paint)) {
            return cannotDraw(path);
        }
    } else {
        return Error{ErrorCode::Usage, "pictures are written as .png, .svg or .pdf; give the file one of these endings", path.toStdString(), 0, {}};
    }
    buffer.close();
    return writeFileAtomically(path.toStdString(), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

/// Of the pixels of a png.
constexpr double kSharpness = 2;

}  // namespace

Result<void> writeChartPicture(const LatencyChart& chart, const QString& title, const QSize& size, const QString& path)
{
    LatencyChart copy;
    copyView(chart, title, size, copy);
    return writePlotPicture(copy, title, size, path);
}

Result<void> writeChartPictures(const std::vector<TitledChart>& charts, const QSize& size, const QString& path)
{
    if (charts.size() == 1) {
        return writeChartPicture(*charts.front().chart, charts.front().title, size, path);
    }
    constexpr int kColumns = 2;
    std::vector<std::unique_ptr<LatencyChart>> copies;
    for (const TitledChart& one : charts) {
        copies.push_back(std::make_unique<LatencyChart>());
        copyView(*one.chart, one.title, size, *copies.back());
    }
    const auto cornerOf = [&size](std::size_t i) { return QPoint(static_cast<int>(i % kColumns) * size.width(), static_cast<int>(i / kColumns) * size.height()); };
    const int rows = (static_cast<int>(charts.size()) + kColumns - 1) / kColumns;
    const QSize whole(kColumns * size.width(), rows * size.height());
    const auto draw = [&] {
        QImage image(whole * kSharpness, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(kSharpness);
        image.fill(themeColors().base);
        QPainter painter(&image);
        for (std::size_t i = 0; i < copies.size(); ++i) {
            painter.drawPixmap(cornerOf(i), copies[i]->toPixmap(size.width(), size.height(), kSharpness));
        }
        return image;
    };
    return writeForm(charts.front().title, whole, path, draw, [&](QCPPainter& painter) {
        for (std::size_t i = 0; i < copies.size(); ++i) {
            painter.save();
            painter.translate(cornerOf(i));
            copies[i]->toPainter(&painter, size.width(), size.height());
            painter.restore();
        }
    });
}

Result<void> writePlotPicture(QCustomPlot& plot, const QString& title, const QSize& size, const QString& path)
{
    return writeForm(
        title, size, path, [&] { return plot.toPixmap(size.width(), size.height(), kSharpness).toImage(); },
        [&](QCPPainter& painter) { plot.toPainter(&painter, size.width(), size.height()); });
}

Result<void> writePainting(const std::function<void(QPainter&)>& paint, const QString& title, const QSize& size, const QString& path)
{
    const auto draw = [&] {
        QImage image(size * kSharpness, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(kSharpness);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paint(painter);
        return image;
    };
    return writeForm(title, size, path, draw, [&](QCPPainter& painter) { paint(painter); });
}

}  // namespace tracedeck::ui
