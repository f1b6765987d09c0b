// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::confine {

/// Where control groups can be made below this process's own, as its mounts say. On a hybrid machine the second version's tree has
/// no memory or pids controller, which belong to trees of the first version there. Empty: there is no such tree.
struct GroupPlaces {
    std::string memory;   ///< version 1
    std::string pids;     ///< version 1
    /// Version 2: the own group, then those above it, which often are the only ones that may have groups with limits below.
    std::vector<std::string> unified;

    bool operator==(const GroupPlaces&) const = default;
};
/// From the texts of /proc/self/mountinfo and /proc/self/cgroup.
[[nodiscard]] GroupPlaces findGroupPlaces(std::string_view mounts, std::string_view own);
[[nodiscard]] GroupPlaces findGroupPlaces();

struct GroupLimits {
    std::uint64_t memoryBytes = 0;   ///< 0: none
    std::uint64_t processes = 0;     ///< and threads; 0: none
};

/// Control groups that hold one host and everything that it starts. Removed by the destructor, when it is empty then.
class HostGroup {
public:
    ~HostGroup();
    HostGroup(const HostGroup&) = delete;
    HostGroup& operator=(const HostGroup&) = delete;

    /// What a process must join (Plan::groups).
    [[nodiscard]] const std::vector<std::string>& folders() const { return m_folders; }
    [[nodiscard]] bool limitsMemory() const { return !m_memory.empty(); }
    [[nodiscard]] bool limitsProcesses() const { return !m_pids.empty(); }
    /// SIGKILL to all in it at once. False where that can't be done.
    bool kill() const;
    /// Stops all in it, or lets them go on; waits until they stand still. False where that can't be done.
    bool freeze() const;
    void thaw() const;
    /// Whether the kernel has killed something in it for its memory limit.
    [[nodiscard]] bool hasRunOutOfMemory() const;
    /// Whether it was refused a process for its limit.
    [[nodiscard]] bool wantedMoreProcesses() const;

private:
    friend class ControlGroups;
    HostGroup() = default;
    std::vector<std::string> m_folders;
    std::string m_memory;    ///< of m_folders: has the memory limit
    std::string m_pids;
    std::string m_unified;   ///< of the second version
};

/// Makes groups for the hosts of one judge.
class ControlGroups {
public:
    /// Groups are named `tracedeck-<process>-<number>`. Those that dead judges left behind are removed.
    explicit ControlGroups(GroupPlaces places);
    /// As many of the limits as the places allow; null where no group can be made at all.
    [[nodiscard]] std::unique_ptr<HostGroup> make(const GroupLimits& limits);
    /// From now on only in trees of which a process of ours can join a group: `joined`, of the folders of one of our groups.
    void keepOnly(const HostGroup& group, const std::vector<std::string>& joined);

private:
    GroupPlaces m_places;
    std::uint64_t m_last = 0;
};

}  // namespace tracedeck::confine
