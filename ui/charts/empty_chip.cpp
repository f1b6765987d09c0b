// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/empty_chip.h"

#include <QPainter>
#include <QPixmap>

#include "ui/style/series_colors.h"

namespace tracedeck::ui {
namespace {

constexpr int kSize = 16;
constexpr QRectF kSquare(3.5, 3.5, 9, 9);

}  // namespace

QIcon emptyChip(const QString& entity)
{
    QIcon chip;
    for (const int scale : {1, 2}) {
        QPixmap pixmap(kSize * scale, kSize * scale);
        pixmap.setDevicePixelRatio(scale);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(seriesColor(entity), 1.2));
        painter.drawRoundedRect(kSquare, 3, 3);
        painter.end();
        chip.addPixmap(pixmap);
    }
    return chip;
}

}  // namespace tracedeck::ui
