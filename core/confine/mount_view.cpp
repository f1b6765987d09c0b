// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/confine/mount_view.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "core/io/file_descriptor.h"

namespace tracedeck::confine {

namespace {

constexpr int kMostLinks = 40;
constexpr const char* kMemoryOptions = "mode=755,size=1g,nr_inodes=200k";
/// Parts of /proc that root may write to although they belong to the whole machine.
constexpr const char* kMachineWide[] = {"sys", "sysrq-trigger", "irq", "bus", "fs", "scsi", "acpi", "tty", "mtrr", "driver"};

bool setReadOnly(const char* path, unsigned flags)
{
    mount_attr attributes{};
    attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
    return ::mount_setattr(AT_FDCWD, path, flags, &attributes, sizeof attributes) == 0;
}

bool isBelow(std::string_view path, std::string_view folder)
{
    return path == folder || (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/');
}

/// Builds the view below the current folder.
class ViewMaker {
public:
    Result<void> add(const std::string& path, bool isWritable) { return addFrom(path, isWritable, 0); }

    static Result<void> addDevice(const std::string& path)
    {
        const std::string place = path.substr(1);
        makeParents(place);
        const FileDescriptor file(::open(place.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
        if (::mount(path.c_str(), place.c_str(), nullptr, MS_BIND, nullptr) != 0) {
            return systemError(path + " can't be shown");
        }
        return {};
    }

private:
    /// Follows the links on the way, which are made in the view, too.
    Result<void> addFrom(const std::string& path, bool isWritable, int links)
    {
        std::string current;
        std::size_t begin = 0;
        while (begin < path.size()) {
            const std::size_t end = std::min(path.find('/', begin), path.size());
            const std::string name = path.substr(begin, end - begin);
            begin = end + 1;
            if (name.empty() || name == ".") {
                continue;
            }
            if (name == "..") {
                current.erase(std::min(current.rfind('/'), current.size()));
                continue;
            }
            const std::string next = current + "/" + name;
            struct stat status{};
            if (::lstat(next.c_str(), &status) != 0) {
                return {};   // not there, or closed to this user: nothing to show
            }
            if (S_ISLNK(status.st_mode)) {
                char target[PATH_MAX];
                const ssize_t length = ::readlink(next.c_str(), target, sizeof target - 1);
                if (length <= 0 || links >= kMostLinks) {
                    return {};
                }
                target[length] = '\0';
                if (!isCovered(next)) {
                    makeParents(next.substr(1));
                    static_cast<void>(::symlink(target, next.c_str() + 1));   // there already: as good
                }
                const std::string rest = begin <= path.size() ? "/" + path.substr(begin) : std::string();
                return addFrom((target[0] == '/' ? std::string() : current + "/") + target + rest, isWritable, links + 1);
            }
            current = next;
        }
        return current.empty() ? Result<void>() : bind(current, isWritable);
    }

    Result<void> bind(const std::string& path, bool isWritable)
    {
        if (!isWritable && isCovered(path)) {
            return {};
        }
        const std::string place = path.substr(1);
        struct stat status{};
        if (::stat(path.c_str(), &status) != 0) {
            return {};
        }
        if (!isCovered(path)) {
            makeParents(place);
            if (S_ISDIR(status.st_mode)) {
                ::mkdir(place.c_str(), 0755);
            } else {
                const FileDescriptor file(::open(place.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
            }
        }
        // With what is mounted below: a part of a locked mount can't be shown alone.
        if (::mount(path.c_str(), place.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) {
            return systemError(path + " can't be shown");
        }
        if (!isWritable && !setReadOnly(place.c_str(), AT_RECURSIVE)) {
            return systemError(path + " can't be shown read-only");
        }
        if (!isWritable) {
            m_bound.push_back(path);
        }
        return {};
    }

    [[nodiscard]] bool isCovered(const std::string& path) const
    {
        for (const std::string& folder : m_bound) {
            if (isBelow(path, folder)) {
                return true;
            }
        }
        return false;
    }

    static void makeParents(const std::string& place)
    {
        for (std::size_t slash = place.find('/'); slash != std::string::npos; slash = place.find('/', slash + 1)) {
            ::mkdir(place.substr(0, slash).c_str(), 0755);
        }
    }

    std::vector<std::string> m_bound;   ///< read-only, with all that is below
};

/// Folders in memory, which stay writable when the rest of the view no longer is.
Result<void> makeMemoryFolders()
{
    for (const char* folder : {"var", "dev"}) {
        ::mkdir(folder, 0755);
    }
    for (const char* folder : {"tmp", "var/tmp", "dev/shm"}) {
        ::mkdir(folder, 01777);
        if (::chmod(folder, 01777) != 0 || ::mount(folder, folder, nullptr, MS_BIND, nullptr) != 0) {
            return systemError(std::string("no private /") + folder);
        }
    }
    return {};
}

Result<void> showProcesses(Namespaces namespaces)
{
    ::mkdir("proc", 0555);
    if (namespaces != Namespaces::Full) {
        return ::mount("/proc", "proc", nullptr, MS_BIND | MS_REC, nullptr) == 0 && setReadOnly("proc", AT_RECURSIVE)
                   ? Result<void>()
                   : systemError("/proc can't be shown");
    }
    if (::mount("proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) != 0) {
        return systemError("no /proc of its own");
    }
    for (const char* name : kMachineWide) {
        const std::string place = std::string("proc/") + name;
        struct stat status{};
        if (::stat(place.c_str(), &status) == 0 &&
            (::mount(place.c_str(), place.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0 || !setReadOnly(place.c_str(), AT_RECURSIVE))) {
            return systemError("/" + place + " can't be made read-only");
        }
    }
    return {};
}

}  // namespace

const std::vector<std::string>& systemPaths()
{
    static const std::vector<std::string> paths{
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store", "/run/opengl-driver",
        "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime", "/etc/timezone", "/etc/nsswitch.conf",
        "/etc/passwd", "/etc/group", "/etc/hosts", "/etc/host.conf", "/etc/protocols", "/etc/services", "/etc/mime.types", "/etc/python3",
        "/etc/python3.11", "/etc/python3.12", "/etc/python3.13", "/etc/nvidia", "/etc/os-release", "/sys/devices/system"};
    return paths;
}

std::vector<std::string> devicePaths(bool usesGpu)
{
    std::vector<std::string> paths{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"};
    DIR* listing = usesGpu ? ::opendir("/dev") : nullptr;
    while (const dirent* entry = listing != nullptr ? ::readdir(listing) : nullptr) {
        const std::string_view name = entry->d_name;
        if (name.starts_with("nvidia") && name != "nvidia-caps") {
            paths.push_back("/dev/" + std::string(name));
        }
    }
    if (listing != nullptr) {
        ::closedir(listing);
    }
    return paths;
}

Result<void> enterView(const Plan& plan)
{
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
        return systemError("mounts can't be kept private");
    }
    if (::mount("tmpfs", plan.viewFolder.c_str(), "tmpfs", MS_NOSUID, kMemoryOptions) != 0) {
        return systemError("no file system in memory at " + plan.viewFolder);
    }
    if (::chdir(plan.viewFolder.c_str()) != 0) {
        return systemError(plan.viewFolder);
    }
    // Memory folders first: what is shown may lie below them.
    if (auto made = makeMemoryFolders(); !made) {
        return made;
    }
    ViewMaker view;
    for (const auto* list : {&systemPaths(), &plan.readable}) {
        for (const std::string& path : *list) {
            if (auto added = view.add(path, false); !added) {
                return added;
            }
        }
    }
    if (plan.usesGpu) {
        for (const char* path : {"/sys", "/dev/nvidia-caps"}) {
            if (auto added = view.add(path, false); !added) {
                return added;
            }
        }
    }
    for (const std::string& path : devicePaths(plan.usesGpu)) {
        struct stat status{};
        if (::stat(path.c_str(), &status) == 0 && S_ISCHR(status.st_mode)) {
            if (auto added = ViewMaker::addDevice(path); !added) {
                return added;
            }
        }
    }
    for (const auto& [name, target] : {std::pair{"dev/fd", "/proc/self/fd"}, {"dev/stdin", "/proc/self/fd/0"}, {"dev/stdout", "/proc/self/fd/1"}, {"dev/stderr", "/proc/self/fd/2"}}) {
        static_cast<void>(::symlink(target, name));
    }
    for (const std::string& path : plan.writable) {
        if (auto added = view.add(path, true); !added) {
            return added;
        }
    }
    if (auto shown = showProcesses(plan.namespaces); !shown) {
        return shown;
    }
    // Both names are the same folder: the old root lies on top of the new one for a moment, and goes.
    if (::syscall(SYS_pivot_root, ".", ".") != 0 || ::umount2(".", MNT_DETACH) != 0 || ::chdir("/") != 0) {
        return systemError("the root can't be exchanged");
    }
    return setReadOnly("/", 0) ? Result<void>() : systemError("the root can't be made read-only");
}

}  // namespace tracedeck::confine
