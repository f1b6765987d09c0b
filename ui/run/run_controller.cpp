// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_controller.h"

#include <QTimer>
#include <algorithm>
#include <exception>
#include <utility>

#include "core/store/joined_dataset.h"
#include "ui/models/workspace.h"
#include "ui/run/background_run.h"

namespace tracedeck::ui {
namespace {

constexpr int kDeliveryMilliseconds = 33;

}  // namespace

RunController::RunController(Workspace* workspace, QObject* parent)
    : QObject(parent), m_workspace(workspace), m_timer(new QTimer(this)), m_inbox(std::make_shared<Inbox>())
{
    m_timer->setInterval(kDeliveryMilliseconds);
    m_steering.setMaxThreadCount(1);
    connect(m_timer, &QTimer::timeout, this, &RunController::deliver);
}

RunController::~RunController()
{
    m_timer->stop();
    if (m_starter.joinable()) {
        m_starter.join();   // its report to this object dies with it, and with the report the runner
    }
    if (m_runner) {
        m_runner->cancel();
    }
    m_runner.reset();
    m_steering.waitForDone();
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
    m_handingOver = false;
    m_pausedDevices.clear();
    m_paused = false;
    m_plan = {};
    m_devices.clear();
    m_recordId.clear();
    m_recordFolder = request.recordFolder;
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
    m_devices = m_runner->devices();
    m_recordId = m_runner->recordId();
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
    emit cancelled();
}

void RunController::setPaused(bool paused)
{
    if (m_state == State::Idle || (m_paused == paused && m_pausedDevices.empty())) {
        return;
    }
    m_paused = paused;
    m_pausedDevices.clear();
    pauseDevices();
    emit pausedChanged(paused);
}

void RunController::setDevicePaused(const QString& device, bool paused)
{
    const std::string name = device.toStdString();
    if (m_state != State::Running || isPaused(name) == paused) {
        return;
    }
    if (std::exchange(m_paused, false)) {
        m_pausedDevices.insert(m_devices.begin(), m_devices.end());
    }
    if (paused) {
        m_pausedDevices.insert(name);
    } else {
        m_pausedDevices.erase(name);
    }
    if (m_pausedDevices.size() == m_devices.size()) {
        m_paused = true;
        m_pausedDevices.clear();
    }
    pauseDevices();
    emit pausedChanged(m_paused);
}

void RunController::pauseDevices()
{
    // While it is being started there is no runner: it is told then.
    std::vector<std::pair<std::string, bool>> wanted;
    for (const std::string& device : m_devices) {
        wanted.emplace_back(device, isPaused(device));
    }
    steer([wanted](Runner& runner) {
        for (const auto& [device, paused] : wanted) {
            runner.setPaused(device, paused);
        }
    });
}

void RunController::steer(std::function<void(Runner&)> action)
{
    if (!m_runner) {
        return;
    }
    m_steering.start([this, runner = m_runner, action = std::move(action)]() mutable {
        action(*runner);
        auto queued = runner->queued();
        // Not the last one to let go of it: that would join its threads here.
        QMetaObject::invokeMethod(this, [this, runner = std::move(runner), queued = std::move(queued)] {
            if (runner == m_runner) {
                emit queueOrdered(queued);
            }
        }, Qt::QueuedConnection);
    });
}

void RunController::stopDevice(const QString& device)
{
    steer([name = device.toStdString()](Runner& runner) { runner.stopDevice(name); });
}

void RunController::cancelPairs(const std::vector<std::size_t>& pairs)
{
    steer([pairs](Runner& runner) { runner.cancelPairs(pairs); });
}

void RunController::moveFirst(const std::vector<std::size_t>& pairs)
{
    steer([pairs](Runner& runner) { runner.moveFirst(pairs); });
}

void RunController::moveLast(const std::vector<std::size_t>& pairs)
{
    steer([pairs](Runner& runner) { runner.moveLast(pairs); });
}

void RunController::moveBefore(const std::vector<std::size_t>& pairs, std::size_t before)
{
    steer([pairs, before](Runner& runner) { runner.moveBefore(pairs, before); });
}

void RunController::add(const Pairs& pairs)
{
    if (!isSteerable()) {
        emit added(0, tr("No run is in progress that could take more."));
        return;
    }
    steer([this, pairs](Runner& runner) {
        const auto count = runner.add(pairs);
        const QString failure = count ? QString() : QString::fromStdString(count.error().toString());
        QMetaObject::invokeMethod(this, [this, number = count ? *count : 0, failure] { emit added(number, failure); }, Qt::QueuedConnection);
    });
}

void RunController::handOver()
{
    if (m_state == State::Idle || m_cancelled) {
        return;
    }
    m_handingOver = true;
    cancel();
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
    m_retirer = std::jthread([runner = std::exchange(m_runner, nullptr)]() mutable { runner.reset(); });
    emit finished(*done);
    if (std::exchange(m_handingOver, false)) {
        const bool isLeft = done->notRun > 0;
        const Result<void> goesOn = !isLeft ? Result<void>() : continueInBackground(m_recordFolder, m_recordId);
        emit handedOver(goesOn ? QString() : QString::fromStdString(goesOn.error().toString()));
    }
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
