// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <vector>

#include "ui/models/log_text.h"

class QTextLayout;

namespace tracedeck::ui {

/// Shows a log of any size: only the rows in sight are laid out. Lines are not wrapped and are numbered.
class LogView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit LogView(QWidget* parent = nullptr);

    /// The top of another log.
    void setText(std::shared_ptr<const LogText> text);
    [[nodiscard]] const LogText& text() const { return *m_text; }
    [[nodiscard]] const std::shared_ptr<const LogText>& sharedText() const { return m_text; }
    /// Marks all of these.
    void setMatches(std::vector<LogText::Match> matches);
    [[nodiscard]] const std::vector<LogText::Match>& matches() const { return m_matches; }
    /// Selects a match and brings it into sight.
    void showMatch(std::size_t index);
    /// Selects a line, counted from 1, and brings it into sight.
    void showLine(qint64 line);
    /// The first match at or behind the cursor (before it, when `backward`); once around at the ends.
    [[nodiscard]] std::size_t matchFromCursor(bool backward) const;

    [[nodiscard]] bool hasSelection() const { return m_anchor != m_cursor; }
    [[nodiscard]] QString selectedText() const;
    [[nodiscard]] int firstVisibleRow() const;
    [[nodiscard]] LogText::Place cursorPlace() const { return m_cursor; }

public slots:
    void selectAll();
    /// What is selected, as it is shown.
    void copy() const;
    /// The log as it was written, with its colour sequences.
    void copyAll() const;

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void timerEvent(QTimerEvent* event) override;

private:
    void updateMetrics();
    void updateScrollBars();
    void updateDescription();
    void layOut(QTextLayout& layout, int row) const;
    [[nodiscard]] LogText::Place placeAt(const QPoint& position) const;
    void moveCursor(LogText::Place place, bool extends);
    void revealCursor();
    [[nodiscard]] LogText::Place placeAfterKey(int key, bool control) const;
    [[nodiscard]] int visibleRows() const;

    std::shared_ptr<const LogText> m_text = std::make_shared<const LogText>();
    std::vector<LogText::Match> m_matches;
    LogText::Place m_cursor;
    LogText::Place m_anchor;
    QPoint m_dragged;         ///< where the pointer is while it drags
    int m_dragTimer = 0;      ///< scrolls on while the pointer is outside
    int m_rowHeight = 1;
    int m_columnWidth = 1;
    int m_marginWidth = 0;    ///< of the line numbers
};

}  // namespace tracedeck::ui
