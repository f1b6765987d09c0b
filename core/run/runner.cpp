// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "core/io/child_process.h"
#include "core/run/device_worker.h"
#include "core/run/devices.h"
#include "core/run/python_environment.h"
#include "core/run/run_context.h"
#include "core/run/run_record.h"
#include "core/run/run_tools.h"
#include "core/run/runnable.h"

namespace tracedeck {

namespace {

Error usage(std::string field, std::string reason)
{
    return Error{
        .code = ErrorCode::Usage, .reason = std::move(reason), .file = {}, .line = 0, .field = std::move(field)};
}

Result<void> checkConfigs(const RunRequest& request, const RunPlan& plan)
{
    std::set<std::string> definitions;
    for (const auto& pair : plan.pairs) definitions.insert(pair.definition);
    for (const auto& name : definitions) {
        const Definition* definition = request.dataset->findDefinition(name);
        if (auto valid = validate(request.configFile.resolve(definition->opType, name, request.overrides)); !valid) {
            Error error = valid.error();
            error.code = ErrorCode::Usage;
            return error;
        }
    }
    constexpr double kLongestTimeoutSeconds = 1e7;   // four months
    for (const auto& [field, seconds] : {std::pair{"timeout_seconds", request.timeoutSeconds}, {"build_timeout_seconds", request.buildTimeoutSeconds}}) {
        if (!(seconds > 0) || seconds > kLongestTimeoutSeconds)
            return usage(field, fmt::format("must be greater than 0 and at most {:.0f}, is {}", kLongestTimeoutSeconds, seconds));
    }
    return {};
}

}  // namespace

struct Runner::State {
    std::unique_ptr<RunContext> context;
    std::map<std::string, std::stop_source> stops;   ///< by device
    std::stop_source building;                       ///< of the solutions that are compiled ahead
    std::atomic<bool> isCancelled{false};
    std::optional<PythonFacts> python;               ///< when anything runs
    std::unique_ptr<RunRecorder> recorder;
    std::atomic<std::size_t> running{0};
    PlanEvent planned;
    std::once_flag planEmitted;
    std::mutex mutex;
    std::condition_variable changed;
    bool finished = false;               ///< under mutex
    std::string lostReason;              ///< under mutex
    std::vector<std::jthread> threads;   ///< last: joined before what they use goes

    /// Body of a thread. Without a device it only says that there is nothing to do.
    void workOn(const std::string& device)
    {
        std::string lost;
        try {
            std::call_once(planEmitted, [this] { context->emit(planned); });
            if (!device.empty()) lost = DeviceWorker(device, *context, stops.at(device).get_token()).run();
            if (!device.empty() && stops.at(device).stop_requested() && !isCancelled) context->emit(DeviceEvent{device, "stopped", {}, {}});
        } catch (const std::exception& exception) {
            lost = fmt::format("an internal error: {}", exception.what());
        } catch (...) {
            lost = "an internal error of unknown kind";
        }
        if (!lost.empty()) {
            const std::scoped_lock lock(mutex);
            lostReason = fmt::format("not run: device {} was lost: {}", device, lost);
        }
        if (--running == 0) finish();
    }

