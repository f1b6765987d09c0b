// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runnable.h"

#include <algorithm>
#include <climits>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/io/data_file.h"
#include "core/io/dataset_scanner.h"
#include "core/io/trace_writer.h"
#include "core/model/text.h"
#include "core/model/timestamp.h"
#include "core/run/run_context.h"

namespace tracedeck {

namespace {

std::string notYet(const std::string& what)
{
    return "not runnable yet: " + what;
}

/// Whether contents come from elsewhere than the judge's generator, which has no distribution for every dtype.
bool bringsContents(const WorkloadInput* given)
{
    return given != nullptr && (std::holds_alternative<SafetensorsInput>(*given) || std::holds_alternative<CustomInput>(*given));
}

std::optional<std::string> dtypeObstacle(const Definition& definition, const Workload& workload)
{
    const auto isForeign = [](DType dtype) { return dtype == DType::Float64 || dtype == DType::Float4E2M1FNx2; };
    for (const TensorSpec& input : definition.inputs) {
        if (input.dtype == DType::Unknown) return notYet("dtype " + input.dtypeName + " (" + input.name + ")");
        if (isForeign(input.dtype) && input.shape && !bringsContents(workload.findInput(input.name))) {
            return notYet("random inputs of dtype " + input.dtypeName + " (" + input.name + ")");
        }
    }
    for (const TensorSpec& output : definition.outputs) {
        if (output.dtype == DType::Unknown || isForeign(output.dtype)) return notYet("dtype " + output.dtypeName + " (" + output.name + ")");
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
    if (!custom.empty() && !definition.customInputsEntrypoint) {
        return "custom inputs (" + custom + ") need a function of the reference that makes them, and the definition names none (custom_inputs_entrypoint)";
    }
    return dtypeObstacle(definition, workload);
}

Result<std::filesystem::path> resultFilePath(const std::filesystem::path& root, const Definition& definition, const std::string& author)
{
    if (definition.dialect != Dialect::SolExecBench || definition.sourceFile.empty()) return traceFilePath({}, author, definition.opType, definition.name);
    const std::filesystem::path folder = std::filesystem::path(definition.sourceFile).parent_path();
    const std::filesystem::path relative = folder.lexically_relative(root);
    const bool isRoot = relative.empty() || relative == ".";
    std::string problem = isRoot ? definition.name : relative.filename().string();
    std::string label = isRoot ? std::string() : relative.parent_path().generic_string();
    std::replace(label.begin(), label.end(), '/', '-');
    if (label.empty()) label = kUngroupedLabel;
    // `traces/<subset>/<problem>.jsonl` is as good a path as the format's own, one folder shorter.
    auto checked = traceFilePath({}, "any", label, problem);
    if (!checked) return checked.error();
    return std::filesystem::path("traces") / label / checked->filename();
}

std::optional<std::string> storageObstacle(const Definition& definition, const Solution& solution)
{
    constexpr std::size_t kLongestSuffix = std::string_view(".jsonl.torn").size();
    if (definition.dialect == Dialect::SolExecBench) return std::nullopt;   // the file is named like the problem's folder
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
    const auto line = resultLine(result, definition.dialect);
    if (line) return std::nullopt;
    return line.error().field.empty() ? line.error().reason : line.error().field + ": " + line.error().reason;
}

Result<void> checkResultFiles(const RunPlan& plan, const Dataset& dataset)
{
    std::set<std::filesystem::path> checked;
    for (const RunPair& pair : plan.pairs) {
        const Definition* definition = dataset.findDefinition(pair.definition);
        const Solution* solution = dataset.findSolution(pair.solution);
        const auto file = resultFilePath(dataset.root(), *definition, solution->author);
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
