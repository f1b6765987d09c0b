// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/io/repeated_text.h"
#include "core/io/trace_fields.h"

namespace tracedeck {

/// Reads a trace line that is letter for letter as flashinfer-bench writes it: its keys in its order without white space, a
/// workload and an environment that an earlier line had, plain ASCII names, a log without \\u escapes, and numbers from 0 up.
/// That is nearly every line, and it takes half the time of parsing it as JSON.
class UsualTraceLine {
public:
    /// True when `fields` is what a JSON parser would find. False decides nothing; `fields` may then hold anything.
    bool read(std::string_view line, TraceFields& fields, RepeatedTexts& repeats);

private:
    std::string m_definition;   ///< of the line before, as it is checked already
    std::string m_solution;
};

}  // namespace tracedeck
