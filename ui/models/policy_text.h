// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>

#include "core/store/query.h"

namespace tracedeck::ui {

/// All policies, in the order in which they are offered.
inline constexpr std::array kPolicies{SelectionPolicy::Newest, SelectionPolicy::NewestPassing, SelectionPolicy::LowestMedian, SelectionPolicy::MiddleRun,
                                      SelectionPolicy::All};
/// Two or three words, for a choice: "Newest".
[[nodiscard]] QString policyTitle(SelectionPolicy policy);
/// For the status bar: "newest per pair".
[[nodiscard]] QString policyText(SelectionPolicy policy);
/// A sentence that says which trace of several counts.
[[nodiscard]] QString policySentence(SelectionPolicy policy);

}  // namespace tracedeck::ui
