// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/run/runner.h"

class QTimer;

namespace tracedeck::ui {

class Workspace;

/// Turns core's run events into signals on the GUI thread, coalesced to 30 a second, and feeds results to the workspace.
/// Starting, steering and ending a run happen on threads of their own: the window never waits for a process or a disk.
class RunController : public QObject {
    Q_OBJECT
public:
    using Pairs = std::set<std::pair<std::string, std::string>>;   ///< solution, workload uuid

    explicit RunController(Workspace* workspace, QObject* parent = nullptr);
    /// Cancels a run and waits until its processes are gone.
    ~RunController() override;

    /// True from start() until finished or failedToStart.
    [[nodiscard]] bool isRunning() const { return m_state != State::Idle; }
    [[nodiscard]] bool isCancelling() const { return m_cancelled; }
    /// The run takes pairs that are added, and other steering: it has started, and nobody cancelled it.
    [[nodiscard]] bool isSteerable() const { return m_state == State::Running && !m_cancelled; }
    /// Every device is paused.
    [[nodiscard]] bool isPaused() const { return m_paused; }
    [[nodiscard]] bool isPaused(const std::string& device) const { return m_paused || m_pausedDevices.contains(device); }
    /// The run is being handed over to a process without a window.
    [[nodiscard]] bool isHandingOver() const { return m_handingOver; }
    /// Of the run in progress, else of the last one. Pairs that were added later are in AddedEvents only.
    [[nodiscard]] const RunPlan& plan() const { return m_plan; }
    [[nodiscard]] const std::vector<std::string>& devices() const { return m_devices; }
    /// Id of its record; empty: it has none.
    [[nodiscard]] const std::string& recordId() const { return m_recordId; }
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
    // Steering; without a run nothing happens. Events tell what came of it, queueOrdered() the queue's order.
    void setDevicePaused(const QString& device, bool paused);
    void stopDevice(const QString& device);
    void cancelPairs(const std::vector<std::size_t>& pairs);
    void moveFirst(const std::vector<std::size_t>& pairs);
    void moveLast(const std::vector<std::size_t>& pairs);
    void moveBefore(const std::vector<std::size_t>& pairs, std::size_t before);
    /// Adds pairs of the run's dataset to its queue; added() follows.
    void add(const tracedeck::ui::RunController::Pairs& pairs);
    /// Cancels the run and lets a process without a window go on with it; after finished, handedOver follows.
    void handOver();

signals:
    void started();
    /// Nothing more is begun; finished follows.
    void cancelled();
    /// Some device was paused or resumed; `paused`: all are.
    void pausedChanged(bool paused);
    void failedToStart(const QString& reason);
    /// A batch of events in order, at most 30 batches a second; pairs are indexes into plan(), and after it what AddedEvents added.
    void events(const std::vector<tracedeck::RunEvent>& batch);
    void queueOrdered(const std::vector<std::size_t>& queued);
    /// So many pairs were added; with a failure none.
    void added(qulonglong count, const QString& failure);
    void finished(const tracedeck::DoneEvent& done);
    /// `failure`: why nobody goes on with the run; empty when somebody does.
    void handedOver(const QString& failure);

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
    void pauseDevices();
    /// Does something with the runner on the thread of steering, then tells the order of the queue.
    void steer(std::function<void(Runner&)> action);

    Workspace* m_workspace;
    RunPlan m_plan;
    std::vector<std::string> m_devices;
    std::string m_recordId;
    std::shared_ptr<const Dataset> m_dataset;
    QTimer* m_timer;
    State m_state = State::Idle;
    bool m_cancelled = false;
    bool m_handingOver = false;
    bool m_paused = false;
    std::set<std::string> m_pausedDevices;
    std::filesystem::path m_recordFolder;
    std::shared_ptr<Inbox> m_inbox;
    std::shared_ptr<Runner> m_runner;
    QThreadPool m_steering;   ///< one thread: what is asked for happens in order
    std::jthread m_starter;
    std::jthread m_retirer;   ///< destroys a finished runner: that joins its threads
};

}  // namespace tracedeck::ui
