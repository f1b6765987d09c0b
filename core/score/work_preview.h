// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/score/speed_of_light.h"
#include "core/store/dataset.h"

namespace tracedeck {

/// What a formula says of one workload, before anybody keeps it.
struct WorkPreview {
    std::string uuid;
    std::string axes;                      ///< `M=16;N=4096`
    double bytes = 0;                      ///< 0: not known
    std::optional<double> operations{};
    std::optional<SpeedOfLight> light{};   ///< on the hardware asked for
    std::string problem;                   ///< why the formula gives nothing for these axes; the figures are those without it
};
/// Of the first `most` workloads of a definition, in file order. `ceilings` null: no speed of light. A formula with errors counts as none.
[[nodiscard]] std::vector<WorkPreview> previewWork(const Dataset& dataset, const Definition& definition, const WorkFormula& formula, const Ceilings* ceilings, std::size_t most);

}  // namespace tracedeck
