// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/workload_tensors.h"

#include <array>
#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/model/index_rules.h"
#include "core/report/report.h"
#include "core/report/text_table.h"

namespace tracedeck {

namespace {

constexpr std::array<std::pair<TensorSource, std::string_view>, 5> kSourceNames{{{TensorSource::Random, "random"},
                                                                                {TensorSource::Scalar, "scalar"},
                                                                                {TensorSource::File, "safetensors"},
                                                                                {TensorSource::Custom, "custom"},
                                                                                {TensorSource::Output, "output"}}};

std::string shapeText(const WorkloadTensor& tensor)
{
    if (tensor.shape) return fmt::format("[{}]", fmt::join(*tensor.shape, ", "));
    return tensor.isScalar ? "scalar" : "?";
}

std::string textOf(const ScalarInput& scalar)
{
    if (const auto* integer = std::get_if<std::int64_t>(&scalar.value)) return std::to_string(*integer);
    if (const auto* real = std::get_if<double>(&scalar.value)) return shortestNumber(*real);
    return std::get<bool>(scalar.value) ? "true" : "false";
}

Result<std::filesystem::path> locate(const std::filesystem::path& root, const Definition& definition, const std::string& path)
{
    if (definition.dialect == Dialect::SolExecBench) {
        const std::filesystem::path folder = definition.sourceFile.empty() ? root : std::filesystem::path(definition.sourceFile).parent_path();
        return findBlob(blobRoots(folder.is_absolute() ? folder : root / folder, root), path);
    }
    auto resolved = resolveBlobPath(root, path);
    std::error_code code;
    if (resolved && !std::filesystem::exists(*resolved, code)) {
        return Error{ErrorCode::NotFound, "the file '" + path + "' is not in the dataset", resolved->string(), 0, {}};
    }
    return resolved;
}

/// Looks for the file, and at its header for the tensor.
void lookAtFile(WorkloadTensor& tensor, const std::filesystem::path& root, const Definition& definition)
{
    const auto path = locate(root, definition, tensor.blobPath);
    if (!path) {
        tensor.problem = path.error().reason;
        return;
    }
    if (isLfsPointer(*path)) {
        tensor.problem = fmt::format("the file '{0}' was not downloaded: it is a Git LFS pointer; run `git lfs pull --include \"{0}\"` in the dataset folder", tensor.blobPath);
        return;
    }
    const auto file = SafetensorsFile::open(*path);
    if (!file) {
        tensor.problem = file.error().toString();
        return;
    }
    const SafetensorsEntry* entry = (*file)->find(tensor.tensorKey);
    if (entry == nullptr) {
        tensor.problem = fmt::format("the file '{}' holds no tensor '{}'", tensor.blobPath, tensor.tensorKey);
        return;
    }
    tensor.file = *path;
    const auto dtype = dtypeFromSafetensors(entry->dtype);
    if (!dtype || toString(*dtype) != tensor.dtype) {
        tensor.problem = fmt::format("the file has dtype {}; the definition says {}", dtype ? toString(*dtype) : std::string_view(entry->dtype), tensor.dtype);
    } else if (tensor.shape && entry->shape != *tensor.shape) {
        tensor.problem = fmt::format("the file has shape [{}]; the workload's axes make it {}", fmt::join(entry->shape, ", "), shapeText(tensor));
    }
}

void setInput(WorkloadTensor& tensor, const WorkloadInput* input)
{
    if (input == nullptr) return;   // drawn, as when it says so
    if (const auto* scalar = std::get_if<ScalarInput>(input)) {
        tensor.source = TensorSource::Scalar;
        tensor.isScalar = true;
        tensor.shape.reset();
        tensor.bytes = 0;
        tensor.value = textOf(*scalar);
    } else if (const auto* file = std::get_if<SafetensorsInput>(input)) {
        tensor.source = TensorSource::File;
        tensor.blobPath = file->path;
        tensor.tensorKey = file->tensorKey;
    } else if (std::holds_alternative<CustomInput>(*input)) {
        tensor.source = TensorSource::Custom;
    }
}

WorkloadTensor tensorOf(const TensorSpec& spec, const Result<std::vector<Shape>>& shapes, std::size_t index)
{
    WorkloadTensor tensor;
    tensor.name = spec.name;
    tensor.dtype = spec.dtypeName.empty() ? std::string(toString(spec.dtype)) : spec.dtypeName;
    tensor.isScalar = spec.isScalar();
    if (tensor.isScalar) return tensor;
    if (!shapes) {
        tensor.problem = shapes.error().reason;
        return tensor;
    }
    tensor.shape = (*shapes)[index];
    if (spec.dtype != DType::Unknown && tensor.shape) tensor.bytes = byteSize(spec.dtype, elementCount(*tensor.shape));
    return tensor;
}

Json statisticsJson(const WorkloadTensor& tensor)
{
    if (tensor.file.empty()) return nullptr;
    const auto summary = summariseWorkloadTensor(tensor);
    if (!summary) return {{"error", summary.error().toString()}};
    const auto number = [](double value) -> Json { return std::isfinite(value) ? Json(value) : Json(shortestNumber(value)); };
    Json values = Json::array();
    for (const double value : summary->firstValues) values.push_back(number(value));
    return {{"elements", summary->elements},
            {"finite", summary->finite},
            {"nan", summary->nan},
            {"infinite", summary->infinite},
            {"zeros", summary->zeros},
            {"minimum", summary->minimum},
            {"maximum", summary->maximum},
            {"mean", summary->mean},
            {"standard_deviation", summary->deviation},
            {"histogram", summary->histogram},
            {"first_values", std::move(values)}};
}

}  // namespace

std::string_view toString(TensorSource source)
{
    for (const auto& [value, name] : kSourceNames) {
        if (value == source) return name;
    }
    return {};
}

std::vector<WorkloadTensor> workloadTensors(const std::filesystem::path& root, const Definition& definition, const Workload& workload)
{
    const auto inputShapes = definition.inputShapes(workload.axes);
    const auto outputShapes = definition.outputShapes(workload.axes);
    const auto rules = inputShapes ? indexRules(definition, workload) : std::vector<std::optional<IndexRule>>(definition.inputs.size());
    std::vector<WorkloadTensor> tensors;
    for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
        WorkloadTensor tensor = tensorOf(definition.inputs[i], inputShapes, i);
        setInput(tensor, workload.findInput(tensor.name));
        if (tensor.source == TensorSource::Random && rules[i]) tensor.rule = rules[i]->text;
        if (tensor.source == TensorSource::File) lookAtFile(tensor, root, definition);
        tensors.push_back(std::move(tensor));
    }
    for (const auto& [name, input] : workload.inputs) {
        if (definition.findInput(name) != nullptr) continue;
        WorkloadTensor tensor;
        tensor.name = name;
        setInput(tensor, &input);
        tensor.problem = "the definition has no input of this name";
        tensors.push_back(std::move(tensor));
    }
    for (std::size_t i = 0; i < definition.outputs.size(); ++i) {
        tensors.push_back(tensorOf(definition.outputs[i], outputShapes, i));
        tensors.back().source = TensorSource::Output;
    }
    return tensors;
}

