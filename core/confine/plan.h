// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/result.h"

namespace tracedeck::confine {

/// Which namespaces a confined process gets. Each step has all of the one before.
enum class Namespaces {
    None,        ///< the system allows no user namespaces
    Processes,   ///< own user, process, network, IPC, host name and mount namespaces: no other process, no network, a view of the file system
    Full         ///< and a /proc of its own
};
[[nodiscard]] const char* toString(Namespaces namespaces);
[[nodiscard]] Namespaces namespacesFromString(const std::string& name);

/// The walls around one process that runs a stranger's code, and what is left open in them. Made by the judge; what it asks for must
/// be possible (abilities.h): a wall that can't be put up ends the process before it runs any foreign code.
struct Plan {
    Namespaces namespaces = Namespaces::None;
    bool usesGpu = false;                  ///< shows the nodes of NVIDIA's driver and /sys
    std::vector<std::string> readable;     ///< files and folders that it may read and execute; what is not there is left out
    std::vector<std::string> writable;     ///< folders that it may change
    std::string viewFolder;                ///< an empty folder, where the view of the file system is put together
    int landlock = 0;                      ///< version of Landlock's interface; 0: don't use it
    bool filtersCalls = false;             ///< with libseccomp
    std::vector<std::string> groups;       ///< folders of control groups that it joins
    std::uint64_t processLimit = 0;        ///< RLIMIT_NPROC; 0: none
    std::uint64_t dataBytes = 0;           ///< private memory beyond what it has (RLIMIT_DATA); 0: no limit
    pid_t judge = 0;                       ///< dies with this process where there is no process namespace; 0: with none
    bool hidesMemory = false;              ///< no process of the same user may look into it
};

/// One JSON object, in the names of the members.
[[nodiscard]] std::string encodePlan(const Plan& plan);
/// Error InvalidInput.
[[nodiscard]] Result<Plan> decodePlan(const std::string& text);

/// "what: " and the system's words for `errno`.
[[nodiscard]] Error systemError(const std::string& what);

}  // namespace tracedeck::confine
