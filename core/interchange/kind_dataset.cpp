// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/kind_dataset.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/io/json_codec.h"
#include "core/io/read_file.h"
#include "core/io/safetensors.h"
#include "core/model/name_rules.h"
#include "core/model/python_source.h"
#include "core/model/text.h"
#include "core/score/speed_of_light.h"
#include "core/store/merge_staging.h"

namespace tracedeck {

namespace {

Error wrongUsage(std::string reason, std::string field = {}) { return {ErrorCode::Usage, std::move(reason), {}, 0, std::move(field)}; }

/// Letters, digits and `._-`, which are safe in a Python string and on a command line; `/` between two such names where there is to be one.
bool isHubName(std::string_view text, bool hasOwner)
{
    if (hasOwner != (std::count(text.begin(), text.end(), '/') == 1) || text.starts_with('/') || text.ends_with('/')) return false;
    return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-' || c == '/'; });
}

std::string indented(std::string_view text)
{
    std::string lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines += fmt::format("    {}\n", text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// Fetched when the module is loaded, before anything is timed.
std::string hubSource(const Definition& definition, const std::string& repository, const std::string& revision, const std::string& call)
{
    const std::string arguments = revision.empty() ? fmt::format("\"{}\"", repository) : fmt::format("\"{}\", revision=\"{}\"", repository, revision);
    std::string inputs;
    for (const TensorSpec& input : definition.inputs) inputs += (inputs.empty() ? "" : ", ") + input.name;
    return fmt::format(R"(import torch

try:
    from kernels import get_kernel
except ImportError as error:
    raise ImportError("the Hub kernel {0} needs the Python package 'kernels': pip install kernels") from error

try:
    kernel = get_kernel({1})
except Exception as error:
    raise RuntimeError(
        "the Hub kernel {0} could not be loaded. A run has no network: fetch it once with\n"
        "  python -c 'from kernels import get_kernel; get_kernel({2})'\n"
        f"What went wrong: {{error}}") from error


def run({3}):
{4})",
                       repository, arguments, revision.empty() ? fmt::format("\\\"{}\\\"", repository) : fmt::format("\\\"{}\\\", revision=\\\"{}\\\"", repository, revision), inputs, indented(call));
}

Result<const Definition*> definitionOf(const Dataset& dataset, const std::string& name)
{
    if (name.empty()) {
        if (dataset.definitions().size() == 1) return dataset.definitions().front().get();
        return wrongUsage(fmt::format("the dataset has {} definitions: say which one the implementation is of", dataset.definitions().size()), "definition");
    }
    if (const Definition* definition = dataset.findDefinition(name)) return definition;
    std::vector<std::string> known;
    for (const auto& definition : dataset.definitions()) known.push_back(definition->name);
    return wrongUsage("there is no definition '" + name + "'" + nameHint(name, known), "definition");
}

Result<void> readImplementation(Solution& solution, const ImplementationRequest& request)
{
    constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20U;
    auto content = readWholeFile(request.file, kMostBytes);
    if (!content) return content.error();
    const std::string file = toValidUtf8(request.file.string());
    if (content->empty() || toValidUtf8(*content) != *content) return Error{ErrorCode::InvalidInput, content->empty() ? "the file is empty" : "the file is no UTF-8 text", file, 0, {}};
    const std::string suffix = asciiLower(request.file.extension().string());
    const std::string function = request.function.empty() ? "run" : request.function;
    if (suffix == ".py") {
        solution.spec.language = content->find("import triton") != std::string::npos ? Language::Triton : Language::Python;
        if (!positionalParameters(*content, function)) {
            return Error{ErrorCode::InvalidInput, fmt::format("the file defines no function '{}' at its left margin; name the one to call", function), file, 0, "function"};
        }
    } else if (suffix == ".cu" || suffix == ".cpp" || suffix == ".cc") {
        solution.spec.language = suffix == ".cu" ? Language::Cuda : Language::Cpp;
    } else {
        return wrongUsage("an implementation is a .py, .cu or .cpp file; this is " + file, "file");
    }
    const bool isCompiled = solution.spec.isCompiled();
    const std::string path = isCompiled ? "kernel" + (suffix == ".cc" ? ".cpp" : suffix) : "main.py";
    solution.spec.entryPoint = path + "::" + function;
    solution.spec.destinationPassingStyle = request.destinationPassingStyle.value_or(isCompiled);
    solution.spec.targetHardware = solution.spec.language == Language::Cpp ? std::vector<std::string>{"cpu"}
                                   : solution.spec.language == Language::Python ? std::vector<std::string>{"cpu", "cuda"}
                                                                                : std::vector<std::string>{"cuda"};
    solution.sources = {{path, *std::move(content), false, Json::object()}};
    return {};
}

Result<void> writeHubSolution(Solution& solution, const ImplementationRequest& request, const Definition& definition)
{
    const KernelKind* kind = findKernelKind(definition.opType);
    const std::string repository = !request.hubRepository.empty() ? request.hubRepository : kind != nullptr ? kind->hubRepository : "";
    if (repository.empty()) return wrongUsage("name the Hub kernel, as owner/name", "hub");
    if (!isHubName(repository, true)) return wrongUsage("'" + repository + "' is no Hub kernel: expected owner/name", "hub");
    if (!request.hubRevision.empty() && !isHubName(request.hubRevision, request.hubRevision.find('/') != std::string::npos)) return wrongUsage("'" + request.hubRevision + "' is no revision", "revision");
    // The call that is known is of one kernel; another one may have other functions.
    const bool isKnown = kind != nullptr && repository == kind->hubRepository;
    const std::string call = !request.hubCall.empty() ? request.hubCall : isKnown ? kind->hubCall : "";
    if (call.empty()) return wrongUsage("how this kernel is called is not known: say it, for example \"return kernel.function(x)\"", "call");
    for (const TensorSpec& input : definition.inputs) {
        if (!isPythonIdentifier(input.name)) return wrongUsage("the input '" + input.name + "' of the definition is no name in Python", "definition");
    }
    solution.spec.language = Language::Python;
    solution.spec.targetHardware = {"cuda"};
    solution.spec.entryPoint = "main.py::run";
    solution.spec.dependencies = {"torch", "kernels"};
    solution.spec.destinationPassingStyle = request.destinationPassingStyle.value_or(false);
    solution.sources = {{"main.py", hubSource(definition, repository, request.hubRevision, call), false, Json::object()}};
    solution.description = "The Hub kernel " + repository;
    return {};
}

}  // namespace

Result<KindDataset> makeKindDataset(const KindRequest& request)
{
    const auto kind = kernelKindNamed(request.kind);
    if (!kind) return kind.error();
    const bool isGpu = request.set == KindSet::Gpu;
    const auto definition = kindDefinition(**kind, !request.dtype.empty() ? request.dtype : isGpu ? (*kind)->gpuDType : "float32");
    if (!definition) return definition.error();
    std::vector<KindWorkload> workloads;
    std::vector<std::string> uuids;
    for (const AxisValues& axes : request.workloads.empty() ? kindGrid(**kind, request.set) : request.workloads) {
        auto workload = kindWorkload(**kind, *definition, axes);
        if (!workload) return workload.error();
        if (std::find(uuids.begin(), uuids.end(), workload->workload.uuid) != uuids.end()) continue;   // asked for twice
        uuids.push_back(workload->workload.uuid);
        workloads.push_back(*std::move(workload));
    }
    auto folder = StagingFolder::create(request.target);
    if (!folder) return folder.error();
    const std::string place = definition->opType + "/" + definition->name;
    if (auto written = folder->write("definitions/" + place + ".json", writeObjectFile(encodeDefinition(*definition))); !written) return written.error();
    if (auto written = writeWorkFormula(folder->root(), *definition, {{}, (*kind)->operations, definition->outputs.front().dtype}); !written) return written.error();
    for (const KindWorkload& made : workloads) {
        const Trace line{definition->name, made.workload, std::nullopt, std::nullopt, Json::object()};
        if (auto written = folder->appendLine("workloads/" + place + ".jsonl", writeLine(encodeTrace(line))); !written) return written.error();
        if (made.contents.empty()) continue;
        std::vector<TensorToWrite> tensors;
        for (const KindContent& content : made.contents) tensors.push_back({content.input, content.dtype, content.shape, content.bytes});
        if (auto written = writeSafetensors(folder->root() / made.blob, tensors); !written) return written.error();
    }
    if (auto written = folder->flush(); !written) return written.error();
    if (auto committed = folder->commit(); !committed) return committed.error();
    return KindDataset{request.target, definition->name, workloads.size()};
}

Result<Solution> makeImplementation(const Dataset& dataset, const ImplementationRequest& request)
{
    const auto definition = definitionOf(dataset, request.definition);
    if (!definition) return definition.error();
    Solution solution;
    solution.name = request.name;
    solution.author = request.author;
    solution.definition = (*definition)->name;
    for (const auto& [what, name] : {std::pair{"name", &solution.name}, std::pair{"author", &solution.author}}) {
        for (const std::string& fault : {fileNameFault(*name), displayFault(*name)}) {
            if (!fault.empty()) return wrongUsage(fmt::format("'{}' cannot be the {} of a solution, because it {}", *name, what, fault), what);
        }
    }
    if (!request.function.empty() && !isPythonIdentifier(request.function)) return wrongUsage("'" + request.function + "' is no name of a function", "function");
    const auto filled = request.file.empty() ? writeHubSolution(solution, request, **definition) : readImplementation(solution, request);
    if (!filled) return filled.error();
    return solution;
}

}  // namespace tracedeck
