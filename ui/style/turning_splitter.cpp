// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/turning_splitter.h"

#include <QResizeEvent>

namespace tracedeck::ui {

TurningSplitter::TurningSplitter(int least, int first, int second, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent), m_least(least), m_first(first), m_second(second)
{
    setChildrenCollapsible(false);
    setHandleWidth(1);
}

void TurningSplitter::resizeEvent(QResizeEvent* event)
{
    const Qt::Orientation wanted = event->size().width() < m_least ? Qt::Vertical : Qt::Horizontal;
    const bool turns = wanted != orientation();
    if (turns)
        setOrientation(wanted);
    QSplitter::resizeEvent(event);
    if (!turns && m_isPlaced)
        return;
    m_isPlaced = true;
    const int whole = wanted == Qt::Vertical ? event->size().height() : event->size().width();
    setSizes({whole * m_first / (m_first + m_second), whole * m_second / (m_first + m_second)});
}

}  // namespace tracedeck::ui
