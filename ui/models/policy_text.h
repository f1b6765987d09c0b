// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>
#include <cstdint>

#include "core/store/query.h"

namespace tracedeck::ui {

/// All policies, in the order in which they are offered.
inline constexpr std::array kPolicies{SelectionPolicy::Newest, SelectionPolicy::NewestPassing, SelectionPolicy::LowestMedian, SelectionPolicy::MiddleRun,
                                      SelectionPolicy::Pooled, SelectionPolicy::PinnedRun, SelectionPolicy::All};
/// Two or three words, for a choice: "Newest".
[[nodiscard]] QString policyTitle(SelectionPolicy policy);
/// For the status bar: "newest per pair".
[[nodiscard]] QString policyText(SelectionPolicy policy);
/// A sentence that says which trace of several counts.
[[nodiscard]] QString policySentence(SelectionPolicy policy);
/// What the policy made of a snapshot (core/score/policy_view.h): which run is pinned, how many figures are pooled. Empty for a plain one.
[[nodiscard]] QString policyViewText(const Dataset& dataset);
/// When a run began: "2026-02-01 00:00".
[[nodiscard]] QString runTitle(std::int64_t start);
/// The same of a timestamp; with `withSeconds` "2026-02-01 00:00:00".
[[nodiscard]] QString runTitle(const std::string& timestamp, bool withSeconds = false);

}  // namespace tracedeck::ui