Result<TensorSummary> summariseWorkloadTensor(const WorkloadTensor& tensor, const std::stop_token& stop)
{
    if (tensor.file.empty()) return Error{ErrorCode::InvalidInput, "the tensor has no file that could be read", {}, 0, tensor.name};
    const auto file = SafetensorsFile::open(tensor.file);
    if (!file) return file.error();
    const SafetensorsEntry* entry = (*file)->find(tensor.tensorKey);
    if (entry == nullptr) return Error{ErrorCode::NotFound, "the file holds no tensor '" + tensor.tensorKey + "'", tensor.file.string(), 0, tensor.name};
    return summariseTensor(**file, *entry, stop);
}

Json workloadTensorsDocument(const std::filesystem::path& root, const Definition& definition, const Workload& workload)
{
    Json axes = Json::object();
    for (const auto& [name, value] : workload.axes) axes[name] = value;
    Json tensors = Json::array();
    const auto orNull = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
    for (const WorkloadTensor& tensor : workloadTensors(root, definition, workload)) {
        tensors.push_back({{"name", tensor.name},
                           {"dtype", orNull(tensor.dtype)},
                           {"shape", tensor.shape ? Json(*tensor.shape) : Json(nullptr)},
                           {"source", std::string(toString(tensor.source))},
                           {"bytes", tensor.bytes},
                           {"value", orNull(tensor.value)},
                           {"rule", orNull(tensor.rule)},
                           {"path", orNull(tensor.blobPath)},
                           {"tensor_key", orNull(tensor.tensorKey)},
                           {"problem", orNull(tensor.problem)},
                           {"statistics", statisticsJson(tensor)}});
    }
    return {{"definition", definition.name}, {"workload_uuid", workload.uuid}, {"axes", std::move(axes)}, {"tensors", std::move(tensors)}};
}

std::string workloadTensorsText(const std::filesystem::path& root, const Definition& definition, const Workload& workload)
{
    TextTable table({{"Tensor", TextTable::Align::Left},
                     {"Dtype", TextTable::Align::Left},
                     {"Shape", TextTable::Align::Left},
                     {"Source", TextTable::Align::Left},
                     {"Min", TextTable::Align::Right},
                     {"Max", TextTable::Align::Right},
                     {"Mean", TextTable::Align::Right},
                     {"NaN", TextTable::Align::Right}});
    std::string notes;
    for (const WorkloadTensor& tensor : workloadTensors(root, definition, workload)) {
        std::string source(toString(tensor.source));
        if (!tensor.value.empty()) source += " " + tensor.value;
        if (!tensor.blobPath.empty()) source = fmt::format("{} [{}]", tensor.blobPath, tensor.tensorKey);
        std::vector<std::string> cells{tensor.name, tensor.dtype, shapeText(tensor), source};
        const auto summary = tensor.file.empty() ? std::nullopt : std::optional(summariseWorkloadTensor(tensor));
        if (summary && *summary) {
            for (const double value : {(*summary)->minimum, (*summary)->maximum, (*summary)->mean}) cells.push_back(fmt::format("{:.4g}", value));
            cells.push_back(std::to_string((*summary)->nan));
        } else {
            cells.insert(cells.end(), 4, "-");
        }
        table.addRow(cells);
        if (!tensor.problem.empty()) notes += fmt::format("{}: {}\n", printable(tensor.name), printable(tensor.problem));
        else if (summary && !*summary) notes += fmt::format("{}: {}\n", printable(tensor.name), printable(summary->error().toString()));
        if (!tensor.rule.empty()) notes += fmt::format("{}: {}\n", printable(tensor.name), printable(tensor.rule));
    }
    return table.toString() + (notes.empty() ? "" : "\n" + notes);
}

}  // namespace tracedeck
