// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/confine/control_groups.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "core/io/file_descriptor.h"

namespace tracedeck::confine {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = "tracedeck-";
constexpr auto kInterval = std::chrono::microseconds(100);
constexpr auto kFreezeLimit = std::chrono::milliseconds(50);
constexpr auto kRemoveLimit = std::chrono::seconds(1);

bool put(const std::string& path, const std::string& text)
{
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return file.isOpen() && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::string textOf(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// The number after a word, each pair on a line of its own; 0 without.
std::uint64_t numberOf(const std::string& text, std::string_view word)
{
    std::istringstream lines(text);
    std::string name;
    std::uint64_t number = 0;
    while (lines >> name >> number) {
        if (name == word) {
            return number;
        }
    }
    return 0;
}

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

bool has(const std::vector<std::string>& list, std::string_view word)
{
    return std::ranges::find(list, word) != list.end();
}

/// Spaces and such are written in octal in /proc/self/mountinfo.
std::string unescaped(std::string_view text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        int code = 0;
        if (text[i] == '\\' && i + 3 < text.size() && std::from_chars(text.data() + i + 1, text.data() + i + 4, code, 8).ptr == text.data() + i + 4) {
            plain += static_cast<char>(code);
            i += 3;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

struct GroupMount {
    std::string root;    ///< which of the tree's groups is mounted
    std::string place;
};

/// The folder of a group, given by its path in the tree; the mount itself for one that it does not show.
std::string folderOf(const GroupMount& mount, const std::string& group)
{
    std::string below = group;
    if (mount.root != "/") {
        below = group.starts_with(mount.root) ? group.substr(mount.root.size()) : std::string();
    }
    if (below == "/" || below.find("/../") != std::string::npos || below.starts_with("/..")) {
        below.clear();
    }
    return mount.place + below;
}

}  // namespace

GroupPlaces findGroupPlaces(std::string_view mounts, std::string_view own)
{
    std::string memoryGroup = "/";
    std::string pidsGroup = "/";
    std::string unifiedGroup = "/";
    for (const std::string& line : split(own, '\n')) {
        const auto fields = split(line, ':');   // number:controllers:group
        if (fields.size() < 3) {
            continue;
        }
        const std::string group = line.substr(fields[0].size() + fields[1].size() + 2);
        const auto controllers = split(fields[1], ',');
        if (fields[1].empty()) {
            unifiedGroup = group;
        }
        if (has(controllers, "memory")) {
            memoryGroup = group;
        }
        if (has(controllers, "pids")) {
            pidsGroup = group;
        }
    }
    GroupPlaces places;
    for (const std::string& line : split(mounts, '\n')) {
        const auto fields = split(line, ' ');   // number parent device root place options … - type source options
        const auto dash = std::ranges::find(fields, "-");
        if (fields.size() < 6 || fields.end() - dash < 4) {
            continue;
        }
        const GroupMount mount{unescaped(fields[3]), unescaped(fields[4])};
        const auto controllers = split(dash[3], ',');
        if (dash[1] == "cgroup" && has(controllers, "memory") && places.memory.empty()) {
            places.memory = folderOf(mount, memoryGroup);
        }
        if (dash[1] == "cgroup" && has(controllers, "pids") && places.pids.empty()) {
            places.pids = folderOf(mount, pidsGroup);
        }
        if (dash[1] == "cgroup2" && places.unified.empty()) {
            for (std::string folder = folderOf(mount, unifiedGroup);; folder.erase(folder.rfind('/'))) {
                places.unified.push_back(folder);
                if (folder.size() <= mount.place.size()) {
                    break;
                }
            }
        }
    }
    return places;
}

GroupPlaces findGroupPlaces()
{
    return findGroupPlaces(textOf("/proc/self/mountinfo"), textOf("/proc/self/cgroup"));
}

HostGroup::~HostGroup()
{
    // Its processes have ended; the kernel takes a moment to see it.
    const auto deadline = std::chrono::steady_clock::now() + kRemoveLimit;
    for (const std::string& folder : m_folders) {
        while (::rmdir(folder.c_str()) != 0 && errno == EBUSY && std::chrono::steady_clock::now() < deadline) {
            std::this_thread::sleep_for(kInterval);
        }
    }
}

bool HostGroup::kill() const
{
    return !m_unified.empty() && put(m_unified + "/cgroup.kill", "1");
}

bool HostGroup::freeze() const
{
    if (m_unified.empty() || !put(m_unified + "/cgroup.freeze", "1")) {
        return false;
    }
    const auto deadline = std::chrono::steady_clock::now() + kFreezeLimit;
    while (numberOf(textOf(m_unified + "/cgroup.events"), "frozen") == 0) {
        if (std::chrono::steady_clock::now() >= deadline) {
            thaw();   // or it would stand still for ever
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

void HostGroup::thaw() const
{
    put(m_unified + "/cgroup.freeze", "0");
}

bool HostGroup::hasRunOutOfMemory() const
{
    if (m_memory.empty()) {
        return false;
    }
    const char* const file = m_memory == m_unified ? "/memory.events" : "/memory.oom_control";
    return numberOf(textOf(m_memory + file), "oom_kill") > 0;
}

bool HostGroup::wantedMoreProcesses() const
{
    return !m_pids.empty() && numberOf(textOf(m_pids + "/pids.events"), "max") > 0;
}

ControlGroups::ControlGroups(GroupPlaces places) : m_places(std::move(places))
{
    std::vector<std::string> folders = m_places.unified;
    folders.push_back(m_places.memory);
    folders.push_back(m_places.pids);
    std::error_code failure;
    for (const std::string& folder : folders) {
        for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
            const std::string name = entry->path().filename().string();
            pid_t owner = 0;
            if (name.starts_with(kPrefix)) {
                std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), owner);
            }
            if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH) {
                ::rmdir(entry->path().c_str());   // refused while anything lives in it
            }
        }
    }
}

std::unique_ptr<HostGroup> ControlGroups::make(const GroupLimits& limits)
{
    const std::string name = "/" + std::string(kPrefix) + std::to_string(::getpid()) + "-" + std::to_string(++m_last);
    std::unique_ptr<HostGroup> group(new HostGroup);
    const auto create = [&name](const std::string& parent) {
        return !parent.empty() && ::mkdir((parent + name).c_str(), 0755) == 0 ? parent + name : std::string();
    };
    // The nearest place whose groups have limits, else the nearest at all, which can at least freeze and kill.
    std::vector<std::string> tried;
    for (const std::string& parent : m_places.unified) {
        const std::string folder = create(parent);
        if (folder.empty()) {
            continue;
        }
        const bool hasMemory = ::access((folder + "/memory.max").c_str(), W_OK) == 0;
        if (hasMemory || m_places.unified.back() == parent) {
            tried.push_back(folder);
            group->m_unified = hasMemory ? folder : tried.front();
            break;
        }
        tried.push_back(folder);
    }
    if (group->m_unified.empty() && !tried.empty()) {
        group->m_unified = tried.front();
    }
    for (const std::string& folder : tried) {
        if (folder != group->m_unified) {
            ::rmdir(folder.c_str());
        }
    }
    const std::string& unified = group->m_unified;
    if (!unified.empty()) {
        group->m_folders.push_back(unified);
    }
    if (limits.memoryBytes > 0) {
        const std::string bytes = std::to_string(limits.memoryBytes);
        if (!unified.empty() && put(unified + "/memory.max", bytes)) {
            put(unified + "/memory.swap.max", "0");
            group->m_memory = unified;
        } else if (const std::string folder = create(m_places.memory); !folder.empty()) {
            group->m_folders.push_back(folder);
            group->m_memory = put(folder + "/memory.limit_in_bytes", bytes) ? folder : std::string();
        }
    }
    if (limits.processes > 0) {
        const std::string count = std::to_string(limits.processes);
        if (!unified.empty() && put(unified + "/pids.max", count)) {
            group->m_pids = unified;
        } else if (const std::string folder = create(m_places.pids); !folder.empty()) {
            group->m_folders.push_back(folder);
            group->m_pids = put(folder + "/pids.max", count) ? folder : std::string();
        }
    }
    return group->m_folders.empty() ? nullptr : std::move(group);
}

void ControlGroups::keepOnly(const HostGroup& group, const std::vector<std::string>& joined)
{
    const auto canJoin = [&joined](const std::string& folder) { return !folder.empty() && has(joined, folder); };
    if (canJoin(group.m_unified)) {
        m_places.unified = {fs::path(group.m_unified).parent_path().string()};
    } else {
        m_places.unified.clear();
    }
    if (group.m_memory == group.m_unified || !canJoin(group.m_memory)) {
        m_places.memory.clear();
    }
    if (group.m_pids == group.m_unified || !canJoin(group.m_pids)) {
        m_places.pids.clear();
    }
}

}  // namespace tracedeck::confine
