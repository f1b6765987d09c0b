// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/trace.h"

namespace tracedeck {

/// What the judge noticed in one evaluation (trusted judging §3.12), as the trace's extra key `judge` has it.
struct JudgeVerdict {
    std::string id;             ///< for example `late.write`
    std::string level;          ///< `reject`, `warn`, `note`
    std::int64_t call = -1;     ///< which call; -1: none in particular
    std::string evidence;
};

/// All that the trace has; entries that make no sense are left out, since anybody can have written them.
[[nodiscard]] std::vector<JudgeVerdict> judgeVerdicts(const Evaluation& evaluation);

/// Whether the evaluation failed for a rule that no honest mistake breaks: work after the end, forged messages, times that nothing
/// can have.
[[nodiscard]] bool breaksRules(const JudgeVerdict& verdict);

}  // namespace tracedeck
