// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/definition.h"
#include "core/model/result.h"
#include "core/score/ceilings.h"
#include "core/score/work_estimate.h"

namespace tracedeck {

/// The shortest time that an evaluation can take by the ceilings of its GPU (SOL-ExecBench dialect §10.3).
struct SpeedOfLight {
    enum class Bound { Memory, Compute, Launch };
    double ms = 0;
    Bound bound = Bound::Launch;   ///< what takes it
};
[[nodiscard]] std::string_view toString(SpeedOfLight::Bound bound);   ///< `memory`, `compute` or `launch`

/// max(bytes ÷ memory rate, operations ÷ peak of the operands' dtype, shortest kernel). Of bytes that are an upper estimate only the needed
/// ones count. Nothing where neither bytes nor operations are known.
[[nodiscard]] std::optional<SpeedOfLight> speedOfLight(const WorkEstimate& work, const Ceilings& ceilings);

/// SOL-ExecBench's score, 1 ÷ (1 + (T − light) ÷ (baseline − light)), all times in ms: 0.5 at the baseline, 1 at the speed of light. Where the formula
/// leaves [0, 1] (a time below the light's) it is 1; with a baseline at or below the light's time it is 1 or 0.
[[nodiscard]] double speedOfLightScore(double ms, double baselineMs, double lightMs);

/// What a dataset says of a definition's work itself: expressions over its axes, as in SOL-ExecBench's `expr` axes.
struct WorkFormula {
    std::string bytes{};        ///< that must be moved; empty: from the shapes
    std::string operations{};   ///< empty: by the op_type
    DType operand = DType::Unknown;   ///< whose peak bounds the operations; Unknown: as estimated
};
/// ROOT/tracedeck/work/<definition>.json, where no other program looks. Error: the name can't be a file's, or a link leads out of the root.
[[nodiscard]] Result<std::filesystem::path> workFormulaFile(const std::filesystem::path& root, const std::string& definition);
/// {bytes, operations, operand}; an empty formula when there is no such file. Error: it can't be read, or InvalidInput with the field.
[[nodiscard]] Result<WorkFormula> readWorkFormula(const std::filesystem::path& root, const std::string& definition);
/// What is wrong with a formula for this definition, one error a field: an expression that can't be parsed, or names that are no axes. Empty: nothing.
[[nodiscard]] std::vector<Error> workFormulaErrors(const Definition& definition, const WorkFormula& formula);
/// Writes the file as a whole; an empty formula removes it. Error InvalidInput with the field: an expression that can't be parsed, or names
/// that are no axes of the definition.
[[nodiscard]] Result<void> writeWorkFormula(const std::filesystem::path& root, const Definition& definition, const WorkFormula& formula);
/// The estimate with what the formula says in place of it. Error: an expression that gives no number above 0 for these axes.
[[nodiscard]] Result<void> applyWorkFormula(WorkEstimate& work, const WorkFormula& formula, const AxisValues& resolvedAxes);

}  // namespace tracedeck
