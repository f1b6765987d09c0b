// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/confine/abilities.h"
#include "core/judge/cpu_plan.h"
#include "core/judge/host_process.h"
#include "core/judge/kernel_store.h"
#include "core/judge/warm_guest.h"

namespace tracedeck::judge {

/// What a host is for.
enum class HostRole { Reference, Solution, Calibration };
[[nodiscard]] std::string toString(HostRole role);
/// Who makes the calls: Python, or the worker program with a compiled library.
enum class HostKind { Python, Native };

struct LauncherSettings {
    std::filesystem::path python;
    std::filesystem::path tvmFfiLibrary;   ///< empty: native solutions can't be loaded
    int programDescriptor = -1;            ///< socket to the program
    std::string visibleDevice = {};        ///< what hosts see as their only GPU; empty: they have none
    std::size_t evictBytes = 0;            ///< Device::evictBytes()
    std::filesystem::path kernelCache = {};   ///< root of a KernelStore
    std::size_t judge = 0;                    ///< which of `judges` that work at the same time this is
    std::size_t judges = 1;
    confine::Wish confinement = confine::Wish::Auto;
    std::uint64_t hostMemoryBytes = 0;        ///< what a host may take; 0: four fifths of what is free when it starts
    std::filesystem::path worker = {};        ///< tracedeck-worker, beside which its libraries lie; empty: the running program
};

/// What one host is started for.
struct HostOrder {
    HostKind kind = HostKind::Python;
    HostRole role = HostRole::Solution;
    std::vector<std::filesystem::path> readable = {};   ///< what it may read beside the interpreter and the system
};

/// Starts hosts, and knows how long a message to one and back takes.
class HostLauncher {
public:
    /// Starts the warm guest. Error: what keeps Python or PyTorch from working, in words for a user.
    static Result<std::unique_ptr<HostLauncher>> start(LauncherSettings settings);
    ~HostLauncher();

    /// A confined process that waits for its `load` message; with a GPU still to be adopted.
    HostResult<std::unique_ptr<HostProcess>> launch(const HostOrder& order, Deadline deadline);
    /// The walls that every host of this judge is behind.
    [[nodiscard]] const confine::Abilities& walls() const { return m_walls; }
    /// Median nanoseconds from `go` to `done` when nothing is called, measured once per kind. Failure: as for a host.
    HostResult<double> roundTripNs(HostKind kind, Deadline deadline);

    [[nodiscard]] const std::map<std::string, std::string>& libs() const { return m_guest->libs(); }
    /// Ends a host without waiting for it: a process that has used a GPU takes its time to go.
    void retire(std::unique_ptr<HostProcess> host);
    /// Takes a loaded host's buffers away and keeps it for the next workload of its definition; it may do so while others work.
    void keep(const std::string& definition, const std::string& name, std::unique_ptr<HostProcess> host, Deadline deadline);
    /// One that was kept and has let go of its buffers, null without; one that does not answer is retired.
    std::unique_ptr<HostProcess> takeKept(const std::string& definition, const std::string& name, Deadline deadline);
    /// Ends the kept hosts of a definition.
    void endKept(const std::string& definition);
    /// Ends every host that waits for its next workload, and waits until those that were retired are gone. True when there were any.
    bool freeMemory(Deadline deadline);

    /// The `gpu` field of a `load` message: null without a GPU.
    [[nodiscard]] Json gpuMessage() const;
    [[nodiscard]] const CpuPlan& processors() const { return m_processors; }
    [[nodiscard]] const LauncherSettings& settings() const { return m_settings; }
    [[nodiscard]] const ProgramWatch& program() const { return m_program; }
    [[nodiscard]] const KernelStore& kernels() const { return m_kernels; }

private:
    explicit HostLauncher(LauncherSettings settings);
    HostResult<std::unique_ptr<HostProcess>> launchOnce(const HostOrder& order, Deadline deadline);
    Result<void> startGuest();
    /// A library that belongs to the worker.
    [[nodiscard]] std::filesystem::path besideWorker(const char* name) const;
    /// Finds out which walls there can be.
    Result<void> prepareWalls();
    [[nodiscard]] WatchedLimits limitsOfHost() const;
    [[nodiscard]] confine::Plan planOf(const HostOrder& order, const HostProcess& host, const WatchedLimits& limits, const confine::HostGroup* group) const;
    /// Whether a folder that foreign programs name may be shown to hosts.
    [[nodiscard]] bool mayShow(const std::filesystem::path& path) const;
    Result<ChildProcess> startNative(HostProcess::TheirEnds& ends, HostRole role, const confine::Plan& plan);

    LauncherSettings m_settings;
    KernelStore m_kernels;
    CpuPlan m_processors;
    ProgramWatch m_program;
    LivingProcesses m_living;
    LimitWatch m_watch;
    confine::Abilities m_walls;
    std::optional<confine::ControlGroups> m_groups;
    std::optional<ScratchFolder> m_folder;
    std::unique_ptr<WarmGuest> m_guest;
    std::map<HostKind, double> m_roundTripNs;
    std::map<std::pair<std::string, std::string>, std::unique_ptr<HostProcess>> m_kept;   ///< by definition and name
    std::mutex m_retiredMutex;
    std::condition_variable_any m_retiredChanged;
    std::vector<std::unique_ptr<HostProcess>> m_retired;
    bool m_isBurying = false;                    ///< the undertaker has one in hand; under m_retiredMutex
    std::jthread m_undertaker;   ///< waits for retired hosts to be gone
};

}  // namespace tracedeck::judge
