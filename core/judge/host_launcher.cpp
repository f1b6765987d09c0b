// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/host_launcher.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "core/build/cuda_toolkit.h"
#include "core/judge/call_loop.h"
#include "core/judge/cpu/available_memory.h"

namespace tracedeck::judge {

namespace {

namespace fs = std::filesystem;

constexpr double kGuestStartSeconds = 170;   // torch from a cold disk
constexpr int kCalibrationWarmups = 50;
constexpr int kCalibrationCalls = 301;
constexpr const char* kViewName = "view";
constexpr const char* kGpuLibrary = "libtracedeck-cuda-host.so";
constexpr const char* kConfineLibrary = "libtracedeck-confine.so";

/// Processes and threads of this user, which the kernel counts together where there is no user namespace.
std::uint64_t threadsOfUser()
{
    std::uint64_t count = 0;
    for (const pid_t process : allProcesses()) {
        struct stat status{};
        std::error_code failure;
        const std::string folder = fmt::format("/proc/{}/task", process);
        if (::stat(folder.c_str(), &status) == 0 && status.st_uid == ::geteuid()) {
            const auto threads = std::distance(fs::directory_iterator(folder, failure), fs::directory_iterator());
            count += failure ? 0 : static_cast<std::uint64_t>(threads);
        }
    }
    return count;
}

HostFailure internal(const Error& error)
{
    return {HostFailure::Kind::Internal, error.reason};
}

}  // namespace

std::string toString(HostRole role)
{
    switch (role) {
    case HostRole::Reference: return "reference";
    case HostRole::Solution: return "solution";
    case HostRole::Calibration: return "calibration";
    }
    return {};
}

HostLauncher::HostLauncher(LauncherSettings settings)
    : m_settings(std::move(settings)), m_kernels(m_settings.kernelCache), m_processors(CpuPlan::detect(m_settings.judge, m_settings.judges)), m_program(m_settings.programDescriptor)
{
}

HostLauncher::~HostLauncher()
{
    for (auto& [name, host] : m_kept) {
        retire(std::move(host));
    }
    m_kept.clear();
    if (m_undertaker.joinable()) {
        m_undertaker.request_stop();
        m_undertaker.join();
    }
    if (m_guest) {
        m_living.remove(m_guest->pid());
        m_guest.reset();
    }
    m_living.killStrays();
}

Result<std::unique_ptr<HostLauncher>> HostLauncher::start(LauncherSettings settings)
{
    std::unique_ptr<HostLauncher> launcher(new HostLauncher(std::move(settings)));
    becomeSubreaper();
    pinThread(launcher->m_processors.judge);
    auto folder = makeJudgeFolder();
    if (!folder) {
        return folder.error();
    }
    launcher->m_folder = std::move(*folder);
    if (auto prepared = launcher->prepareWalls(); !prepared) {
        return prepared.error();
    }
    if (auto started = launcher->startGuest(); !started) {
        return started.error();
    }
    return launcher;
}

Result<void> HostLauncher::startGuest()
{
    if (m_guest) {
        m_living.remove(m_guest->pid());
        m_guest.reset();
    }
    auto guest = WarmGuest::start(m_settings.python, m_folder->path(), m_processors, m_settings.visibleDevice, deadlineAfter(kGuestStartSeconds));
    if (!guest) {
        return guest.error();
    }
    m_guest = std::move(*guest);
    m_living.add(m_guest->pid());
    return {};
}

fs::path HostLauncher::besideWorker(const char* name) const
{
    std::error_code ignored;   // an empty path can't be loaded, and whoever loads says so
    const fs::path program = m_settings.worker.empty() ? fs::read_symlink("/proc/self/exe", ignored) : m_settings.worker;
    return program.parent_path() / name;
}

Result<void> HostLauncher::prepareWalls()
{
    std::error_code failure;
    const fs::path program = m_settings.worker.empty() ? fs::read_symlink("/proc/self/exe", failure) : m_settings.worker;
    if (!fs::exists(besideWorker(kConfineLibrary), failure)) {
        return Error{ErrorCode::NotFound, fmt::format("{}, which belongs beside tracedeck-worker, is not there: build or install it again", kConfineLibrary),
                     program.parent_path().string(), 0, {}};
    }
    fs::create_directory(m_folder->path() / kViewName, failure);
    const WatchedLimits limits = limitsOfHost();
    Result<confine::Abilities> walls = confine::Abilities{};
    if (m_settings.confinement == confine::Wish::None) {
        walls = confine::askAbilities(program, m_folder->path(), {});
    } else {
        m_groups.emplace(confine::findGroupPlaces());
        walls = confine::findAbilities(program, m_folder->path(), *m_groups, {limits.memoryBytes, limits.processes});
    }
    if (!walls) {
        return walls.error();
    }
    if (walls->namespaces == confine::Namespaces::Processes && !m_settings.visibleDevice.empty()) {
        walls->namespaces = confine::Namespaces::None;   // the GPU driver looks itself up in /proc
    }
    auto wanted = confine::restrictTo(std::move(*walls), m_settings.confinement);
    if (!wanted) {
        return wanted.error();
    }
    m_walls = std::move(*wanted);
    return {};
}

WatchedLimits HostLauncher::limitsOfHost() const
{
    constexpr std::uint64_t kLeast = std::uint64_t{1} << 30;
    constexpr std::uint64_t kProcesses = 512;
    constexpr std::uint64_t kProcessesPerThread = 16;   // several libraries with a pool each
    WatchedLimits limits;
    limits.memoryBytes = m_settings.hostMemoryBytes;
    if (limits.memoryBytes == 0) {
        const std::uint64_t available = availableMemoryBytes().value_or(0);
        limits.memoryBytes = available == 0 ? 0 : std::max(kLeast, available / 5 * 4);
    }
    limits.processes = kProcesses + kProcessesPerThread * static_cast<std::uint64_t>(m_processors.hostThreads());
    return limits;
}

bool HostLauncher::mayShow(const fs::path& path) const
{
    const std::string text = path.lexically_normal().string();
    if (text.empty() || text.front() != '/') {
        return false;
    }
    // Nothing that holds more than what is named: a home folder, or the folders of all judges.
    const char* home = std::getenv("HOME");
    for (const fs::path& inside : {fs::path(home != nullptr ? home : "/root"), m_folder->path(), fs::path("/etc/x"), fs::path("/home/x"), fs::path("/root"),
                                   fs::path("/var/tmp/x"), fs::path("/tmp/x"), fs::path("/proc/x"), fs::path("/dev/x"), fs::path("/run/x"), fs::path("/mnt/x")}) {
        const auto [end, ignored] = std::mismatch(path.begin(), path.end(), inside.begin(), inside.end());
        if (end == path.end()) {
            return false;
        }
    }
    return true;
}

confine::Plan HostLauncher::planOf(const HostOrder& order, const HostProcess& host, const WatchedLimits& limits, const confine::HostGroup* group) const
{
    const bool usesGpu = !m_settings.visibleDevice.empty();
    confine::Plan plan;
    plan.namespaces = m_walls.namespaces;
    plan.usesGpu = usesGpu;
    plan.landlock = m_walls.landlock;
    plan.filtersCalls = m_walls.filtersCalls;
    plan.viewFolder = (m_folder->path() / kViewName).string();
    plan.judge = ::getpid();
    plan.hidesMemory = order.role == HostRole::Reference;   // expected outputs
    std::vector<fs::path> readable(m_guest->places().begin(), m_guest->places().end());
    if (const char* folders = std::getenv("LD_LIBRARY_PATH"); folders != nullptr) {
        std::istringstream list{std::string(folders)};
        for (std::string folder; std::getline(list, folder, ':');) {
            readable.emplace_back(folder);
        }
    }
    if (usesGpu) {
        readable.push_back(besideWorker(kGpuLibrary));
        if (const auto toolkit = findCudaToolkit()) {
            readable.push_back(toolkit->root);
        }
    }
    if (!m_settings.tvmFfiLibrary.empty()) {
        readable.push_back(m_settings.tvmFfiLibrary.parent_path());
    }
    std::erase_if(readable, [this](const fs::path& path) { return !mayShow(path); });
    readable.insert(readable.end(), order.readable.begin(), order.readable.end());
    for (const fs::path& path : readable) {
        plan.readable.push_back(path.string());
    }
    plan.writable = {host.scratch().string()};
    if (group != nullptr) {
        plan.groups = group->folders();
    }
    if (m_settings.confinement == confine::Wish::None) {
        return plan;
    }
    if (limits.watchesProcesses && ::geteuid() != 0) {
        // Of a namespace's own count, else of all that this user runs.
        const bool isOwnCount = plan.namespaces != confine::Namespaces::None;
        plan.processLimit = limits.processes + (isOwnCount ? 0 : threadsOfUser());
    }
    // On a GPU the driver reserves more than any sane limit.
    plan.dataBytes = usesGpu ? 0 : limits.memoryBytes;
    return plan;
}

Result<ChildProcess> HostLauncher::startNative(HostProcess::TheirEnds& ends, HostRole role, const confine::Plan& plan)
{
    ChildSpec spec;
    // The running program, even when its file was replaced meanwhile.
    spec.command = {m_settings.worker.empty() ? "/proc/self/exe" : m_settings.worker.string(), "host", toString(role), m_processors.yields ? "yield" : "spin", confine::encodePlan(plan)};
    spec.environment = hostEnvironment(m_folder->path(), m_processors.hostThreads(), m_settings.visibleDevice);
    spec.workingFolder = m_folder->path();
    spec.standardOutput = ends.output.get();
    spec.standardError = ends.errorOutput.get();
    spec.descriptors = {{ends.socket.get(), 3}, {ends.lifeline.get(), 4}};
    const HostPlacement placement(m_processors);
    // Only the intermediate process that starts the host proper.
    return ChildProcess::spawn(spec);
}

void HostLauncher::retire(std::unique_ptr<HostProcess> host)
{
    if (m_settings.visibleDevice.empty()) {
        host->end();   // gone at once, and nothing of it may disturb what is measured next
        return;
    }
    host->kill();
    const std::lock_guard lock(m_retiredMutex);
    m_retired.push_back(std::move(host));
    m_retiredChanged.notify_all();
    if (!m_undertaker.joinable()) {
        m_undertaker = std::jthread([this](const std::stop_token& stop) {
            std::unique_lock waiting(m_retiredMutex);
            while (m_retiredChanged.wait(waiting, stop, [this] { return !m_retired.empty(); }) || !m_retired.empty()) {
                std::unique_ptr<HostProcess> next = std::move(m_retired.back());
                m_retired.pop_back();
                m_isBurying = true;
                waiting.unlock();
                next.reset();
                waiting.lock();
                m_isBurying = false;
                m_retiredChanged.notify_all();
            }
        });
    }
}

void HostLauncher::keep(const std::string& definition, const std::string& name, std::unique_ptr<HostProcess> host, Deadline deadline)
{
    const Json unbind = {{"op", "bind"}, {"inputs", Json::array()}, {"outputs", Json::array()}};
    const std::vector<int> descriptors{host->pageDescriptor()};
    if (!host->send(unbind, deadline, descriptors)) {
        m_kept[{definition, name}] = std::move(host);
    } else {
        retire(std::move(host));
    }
}

std::unique_ptr<HostProcess> HostLauncher::takeKept(const std::string& definition, const std::string& name, Deadline deadline)
{
    auto entry = m_kept.extract({definition, name});
    if (entry.empty()) {
        return nullptr;
    }
    if (std::holds_alternative<HostFailure>(entry.mapped()->expect("ready", deadline))) {
        retire(std::move(entry.mapped()));   // it died while nobody looked
        return nullptr;
    }
    return std::move(entry.mapped());
}

void HostLauncher::endKept(const std::string& definition)
{
    for (auto entry = m_kept.begin(); entry != m_kept.end();) {
        if (entry->first.first != definition) {
            ++entry;
            continue;
        }
        retire(std::move(entry->second));
        entry = m_kept.erase(entry);
    }
}

bool HostLauncher::freeMemory(Deadline deadline)
{
    bool any = !m_kept.empty();
    for (auto& [name, host] : m_kept) {
        retire(std::move(host));
    }
    m_kept.clear();
    std::unique_lock waiting(m_retiredMutex);
    any = any || !m_retired.empty() || m_isBurying;
    m_retiredChanged.wait_until(waiting, deadline, [this] { return m_retired.empty() && !m_isBurying; });
    return any;
}

HostResult<std::unique_ptr<HostProcess>> HostLauncher::launch(const HostOrder& order, Deadline deadline)
{
    auto launched = launchOnce(order, deadline);
    if (std::holds_alternative<HostFailure>(launched) && order.kind == HostKind::Python && !m_guest->isAlive()) {
        return launchOnce(order, deadline);   // somebody killed the warm guest just then
    }
    return launched;
}

HostResult<std::unique_ptr<HostProcess>> HostLauncher::launchOnce(const HostOrder& order, Deadline deadline)
{
    const auto [kind, role] = std::pair(order.kind, order.role);
    // A new process is unknown until it has been adopted: nobody may look for strays meanwhile.
    const auto holding = m_living.hold();
    if (kind == HostKind::Python && !m_guest->isAlive()) {
        // A host without its own process namespace may have killed it.
        if (auto started = startGuest(); !started) {
            return internal(started.error());
        }
    }
    auto prepared = HostProcess::prepare(m_folder->path(), m_program, m_living, m_watch);
    if (!prepared) {
        return internal(prepared.error());
    }
    auto& [host, ends] = *prepared;
    WatchedLimits limits = limitsOfHost();
    std::unique_ptr<confine::HostGroup> group = m_groups ? m_groups->make({limits.memoryBytes, limits.processes}) : nullptr;
    if (m_settings.confinement != confine::Wish::None) {
        limits.watchesMemory = !group || !group->limitsMemory();
        limits.watchesProcesses = !group || !group->limitsProcesses();
    }
    const confine::Plan plan = planOf(order, *host, limits, group.get());
    std::optional<ChildProcess> starter;
    std::optional<Error> error;
    if (kind == HostKind::Python) {
        if (auto asked = m_guest->fork(ends, toString(role), besideWorker(kConfineLibrary), plan, deadline); !asked) {
            error = asked.error();
        }
    } else if (auto child = startNative(ends, role, plan)) {
        starter = std::move(*child);
    } else {
        error = child.error();
    }
    ends = {};
    if (error) {
        return internal(*error);
    }
    host->expectStart(std::move(starter), std::move(group), limits);
    if (!m_settings.visibleDevice.empty()) {
        return std::move(host);   // adopted when it is needed: starting takes tens of milliseconds
    }
    if (auto failure = host->adopt(deadline)) {
        const std::string printed = kind == HostKind::Python ? m_guest->log() : host->log();
        failure->message += printed.empty() ? "" : "\n" + printed;
        return std::move(*failure);
    }
    return std::move(host);
}

Json HostLauncher::gpuMessage() const
{
    if (m_settings.visibleDevice.empty()) {
        return nullptr;
    }
    // The copy that comes with torch first: one process can't use two.
    std::string cupti = m_guest->cupti();
    for (const char* place : {"libcupti.so.13", "/usr/local/cuda/lib64/libcupti.so", "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so", "libcupti.so.12",
                              "libcupti.so"}) {
        cupti += (cupti.empty() ? "" : "\n") + std::string(place);
    }
    return {{"library", besideWorker(kGpuLibrary).string()}, {"cupti", cupti}, {"evict", m_settings.evictBytes}};
}

HostResult<double> HostLauncher::roundTripNs(HostKind kind, Deadline deadline)
{
    if (const auto known = m_roundTripNs.find(kind); known != m_roundTripNs.end()) {
        return known->second;
    }
    auto launched = launch({kind, HostRole::Calibration}, deadline);
    if (auto* failure = std::get_if<HostFailure>(&launched)) {
        return std::move(*failure);
    }
    HostProcess& host = *std::get<std::unique_ptr<HostProcess>>(launched);
    const Json load = {{"op", "load"},   {"v", kProtocolVersion},  {"role", "calibration"}, {"style", "dps"},
                       {"scratch", host.scratch().string()}, {"inputs", Json::array()}, {"outputs", Json::array()}};
    const std::vector<int> descriptors{host.pageDescriptor()};
    if (auto failure = host.send(load, deadline, descriptors)) {
        return std::move(*failure);
    }
    auto answer = host.expect("ready", deadline);
    if (auto* failure = std::get_if<HostFailure>(&answer)) {
        return std::move(*failure);
    }
    CallLoop loop(host, m_processors.yields, false);
    if (auto failure = loop.begin(kCalibrationWarmups + kCalibrationCalls, false, deadline)) {
        return std::move(*failure);
    }
    std::vector<double> samples;
    for (int call = 0; call < kCalibrationWarmups + kCalibrationCalls; ++call) {
        auto outcome = loop.call(deadline, {});
        if (auto* failure = std::get_if<HostFailure>(&outcome)) {
            return std::move(*failure);
        }
        if (call >= kCalibrationWarmups) {
            samples.push_back(std::get<CallOutcome>(outcome).nanoseconds);
        }
    }
    std::nth_element(samples.begin(), samples.begin() + kCalibrationCalls / 2, samples.end());
    m_roundTripNs[kind] = samples[kCalibrationCalls / 2];
    return m_roundTripNs[kind];
}

}  // namespace tracedeck::judge
