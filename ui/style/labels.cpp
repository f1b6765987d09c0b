// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/labels.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {

MutedLabel::MutedLabel(const QString& text, QWidget* parent) : QLabel(text, parent)
{
    setTextFormat(Qt::PlainText);
    updateColor();
}

void MutedLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_updating)
        updateColor();
}

void MutedLabel::updateColor()
{
    // Setting the own palette sends PaletteChange again.
    m_updating = true;
    QPalette colors;
    colors.setColor(QPalette::WindowText, m_muted ? themeColors().muted : themeColors().text);
    setPalette(colors);
    m_updating = false;
}

void MutedLabel::setMuted(bool muted)
{
    m_muted = muted;
    updateColor();
}

WrappedLabel::WrappedLabel(QWidget* parent) : MutedLabel(QString(), parent)
{
    setMuted(false);
    setWordWrap(true);
}

void WrappedLabel::setText(const QString& text) { QLabel::setText(breakable(visibleLines(text))); }

QSize WrappedLabel::minimumSizeHint() const
{
    constexpr int kLetters = 12;
    const QSize size = MutedLabel::minimumSizeHint();
    return {std::min(size.width(), kLetters * fontMetrics().averageCharWidth()), size.height()};
}

ElidedLabel::ElidedLabel(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

void ElidedLabel::setText(const QString& text)
{
    if (text == m_text)
        return;
    m_text = text;
    m_shown = visibleText(QString(text).replace(QLatin1Char('\n'), QLatin1Char(' ')));
    setAccessibleName(m_shown);
    setToolTip(plainToolTip(text));
    updateGeometry();
    update();
}

void ElidedLabel::setMuted(bool muted)
{
    m_muted = muted;
    update();
}

QSize ElidedLabel::sizeHint() const { return {fontMetrics().horizontalAdvance(m_shown) + 1, fontMetrics().height()}; }
QSize ElidedLabel::minimumSizeHint() const { return {fontMetrics().height() * 2, fontMetrics().height()}; }

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(m_muted ? themeColors().muted : palette().color(QPalette::WindowText));
    painter.drawText(contentsRect(), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, fontMetrics().elidedText(m_shown, m_mode, contentsRect().width()));
}

QFont headingFont()
{
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * 1.35);
    font.setWeight(QFont::DemiBold);
    return font;
}

}  // namespace tracedeck::ui
