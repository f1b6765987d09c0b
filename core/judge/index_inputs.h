// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/judge/device.h"
#include "core/model/dtype.h"
#include "core/model/index_rules.h"

namespace tracedeck::judge {

/// More elements than this are drawn once a workload, as they are made on the CPU.
inline constexpr std::uint64_t kMostFreshIndexes = 65'536;

/// Contents of the inputs whose rule is a structure, all of one workload together, since offsets and lengths must fit each
/// other; empty for the other inputs. Same seed, same contents.
[[nodiscard]] std::vector<std::vector<std::int64_t>> makeStructures(std::span<const std::optional<IndexRule>> rules, std::span<const Shape> shapes,
                                                                    std::uint64_t seed);
/// Contents of one input for one call; its rule is no structure.
[[nodiscard]] std::vector<std::int64_t> drawIndexes(const IndexRule& rule, const std::vector<std::int64_t>& shape, const ContentKey& key);
/// As they lie in memory: int32 or int64, little-endian.
[[nodiscard]] std::vector<std::byte> encodeIntegers(std::span<const std::int64_t> values, DType dtype);

}  // namespace tracedeck::judge
