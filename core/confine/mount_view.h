// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/confine/plan.h"

namespace tracedeck::confine {

/// Exchanges the root of this process's mount namespace for a view that holds nothing but what the plan names: system libraries and
/// programs, a few files of /etc, harmless devices, /proc, empty /tmp, /var/tmp and /dev/shm in memory (1 GiB together), and the
/// plan's readable and writable paths in their usual places. To be called by the first process of a process namespace.
[[nodiscard]] Result<void> enterView(const Plan& plan);

/// What every confined process may read: shared by the view and by Landlock. `environment`: paths of the system's allow-list only,
/// without the plan's.
[[nodiscard]] const std::vector<std::string>& systemPaths();
/// Device nodes that a confined process may use.
[[nodiscard]] std::vector<std::string> devicePaths(bool usesGpu);

}  // namespace tracedeck::confine
