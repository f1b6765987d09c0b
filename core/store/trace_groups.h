// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/store/query.h"

namespace tracedeck {

/// Rows by what they are repetitions of: solution, definition, workload uuid and hardware. The same uuid with other axes is one workload here.
/// Empty when the token was set.
class TraceGroups {
public:
    TraceGroups(const Dataset& dataset, const RowIndex& rows, const std::stop_token& stop);
    [[nodiscard]] std::size_t size() const { return m_begins.empty() ? 0 : m_begins.size() - 1; }
    /// Rows of a group, in the order in which they were given.
    [[nodiscard]] std::span<const std::uint32_t> group(std::size_t index) const
    {
        return std::span(m_rows).subspan(m_begins[index], m_begins[index + 1] - m_begins[index]);
    }

private:
    RowIndex m_rows;
    std::vector<std::uint32_t> m_begins;   ///< of each group, and the end
};

}  // namespace tracedeck
