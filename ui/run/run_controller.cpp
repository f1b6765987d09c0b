// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_controller.h"

#include <QTimer>
#include <algorithm>
#include <exception>
#include <utility>

#include "core/store/joined_dataset.h"
#include "ui/models/workspace.h"

namespace tracedeck::ui {
namespace {

constexpr int kDeliveryMilliseconds = 33;

}  // namespace

RunController::RunController(Workspace* workspace, QObject* parent)
    : QObject(parent), m_workspace(workspace), m_timer(new QTimer(this)), m_inbox(std::make_shared<Inbox>())
{
    m_timer->setInterval(kDeliveryMilliseconds);
    connect(m_timer, &QTimer::timeout, this, &RunController::deliver);
}

RunController::~RunController()
{
    m_timer->stop();
    if (m_starter.joinable()) {
        m_starter.join();   // its report to this object dies with it, and with the report the runner
    }
    m_runner.reset();
    if (m_retirer.joinable()) {
        m_retirer.join();
    }
}

void RunController::start(RunRequest request)
{
    if (m_state != State::Idle) {
        emit failedToStart(tr("A run is in progress. Wait until it is done, or cancel it first."));
        return;
    }
    std::vector<WantedEvaluation> wanted;
    for (const auto& [solution, workload] : request.pairs) {
        const Solution* known = request.dataset->findSolution(solution);
        wanted.push_back({known ? known->definition : std::string(), solution, workload});
    }
    const auto folder = folderToRunIn(request.dataset, wanted);
    if (!folder) {
        // Not before this returns: whoever starts a run hears of it afterwards.
        QMetaObject::invokeMethod(this, [this, reason = QString::fromStdString(folder.error().toString())] { emit failedToStart(reason); }, Qt::QueuedConnection);
        return;
    }
    request.dataset = *folder;
    m_state = State::Starting;
    m_cancelled = false;
    setPaused(false);
    m_plan = {};
    m_dataset = request.dataset;
    m_inbox = std::make_shared<Inbox>();
    m_timer->start();
    m_starter = std::jthread([this, request, inbox = m_inbox] {
        using Started = Result<std::unique_ptr<Runner>>;
        auto onEvent = [inbox](const RunEvent& event) {
            const std::lock_guard lock(inbox->mutex);
            inbox->events.push_back(event);
        };
        auto started = std::make_shared<Started>(Error{ErrorCode::ProcessFailed, "the run could not be started", {}, 0, {}});
        try {
            *started = Runner::start(request, onEvent);
        } catch (const std::exception& exception) {
            *started = Error{ErrorCode::ProcessFailed, std::string("the run could not be started: ") + exception.what(), {}, 0, {}};
        }
        QMetaObject::invokeMethod(this, [this, started] { startEnded(std::move(*started)); }, Qt::QueuedConnection);
    });
}

void RunController::startEnded(Result<std::unique_ptr<Runner>> runner)
{
    if (!runner) {
        m_state = State::Idle;
        m_timer->stop();
        emit failedToStart(QString::fromStdString(runner.error().toString()));
        return;
    }
    m_runner = std::move(*runner);
    m_plan = m_runner->plan();
    m_state = State::Running;
    if (m_cancelled) {
        m_runner->cancel();
    }
    pauseDevices();
    emit started();
    deliver();
}

void RunController::cancel()
{
    if (m_state == State::Idle || std::exchange(m_cancelled, true)) {
        return;
    }
    if (m_runner) {
        m_runner->cancel();
    }
}

void RunController::setPaused(bool paused)
{
    if (m_paused == paused || m_state == State::Idle) {
        return;
    }
    m_paused = paused;
    pauseDevices();
    emit pausedChanged(paused);
}

void RunController::pauseDevices()
{
    if (!m_runner) {
        return;   // it is being started, and told then
    }
    for (const std::string& device : m_runner->devices()) {
        m_runner->setPaused(device, m_paused);
    }
}

void RunController::deliver()
{
    if (m_state != State::Running) {
        return;   // events wait until the plan that they refer to is known
    }
    std::vector<RunEvent> batch;
    {
        const std::lock_guard lock(m_inbox->mutex);
        batch.swap(m_inbox->events);
    }
    if (batch.empty()) {
        return;
    }
    emit events(batch);
    storeResults(batch);
    const auto* done = std::get_if<DoneEvent>(&batch.back());
    if (!done) {
        return;
    }
    m_timer->stop();
    m_state = State::Idle;
    m_retirer = std::jthread([runner = std::move(m_runner)]() mutable { runner.reset(); });
    emit finished(*done);
}

void RunController::storeResults(const std::vector<RunEvent>& batch)
{
    const auto shown = rootsOf(*m_workspace->dataset());
    if (std::find(shown.begin(), shown.end(), m_dataset->root()) == shown.end()) {
        return;   // another dataset was opened meanwhile; the results are on disk
    }
    const bool isJoined = m_workspace->dataset()->isJoined();
    std::vector<Dataset::AddedTrace> added;
    for (const RunEvent& event : batch) {
        const auto* result = std::get_if<ResultEvent>(&event);
        if (result && result->stored) {
            added.push_back({result->trace, isJoined ? (m_dataset->root() / result->file).lexically_normal() : result->file, result->byteOffset});
        }
    }
    if (!added.empty()) {
        m_workspace->addTraces(added);
    }
}

}  // namespace tracedeck::ui
