// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/speed_of_light.h"

#include <algorithm>
#include <cmath>
#include <system_error>

#include <fmt/format.h>

#include "core/io/contained_path.h"
#include "core/io/json_parse.h"
#include "core/io/read_file.h"
#include "core/io/trace_writer.h"
#include "core/model/axis_expression.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = 64U << 10U;

Error formulaError(const fs::path& file, const char* field, std::string reason)
{
    return {ErrorCode::InvalidInput, std::move(reason), file.string(), 0, field};
}

/// A number above 0 that an expression comes to.
Result<double> valueOf(const std::string& text, const char* field, const AxisValues& axes)
{
    const auto expression = AxisExpression::parse(text);
    if (!expression) return formulaError({}, field, expression.error().reason);
    const auto value = expression->evaluate(axes);
    if (!value) return formulaError({}, field, value.error().reason);
    if (*value <= 0) return formulaError({}, field, fmt::format("comes to {}: must be greater than 0", *value));
    return static_cast<double>(*value);
}

}  // namespace

std::string_view toString(SpeedOfLight::Bound bound)
{
    switch (bound) {
    case SpeedOfLight::Bound::Memory: return "memory";
    case SpeedOfLight::Bound::Compute: return "compute";
    case SpeedOfLight::Bound::Launch: break;
    }
    return "launch";
}

std::optional<SpeedOfLight> speedOfLight(const WorkEstimate& work, const Ceilings& ceilings)
{
    WorkEstimate moved = work;
    moved.operations.reset();
    const double memory = softFloorMs(moved, ceilings.peaks);
    const double both = softFloorMs(work, ceilings.peaks);
    if (both <= 0) return std::nullopt;
    if (both < ceilings.launchMs) return SpeedOfLight{ceilings.launchMs, SpeedOfLight::Bound::Launch};
    return SpeedOfLight{both, both > memory ? SpeedOfLight::Bound::Compute : SpeedOfLight::Bound::Memory};
}

double speedOfLightScore(double ms, double baselineMs, double lightMs)
{
    if (ms <= lightMs) return 1;
    if (baselineMs <= lightMs) return 0;
    return 1 / (1 + (ms - lightMs) / (baselineMs - lightMs));
}

Result<fs::path> workFormulaFile(const fs::path& root, const std::string& definition)
{
    if (!isSafePathComponent(definition) || definition.starts_with('.')) return formulaError({}, "name", "this definition's name can't be a file's");
    const std::string relative = "tracedeck/work/" + definition + ".json";
    auto file = resolveContained(root, relative);
    if (!file) return formulaError(root / relative, "", file.error().reason);
    return file;
}

Result<WorkFormula> readWorkFormula(const fs::path& root, const std::string& definition)
{
    const auto path = workFormulaFile(root, definition);
    if (!path) return path.error().field == "name" ? Result<WorkFormula>(WorkFormula{}) : path.error();
    const fs::path& file = *path;
    const auto read = readJsonFile(file, kMostBytes);
    if (!read) return read.error();
    if (!*read) return WorkFormula{};
    const Json& document = **read;
    if (!document.is_object()) return formulaError(file, "", "must be an object with bytes, operations, operand");
    WorkFormula formula;
    for (const auto& [field, target] : {std::pair{"bytes", &formula.bytes}, std::pair{"operations", &formula.operations}}) {
        const auto found = document.find(field);
        if (found == document.end() || found->is_null()) continue;
        if (!found->is_string()) return formulaError(file, field, "must be a text: an expression over the axes");
        *target = found->get<std::string>();
    }
    if (const auto found = document.find("operand"); found != document.end() && !found->is_null()) {
        const auto dtype = found->is_string() ? dtypeFromString(found->get<std::string>()) : std::nullopt;
        if (!dtype) return formulaError(file, "operand", "must be a dtype of the format");
        formula.operand = *dtype;
    }
    return formula;
}

std::vector<Error> workFormulaErrors(const Definition& definition, const WorkFormula& formula)
{
    std::vector<Error> errors;
    for (const auto& [field, text] : {std::pair{"bytes", &formula.bytes}, std::pair{"operations", &formula.operations}}) {
        if (text->empty()) continue;
        const auto expression = AxisExpression::parse(*text);
        if (!expression) {
            errors.push_back(formulaError({}, field, expression.error().reason));
            continue;
        }
        const auto unknown = std::find_if(expression->names().begin(), expression->names().end(), [&](const std::string& name) { return definition.findAxis(name) == nullptr; });
        if (unknown != expression->names().end()) errors.push_back(formulaError({}, field, fmt::format("\"{}\" is no axis of {}", *unknown, definition.name)));
    }
    return errors;
}

Result<void> writeWorkFormula(const fs::path& root, const Definition& definition, const WorkFormula& formula)
{
    const auto path = workFormulaFile(root, definition.name);
    if (!path) return path.error();
    const fs::path& file = *path;
    if (std::vector<Error> errors = workFormulaErrors(definition, formula); !errors.empty()) {
        errors.front().file = file.string();
        return errors.front();
    }
    std::error_code failure;
    if (formula.bytes.empty() && formula.operations.empty()) {
        fs::remove(file, failure);
        if (failure) return systemError(file, "could not remove the formula", failure.value());
        return {};
    }
    fs::create_directories(file.parent_path(), failure);
    if (failure) return systemError(file.parent_path(), "could not make the folder", failure.value());
    Json document = Json::object();
    if (!formula.bytes.empty()) document["bytes"] = formula.bytes;
    if (!formula.operations.empty()) document["operations"] = formula.operations;
    if (formula.operand != DType::Unknown) document["operand"] = std::string(toString(formula.operand));
    return writeFileAtomically(file, document.dump(2) + "\n");
}

Result<void> applyWorkFormula(WorkEstimate& work, const WorkFormula& formula, const AxisValues& resolvedAxes)
{
    if (!formula.bytes.empty()) {
        const auto bytes = valueOf(formula.bytes, "bytes", resolvedAxes);
        if (!bytes) return bytes.error();
        work.inputBytes = work.neededInputBytes = *bytes;
        work.outputBytes = 0;
        work.isUpperEstimate = false;
    }
    if (!formula.operations.empty()) {
        const auto operations = valueOf(formula.operations, "operations", resolvedAxes);
        if (!operations) return operations.error();
        work.operations = *operations;
        work.formula = formula.operations;
    }
    if (formula.operand != DType::Unknown) work.operand = formula.operand;
    return {};
}

}  // namespace tracedeck
