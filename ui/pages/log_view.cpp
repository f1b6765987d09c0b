// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/log_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextLayout>
#include <QTimerEvent>
#include <algorithm>

#include "ui/models/number_format.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kDragIntervalMs = 40;
/// Rows above a match that was looked for.
constexpr int kRowsAbove = 3;
constexpr qsizetype kLongestSpoken = 200;

QColor colorOf(LogText::Color color)
{
    const bool dark = isDarkTheme();
    switch (color) {
    case LogText::Color::Red: return statusColor(Status::RuntimeError, dark);
    case LogText::Color::Green: return statusColor(Status::Passed, dark);
    case LogText::Color::Yellow: return statusColor(Status::IncorrectNumerical, dark);
    case LogText::Color::Magenta: return statusColor(Status::Timeout, dark);
    case LogText::Color::Blue:
    case LogText::Color::Cyan: return themeColors().accent;
    case LogText::Color::Plain: break;
    }
    return themeColors().text;
}

QTextLayout::FormatRange formatOf(qsizetype start, qsizetype end, const QColor& foreground, const QColor& background = {})
{
    QTextLayout::FormatRange range;
    range.start = static_cast<int>(start);
    range.length = static_cast<int>(end - start);
    if (foreground.isValid())
        range.format.setForeground(foreground);
    if (background.isValid())
        range.format.setBackground(background);
    return range;
}

}  // namespace

LogView::LogView(QWidget* parent) : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setCursor(Qt::IBeamCursor);
    viewport()->setBackgroundRole(QPalette::Base);
    const auto addAction = [this](const QString& text, const QKeySequence& keys, auto slot) {
        auto* action = new QAction(text, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, slot);
        QWidget::addAction(action);
    };
    addAction(tr("&Copy"), QKeySequence::Copy, &LogView::copy);
    addAction(tr("Copy &everything"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), &LogView::copyAll);
    addAction(tr("Select &all"), QKeySequence::SelectAll, &LogView::selectAll);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    updateMetrics();
}

void LogView::setText(std::shared_ptr<const LogText> text)
{
    m_text = std::move(text);
    m_matches.clear();
    m_cursor = m_anchor = {};
    updateMetrics();
    horizontalScrollBar()->setValue(0);
    verticalScrollBar()->setValue(0);
    updateDescription();
    viewport()->update();
}

void LogView::setMatches(std::vector<LogText::Match> matches)
{
    m_matches = std::move(matches);
    viewport()->update();
}

std::size_t LogView::matchFromCursor(bool backward) const
{
    const LogText::Place from = std::min(m_cursor, m_anchor);
    const auto isBefore = [](const LogText::Match& match, const LogText::Place& place) { return LogText::Place{match.row, match.start} < place; };
    const auto found = std::lower_bound(m_matches.begin(), m_matches.end(), from, isBefore);
    const auto index = static_cast<std::size_t>(found - m_matches.begin());
    if (m_matches.empty())
        return 0;
    if (backward)
        return index == 0 ? m_matches.size() - 1 : index - 1;
    // Standing on a match, the next one is wanted.
    const bool isOnMatch = hasSelection() && found != m_matches.end() && LogText::Place{found->row, found->start} == from;
    const std::size_t next = isOnMatch ? index + 1 : index;
    return next >= m_matches.size() ? 0 : next;
}

void LogView::showMatch(std::size_t index)
{
    const LogText::Match& match = m_matches.at(index);
    m_anchor = {match.row, match.start};
    m_cursor = {match.row, match.start + match.length};
    if (const int size = static_cast<int>(m_text->row(match.row).size()); m_cursor.column > size && match.row + 1 < m_text->rowCount())
        m_cursor = {match.row + 1, m_cursor.column - size};
    if (match.row < firstVisibleRow() || match.row >= firstVisibleRow() + visibleRows())
        verticalScrollBar()->setValue(match.row - kRowsAbove);
    revealCursor();
    updateDescription();
    viewport()->update();
}

void LogView::showLine(qint64 line)
{
    if (m_text->rowCount() == 0)
        return;
    const int row = m_text->rowOfLine(static_cast<int>(std::clamp<qint64>(line, 1, m_text->lineCount())));
    m_anchor = {row, 0};
    m_cursor = {row, static_cast<int>(m_text->row(row).size())};
    verticalScrollBar()->setValue(row - kRowsAbove);
    horizontalScrollBar()->setValue(0);
    updateDescription();
    viewport()->update();
}

QString LogView::selectedText() const { return m_text->text(m_anchor, m_cursor); }
int LogView::firstVisibleRow() const { return verticalScrollBar()->value(); }
int LogView::visibleRows() const { return std::max(1, viewport()->height() / m_rowHeight); }

void LogView::selectAll()
{
    const int last = std::max(0, m_text->rowCount() - 1);
    m_anchor = {};
    m_cursor = {last, static_cast<int>(m_text->row(last).size())};
    viewport()->update();
}

