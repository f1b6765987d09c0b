// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/score/fast_p.h"

namespace tracedeck {

// Each fills `curves` (ratios in any order), `groups`, `fallbackGroups` and `unscored` of a report whose question is set.
void addSiteCurves(FastPReport& report, const Dataset& dataset, const std::vector<const Definition*>& definitions, const CountedTraces& counted);
void addWinPCurves(FastPReport& report, const Dataset& dataset, const std::vector<const Definition*>& definitions, const CountedTraces& counted);
void addKernelBenchCurves(FastPReport& report, const Dataset& dataset, const std::vector<const Definition*>& definitions, const CountedTraces& counted);

}  // namespace tracedeck
