// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/io/repeated_text.h"
#include "core/io/trace_fields.h"

namespace tracedeck {

/// Reads a trace line that is letter for letter as flashinfer-bench writes it: its keys in its order without white space, plain
/// ASCII names, and numbers from 0 up. That is nearly every line, and it takes a fraction of the time of parsing it as JSON.
class UsualTraceLine {
public:
    /// Bytes of the trace at the start of `text`, whose `fields` are then what a JSON parser would find; it has no line end in
    /// it. 0 decides nothing; `fields` may then hold anything. FastTraceLine::kPadding bytes behind the text must be readable.
    std::size_t read(std::string_view text, TraceFields& fields, RepeatedTexts& repeats);

private:
    std::string m_definition;   ///< of the line before, as it is checked already
    std::string m_solution;
};

}  // namespace tracedeck
