// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/work_preview.h"

namespace tracedeck {

std::vector<WorkPreview> previewWork(const Dataset& dataset, const Definition& definition, const WorkFormula& formula, const Ceilings* ceilings, std::size_t most)
{
    std::vector<WorkPreview> previews;
    const bool isSound = workFormulaErrors(definition, formula).empty();
    for (const Trace& line : dataset.workloadsOf(definition.name)) {
        if (previews.size() == most) break;
        WorkPreview preview;
        preview.uuid = line.workload.uuid;
        for (const auto& [axis, value] : line.workload.axes) preview.axes += (preview.axes.empty() ? "" : ";") + axis + "=" + std::to_string(value);
        auto work = estimateWork(definition, line.workload.axes);
        const auto resolved = definition.resolveAxes(line.workload.axes);
        if (!work || !resolved) {
            preview.problem = resolved ? "the shapes can't be resolved" : resolved.error().reason;
            previews.push_back(std::move(preview));
            continue;
        }
        if (isSound) {
            if (const auto applied = applyWorkFormula(*work, formula, *resolved); !applied) preview.problem = applied.error().field + ": " + applied.error().reason;
        }
        preview.bytes = work->inputBytes + work->outputBytes;
        preview.operations = work->operations;
        if (ceilings != nullptr) preview.light = speedOfLight(*work, *ceilings);
        previews.push_back(std::move(preview));
    }
    return previews;
}

}  // namespace tracedeck
