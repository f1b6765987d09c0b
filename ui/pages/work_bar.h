// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QProgressBar;
class QPushButton;
class QTimer;

namespace tracedeck::ui {

class ElidedLabel;
class WrappedLabel;

/// Progress of a page's own work, which can be cancelled; appears when the work takes longer than a moment.
class WorkBar : public QWidget {
    Q_OBJECT
public:
    explicit WorkBar(QWidget* parent = nullptr);

    /// `text` says what is being done.
    void start(const QString& text);
    /// `total` 0: nobody knows how much there is to do.
    void setProgress(qulonglong done, qulonglong total);
    void stop();

signals:
    void cancelRequested();

private:
    ElidedLabel* m_text;
    QProgressBar* m_bar;
    QTimer* m_showTimer;
};

/// A line across a page that says what to be careful about.
class CautionBar : public QWidget {
    Q_OBJECT
public:
    explicit CautionBar(QWidget* parent = nullptr);

    /// Hidden when there is nothing to say. `details`: the whole story, in the tool tip.
    void setText(const QString& text, const QString& details = {});
    [[nodiscard]] QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    WrappedLabel* m_text;
};

}  // namespace tracedeck::ui
