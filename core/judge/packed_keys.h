// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/judge/device.h"
#include "core/model/definition.h"

namespace tracedeck::judge {

/// A key cache in 8-bit floats with a scale for each token, as the DSA top-k indexer reads it (benchmark §4.7). A page holds
/// `pageSize` × `headDim` float8_e4m3fn values, token after token, then `pageSize` float32 scales.
struct KeyCacheShape {
    std::uint64_t pages = 0;
    std::uint64_t pageSize = 0;
    std::uint64_t headDim = 0;

    [[nodiscard]] std::uint64_t pageBytes() const { return pageSize * (headDim + sizeof(float)); }
    [[nodiscard]] std::uint64_t bytes() const { return pages * pageBytes(); }
};

/// The shape [pages, page, 1, headDim + 4] of an int8 tensor; std::nullopt when it is no such cache.
[[nodiscard]] std::optional<KeyCacheShape> keyCacheShape(DType dtype, const std::vector<std::int64_t>& shape);

/// Valid random contents: standard normals, each token scaled so that its largest value becomes 448.
[[nodiscard]] std::vector<std::byte> randomKeyCache(const KeyCacheShape& shape, const ContentKey& key);

/// Values of one token: `out` has headDim of them. `page` and `offset` must lie in the cache.
void unpackKey(std::span<const std::byte> cache, const KeyCacheShape& shape, std::uint64_t page, std::uint64_t offset, std::span<float> out);

}  // namespace tracedeck::judge
