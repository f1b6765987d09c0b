// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <mutex>
#include <vector>

#include "core/run/runner.h"

class QTimer;

namespace tracedeck::ui {

class Workspace;

/// Turns core's run events into signals on the GUI thread, coalesced to 30 a second, and feeds results to the workspace.
class RunController : public QObject {
    Q_OBJECT
public:
    explicit RunController(Workspace* workspace, QObject* parent = nullptr);
    ~RunController() override;

    [[nodiscard]] bool isRunning() const { return m_runner != nullptr; }
    [[nodiscard]] const RunPlan& plan() const { return m_plan; }

public slots:
    /// Starts on a worker thread what the request says; exactly one of failedToStart and started follows.
    void start(const tracedeck::RunRequest& request);
    void cancel();

signals:
    void started();
    void failedToStart(const QString& reason);
    /// A batch of events in order, at most 30 batches a second; the plan that they refer to is plan().
    void events(const std::vector<tracedeck::RunEvent>& batch);
    void finished(const tracedeck::DoneEvent& done);

private:
    void deliver();
    Workspace* m_workspace;
    RunPlan m_plan;
    QTimer* m_timer;
    std::mutex m_mutex;
    std::vector<RunEvent> m_pending;
    std::unique_ptr<Runner> m_runner;   ///< last: stops its threads first
};

}  // namespace tracedeck::ui
