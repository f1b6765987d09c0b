// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/model/result.h"
#include "core/run/run_event.h"
#include "core/run/run_request.h"

namespace tracedeck {

/// Runs a plan: one DeviceWorker thread a device, each with its own judge process. The one path from a click or a
/// command to a trace line. Events arrive one at a time (serialised by the runner) on worker threads; the callback must
/// be quick and must not call back into the runner. The DoneEvent is the last event.
class Runner {
public:
    using EventCallback = std::function<void(const RunEvent&)>;

    /// Checks the request (plan, devices, interpreter, worker program, room for results) and starts. Error: nothing was started.
    /// Usage: the request makes no sense (unknown names, values out of range); anything else: this machine can't do it.
    static Result<std::unique_ptr<Runner>> start(RunRequest request, EventCallback onEvent);
    /// Cancels and joins.
    ~Runner();
    [[nodiscard]] const RunPlan& plan() const;
    /// What it runs on, `all` resolved.
    [[nodiscard]] const std::vector<std::string>& devices() const;
    /// Returns at once; everything is stopped within 2 s, results so far are kept.
    void cancel();
    /// A paused device ends the evaluation in hand and leaves the rest to the others, until it is resumed. Its DeviceEvents say `paused`
    /// and `ready`. Names that the run doesn't use do nothing. Not from the callback.
    void setPaused(const std::string& device, bool isPaused);
    [[nodiscard]] bool isPaused(const std::string& device) const;
    // Steering. None of it from the callback; what has ended already is not touched.
    /// These pairs (indexes) are not run; one that runs is stopped within 2 s. A SkippedEvent names them.
    void cancelPairs(const std::vector<std::size_t>& pairs);
    /// A device stops within 2 s and leaves its work to the others; without any other one the run is cancelled.
    void stopDevice(const std::string& device);
    void moveFirst(const std::vector<std::size_t>& pairs);
    void moveLast(const std::vector<std::size_t>& pairs);
    /// Before another pair that waits; to the end when that one doesn't.
    void moveBefore(const std::vector<std::size_t>& pairs, std::size_t before);
    /// Pairs that no device has taken yet, in their order.
    [[nodiscard]] std::vector<std::size_t> queued() const;
    /// Adds (solution, workload uuid) pairs of the run's dataset to the end of the queue, those that are done among them; an AddedEvent tells
    /// their indexes. Returns how many there are: those that wait or run are not added again. Error Conflict: the run has ended; others as
    /// in start().
    Result<std::size_t> add(const std::set<std::pair<std::string, std::string>>& pairs);
    /// Id of the run's record (run_record.h); empty when it is not recorded.
    [[nodiscard]] std::string recordId() const;
    /// Blocks until the DoneEvent has been delivered.
    void wait();
    [[nodiscard]] bool isFinished() const;

private:
    Runner();
    struct State;
    std::unique_ptr<State> m_state;
};

/// Devices of this machine (devices.h), for example {"cpu"} or {"cuda:0", "cuda:1", "cpu"}.
[[nodiscard]] std::vector<std::string> availableDevices();
/// Every CUDA device, or {"cpu"} where there is none.
[[nodiscard]] std::vector<std::string> defaultDevices();
/// tracedeck-worker: TRACEDECK_WORKER, else beside this executable, else ../libexec/tracedeck.
[[nodiscard]] Result<std::filesystem::path> findWorkerProgram();
/// The command line's program, tracedeck: TRACEDECK_COMMAND, else beside this executable, else ../bin.
[[nodiscard]] Result<std::filesystem::path> findCommandProgram();

}  // namespace tracedeck
