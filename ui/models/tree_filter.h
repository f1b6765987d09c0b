// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/store/dataset.h"

namespace tracedeck::ui {

/// What is left of a definition under a filter.
struct FilteredDefinition {
    bool shown = true;
    std::vector<const Solution*> solutions;
    std::vector<std::uint32_t> workloads;   ///< indexes into Dataset::workloadsOf
};

/// A typed filter over definitions and what belongs to them. Words are separated by spaces, any case, all must match: a word in a
/// definition's name, op_type or tags keeps all of it; otherwise it narrows to the solutions (name, author, language) or
/// workloads (uuid) that have it. `axis=value` matches a constant axis or narrows to workloads; the axis may be shortened to the
/// beginning of one of its words: `h=32` finds `num_qo_heads` 32.
class TreeFilter {
public:
    TreeFilter() = default;
    explicit TreeFilter(const std::string& text);

    [[nodiscard]] bool isEmpty() const { return m_words.empty(); }
    [[nodiscard]] FilteredDefinition apply(const Dataset& dataset, const std::string& definition) const;

private:
    struct Word {
        std::string text;                     ///< lower case
        std::string axis;                     ///< left of `=`; empty when it is no axis word
        std::optional<std::int64_t> value;
    };
    [[nodiscard]] static bool matchesDefinition(const Word& word, const std::string& name, const Definition* definition);
    std::vector<Word> m_words;
};

}  // namespace tracedeck::ui
