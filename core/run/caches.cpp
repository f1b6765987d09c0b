// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/caches.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "core/build/native_builder.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

struct Kind {
    const char* name;
    const char* folder;
    const char* holds;
};
constexpr std::array kKinds{Kind{"builds", "native", "compiled solutions in C++ and CUDA"}, Kind{"kernels", "kernels", "kernels that Triton compiled"},
                            Kind{"profiles", "profiles", "reports of Nsight Compute"}};
/// Folders in which something is being built are called so; whoever builds locks and removes them.
constexpr const char* kUnfinished = "building-";

void addUp(const fs::path& folder, CacheUse& use, const std::stop_token& stop)
{
    std::error_code failure;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, failure);
    for (const fs::recursive_directory_iterator end; !failure && entry != end && !stop.stop_requested(); entry.increment(failure)) {
        std::error_code ignored;   // a file may vanish meanwhile
        if (!entry->is_regular_file(ignored) || entry->is_symlink(ignored)) continue;
        const auto size = entry->file_size(ignored);
        use.bytes += ignored ? 0 : size;
        ++use.files;
    }
}

}  // namespace

std::vector<CacheUse> findCaches(std::stop_token stop)
{
    std::vector<CacheUse> caches;
    const fs::path root = cacheFolderOf({});
    if (root.empty()) return caches;
    for (const Kind& kind : kKinds) {
        CacheUse use{kind.name, kind.holds, root / kind.folder, 0, 0};
        std::error_code failure;
        // Somebody may have put a link there: what it leads to is not ours.
        if (fs::is_directory(fs::symlink_status(use.folder, failure))) addUp(use.folder, use, stop);
        caches.push_back(std::move(use));
    }
    return stop.stop_requested() ? std::vector<CacheUse>() : caches;
}

Result<std::uint64_t> clearCache(const std::string& name)
{
    const auto caches = findCaches();
    const auto cache = std::ranges::find(caches, name, &CacheUse::name);
    if (cache == caches.end()) return Error{ErrorCode::Usage, fmt::format("there is no cache \"{}\": there are builds, kernels and profiles", name), {}, 0, {}};
    std::error_code failure;
    if (!fs::is_directory(fs::symlink_status(cache->folder, failure))) return std::uint64_t{0};
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(cache->folder, failure)) {
        if (!entry.path().filename().string().starts_with(kUnfinished)) entries.push_back(entry.path());
    }
    for (const fs::path& entry : entries) {
        fs::remove_all(entry, failure);   // removes links, never what they lead to
        if (failure) return Error{ErrorCode::Io, "can't be deleted: " + failure.message(), entry.string(), 0, {}};
    }
    const auto left = findCaches();
    const auto now = std::ranges::find(left, name, &CacheUse::name);
    return cache->bytes - (now == left.end() ? 0 : std::min(now->bytes, cache->bytes));
}

}  // namespace tracedeck
