// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/score/ranking.h"
#include "core/store/dataset.h"

namespace tracedeck {

struct BestTrace {
    const Definition* definition = nullptr;
    std::optional<std::uint32_t> row;   ///< not set: no trace passes within the tolerances
};

/// bestTrace() of every definition in scope that has traces, in load order.
[[nodiscard]] std::vector<BestTrace> bestTraces(const Dataset& dataset, const RankingScope& scope, RankingRule rule);

}  // namespace tracedeck
