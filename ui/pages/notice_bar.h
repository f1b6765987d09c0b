// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QWidget>
#include <functional>
#include <vector>

class QBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QTimer;
class QToolButton;

namespace tracedeck::ui {

class ElidedLabel;
class WrappedLabel;

/// A line above the pages that says what went wrong and what to do; stays until it is closed or mended.
class NoticeBar : public QWidget {
    Q_OBJECT
public:
    explicit NoticeBar(QWidget* parent = nullptr);
    /// What can be done about it: a button.
    struct Answer {
        QString name;   ///< of the button, for programs
        QString text;
        QString tip;
        std::function<void()> action;
    };
    void showError(const QString& text);
    /// Any of the answers closes the bar.
    void showErrorWith(const QString& text, const std::vector<Answer>& answers);
    /// Something that can wait.
    void showOffer(const QString& text, const std::vector<Answer>& answers);
    [[nodiscard]] QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_icon;
    WrappedLabel* m_text;
    void showText(const QString& text, const std::vector<Answer>& answers);
    QBoxLayout* m_answers;
    bool m_isOffer = false;
    QString m_message;   ///< as it was given: for copying
};

/// Progress of loading above the pages: shown when it takes longer than a moment, then at least long enough to be read.
class LoadBar : public QWidget {
    Q_OBJECT
public:
    explicit LoadBar(QWidget* parent = nullptr);
    void start(const QString& path);
    void setProgress(qulonglong filesDone, qulonglong filesTotal, qulonglong traces);
    void stop();

signals:
    void cancelRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ElidedLabel* m_text;
    QProgressBar* m_bar;
    QPushButton* m_cancel;
    QTimer* m_showTimer;
    QTimer* m_hideTimer;
    QElapsedTimer m_shown;
    QString m_path;
};

}  // namespace tracedeck::ui
