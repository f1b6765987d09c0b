// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/name_box.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>

#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kPreferredLetters = 34;
constexpr int kLeastLetters = 12;

}  // namespace

NameBox::NameBox(const QString& tip, QWidget* parent) : QComboBox(parent), m_tip(tip)
{
    setSizeAdjustPolicy(AdjustToContents);
    setToolTip(plainToolTip(tip));
    view()->setTextElideMode(Qt::ElideMiddle);
}

void NameBox::addName(const QString& name)
{
    addItem(visibleText(name), name);
    setItemData(count() - 1, plainToolTip(name), Qt::ToolTipRole);
}

QSize NameBox::bounded(QSize size, int letters) const
{
    size.setWidth(std::min(size.width(), letters * fontMetrics().averageCharWidth()));
    return size;
}

// The style elides a text that only just fits.
QSize NameBox::sizeHint() const { return bounded(QComboBox::sizeHint() + QSize(Space::kNormal, 0), kPreferredLetters); }
QSize NameBox::minimumSizeHint() const { return bounded(QComboBox::minimumSizeHint(), kLeastLetters); }

bool NameBox::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const QString tip = currentText().isEmpty() ? m_tip : QStringLiteral("%1\n%2").arg(m_tip, currentText());
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), plainToolTip(tip), this);
        return true;
    }
    return QComboBox::event(event);
}

}  // namespace tracedeck::ui
