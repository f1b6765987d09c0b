// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/diagnose/judge_session.h"
#include "core/model/result.h"
#include "ui/models/latest_job.h"

class QProgressBar;
class QPushButton;
class QStackedLayout;
class QTimer;

namespace tracedeck::ui {

class FlowLayout;
class WrappedLabel;

/// One kind of look at a solution: what it is for, a button that starts it, what it is busy with, what it found. The look runs on a thread of its
/// own; its processes end with it.
class DiagnosisView : public QWidget {
    Q_OBJECT
public:
    /// `text`: what it does and what to expect. `name`: of the view, for tests.
    DiagnosisView(const QString& name, const QString& text, QWidget* parent = nullptr);
    ~DiagnosisView() override;

    /// Gives what is looked at when a look starts; std::nullopt with words when nothing can be.
    void setTargetSource(std::function<Result<DiagnosisTarget>()> source) { m_targetSource = std::move(source); }
    [[nodiscard]] bool isBusy() const { return m_job->isRunning(); }
    /// What is shown below the button in place of a result.
    [[nodiscard]] QString message() const;

public slots:
    /// Starts the look, or starts it anew.
    virtual void start() = 0;
    void stop();
    /// Forgets what was found: it is about something else.
    void clear();

signals:
    void busyChanged(bool busy);
    /// A long text that wants a page of its own.
    void textRequested(const QString& text, const QString& title);

protected:
    /// Row beside the button, for settings of the look.
    [[nodiscard]] FlowLayout* options() const { return m_options; }
    /// What is shown when something was found.
    void setResult(QWidget* result);
    void showMessage(const QString& text);
    void showResult();

    /// Runs `work` for the target and gives what it found to `show`, on this thread.
    template <class T>
    void look(std::function<Result<T>(const DiagnosisTarget&, const DiagnosisProgress&, std::stop_token)> work, std::function<void(const T&)> show)
    {
        const auto target = begin();
        if (!target)
            return;
        m_job->start<Result<T>>(
            [work = std::move(work), target = *target, progress = m_progress](std::stop_token stop) {
                return work(target, [progress](const std::string& what) { progress->set(what); }, stop);
            },
            [this, show = std::move(show)](const Result<T>& found) {
                end();
                if (found)
                    show(*found);
                else
                    showError(found.error());
            });
    }

private:
    /// What the thread is busy with.
    struct Progress {
        void set(const std::string& what);
        [[nodiscard]] std::string get();
        std::mutex mutex;
        std::string text;
    };
    std::optional<DiagnosisTarget> begin();
    void end();
    void showError(const Error& error);

    std::function<Result<DiagnosisTarget>()> m_targetSource;
    std::shared_ptr<Progress> m_progress;
    FlowLayout* m_options;
    QPushButton* m_start;
    QPushButton* m_stop;
    QProgressBar* m_bar;
    WrappedLabel* m_message;
    QWidget* m_body;
    QStackedLayout* m_stack;
    QTimer* m_timer;
    LatestJob* m_job;
};

}  // namespace tracedeck::ui
