// SPDX-License-Identifier: GPL-3.0-or-later
// Words that the user wrote at places of a latency chart.
#include <QContextMenuEvent>
#include <QMenu>
#include <utility>

#include "ui/charts/latency_chart.h"
#include "ui/style/icons.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kNoteGap = 14;      ///< pixels between a note and its place
constexpr int kNoteRoom = 40;     ///< pixels above it that a note needs
constexpr double kNoteDot = 5;
constexpr qsizetype kShownNote = 60;

}  // namespace

void LatencyChart::setNotes(const QList<ChartNote>& notes)
{
    m_notes = notes;
    buildNotes();
    replot(QCustomPlot::rpQueuedReplot);
}

void LatencyChart::buildNotes()
{
    for (const DrawnNote& drawn : std::exchange(m_drawnNotes, {})) {
        removeItem(drawn.text);
        removeItem(drawn.line);
    }
    for (const ChartNote& note : m_notes) {
        DrawnNote drawn;
        drawn.text = new QCPItemText(this);
        drawn.text->setText(shortened(visibleText(note.text), kShownNote));
        drawn.text->setPadding(QMargins(4, 2, 4, 2));
        drawn.line = new QCPItemLine(this);
        drawn.line->start->setType(QCPItemPosition::ptPlotCoords);
        drawn.line->start->setCoords(note.x, note.y);
        drawn.line->setTail(QCPLineEnding(QCPLineEnding::esDisc, kNoteDot, kNoteDot));
        drawn.text->position->setType(QCPItemPosition::ptAbsolute);
        drawn.text->position->setParentAnchor(drawn.line->start);
        m_drawnNotes.append(drawn);
    }
    styleNotes();
    placeNotes();
}

/// Words stand on the side that has room.
void LatencyChart::placeNotes()
{
    for (const DrawnNote& drawn : m_drawnNotes) {
        const bool isRight = drawn.line->start->pixelPosition().x() > axisRect()->center().x();
        const bool isHigh = drawn.line->start->pixelPosition().y() < axisRect()->top() + kNoteRoom;
        drawn.text->setPositionAlignment((isRight ? Qt::AlignRight : Qt::AlignLeft) | (isHigh ? Qt::AlignTop : Qt::AlignBottom));
        drawn.text->position->setCoords(isRight ? -kNoteGap : kNoteGap, isHigh ? kNoteGap : -kNoteGap);
        drawn.line->end->setParentAnchor(isHigh ? (isRight ? drawn.text->topRight : drawn.text->topLeft) : (isRight ? drawn.text->bottomRight : drawn.text->bottomLeft));
        drawn.line->end->setCoords(0, 0);
    }
}

void LatencyChart::styleNotes()
{
    const ThemeColors& theme = themeColors();
    for (const DrawnNote& drawn : m_drawnNotes) {
        drawn.text->setColor(theme.text);
        drawn.text->setFont(font());
        drawn.text->setBrush(theme.chip);
        drawn.text->setPen(QPen(theme.line, 1));
        drawn.line->setPen(QPen(theme.muted, 1));
    }
}

int LatencyChart::noteAt(const QPointF& position) const
{
    for (qsizetype i = 0; i < m_drawnNotes.size(); ++i) {
        const double distance = m_drawnNotes.at(i).text->selectTest(position, false);
        if (distance >= 0 && distance < selectionTolerance())
            return static_cast<int>(i);
    }
    return -1;
}

QPointF LatencyChart::pointedPlace() const
{
    if (m_hit)
        return {xAxis->pixelToCoord(m_hit->position.x()), yAxis->pixelToCoord(m_hit->position.y())};
    const QPoint centre = axisRect()->center();
    return {xAxis->pixelToCoord(centre.x()), yAxis->pixelToCoord(centre.y())};
}

void LatencyChart::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_content.series.empty())
        return;
    const QPointF position(event->pos());
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("chartMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const auto hit = hitAt(position);
    if (hit) {
        const quint32 row = m_content.series[hit->series].points[hit->point].row;
        menu->addAction(icon(QStringLiteral("details")), tr("Show the &trace"), this, [this, row] { emit tracePicked(row); });
        menu->addAction(tr("&Mark or unmark it"), this, [this, row] { emit markToggled(row); })->setToolTip(tr("Select its trace in the tables, too (Space; Ctrl+drag marks a box)"));
        menu->addSeparator();
    }
    const QPointF place = hit ? hit->position : position;
    menu->addAction(tr("&Write a note here…"), this, [this, place] { emit noteWanted(xAxis->pixelToCoord(place.x()), yAxis->pixelToCoord(place.y())); })
        ->setToolTip(tr("A few words at this place, kept with the chart"));
    if (const int note = event->reason() == QContextMenuEvent::Mouse ? noteAt(position) : -1; note >= 0)
        menu->addAction(tr("&Remove this note"), this, [this, note] {
            QList<ChartNote> notes = m_notes;
            notes.removeAt(note);
            emit notesEdited(notes);
        });
    else if (!m_notes.isEmpty())
        menu->addAction(tr("Remove &all notes"), this, [this] { emit notesEdited({}); });
    menu->popup(event->globalPos());
}

}  // namespace tracedeck::ui