void LogView::copy() const
{
    if (hasSelection())
        QApplication::clipboard()->setText(selectedText());
}

void LogView::copyAll() const { QApplication::clipboard()->setText(QString::fromStdString(m_text->original())); }

void LogView::updateMetrics()
{
    const QFont font = monospacedFont();
    viewport()->setFont(font);
    const QFontMetrics metrics(font);
    m_rowHeight = metrics.height() + 2;
    m_columnWidth = std::max(1, metrics.horizontalAdvance(QLatin1Char('0')));
    const auto digits = QString::number(std::max(99, m_text->lineCount())).size();
    m_marginWidth = static_cast<int>(digits) * m_columnWidth + 2 * Space::kNormal;
    updateScrollBars();
}

void LogView::updateScrollBars()
{
    verticalScrollBar()->setRange(0, std::max(0, m_text->rowCount() - visibleRows()));
    verticalScrollBar()->setPageStep(visibleRows());
    verticalScrollBar()->setSingleStep(1);
    const int room = std::max(1, viewport()->width() - m_marginWidth);
    horizontalScrollBar()->setRange(0, std::max(0, m_text->columns() * m_columnWidth + Space::kNormal - room));
    horizontalScrollBar()->setPageStep(room);
    horizontalScrollBar()->setSingleStep(4 * m_columnWidth);
}

/// What a screen reader says: how long the log is, and the row with the cursor.
void LogView::updateDescription()
{
    if (m_text->rowCount() == 0) {
        setAccessibleDescription(tr("empty"));
        return;
    }
    setAccessibleDescription(tr("line %1 of %2: %3")
                                 .arg(countText(m_text->lineNumber(m_cursor.row)), countText(m_text->lineCount()),
                                      m_text->row(m_cursor.row).left(kLongestSpoken)));
}

void LogView::layOut(QTextLayout& layout, int row) const
{
    layout.setFont(viewport()->font());
    layout.setText(m_text->row(row));
    layout.setCacheEnabled(true);
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    option.setTextDirection(Qt::LeftToRight);
    layout.setTextOption(option);
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
}

void LogView::paintEvent(QPaintEvent*)
{
    const ThemeColors& colors = themeColors();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), colors.base);
    painter.setFont(viewport()->font());
    const auto [from, to] = std::minmax(m_anchor, m_cursor);
    const int first = firstVisibleRow();
    const int last = std::min(m_text->rowCount() - 1, first + visibleRows());
    const int left = m_marginWidth - horizontalScrollBar()->value();
    // A match may begin in the row above and go on in this one.
    auto match = std::lower_bound(m_matches.begin(), m_matches.end(), first - 1,
                                  [](const LogText::Match& m, int row) { return m.row < row; });
    painter.setClipRect(QRect(m_marginWidth, 0, viewport()->width() - m_marginWidth, viewport()->height()));
    qsizetype sizeBefore = first > 0 ? m_text->row(first - 1).size() : 0;
    for (int row = first; row <= last; ++row) {
        QTextLayout layout;
        layOut(layout, row);
        const qsizetype size = layout.text().size();
        QList<QTextLayout::FormatRange> formats;
        for (const LogText::Span& span : m_text->spans(row))
            formats << formatOf(span.start, span.start + span.length, colorOf(span.color));
        for (; match != m_matches.end() && match->row <= row; ++match) {
            const bool isFromAbove = match->row < row;
            const qsizetype end = isFromAbove ? match->start + match->length - sizeBefore : match->start + match->length;
            if (end > 0)
                formats << formatOf(isFromAbove ? 0 : match->start, std::min(end, size), colors.text, colors.warningFill);
            if (!isFromAbove && end > size)
                break;   // once more in the next row
        }
        if (row >= from.row && row <= to.row && from != to) {
            const qsizetype start = row == from.row ? from.column : 0;
            const qsizetype end = row == to.row ? to.column : size;
            if (end > start)
                formats << formatOf(start, end, colors.textOnAccent, colors.accentFill);
        }
        const QPointF origin(left, (row - first) * m_rowHeight + 1);
        painter.setPen(colors.text);
        layout.draw(&painter, origin, formats);
        if (hasFocus() && row == m_cursor.row) {
            painter.setPen(colors.text);
            layout.drawCursor(&painter, origin, std::min<int>(m_cursor.column, static_cast<int>(size)));
        }
        sizeBefore = size;
    }
    painter.setClipping(false);
    painter.setPen(colors.muted);
    for (int row = first; row <= last; ++row)
        painter.drawText(QRect(0, (row - first) * m_rowHeight, m_marginWidth - Space::kNormal, m_rowHeight), Qt::AlignRight | Qt::AlignVCenter,
                         m_text->isContinued(row) ? QStringLiteral("↪") : QString::number(m_text->lineNumber(row)));
}

