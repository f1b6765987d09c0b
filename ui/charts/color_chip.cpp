// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/color_chip.h"

#include <QPainter>
#include <QPixmap>

#include "ui/style/series_colors.h"

namespace tracedeck::ui {
namespace {

constexpr int kSize = 16;
constexpr QRectF kSquare(3, 3, 10, 10);

QIcon drawChip(const QString& entity, bool filled)
{
    QIcon chip;
    const QColor color = seriesColor(entity);
    for (const int scale : {1, 2}) {
        QPixmap pixmap(kSize * scale, kSize * scale);
        pixmap.setDevicePixelRatio(scale);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(color, 1.4, filled ? Qt::SolidLine : Qt::DotLine));
        painter.setBrush(filled ? QBrush(color) : QBrush());
        painter.drawRoundedRect(kSquare, 2.5, 2.5);
        painter.end();
        chip.addPixmap(pixmap);
    }
    return chip;
}

}  // namespace

QIcon colorChip(const QString& entity) { return drawChip(entity, true); }

QIcon emptyChip(const QString& entity) { return drawChip(entity, false); }

}  // namespace tracedeck::ui
