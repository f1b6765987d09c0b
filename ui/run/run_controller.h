// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/run/runner.h"

class QTimer;

namespace tracedeck::ui {

class Workspace;

/// Turns core's run events into signals on the GUI thread, coalesced to 30 a second, and feeds results to the workspace.
/// Starting and ending a run happen on threads of their own: the window never waits for a process.
class RunController : public QObject {
    Q_OBJECT
public:
    explicit RunController(Workspace* workspace, QObject* parent = nullptr);
    /// Cancels a run and waits until its processes are gone.
    ~RunController() override;

    /// True from start() until finished or failedToStart.
    [[nodiscard]] bool isRunning() const { return m_state != State::Idle; }
    [[nodiscard]] bool isCancelling() const { return m_cancelled; }
    [[nodiscard]] bool isPaused() const { return m_paused; }
    /// Of the run in progress, else of the last one.
    [[nodiscard]] const RunPlan& plan() const { return m_plan; }
    /// Dataset that the run is about; null before the first.
    [[nodiscard]] const std::shared_ptr<const Dataset>& dataset() const { return m_dataset; }

public slots:
    /// Starts on a worker thread what the request says; exactly one of failedToStart and started follows. Of folders shown together
    /// the one that has all that is wanted runs it and gets the results; where none has, nothing is run.
    void start(tracedeck::RunRequest request);
    /// Returns at once; finished follows, with what was done so far.
    void cancel();
    /// Pauses or resumes every device of the run: what is measured now ends first.
    void setPaused(bool paused);

signals:
    void started();
    void pausedChanged(bool paused);
    void failedToStart(const QString& reason);
    /// A batch of events in order, at most 30 batches a second; the plan that they refer to is plan().
    void events(const std::vector<tracedeck::RunEvent>& batch);
    void finished(const tracedeck::DoneEvent& done);

private:
    enum class State { Idle, Starting, Running };
    /// Where the runner's threads leave events; outlives the controller if it must.
    struct Inbox {
        std::mutex mutex;
        std::vector<RunEvent> events;
    };

    void startEnded(Result<std::unique_ptr<Runner>> runner);
    void deliver();
    void storeResults(const std::vector<RunEvent>& batch);

    Workspace* m_workspace;
    RunPlan m_plan;
    std::shared_ptr<const Dataset> m_dataset;
    QTimer* m_timer;
    State m_state = State::Idle;
    bool m_cancelled = false;
    bool m_paused = false;
    void pauseDevices();
    std::shared_ptr<Inbox> m_inbox;
    std::unique_ptr<Runner> m_runner;
    std::jthread m_starter;
    std::jthread m_retirer;   ///< destroys a finished runner: that joins its threads
};

}  // namespace tracedeck::ui