LogText::Place LogView::placeAt(const QPoint& position) const
{
    if (m_text->rowCount() == 0)
        return {};
    const int offset = position.y() < 0 ? -1 : position.y() / m_rowHeight;
    const int row = std::clamp(firstVisibleRow() + offset, 0, m_text->rowCount() - 1);
    QTextLayout layout;
    layOut(layout, row);
    return {row, layout.lineAt(0).xToCursor(position.x() - m_marginWidth + horizontalScrollBar()->value())};
}

void LogView::moveCursor(LogText::Place place, bool extends)
{
    m_cursor = place;
    if (!extends)
        m_anchor = place;
    revealCursor();
    updateDescription();
    viewport()->update();
}

void LogView::revealCursor()
{
    QScrollBar* vertical = verticalScrollBar();
    if (m_cursor.row < vertical->value())
        vertical->setValue(m_cursor.row);
    else if (m_cursor.row >= vertical->value() + visibleRows())
        vertical->setValue(m_cursor.row - visibleRows() + 1);
    QTextLayout layout;
    layOut(layout, m_cursor.row);
    int column = std::min(m_cursor.column, static_cast<int>(layout.text().size()));
    const int x = static_cast<int>(layout.lineAt(0).cursorToX(&column));
    QScrollBar* horizontal = horizontalScrollBar();
    const int room = viewport()->width() - m_marginWidth - m_columnWidth;
    if (x < horizontal->value())
        horizontal->setValue(std::max(0, x - 4 * m_columnWidth));
    else if (x > horizontal->value() + room)
        horizontal->setValue(x - room + 4 * m_columnWidth);
}

LogText::Place LogView::placeAfterKey(int key, bool control) const
{
    const int last = std::max(0, m_text->rowCount() - 1);
    const auto sizeOf = [this](int row) { return static_cast<int>(m_text->row(row).size()); };
    LogText::Place place = m_cursor;
    switch (key) {
    case Qt::Key_Up: --place.row; break;
    case Qt::Key_Down: ++place.row; break;
    case Qt::Key_PageUp: place.row -= visibleRows(); break;
    case Qt::Key_PageDown: place.row += visibleRows(); break;
    case Qt::Key_Home: return {control ? 0 : place.row, 0};
    case Qt::Key_End: return control ? LogText::Place{last, sizeOf(last)} : LogText::Place{place.row, sizeOf(place.row)};
    case Qt::Key_Left:
        if (place.column > 0)
            return {place.row, std::min(place.column, sizeOf(place.row)) - 1};
        return place.row > 0 ? LogText::Place{place.row - 1, sizeOf(place.row - 1)} : place;
    default:   // to the right
        if (place.column < sizeOf(place.row))
            return {place.row, place.column + 1};
        return place.row < last ? LogText::Place{place.row + 1, 0} : place;
    }
    place.row = std::clamp(place.row, 0, last);
    return place;
}

void LogView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (!(event->modifiers() & Qt::AltModifier)) {
            moveCursor(placeAfterKey(event->key(), event->modifiers() & Qt::ControlModifier), event->modifiers() & Qt::ShiftModifier);
            return;
        }
        break;
    default: break;
    }
    event->ignore();
}

void LogView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        moveCursor(placeAt(event->pos()), event->modifiers() & Qt::ShiftModifier);
}

void LogView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const LogText::Place place = placeAt(event->pos());
    const QString row = m_text->row(place.row);
    const auto isPart = [](QChar c) { return c.isLetterOrNumber() || c == QLatin1Char('_'); };
    int start = place.column;
    int end = place.column;
    while (start > 0 && isPart(row[start - 1]))
        --start;
    while (end < row.size() && isPart(row[end]))
        ++end;
    moveCursor({place.row, start}, false);
    moveCursor({place.row, end}, true);
}

void LogView::mouseMoveEvent(QMouseEvent* event)
{
    if (!(event->buttons() & Qt::LeftButton))
        return;
    m_dragged = event->pos();
    if (!viewport()->rect().contains(m_dragged) && m_dragTimer == 0)
        m_dragTimer = startTimer(kDragIntervalMs);
    moveCursor(placeAt(m_dragged), true);
}

void LogView::timerEvent(QTimerEvent* event)
{
    if (event->timerId() != m_dragTimer) {
        QAbstractScrollArea::timerEvent(event);
        return;
    }
    if (!(QApplication::mouseButtons() & Qt::LeftButton) || viewport()->rect().contains(m_dragged)) {
        killTimer(m_dragTimer);
        m_dragTimer = 0;
        return;
    }
    moveCursor(placeAt(m_dragged), true);
}

void LogView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
}

void LogView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange)
        updateMetrics();
    if (event->type() == QEvent::PaletteChange)
        viewport()->update();
}

}  // namespace tracedeck::ui
