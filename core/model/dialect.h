// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace tracedeck {

/// Whose rules a definition, solution or file follows. SOL-ExecBench is a fork of FlashInfer-Trace.
enum class Dialect : std::uint8_t { FlashInferTrace, SolExecBench };

}  // namespace tracedeck
