// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runnable.h"

#include <climits>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/io/data_file.h"
#include "core/io/trace_writer.h"
#include "core/model/text.h"
#include "core/run/run_context.h"

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
    // Its evaluator draws other inputs and compares otherwise: figures by FlashInfer-Trace's rules would be misleading.
    if (definition.dialect == Dialect::SolExecBench) return notYet("SOL-ExecBench problems, which have an evaluator of their own");
    std::string custom;
    for (const TensorSpec& input : definition.inputs) {
        const WorkloadInput* given = workload.findInput(input.name);
        if (given != nullptr && std::holds_alternative<CustomInput>(*given)) custom += (custom.empty() ? "" : ", ") + input.name;
    }
    if (!custom.empty()) return notYet("custom inputs (" + custom + ")");
    if (workload.tolerance) return notYet("a tolerance of the workload's own, as SOL-ExecBench has it");
    if (auto obstacle = dtypeObstacle(definition.inputs)) return obstacle;
    if (auto obstacle = dtypeObstacle(definition.outputs)) return obstacle;
    return std::nullopt;
}

std::optional<std::string> storageObstacle(const Definition& definition, const Solution& solution)
{
    constexpr std::size_t kLongestSuffix = std::string_view(".jsonl.torn").size();
    const auto path = traceFilePath({}, solution.author, definition.opType, definition.name);
    if (!path) return path.error().reason;
    for (const auto& [what, name, longest] : {std::tuple{"author", &solution.author, std::size_t{NAME_MAX}},
                                              {"op_type", &definition.opType, std::size_t{NAME_MAX}},
                                              {"definition", &definition.name, NAME_MAX - kLongestSuffix}}) {
        if (name->size() > longest)
            return fmt::format("the {} '{}…' is longer than the name of a file or folder may be ({} bytes)", what, toValidUtf8(name->substr(0, 40)), longest);
    }
    return std::nullopt;
}

std::optional<std::string> storageObstacle(const Definition& definition, const Workload& workload)
{
    Trace result;
    result.definition = definition.name;
    result.workload = workload;
    result.solution = "any";
    Evaluation evaluation;
    evaluation.environment.hardware = "any";
    evaluation.timestamp = localTimestamp();
    result.evaluation = std::move(evaluation);
    const auto line = resultLine(result);
    if (line) return std::nullopt;
    return line.error().field.empty() ? line.error().reason : line.error().field + ": " + line.error().reason;
}

Result<void> checkResultFiles(const RunPlan& plan, const Dataset& dataset)
{
    std::set<std::filesystem::path> checked;
    for (const RunPair& pair : plan.pairs) {
        const Definition* definition = dataset.findDefinition(pair.definition);
        const Solution* solution = dataset.findSolution(pair.solution);
        const auto file = traceFilePath({}, solution->author, definition->opType, definition->name);
        if (!file) return file.error();
        if (!checked.insert(*file).second) continue;
        if (auto possible = checkAppendable(dataset.root(), *file); !possible) {
            Error error = possible.error();
            error.code = ErrorCode::Unsupported;
            error.reason += "; results could not be stored, so nothing was run. Mend that, run a copy of the dataset, or run without saving results "
                            "(--no-save-results)";
            return error;
        }
    }
    return {};
}

void leaveOutWithoutPackage(RunPlan& plan, const Dataset& dataset, const PythonFacts& facts, const std::filesystem::path& interpreter,
                            bool onGpu)
{
    std::map<std::pair<std::string, std::string>, std::size_t> leftOut;   // package and solution → evaluations
    std::erase_if(plan.pairs, [&](const RunPair& pair) {
        const Solution* solution = dataset.findSolution(pair.solution);
        if (solution == nullptr) return false;
        const Language language = solution->spec.language;
        if (language != Language::Triton && (language != Language::TileLang || !onGpu)) return false;
        const std::string package(toString(language));   // named like the language
        if (facts.packages.contains(package)) return false;
        ++leftOut[{package, solution->name}];
        ++plan.leftOut;
        return true;
    });
    for (const auto& [what, evaluations] : leftOut) {
        const auto& [package, solution] = what;
        const std::string script = package == "triton" ? "packaging/guest-env.sh --full, or: " : "";
        plan.problems.push_back(Problem{Severity::Warning,
                                        Error{ErrorCode::Unsupported,
                                              fmt::format("solution {} left out ({} evaluation{}): it needs {}, which {} does not have. Get it with {}pip install {}",
                                                          solution, evaluations, evaluations == 1 ? "" : "s", package, interpreter.string(), script, package),
                                              {}, 0, "solutions"}});
    }
}

}  // namespace tracedeck
