// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/model/result.h"

namespace tracedeck {

/// One kind of thing that is kept so that it need not be made again.
struct CacheUse {
    std::string name;                ///< `builds`, `kernels`, `profiles`
    std::string holds;               ///< what it holds, in words
    std::filesystem::path folder;    ///< need not exist
    std::uint64_t bytes = 0;
    std::uint64_t files = 0;
};

/// The caches below the cache folder (TRACEDECK_CACHE_PATH, else $XDG_CACHE_HOME/tracedeck) and their sizes. Links are not followed. Empty when there
/// is no such folder to be had, or `stop` was set.
[[nodiscard]] std::vector<CacheUse> findCaches(std::stop_token stop = {});

/// Deletes what a cache holds, whose name is one of those above; gives the bytes that were freed. Builds in progress stay. Not while a run is under way: a
/// solution whose library vanishes would fail. Error Usage for another name, Io naming the file that can't be deleted; what was deleted before stays so.
[[nodiscard]] Result<std::uint64_t> clearCache(const std::string& name);

}  // namespace tracedeck
