// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/host_launcher.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/judge/call_loop.h"

namespace tracedeck::judge {

namespace {

constexpr double kGuestStartSeconds = 170;   // torch from a cold disk
constexpr int kCalibrationWarmups = 50;
constexpr int kCalibrationCalls = 301;

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

Result<ChildProcess> HostLauncher::startNative(HostProcess::TheirEnds& ends, HostRole role)
{
    ChildSpec spec;
    spec.command = {"/proc/self/exe", "host", toString(role), std::to_string(::getpid()), m_processors.yields ? "yield" : "spin"};
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

HostResult<std::unique_ptr<HostProcess>> HostLauncher::launch(HostKind kind, HostRole role, Deadline deadline)
{
    // A new process is unknown until it has been adopted: nobody may look for strays meanwhile.
    const auto holding = m_living.hold();
    if (kind == HostKind::Python && !m_guest->isAlive()) {
        // A host without its own process namespace may have killed it.
        if (auto started = startGuest(); !started) {
            return internal(started.error());
        }
    }
    auto prepared = HostProcess::prepare(m_folder->path(), m_program, m_living);
    if (!prepared) {
        return internal(prepared.error());
    }
    auto& [host, ends] = *prepared;
    std::optional<ChildProcess> starter;
    std::optional<Error> error;
    if (kind == HostKind::Python) {
        if (auto asked = m_guest->fork(ends, toString(role), deadline); !asked) {
            error = asked.error();
        }
    } else if (auto child = startNative(ends, role)) {
        starter = std::move(*child);
    } else {
        error = child.error();
    }
    ends = {};
    if (error) {
        return internal(*error);
    }
    host->expectStart(std::move(starter));
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
    std::error_code ignored;   // an empty path can't be loaded, and the loader says so
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    return {{"library", (program.parent_path() / "libtracedeck-cuda-host.so").string()}, {"cupti", cupti}, {"evict", m_settings.evictBytes}};
}

HostResult<double> HostLauncher::roundTripNs(HostKind kind, Deadline deadline)
{
    if (const auto known = m_roundTripNs.find(kind); known != m_roundTripNs.end()) {
        return known->second;
    }
    auto launched = launch(kind, HostRole::Calibration, deadline);
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
