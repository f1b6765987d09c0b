// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>

#include "core/io/trace_writer.h"
#include "ui/charts/latency_chart.h"

namespace tracedeck::ui {
namespace {

/// A chart of its own with the same content and view, so that the one on screen does not change.
void copyView(const LatencyChart& from, const QString& title, const QSize& size, LatencyChart& to)
{
    to.resize(size);
    to.setContent(from.content());
    to.setHidden(from.hidden());
    to.setLogarithmic(from.xAxis->scaleType() == QCPAxis::stLogarithmic, from.yAxis->scaleType() == QCPAxis::stLogarithmic);
    to.xAxis->setRange(from.xAxis->range());
    to.yAxis->setRange(from.yAxis->range());
    to.addTitleAndLegend(title);
}

Error cannotDraw(const QString& path)
{
    return {ErrorCode::Io, "the picture could not be drawn; try a smaller window or another format", path.toStdString(), 0, {}};
}

}  // namespace

Result<void> writeChartPicture(const LatencyChart& chart, const QString& title, const QSize& size, const QString& path)
{
    LatencyChart copy;
    copyView(chart, title, size, copy);
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (suffix == QLatin1String("png")) {
        if (!copy.toPixmap(size.width(), size.height(), 2.0).save(&buffer, "PNG")) {
            return cannotDraw(path);
        }
    } else if (suffix == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(0, 0), size));
        generator.setTitle(title);
        QCPPainter painter;
        if (!painter.begin(&generator)) {
            return cannotDraw(path);
        }
        painter.setMode(QCPPainter::pmVectorized);
        painter.setMode(QCPPainter::pmNoCaching);
        copy.toPainter(&painter, size.width(), size.height());
        painter.end();
    } else if (suffix == QLatin1String("pdf")) {
        QPdfWriter writer(&buffer);
        constexpr int kDotsPerInch = 96;
        writer.setResolution(kDotsPerInch);
        writer.setPageSize(QPageSize(QSizeF(size) / kDotsPerInch, QPageSize::Inch));
        writer.setPageMargins(QMarginsF());
        writer.setTitle(title);
        QCPPainter painter;
        if (!painter.begin(&writer)) {
            return cannotDraw(path);
        }
        painter.setMode(QCPPainter::pmVectorized);
        painter.setMode(QCPPainter::pmNoCaching);
        copy.toPainter(&painter, size.width(), size.height());
        painter.end();
    } else {
        return Error{ErrorCode::Usage, "pictures are written as .png, .svg or .pdf; give the file one of these endings", path.toStdString(), 0, {}};
    }
    buffer.close();
    return writeFileAtomically(path.toStdString(), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace tracedeck::ui
