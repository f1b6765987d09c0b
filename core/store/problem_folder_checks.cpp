// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/problem_folder_checks.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "core/model/text.h"

namespace tracedeck {

namespace {

/// How often something was seen, and where first.
struct Finding {
    std::size_t count = 0;
    std::string example;

    void add(const std::string& where)
    {
        if (++count == 1) example = where;
    }
};

struct WorkloadFindings {
    Finding undeclaredAxes;
    Finding undeclaredInputs;
    Finding customInputs;
};

void lookAt(const Definition& definition, const std::vector<Trace>& workloads, WorkloadFindings& findings)
{
    std::set<std::string_view> axes;
    for (const Axis& axis : definition.axes) axes.insert(axis.name);
    std::set<std::string_view> inputs;
    for (const TensorSpec& input : definition.inputs) inputs.insert(input.name);
    for (const Trace& trace : workloads) {
        const Workload& workload = trace.workload;
        const auto axis = std::find_if(workload.axes.begin(), workload.axes.end(), [&](const auto& a) { return !axes.contains(a.first); });
        if (axis != workload.axes.end()) findings.undeclaredAxes.add(definition.name + ": " + axis->first);
        const auto input = std::find_if(workload.inputs.begin(), workload.inputs.end(), [&](const auto& i) { return !inputs.contains(i.first); });
        if (input != workload.inputs.end()) findings.undeclaredInputs.add(definition.name + ": " + input->first);
        const bool isCustom = std::any_of(workload.inputs.begin(), workload.inputs.end(),
                                          [](const auto& i) { return std::holds_alternative<CustomInput>(i.second); });
        if (!isCustom) continue;
        findings.customInputs.add(definition.name + (definition.customInputsEntrypoint ? ": " + *definition.customInputsEntrypoint : ""));
    }
}

bool isPackedFloat4(const TensorSpec& tensor)
{
    return tensor.dtype == DType::Float4E2M1FNx2 || tensor.dtype == DType::Float4E2M1;
}

}  // namespace

std::vector<Problem> checkProblemFolders(const Dataset& dataset)
{
    WorkloadFindings workloads;
    Finding packed;
    for (const auto& definition : dataset.definitions()) {
        lookAt(*definition, dataset.workloadsOf(definition->name), workloads);
        if (std::any_of(definition->inputs.begin(), definition->inputs.end(), isPackedFloat4)) packed.add(definition->name);
    }
    Finding plainBuilds;
    for (const auto& solution : dataset.solutions()) {
        const bool isCpp = solution->dialect == Dialect::SolExecBench && solution->spec.language == Language::Cuda;
        if (isCpp && !solution->spec.unknownKeys.contains("compile_options")) plainBuilds.add(solution->name);
    }
    std::vector<Problem> problems;
    const auto report = [&](const Finding& finding, const std::string& what) {
        if (finding.count == 0) return;
        problems.push_back({Severity::Warning,
                            Error{ErrorCode::InvalidInput,
                                  std::to_string(finding.count) + " " + what + " (the first is " + finding.example + ")",
                                  toValidUtf8(dataset.root().string()), 0, {}}});
    };
    report(workloads.undeclaredAxes, "workloads give values to axes that their definition does not declare; expressions may use them");
    report(workloads.undeclaredInputs, "workloads name inputs that their definition does not declare; they are ignored");
    report(workloads.customInputs, "workloads need a Python function of their definition to make inputs");
    report(packed, "definitions have float4 inputs, whose shapes count packed pairs");
    report(plainBuilds, "C++ solutions have no compile_options: SOL-ExecBench builds them without optimisation flags");
    return problems;
}

}  // namespace tracedeck
