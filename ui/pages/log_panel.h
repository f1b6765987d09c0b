// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>

#include "ui/models/log_text.h"

class QLineEdit;
class QToolButton;

namespace tracedeck::ui {

class ElidedLabel;
class LatestJob;
class LogView;
class MutedLabel;

/// A log with its title, a field to find text in it, and copying. Large logs are made ready and searched on a thread.
class LogPanel : public QWidget {
    Q_OBJECT
public:
    /// What it is called: the log of a trace, or any large text.
    enum class Content { Log, Text };
    explicit LogPanel(Content content = Content::Log, QWidget* parent = nullptr);

    void setLog(const std::string& log) { setLog(std::make_shared<const std::string>(log)); }
    void setLog(std::shared_ptr<const std::string> log);
    /// Goes to a line, counted from 1, as soon as the log is ready, and selects it.
    void showLine(qint64 line);
    [[nodiscard]] LogView* view() const { return m_view; }
    /// A log is being made ready or searched.
    [[nodiscard]] bool isBusy() const;

public slots:
    /// Goes to the find field, with what is selected.
    void showFind();
    void findNext();
    void findPrevious();

signals:
    /// The log, or the marks of what was found in it, are shown.
    void ready();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showText(const std::shared_ptr<const LogText>& text);
    void startFind();
    void showMatches(const LogText::Matches& matches);
    void goToMatch(bool backward);

    Content m_content;
    ElidedLabel* m_title;
    QLineEdit* m_findEdit;
    MutedLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_copy;
    LogView* m_view;
    bool m_isCut = false;        ///< more matches than are marked
    qint64 m_lineToShow = 0;     ///< while the log is being made ready
    LatestJob* m_buildJob;
    LatestJob* m_findJob;
};

}  // namespace tracedeck::ui
