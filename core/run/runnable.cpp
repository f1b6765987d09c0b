// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runnable.h"

#include <fmt/format.h>
#include <map>
#include <utility>

namespace tracedeck {

namespace {

std::string notYet(const std::string& what)
{
    return "not runnable yet: " + what;
}

std::optional<std::string> dtypeObstacle(const std::vector<TensorSpec>& tensors)
{
    for (const TensorSpec& tensor : tensors) {
        const bool isRunnable = tensor.dtype != DType::Unknown && tensor.dtype != DType::Float64 && tensor.dtype != DType::Float4E2M1FNx2;
        if (!isRunnable) return notYet("dtype " + tensor.dtypeName + " (" + tensor.name + ")");
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> runObstacle(const Definition& definition, const Workload& workload)
{
    std::string custom;
    for (const TensorSpec& input : definition.inputs) {
        const WorkloadInput* given = workload.findInput(input.name);
        if (given != nullptr && std::holds_alternative<CustomInput>(*given)) custom += (custom.empty() ? "" : ", ") + input.name;
    }
    if (!custom.empty()) return notYet("custom inputs (" + custom + ")");
    if (workload.tolerance) return notYet("a tolerance of the workload's own, as SOL-ExecBench has it");
    if (auto obstacle = dtypeObstacle(definition.inputs)) return obstacle;
    if (auto obstacle = dtypeObstacle(definition.outputs)) return obstacle;
    if (definition.dialect == Dialect::SolExecBench) {
        if (const auto shapes = definition.inputShapes(workload.axes); !shapes) return shapes.error().field + ": " + shapes.error().reason;
        if (const auto shapes = definition.outputShapes(workload.axes); !shapes) return shapes.error().field + ": " + shapes.error().reason;
    }
    return std::nullopt;
}

void leaveOutWithoutPackage(RunPlan& plan, const Dataset& dataset, const PythonFacts& facts, const std::filesystem::path& interpreter)
{
    std::map<std::pair<std::string, std::string>, std::size_t> leftOut;   // package and solution → evaluations
    std::erase_if(plan.pairs, [&](const RunPair& pair) {
        const Solution* solution = dataset.findSolution(pair.solution);
        if (solution == nullptr) return false;
        const Language language = solution->spec.language;
        if (language != Language::Triton && language != Language::TileLang) return false;
        const std::string package(toString(language));   // named like the language
        if (facts.packages.contains(package)) return false;
        ++leftOut[{package, solution->name}];
        return true;
    });
    for (const auto& [what, evaluations] : leftOut) {
        const auto& [package, solution] = what;
        const std::string script = package == "triton" ? "packaging/guest-env.sh --full, or: " : "";
        plan.problems.push_back(Problem{Severity::Warning,
                                        Error{ErrorCode::Unsupported,
                                              fmt::format("solution {} left out ({} evaluations): it needs {}, which {} does not have. Get it with {}pip install {}",
                                                          solution, evaluations, package, interpreter.string(), script, package),
                                              {}, 0, "solutions"}});
    }
}

}  // namespace tracedeck
