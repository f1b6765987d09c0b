// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/model/result.h"

namespace tracedeck {

/// Problems of one file, kept readable when every line has the same one: warnings that differ only in their line become one
/// that says how often it came; beyond a limit errors are only counted.
class ProblemList {
public:
    /// `count`: how many lines the problem stands for.
    void add(Problem problem, std::size_t count = 1);
    /// Adds those of the next part of the same file, whose line numbers start after `linesBefore`.
    void append(ProblemList next, std::int64_t linesBefore);
    /// In order of first occurrence.
    [[nodiscard]] std::vector<Problem> take(const std::string& file) &&;
    [[nodiscard]] bool empty() const { return m_entries.empty() && m_errorsLeftOut == 0; }

private:
    struct Entry {
        Problem problem;
        std::size_t count = 1;
    };
    std::vector<Entry> m_entries;
    std::map<std::pair<std::string, std::string>, std::size_t> m_warnings;   ///< (field, reason) → index
    std::size_t m_errors = 0;
    std::size_t m_errorsLeftOut = 0;
};

}  // namespace tracedeck
