// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_context.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "core/run/runnable.h"

namespace tracedeck {

RunContext::RunContext(RunRequest request, RunPlan plan, JudgeSettings judge, BuildOptions build, RunSurroundings surroundings,
                       Runner::EventCallback onEvent)
    : m_request(std::move(request)), m_plan(std::move(plan)), m_judge(std::move(judge)), m_build(std::move(build)),
      m_surroundings(std::move(surroundings)),
      m_onEvent(std::move(onEvent))
{
    if (m_request.saveResults) m_writer.emplace(m_request.dataset->root());
    for (std::size_t index = 0; index < m_plan.pairs.size(); ++index) {
        const RunPair& pair = m_plan.pairs[index];
        const Trace* workload = &m_request.dataset->workloadsOf(pair.definition).at(pair.workload);
        if (m_groups.empty() || m_groups.back().workload != workload) {
            m_groups.push_back({m_request.dataset->findDefinition(pair.definition), workload, {}});
        }
        m_groups.back().pairs.push_back(index);
    }
}

const Solution* RunContext::solutionOf(std::size_t pair) const
{
    return m_request.dataset->findSolution(m_plan.pairs.at(pair).solution);
}

JudgeSettings RunContext::judgeSettings(const std::string& device) const
{
    JudgeSettings settings = m_judge;
    settings.device = device;
    const std::vector<std::string>& devices = m_request.devices;
    settings.judges = std::max<std::size_t>(devices.size(), 1);
    settings.judge = static_cast<std::size_t>(std::ranges::find(devices, device) - devices.begin()) % settings.judges;
    return settings;
}

std::optional<RunGroup> RunContext::nextGroup(const std::stop_token& stop)
{
    std::unique_lock lock(m_queueMutex);
    m_queueChanged.wait(lock, stop, [this] { return !m_groups.empty() || m_groupsInHand == 0; });
    return stop.stop_requested() ? std::nullopt : takeGroup();
}

void RunContext::setPaused(const std::string& device, bool isPaused)
{
    const std::scoped_lock lock(m_queueMutex);
    if (isPaused && std::ranges::find(m_request.devices, device) != m_request.devices.end()) m_paused.insert(device);
    if (!isPaused) m_paused.erase(device);
    m_queueChanged.notify_all();
}

bool RunContext::isPaused(const std::string& device)
{
    const std::scoped_lock lock(m_queueMutex);
    return m_paused.contains(device);
}

void RunContext::awaitUnpaused(const std::string& device, const std::stop_token& stop)
{
    std::unique_lock lock(m_queueMutex);
    // When the others have done all there is, the run ends.
    m_queueChanged.wait(lock, stop, [&] { return !m_paused.contains(device) || (m_groups.empty() && m_groupsInHand == 0); });
}

std::optional<RunGroup> RunContext::groupAhead(std::size_t held)
{
    const std::scoped_lock lock(m_queueMutex);
    const std::size_t others = std::max<std::size_t>(m_request.devices.size(), 1) - 1;
    if (m_groups.empty() || m_groups.size() - 1 < (held + 1) * others) return std::nullopt;
    return takeGroup();
}

std::optional<RunGroup> RunContext::takeGroup()
{
    if (m_groups.empty()) return std::nullopt;
    RunGroup group = std::move(m_groups.front());
    m_groups.pop_front();
    ++m_groupsInHand;
    return group;
}

void RunContext::endGroup(RunGroup group, std::vector<std::size_t> rest)
{
    const std::scoped_lock lock(m_queueMutex);
    --m_groupsInHand;
    if (!rest.empty()) {
        group.pairs = std::move(rest);
        m_groups.push_front(std::move(group));
    }
    m_queueChanged.notify_all();
}

void RunContext::emit(const RunEvent& event)
{
    const std::scoped_lock lock(m_eventMutex);
    if (const auto* result = std::get_if<ResultEvent>(&event)) ++(result->trace.isPassed() ? m_passed : m_failed);
    if (m_onEvent) m_onEvent(event);
}

std::string RunContext::computeCapabilityOf(const std::string& device) const
{
    for (const RunDevice& known : m_surroundings.devices) {
        if (known.name == device) return known.computeCapability;
    }
    return {};
}

std::shared_ptr<RunContext::SharedBuild> RunContext::sharedBuild(const Solution& solution, const std::string& device)
{
    const std::scoped_lock lock(m_buildMutex);
    auto& entry = m_builds[{solution.name, computeCapabilityOf(device)}];
    if (!entry) entry = std::make_shared<SharedBuild>();
    return entry;
}

std::shared_ptr<const RunContext::BuildOutcome> RunContext::build(const Solution& solution, const std::string& device, const std::stop_token& stop)
{
    BuildOptions options = m_build;
    options.computeCapability = computeCapabilityOf(device);
    const auto shared = sharedBuild(solution, device);
    const std::scoped_lock lock(shared->mutex);
    if (!shared->outcome) shared->outcome = std::make_shared<const BuildOutcome>(buildNative(solution, options, stop));
    return shared->outcome;
}

std::shared_ptr<const RunContext::BuildOutcome> RunContext::finishedBuild(const Solution& solution, const std::string& device)
{
    const auto shared = sharedBuild(solution, device);
    const std::unique_lock lock(shared->mutex, std::try_to_lock);
    return lock.owns_lock() ? shared->outcome : nullptr;
}

void RunContext::buildAhead(const std::string& device, const std::stop_token& stop)
{
    auto names = std::make_shared<std::vector<const Solution*>>();
    std::set<std::string> seen;
    for (const RunPair& pair : m_plan.pairs) {
        const Solution* solution = m_request.dataset->findSolution(pair.solution);
        if (solution != nullptr && solution->spec.isCompiled() && seen.insert(solution->name).second) names->push_back(solution);
    }
    // Half of the processors: the rest is for the devices' hosts.
    const std::size_t threads = std::min<std::size_t>(names->size(), std::clamp(std::thread::hardware_concurrency() / 2, 1U, 8U));
    auto next = std::make_shared<std::atomic<std::size_t>>(0);
    for (std::size_t i = 0; i < threads; ++i) {
        m_builders.emplace_back([this, names, next, device, stop] {
            for (std::size_t index = (*next)++; index < names->size() && !stop.stop_requested(); index = (*next)++) {
                static_cast<void>(build(*(*names)[index], device, stop));
            }
        });
    }
}

void RunContext::recordResult(const std::string& device, const RunGroup& group, std::size_t pair,
                              Evaluation evaluation, bool store, std::string note)
{
    const Solution& solution = *solutionOf(pair);
    ResultEvent event;
    event.device = device;
    event.pair = pair;
    event.trace.definition = group.definition->name;
    event.trace.workload = group.workload->workload;
    event.trace.solution = solution.name;
    event.trace.evaluation = std::move(evaluation);
    event.note = std::move(note);
    std::optional<Error> failure;
    if (store && m_writer) {
        const auto path = resultFilePath(m_request.dataset->root(), *group.definition, solution.author);
        auto appended = path ? m_writer->append(event.trace, *path, group.definition->dialect) : Result<TraceWriter::Appended>(path.error());
        if (appended) {
            event.stored = true;
            event.file = appended->file;
            event.byteOffset = appended->byteOffset;
        } else {
            failure = appended.error();
            event.note = "the result could not be stored: " + failure->toString();
        }
    }
    emit(event);
    if (failure) reportProblem(device, {}, *failure);
}

void RunContext::reportProblem(const std::string& device, std::vector<std::size_t> pairs, Error error, std::optional<ReferenceFailure> reference)
{
    emit(ProblemEvent{device, std::move(pairs), std::move(error), reference});
}

void RunContext::finish(bool cancelled, const std::string& reason)
{
    std::vector<std::size_t> left;
    {
        const std::scoped_lock lock(m_queueMutex);
        for (const RunGroup& group : m_groups) left.insert(left.end(), group.pairs.begin(), group.pairs.end());
        m_groups.clear();
    }
    if (!left.empty() && !cancelled) {
        reportProblem("", std::move(left),
                      Error{.code = ErrorCode::ProcessFailed, .reason = reason, .file = {}, .line = 0, .field = {}});
    }
    if (m_writer) {
        if (auto flushed = m_writer->flush(); !flushed) reportProblem("", {}, flushed.error());
    }
    DoneEvent done;
    done.total = m_plan.pairs.size();
    {
        const std::scoped_lock lock(m_eventMutex);
        done.passed = m_passed;
        done.failed = m_failed;
    }
    done.notRun = done.total - done.passed - done.failed;
    done.cancelled = cancelled;
    done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_started).count();
    emit(done);
}

std::string localTimestamp()
{
    const auto now = std::chrono::system_clock::now();
    const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
    const auto micros =
        std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count() % 1'000'000;
    std::tm parts{};
    ::localtime_r(&seconds, &parts);
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}", parts, micros);
}

}  // namespace tracedeck
