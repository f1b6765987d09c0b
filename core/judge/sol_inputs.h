// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/judge/device.h"
#include "core/judge/normal_map.h"
#include "core/model/definition.h"

namespace tracedeck::judge {

/// What SOL-ExecBench draws for a random input because of its name, its description or its shape (dialect §4.4).
struct NamedInputRule {
    int number = 0;                ///< of the dialect's table, 1 to 9
    std::optional<NormalMap> map;
    bool isSoftmax = false;        ///< over the last axis
    bool isRunningSum = false;     ///< over the last axis, after the map

    /// Whether every call gets the same contents.
    [[nodiscard]] bool isFixed() const { return map && map->isFixed() && !isRunningSum; }
};

/// The first rule that fits; std::nullopt: the dtype's own distribution. Rules are for float32, float16 and bfloat16 tensors only.
[[nodiscard]] std::optional<NamedInputRule> namedInputRule(const TensorSpec& input, const std::vector<std::int64_t>& shape);

/// Makes of freshly drawn contents what the rule says.
Result<void> applyNamedRule(Device& device, SharedBuffer& buffer, DType dtype, const std::vector<std::int64_t>& shape, const NamedInputRule& rule);

}  // namespace tracedeck::judge
