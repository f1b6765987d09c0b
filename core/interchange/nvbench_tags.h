// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace tracedeck {

// Tags of nvbench's summaries, and what we add to its files.

inline constexpr std::string_view kMeanTag = "nv/cold/time/gpu/mean";                 ///< seconds
inline constexpr std::string_view kSampleSizeTag = "nv/cold/sample_size";
inline constexpr std::string_view kNoiseTag = "nv/cold/time/gpu/stdev/relative";
inline constexpr std::string_view kSamplesTag = "nv/json/bin:nv/cold/sample_times";   ///< a file of float32 in seconds
inline constexpr std::string_view kLatencyTag = "tracedeck/latency_ms";               ///< what a trace stores: a median
inline constexpr std::string_view kSolutionAxis = "solution";

}  // namespace tracedeck
