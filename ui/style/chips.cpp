// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/chips.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr qreal kCornerRadius = 6;
/// Longer texts are elided: one must not push out all others.
constexpr qsizetype kLongestText = 28;
/// A chip that need not be shown whole.
constexpr qsizetype kShortText = 8;

}  // namespace

Chips::Chips(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

void Chips::setTexts(const QStringList& texts)
{
    if (texts == m_texts)
        return;
    m_texts = texts;
    m_shown.clear();
    for (const QString& text : texts)
        m_shown << shortened(visibleText(text), kLongestText);
    setAccessibleName(visibleText(texts.join(QStringLiteral(", "))));
    setToolTip(plainToolTip(texts.join(QLatin1Char('\n'))));
    updateGeometry();
    update();
}

int Chips::chipWidth(const QString& text) const { return fontMetrics().horizontalAdvance(text) + 2 * Space::kNormal; }

QSize Chips::sizeHint() const
{
    int width = 0;
    for (const QString& text : m_shown)
        width += chipWidth(text) + Space::kTight;
    return {width, fontMetrics().height() + Space::kTight};
}

QSize Chips::minimumSizeHint() const
{
    if (m_texts.isEmpty())
        return {0, sizeHint().height()};
    const int rest = m_texts.size() > 1 ? fontMetrics().horizontalAdvance(QStringLiteral("+%1").arg(m_texts.size() - 1)) + Space::kWide : 0;
    return {chipWidth(m_shown.front().left(kShortText)) + Space::kTight + rest, sizeHint().height()};
}

void Chips::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors();
    int x = 0;
    for (qsizetype i = 0; i < m_texts.size(); ++i) {
        int width = chipWidth(m_shown[i]);
        const QString rest = QStringLiteral("+%1").arg(m_texts.size() - i);
        const int roomForRest = i + 1 < m_texts.size() ? fontMetrics().horizontalAdvance(rest) + Space::kNormal : 0;
        if (i == 0 && width + roomForRest > this->width())
            width = std::max(this->width() - roomForRest, chipWidth(m_shown[0].left(kShortText)));
        painter.setPen(colors.muted);
        if (x + width + roomForRest > this->width()) {
            painter.drawText(QRect(x, 0, this->width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, rest);
            break;
        }
        const QRect chip(x, 0, width, height());
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.chip);
        painter.drawRoundedRect(chip, kCornerRadius, kCornerRadius);
        painter.setPen(colors.text);
        painter.drawText(chip, Qt::AlignCenter, fontMetrics().elidedText(m_shown[i], Qt::ElideMiddle, width - 2 * Space::kNormal + 1));
        x += width + Space::kTight;
    }
}

Card::Card(const QString& title, QWidget* parent) : QWidget(parent)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Space::kWide, Space::kNormal, Space::kNormal, Space::kNormal);
    layout->setSpacing(Space::kTight);
    layout->addWidget(new MutedLabel(title, this));
}

void Card::setContent(QWidget* content) { static_cast<QVBoxLayout*>(layout())->addWidget(content, 1); }

void Card::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(themeColors().line, 1));
    painter.setBrush(themeColors().base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kCornerRadius, kCornerRadius);
}

}  // namespace tracedeck::ui
