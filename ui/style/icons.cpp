// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/icons.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QSvgRenderer>

/// A static library's resources are there only once somebody asks for them by name, outside of any namespace.
static void registerResources()
{
    static const bool registered = [] {
        Q_INIT_RESOURCE(tracedeck);
        return true;
    }();
    Q_UNUSED(registered)
}

namespace tracedeck::ui {
namespace {

/// The icons are drawn with `currentColor`, which the renderer does not know: it is replaced before parsing.
QByteArray coloured(QByteArray svg, const QColor& color)
{
    return svg.replace(QByteArrayLiteral("currentColor"), color.name(QColor::HexRgb).toLatin1());
}

class PaletteIconEngine final : public QIconEngine {
public:
    PaletteIconEngine(QString name, QByteArray svg, QColor fixedColor)
        : m_name(std::move(name)), m_svg(std::move(svg)), m_fixedColor(std::move(fixedColor))
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal scale = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
        QPixmap picture = scaledPixmap(rect.size() * scale, mode, state, scale);
        picture.setDevicePixelRatio(scale);
        painter->drawPixmap(rect, picture);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal) override
    {
        const QColor color = colorFor(mode);
        const QString key = QStringLiteral("tracedeck-icon/%1/%2/%3x%4")
                                .arg(m_name, color.name(QColor::HexArgb))
                                .arg(size.width())
                                .arg(size.height());
        QPixmap picture;
        if (QPixmapCache::find(key, &picture))
            return picture;
        picture = QPixmap(size);
        picture.fill(Qt::transparent);
        QSvgRenderer renderer(coloured(m_svg, color));
        QPainter painter(&picture);
        renderer.render(&painter, QRectF(QPointF(0, 0), QSizeF(size)));
        painter.end();
        QPixmapCache::insert(key, picture);
        return picture;
    }

    QIconEngine* clone() const override { return new PaletteIconEngine(m_name, m_svg, m_fixedColor); }
    bool isNull() override { return m_svg.isEmpty(); }
    QString iconName() override { return m_name; }

private:
    QColor colorFor(QIcon::Mode mode) const
    {
        const QPalette palette = QApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, QPalette::ButtonText);
        if (mode == QIcon::Selected)
            return palette.color(QPalette::HighlightedText);
        return m_fixedColor.isValid() ? m_fixedColor : palette.color(QPalette::ButtonText);
    }

    QString m_name;
    QByteArray m_svg;
    QColor m_fixedColor;
};

}  // namespace

QIcon icon(const QString& name) { return icon(name, QColor()); }

QIcon applicationIcon()
{
    registerResources();
    return QIcon(QStringLiteral(":/icons/tracedeck.svg"));
}

QIcon icon(const QString& name, const QColor& color)
{
    registerResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new PaletteIconEngine(name, file.readAll(), color));
}

}  // namespace tracedeck::ui
