// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_context.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <iterator>
#include <numeric>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "core/run/runnable.h"

namespace tracedeck {

namespace {

constexpr std::string_view kCancelledReason = "cancelled";

}  // namespace

RunContext::RunContext(RunRequest request, RunPlan plan, JudgeSettings judge, BuildOptions build, RunSurroundings surroundings,
                       Runner::EventCallback onEvent)
    : m_request(std::move(request)), m_plan(std::move(plan)), m_judge(std::move(judge)), m_build(std::move(build)),
      m_surroundings(std::move(surroundings)),
      m_onEvent(std::move(onEvent))
{
    if (m_request.saveResults) m_writer.emplace(m_request.dataset->root());
    m_states.assign(m_plan.pairs.size(), PairState::Waiting);
    std::vector<std::size_t> all(m_plan.pairs.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    auto groups = groupsOf(all);
    m_groups.assign(std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
}

std::vector<RunGroup> RunContext::groupsOf(const std::vector<std::size_t>& pairs) const
{
    std::vector<RunGroup> groups;
    for (const std::size_t index : pairs) {
        const RunPair& pair = index < m_plan.pairs.size() ? m_plan.pairs[index] : m_added[index - m_plan.pairs.size()];
        const Trace* workload = &m_request.dataset->workloadsOf(pair.definition).at(pair.workload);
        if (groups.empty() || groups.back().workload != workload) groups.push_back({m_request.dataset->findDefinition(pair.definition), workload, {}});
        groups.back().pairs.push_back(index);
    }
    return groups;
}

const RunPair& RunContext::pairAt(std::size_t pair) const
{
    if (pair < m_plan.pairs.size()) return m_plan.pairs[pair];
    const std::scoped_lock lock(m_queueMutex);
    return m_added.at(pair - m_plan.pairs.size());
}

const Solution* RunContext::solutionOf(std::size_t pair) const
{
    return m_request.dataset->findSolution(pairAt(pair).solution);
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
    if (stop.stop_requested()) return std::nullopt;
    auto group = takeGroup();
    if (!group) m_isClosed = true;
    return group;
}

bool RunContext::beginPair(const std::string& device, std::size_t pair, const std::stop_source& stop)
{
    const std::scoped_lock lock(m_queueMutex);
    if (m_states[pair] == PairState::Ended) return false;
    m_states[pair] = PairState::Running;
    m_running.insert_or_assign(device, InHand{pair, stop});
    return true;
}

void RunContext::endPair(const std::string& device)
{
    const std::scoped_lock lock(m_queueMutex);
    const auto found = m_running.find(device);
    if (found == m_running.end()) return;
    // One that came to nothing, as its device stopped, waits for another one.
    if (m_states[found->second.pair] == PairState::Running) m_states[found->second.pair] = PairState::Waiting;
    m_running.erase(found);
}

bool RunContext::isWaiting(std::size_t pair)
{
    const std::scoped_lock lock(m_queueMutex);
    return m_states[pair] != PairState::Ended;
}

std::vector<std::size_t> RunContext::endPairs(const std::vector<std::size_t>& pairs)
{
    const std::scoped_lock lock(m_queueMutex);
    std::vector<std::size_t> ended;
    for (const std::size_t pair : pairs) {
        if (std::exchange(m_states[pair], PairState::Ended) != PairState::Ended) ended.push_back(pair);
    }
    return ended;
}

void RunContext::dropStopped(std::size_t pair)
{
    if (auto ended = endPairs({pair}); !ended.empty()) emit(SkippedEvent{std::move(ended), std::string(kCancelledReason), true});
}

void RunContext::takeOut(const std::set<std::size_t>& pairs)
{
    for (RunGroup& group : m_groups) std::erase_if(group.pairs, [&pairs](std::size_t pair) { return pairs.contains(pair); });
    std::erase_if(m_groups, [](const RunGroup& group) { return group.pairs.empty(); });
}

void RunContext::cancelPairs(const std::vector<std::size_t>& pairs)
{
    std::vector<std::size_t> dropped;
    std::vector<std::stop_source> running;
    {
        const std::scoped_lock lock(m_queueMutex);
        const std::set<std::size_t> chosen(pairs.begin(), pairs.end());
        for (const std::size_t pair : chosen) {
            if (pair >= m_states.size() || m_states[pair] != PairState::Waiting) continue;
            m_states[pair] = PairState::Ended;
            dropped.push_back(pair);
        }
        takeOut({dropped.begin(), dropped.end()});
        for (const auto& [device, inHand] : m_running) {
            if (chosen.contains(inHand.pair)) running.push_back(inHand.stop);
        }
        m_queueChanged.notify_all();
    }
    // Not under the lock: a stop runs callbacks.
    for (std::stop_source& stop : running) stop.request_stop();
    if (!dropped.empty()) emit(SkippedEvent{std::move(dropped), std::string(kCancelledReason), true});
}

void RunContext::moveWaiting(const std::vector<std::size_t>& pairs, std::optional<std::size_t> before)
{
    std::vector<std::size_t> order = queue();
    std::set<std::size_t> inQueue(order.begin(), order.end());
    std::vector<std::size_t> moved;
    for (const std::size_t pair : pairs) {
        if (inQueue.erase(pair) > 0) moved.push_back(pair);   // erased: one that is named twice moves once
    }
    if (moved.empty()) return;
    // One that moves itself is no place: the next one that stays is.
    auto place = before ? std::ranges::find(order, *before) : order.end();
    while (place != order.end() && !inQueue.contains(*place)) ++place;
    const std::optional<std::size_t> next = place == order.end() ? std::nullopt : std::optional(*place);
    std::erase_if(order, [&inQueue](std::size_t pair) { return !inQueue.contains(pair); });
    order.insert(next ? std::ranges::find(order, *next) : order.end(), moved.begin(), moved.end());
    auto groups = groupsOf(order);
    m_groups.assign(std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
}

void RunContext::move(const std::vector<std::size_t>& pairs, std::optional<std::size_t> before)
{
    const std::scoped_lock lock(m_queueMutex);
    moveWaiting(pairs, before);
}

void RunContext::moveFirst(const std::vector<std::size_t>& pairs)
{
    const std::scoped_lock lock(m_queueMutex);
    if (!m_groups.empty()) moveWaiting(pairs, m_groups.front().pairs.front());
}

std::vector<std::size_t> RunContext::queue() const
{
    std::vector<std::size_t> pairs;
    for (const RunGroup& group : m_groups) pairs.insert(pairs.end(), group.pairs.begin(), group.pairs.end());
    return pairs;
}

std::vector<std::size_t> RunContext::queued()
{
    const std::scoped_lock lock(m_queueMutex);
    return queue();
}

Result<std::size_t> RunContext::add(const std::vector<RunPair>& pairs)
{
    const std::scoped_lock lock(m_queueMutex);
    if (m_isClosed) return Error{.code = ErrorCode::Conflict, .reason = "the run has ended: start another one", .file = {}, .line = 0, .field = {}};
    const auto keyOf = [](const RunPair& pair) { return std::pair{pair.solution, pair.workloadUuid}; };
    std::set<std::pair<std::string, std::string>> pending;
    for (std::size_t index = 0; index < m_states.size(); ++index) {
        if (m_states[index] == PairState::Ended) continue;
        pending.insert(keyOf(index < m_plan.pairs.size() ? m_plan.pairs[index] : m_added[index - m_plan.pairs.size()]));
    }
    AddedEvent event{.first = m_states.size(), .pairs = {}};
    std::vector<std::size_t> indexes;
    for (const RunPair& pair : pairs) {
        if (!pending.insert(keyOf(pair)).second) continue;
        indexes.push_back(m_states.size());
        m_states.push_back(PairState::Waiting);
        m_added.push_back(pair);
        event.pairs.push_back(pair);
    }
    if (indexes.empty()) return std::size_t{0};
    // Under the lock: no device may announce one of them before.
    emit(event);
    auto groups = groupsOf(indexes);
    m_groups.insert(m_groups.end(), std::make_move_iterator(groups.begin()), std::make_move_iterator(groups.end()));
    m_queueChanged.notify_all();
    return indexes.size();
}

std::vector<std::size_t> RunContext::pairsToSkip(const std::string& solution)
{
    const std::scoped_lock lock(m_queueMutex);
    if (m_request.skipAfterFailures == 0 || ++m_failures[solution] != m_request.skipAfterFailures) return {};
    std::vector<std::size_t> pairs;
    for (std::size_t index = 0; index < m_states.size(); ++index) {
        const RunPair& pair = index < m_plan.pairs.size() ? m_plan.pairs[index] : m_added[index - m_plan.pairs.size()];
        if (m_states[index] != PairState::Waiting || pair.solution != solution) continue;
        m_states[index] = PairState::Ended;
        pairs.push_back(index);
    }
    takeOut({pairs.begin(), pairs.end()});
    m_queueChanged.notify_all();
    return pairs;
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
    std::erase_if(rest, [this](std::size_t pair) { return m_states[pair] == PairState::Ended; });
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
    constexpr auto kLookAgain = std::chrono::milliseconds(20);
    std::unique_lock lock(shared->mutex, std::defer_lock);
    while (!lock.try_lock()) {
        if (stop.stop_requested()) return std::make_shared<const BuildOutcome>(BuildFailure{ErrorCode::Cancelled, {}});
        std::this_thread::sleep_for(kLookAgain);   // somebody else builds it
    }
    if (shared->outcome) return shared->outcome;
    auto outcome = std::make_shared<const BuildOutcome>(buildNative(solution, options, stop));
    // What one pair's end cut short, another pair's turn builds.
    const auto* failure = std::get_if<BuildFailure>(outcome.get());
    if (failure == nullptr || failure->code != ErrorCode::Cancelled) shared->outcome = outcome;
    return outcome;
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
    const bool isFailure = !event.trace.isPassed();
    if (endPairs({pair}).empty()) return;   // can't be: a pair has one end
    emit(event);
    if (failure) reportProblem(device, {}, *failure);
    if (!isFailure) return;
    if (auto skipped = pairsToSkip(solution.name); !skipped.empty()) {
        emit(SkippedEvent{std::move(skipped), fmt::format("solution {} failed {} time{} in this run", solution.name, m_request.skipAfterFailures,
                                                          m_request.skipAfterFailures == 1 ? "" : "s")});
    }
}

void RunContext::reportProblem(const std::string& device, std::vector<std::size_t> pairs, Error error, std::optional<ReferenceFailure> reference)
{
    if (!pairs.empty()) {
        pairs = endPairs(pairs);
        if (pairs.empty()) return;
    }
    emit(ProblemEvent{device, std::move(pairs), std::move(error), reference});
}

void RunContext::finish(bool cancelled, const std::string& reason)
{
    std::vector<std::size_t> left;
    {
        const std::scoped_lock lock(m_queueMutex);
        for (const RunGroup& group : m_groups) left.insert(left.end(), group.pairs.begin(), group.pairs.end());
        m_groups.clear();
        m_isClosed = true;
    }
    if (!left.empty() && !cancelled) {
        reportProblem("", std::move(left),
                      Error{.code = ErrorCode::ProcessFailed, .reason = reason, .file = {}, .line = 0, .field = {}});
    }
    if (m_writer) {
        if (auto flushed = m_writer->flush(); !flushed) reportProblem("", {}, flushed.error());
    }
    DoneEvent done;
    {
        const std::scoped_lock lock(m_queueMutex);
        done.total = m_states.size();
    }
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

}  // namespace tracedeck