    void finish()
    {
        std::string reason;
        {
            const std::scoped_lock lock(mutex);
            reason = lostReason;
        }
        try {
            context->finish(isCancelled, reason);
        } catch (const std::exception& exception) {
            std::fprintf(stderr, "tracedeck: the end of the run could not be reported: %s\n", exception.what());
        }
        const std::scoped_lock lock(mutex);
        finished = true;
        changed.notify_all();
    }
};

Runner::Runner() : m_state(std::make_unique<State>()) {}

Runner::~Runner()
{
    cancel();
}

Result<std::unique_ptr<Runner>> Runner::start(RunRequest request, EventCallback onEvent)
{
    const RunDevices known = findRunDevices();
    if (request.only.contains(RunOnly::NeverRun) && request.hardware.empty()) {
        const auto devices = chooseDevices(request.devices, known);
        if (!devices) return devices.error();
        request.hardware = hardwareNames(*devices, known);
    }
    auto plan = makePlan(request);
    if (!plan) return plan.error();
    auto devices = chooseDevices(request.devices, known);
    if (!devices) return devices.error();
    request.devices = std::move(*devices);
    if (auto valid = checkConfigs(request, *plan); !valid) return valid.error();

    RunTools tools;
    std::optional<PythonFacts> python;
    if (!plan->pairs.empty()) {
        auto found = findRunTools(request);
        if (!found) return found.error();
        tools = std::move(*found);
        python = tools.python;
        const bool onGpu = std::ranges::any_of(request.devices, [](const std::string& device) { return device != "cpu"; });
        leaveOutWithoutPackage(*plan, *request.dataset, tools.python, request.python, onGpu);
        if (plan->isNothing()) return nothingToRun(*plan, *request.dataset);
        if (request.saveResults) {
            if (auto possible = checkResultFiles(*plan, *request.dataset); !possible) return possible.error();
        }
    }

    std::map<std::string, std::string> libs = known.libs;
    libs["tracedeck"] = TRACEDECK_VERSION;
    if (!tools.tvmFfiVersion.empty()) libs["tvm_ffi"] = tools.tvmFfiVersion;
    std::unique_ptr<Runner> runner(new Runner());
    State& state = *runner->m_state;
    state.python = std::move(python);
    if (!request.recordFolder.empty() && !plan->pairs.empty()) {
        auto recorder = RunRecorder::start(request, *plan, libs, tools.judge.seed);
        if (recorder) {
            state.recorder = std::move(*recorder);
            onEvent = [recorder = state.recorder.get(), onEvent = std::move(onEvent)](const RunEvent& event) {
                recorder->record(event);
                if (onEvent) onEvent(event);
            };
        } else {
            Error error = recorder.error();
            error.reason = "this run is not recorded: " + error.reason;
            plan->problems.push_back({Severity::Warning, std::move(error)});
        }
    }
    state.planned = {plan->pairs, plan->skippedByResume, request.devices};
    // When all was done before (resume), no judge is needed to say so.
    const std::vector<std::string> threads = plan->pairs.empty() ? std::vector<std::string>{""} : request.devices;
    state.context = std::make_unique<RunContext>(std::move(request), std::move(*plan), std::move(tools.judge),
                                                 std::move(tools.build), RunSurroundings{known.devices, std::move(libs)}, std::move(onEvent));
    for (const auto& device : threads) state.stops[device];
    // On the CPU a compiler beside a measured solution would disturb it.
    const auto gpu = std::ranges::find_if(threads, [](const std::string& device) { return device.starts_with("cuda"); });
    if (gpu != threads.end()) state.context->buildAhead(*gpu, state.building.get_token());
    state.running = threads.size();
    for (const auto& device : threads) {
        state.threads.emplace_back([&state, device] { state.workOn(device); });
    }
    return runner;
}

const RunPlan& Runner::plan() const
{
    return m_state->context->plan();
}

const std::vector<std::string>& Runner::devices() const
{
    return m_state->context->request().devices;
}

void Runner::cancel()
{
    if (m_state->isCancelled.exchange(true)) return;
    m_state->building.request_stop();
    for (auto& [device, stop] : m_state->stops) stop.request_stop();
}

void Runner::stopDevice(const std::string& device)
{
    const auto found = m_state->stops.find(device);
    if (found == m_state->stops.end()) return;
    const bool isLast = std::ranges::all_of(m_state->stops, [&](const auto& other) { return other.first == device || other.second.stop_requested(); });
    if (isLast) cancel();
    else found->second.request_stop();
}

void Runner::cancelPairs(const std::vector<std::size_t>& pairs)
{
    m_state->context->cancelPairs(pairs);
}

void Runner::moveFirst(const std::vector<std::size_t>& pairs)
{
    m_state->context->moveFirst(pairs);
}

void Runner::moveLast(const std::vector<std::size_t>& pairs)
{
    m_state->context->move(pairs, std::nullopt);
}

void Runner::moveBefore(const std::vector<std::size_t>& pairs, std::size_t before)
{
    m_state->context->move(pairs, before);
}

std::vector<std::size_t> Runner::queued() const
{
    return m_state->context->queued();
}

Result<std::size_t> Runner::add(const std::set<std::pair<std::string, std::string>>& pairs)
{
    RunRequest request = m_state->context->request();
    if (pairs.empty()) return std::size_t{0};
    if (!m_state->python) return Error{.code = ErrorCode::Conflict, .reason = "the run has ended: start another one", .file = {}, .line = 0, .field = {}};
    request.definitions.clear();
    request.solutions.clear();
    request.workloads.clear();
    request.opType.clear();
    request.only.clear();
    request.resume = false;
    request.pairs = pairs;
    auto plan = makePlan(request);
    if (!plan) return plan.error();
    if (auto valid = checkConfigs(request, *plan); !valid) return valid.error();
    const bool onGpu = std::ranges::any_of(request.devices, [](const std::string& device) { return device != "cpu"; });
    leaveOutWithoutPackage(*plan, *request.dataset, *m_state->python, request.python, onGpu);
    if (plan->isNothing()) return nothingToRun(*plan, *request.dataset);
    if (request.saveResults) {
        if (auto possible = checkResultFiles(*plan, *request.dataset); !possible) return possible.error();
    }
    return m_state->context->add(plan->pairs);
}

void Runner::setPaused(const std::string& device, bool isPaused)
{
    m_state->context->setPaused(device, isPaused);
}

bool Runner::isPaused(const std::string& device) const
{
    return m_state->context->isPaused(device);
}

std::string Runner::recordId() const
{
    return m_state->recorder ? m_state->recorder->id() : std::string();
}

void Runner::wait()
{
    std::unique_lock lock(m_state->mutex);
    m_state->changed.wait(lock, [this] { return m_state->finished; });
}

bool Runner::isFinished() const
{
    const std::scoped_lock lock(m_state->mutex);
    return m_state->finished;
}

std::vector<std::string> availableDevices()
{
    std::vector<std::string> names;
    for (const RunDevice& device : findRunDevices().devices) names.push_back(device.name);
    return names;
}

std::vector<std::string> defaultDevices()
{
    return defaultDevices(findRunDevices());
}

namespace {

/// A program of ours: named by a variable, beside this executable, or in `elsewhere` beside its folder.
Result<std::filesystem::path> findOwnProgram(const char* name, const char* variable, const std::filesystem::path& elsewhere)
{
    namespace fs = std::filesystem;
    if (const char* chosen = std::getenv(variable); chosen != nullptr && *chosen != '\0') {
        if (findProgram(fs::absolute(chosen).string()).empty())
            return Error{.code = ErrorCode::NotFound, .reason = fmt::format("{} names no program", variable), .file = chosen, .line = 0, .field = {}};
        return fs::absolute(chosen);
    }
    std::error_code failure;
    const fs::path self = fs::read_symlink("/proc/self/exe", failure);
    for (const auto& candidate : {self.parent_path() / name, self.parent_path().parent_path() / elsewhere / name}) {
        if (!failure && !findProgram(candidate.string()).empty()) return candidate;
    }
    return Error{.code = ErrorCode::NotFound,
                 .reason = fmt::format("{} is neither beside this program nor in ../{}: build it, or set {}", name, elsewhere.string(), variable),
                 .file = self.parent_path().string(),
                 .line = 0,
                 .field = {}};
}

}  // namespace

Result<std::filesystem::path> findWorkerProgram()
{
    return findOwnProgram("tracedeck-worker", "TRACEDECK_WORKER", std::filesystem::path("libexec") / "tracedeck");
}

Result<std::filesystem::path> findCommandProgram()
{
    return findOwnProgram("tracedeck", "TRACEDECK_COMMAND", "bin");
}

}  // namespace tracedeck
