// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "core/model/solution.h"

namespace tracedeck::judge {

/// Kernels that solutions compiled in their own processes (Triton), so that a solution's next process need not compile them again: a
/// folder for each content of a solution, from which its hosts copy what they use. Only the judge writes: hosts see the folder of
/// their own solution, read-only (core/confine). Losing any of it costs time, nothing else, so that failures are not reported.
class KernelStore {
public:
    /// `root`: where to keep them; empty: nowhere.
    explicit KernelStore(std::filesystem::path root) : m_root(std::move(root)) {}

    /// The folder of a solution, which need not exist; empty when nothing is kept for it.
    [[nodiscard]] std::filesystem::path folderOf(const Solution& solution) const;
    /// Copies the entries of a cache folder that a solution's process filled (each a folder of files) and that `folder` lacks. What a
    /// stranger made is read without following links; a folder takes at most kMostKernelEntries. Every entry gets a list of its files' SHA-256 sums.
    void add(const std::filesystem::path& cache, const std::filesystem::path& folder) const;

private:
    std::filesystem::path m_root;
};
inline constexpr std::size_t kMostKernelEntries = 256;
/// In every entry: {"files": {name: sum}}.
inline constexpr const char* kKernelSumsName = "tracedeck-sums.json";

}  // namespace tracedeck::judge
