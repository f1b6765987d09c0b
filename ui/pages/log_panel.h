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
    explicit LogPanel(QWidget* parent = nullptr);

    void setLog(const std::string& log);
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

    ElidedLabel* m_title;
    QLineEdit* m_findEdit;
    MutedLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_copy;
    LogView* m_view;
    bool m_isCut = false;        ///< more matches than are marked
    LatestJob* m_buildJob;
    LatestJob* m_findJob;
};

}  // namespace tracedeck::ui
