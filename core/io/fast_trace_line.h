// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "core/io/trace_fields.h"

namespace tracedeck {

/// Reads evaluated trace lines in the shape that today's writers give them, many times faster than the codec. Whatever is
/// the least bit unusual (an old form, an unknown kind, a warning that the codec would give, an error) is left to the codec,
/// which alone says what a line means. One object a thread.
class FastTraceLine {
public:
    FastTraceLine();
    ~FastTraceLine();
    FastTraceLine(const FastTraceLine&) = delete;
    FastTraceLine& operator=(const FastTraceLine&) = delete;

    /// Bytes after the end of a line that must be readable.
    static constexpr std::size_t kPadding = 64;
    /// True when `fields` is what the codec would find, without a warning; its texts live until the next call, and no
    /// longer than the line.
    /// False: ask the codec.
    bool read(std::string_view line, TraceFields& fields);
    /// The same for a line of which only the start is known, and that ends somewhere within `text`: bytes of the line before
    /// its LF. 0: look for its end, and use read().
    std::size_t readAhead(std::string_view text, TraceFields& fields);
    /// TraceFields::workloadRepeat counts from 0 again.
    void forgetWorkloads();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace tracedeck
