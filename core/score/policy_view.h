// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/model/result.h"
#include "core/score/measurement_runs.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

/// Which traces count, as somebody chose it.
struct PolicyChoice {
    SelectionPolicy policy = SelectionPolicy::Newest;
    /// A moment of the pinned run, in microseconds since 1970; not set: the newest run. Of SelectionPolicy::PinnedRun.
    std::optional<std::int64_t> runTime{};

    bool operator==(const PolicyChoice&) const = default;
};

/// A policy's name; `run:last`, `run:previous` and `run:N` (1 is the oldest) pin a run of this dataset. Error Usage: it is none of these.
[[nodiscard]] Result<PolicyChoice> policyChoiceFromString(const Dataset& dataset, std::string_view text);
/// The same without a dataset, for a check of an option: the policy alone.
[[nodiscard]] std::optional<SelectionPolicy> policyOfText(std::string_view text);

/// The snapshot that all figures of this choice are made from: the plain one, except that with SelectionPolicy::Pooled the trace that stands for its pair
/// has the times of the pool, and that SelectionPolicy::PinnedRun knows its run. Reads the lines of traces with samples back. The plain one when the
/// token was set.
[[nodiscard]] std::shared_ptr<const Dataset> datasetFor(const std::shared_ptr<const Dataset>& dataset, const PolicyChoice& choice, const std::stop_token& stop = {});

/// How many pairs measured several times have a figure from the samples of all, and how many the median of the traces' latencies.
struct PoolCounts {
    std::size_t fromSamples = 0;
    std::size_t fromMedians = 0;
};
[[nodiscard]] PoolCounts countPools(const PolicyView& view);

/// What such a snapshot is, for people: how many figures come from pooled samples, which run is pinned. Empty for a plain one.
[[nodiscard]] std::string describePolicyView(const Dataset& dataset);

}  // namespace tracedeck
