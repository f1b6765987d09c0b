// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/definition.h"
#include "core/model/trace.h"

namespace tracedeck {

/// What the integers of an input mean to a kernel.
enum class IndexMeaning {
    Offsets,              ///< 0 first, never falling, `total` last (indptr, cu_seqlens)
    GroupSizes,           ///< from 0 up, `total` together
    Lengths,              ///< from `least` to `greatest`
    LastPageLengths,      ///< tokens in the last page of each sequence, from 1 to `greatest`
    Numbers,              ///< from `least` to `greatest`, any of them any number of times
    DistinctNumbers,      ///< no number twice, as long as there are enough
    DistinctInRows,       ///< no number twice in one row of the last axis; -1 where there are not enough
    Permutation,          ///< each row is one of 0 … length - 1
    PackedExperts         ///< expert in the upper 16 bits, its weight as bfloat16 in the lower ones; no expert twice in a row
};

/// How an input that a workload calls random gets values that a kernel can work with (benchmark §10, row 32: raw random
/// numbers are no indexes, and a good kernel that follows them reads anywhere).
struct IndexRule {
    IndexMeaning meaning = IndexMeaning::Numbers;
    std::int64_t least = 0;
    std::int64_t greatest = 0;
    std::int64_t total = 0;
    /// Of key offsets: the input with the query offsets of the same sequences. Where the totals allow it no sequence has
    /// fewer keys than queries; a unit of the offsets holds `unit` keys.
    std::optional<std::size_t> queries;
    std::optional<std::size_t> pages;   ///< of last page lengths: the input with the page offsets
    std::int64_t unit = 1;
    std::string text;                   ///< the rule in words, with the axis that it comes from

    /// Sizes of sequences and groups decide how long a kernel takes: the same in every call and every run.
    [[nodiscard]] bool isStructure() const
    {
        return meaning == IndexMeaning::Offsets || meaning == IndexMeaning::GroupSizes || meaning == IndexMeaning::Lengths ||
               meaning == IndexMeaning::LastPageLengths;
    }
};

/// The rule of each input, in order, from its name, dtype, shape and description, the other inputs, the constraints and the axes
/// of the workload. Nothing for inputs that are not integers, that the workload takes from a file or states as a number, or
/// whose meaning is not known, and in the SOL-ExecBench dialect, which has input rules of its own.
[[nodiscard]] std::vector<std::optional<IndexRule>> indexRules(const Definition& definition, const Workload& workload);

}  // namespace tracedeck
