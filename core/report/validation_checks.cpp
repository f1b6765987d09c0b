// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of one definition (data model §4): layout, definition, workload, solution.
#include "core/report/validation_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace tracedeck {

namespace {

/// Collects the messages of one check.
class Messages {
public:
    void info(std::string text) { m_messages.push_back({CheckLevel::Info, std::move(text)}); }
    void warning(std::string text) { m_messages.push_back({CheckLevel::Warning, std::move(text)}); }
    void error(std::string text) { m_messages.push_back({CheckLevel::Error, std::move(text)}); }
    void infoFirst(std::string text) { m_messages.insert(m_messages.begin(), {CheckLevel::Info, std::move(text)}); }
    [[nodiscard]] CheckResult result() && { return makeCheckResult(std::move(m_messages)); }

private:
    std::vector<CheckMessage> m_messages;
};

std::set<std::string> difference(const std::set<std::string>& a, const std::set<std::string>& b)
{
    std::set<std::string> result;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(result, result.end()));
    return result;
}

/// Whether the file of a workload's tensor is there. A path that leads out of the dataset is not looked at: the check
/// of its content says so.
bool isBlobMissing(const std::filesystem::path& root, const std::string& path)
{
    const auto resolved = resolveBlobPath(root, path);
    std::error_code code;
    return resolved && !std::filesystem::exists(*resolved, code);
}

void checkLayoutOfSolution(Messages& messages, const DefinitionParts& parts, const ScannedSolution& scanned)
{
    const Solution& solution = *scanned.value;
    if (solution.author != scanned.parts[0]) {
        messages.error(fmt::format("solution '{}' author mismatch: path '{}', JSON '{}'", scanned.stem,
                                   scanned.parts[0], solution.author));
    }
    if (solution.definition != parts.name) {
        messages.error(fmt::format("solution '{}' definition mismatch: path '{}', JSON '{}'", scanned.stem, parts.name,
                                   solution.definition));
    }
    if (solution.name != scanned.stem) {
        messages.error(fmt::format("solution name mismatch: path '{}', JSON '{}'", scanned.stem, solution.name));
    }
    if (scanned.parts[1] != parts.opType()) {
        messages.error(fmt::format("solution '{}' op_type mismatch: expected '{}', got '{}'", scanned.stem,
                                   parts.opType(), scanned.parts[1]));
    }
}

/// Shape of a tensor as flashinfer-bench sees it when it loads it: two values of F4 are one element (data model §6.4).
Result<std::vector<std::int64_t>> loadedShape(const SafetensorsEntry& entry)
{
    std::vector<std::int64_t> shape = entry.shape;
    if (entry.dtype.starts_with("F6_")) {
        return Error{ErrorCode::Unsupported, "the dtype " + entry.dtype + " cannot be loaded", {}, 0, {}};
    }
    if (entry.dtype != "F4") return shape;
    if (shape.empty() || shape.back() % 2 != 0) {
        return Error{ErrorCode::Unsupported, "an F4 tensor needs a last dimension that is divisible by 2", {}, 0, {}};
    }
    shape.back() /= 2;
    return shape;
}

/// W10 to W13 of one input; false when something is wrong.
bool checkBlob(Messages& messages, const std::filesystem::path& root, const std::string& uuid, const std::string& input,
               const SafetensorsInput& tensor, const std::vector<std::int64_t>& expected)
{
    const auto failed = [&](const Error& error) {
        messages.error(fmt::format("{}: blob load failed: {}", uuid, withoutFile(error)));
        return false;
    };
    const auto path = resolveBlobPath(root, tensor.path);
    if (!path) return failed(path.error());
    if (isBlobMissing(root, tensor.path)) {
        messages.error(fmt::format("{}: blob missing at {}", uuid, tensor.path));
        return false;
    }
    const auto file = SafetensorsFile::open(*path);
    if (!file) return failed(file.error());
    const SafetensorsEntry* entry = (*file)->find(tensor.tensorKey);
    if (entry == nullptr) {
        messages.error(fmt::format("{}: tensor key '{}' not found in {}", uuid, tensor.tensorKey, tensor.path));
        return false;
    }
    const auto actual = loadedShape(*entry);
    if (!actual) return failed(actual.error());
    if (*actual == expected) return true;
    messages.error(fmt::format("{}: {} shape mismatch: expected {}, got {}", uuid, input, pythonTuple(expected),
                               pythonTuple(*actual)));
    return false;
}

/// W4 to W7; false when something is wrong.
bool checkNamesOfWorkload(Messages& messages, const Definition& definition, const Trace& trace)
{
    const Workload& workload = trace.workload;
    bool isValid = true;
    const auto error = [&](const std::string& text) {
        messages.error(workload.uuid + ": " + text);
        isValid = false;
    };
    const auto compare = [&](const char* what, const std::set<std::string>& wanted,
                             const std::set<std::string>& given) {
        if (const auto missing = difference(wanted, given); !missing.empty()) {
            error(fmt::format("missing {} {}", what, pythonList(missing)));
        }
        if (const auto extra = difference(given, wanted); !extra.empty()) {
            error(fmt::format("extra {} {}", what, pythonList(extra)));
        }
    };
    if (!trace.isWorkloadTrace()) error("workload entry should not have solution or evaluation");
    const std::vector<std::string> varAxes = definition.varAxes();
    std::set<std::string> givenAxes;
    for (const auto& [name, value] : workload.axes) givenAxes.insert(name);
    compare("axes", {varAxes.begin(), varAxes.end()}, givenAxes);
    for (const std::string& name : workload.axisOrder) {
        const std::int64_t value = workload.axes.at(name);
        if (value <= 0) error(fmt::format("axis {} has non-positive value {}", name, value));
    }
    std::set<std::string> wantedInputs;
    std::set<std::string> givenInputs;
    for (const TensorSpec& input : definition.inputs) wantedInputs.insert(input.name);
    for (const auto& [name, input] : workload.inputs) givenInputs.insert(name);
    compare("inputs", wantedInputs, givenInputs);
    return isValid;
}

bool checkWorkload(Messages& messages, const std::filesystem::path& root, const Definition& definition,
                   const Trace& trace)
{
    if (!checkNamesOfWorkload(messages, definition, trace)) return false;
    const Workload& workload = trace.workload;
    const auto shapes = definition.inputShapes(workload.axes);
    if (!shapes) {
        messages.error(fmt::format("{}: shape inference failed: {}", workload.uuid, shapes.error().reason));
        return false;
    }
    std::map<std::string_view, const WorkloadInput*> inputs;
    for (const auto& [name, value] : workload.inputs) inputs[name] = &value;
    bool isValid = true;
    for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
        const TensorSpec& spec = definition.inputs[i];
        const WorkloadInput& input = *inputs.at(spec.name);
        const auto expectsScalar = [&](const char* given) {
            messages.error(fmt::format("{}: {} is {} but definition expects scalar", workload.uuid, spec.name, given));
            isValid = false;
        };
        if (std::holds_alternative<ScalarInput>(input)) {
            if (spec.isScalar()) continue;
            messages.error(fmt::format("{}: {} is scalar but definition expects tensor", workload.uuid, spec.name));
            isValid = false;
        } else if (std::holds_alternative<RandomInput>(input)) {
            if (spec.isScalar()) expectsScalar("random");
        } else if (spec.isScalar()) {
            expectsScalar("safetensors");
        } else {
            isValid =
                checkBlob(messages, root, workload.uuid, spec.name, std::get<SafetensorsInput>(input), *(*shapes)[i]) &&
                isValid;
        }
    }
    return isValid;
}

}  // namespace

CheckResult checkLayout(const std::filesystem::path& root, const DefinitionParts& parts)
{
    Messages messages;
    if (parts.duplicate) {
        messages.error(*parts.duplicate);
        return std::move(messages).result();
    }
    const auto& definition = parts.definition->value;
    if (definition && definition->name != parts.name) {
        messages.error(
            fmt::format("definition name mismatch: path says '{}', JSON says '{}'", parts.name, definition->name));
    }
    if (definition && definition->opType != parts.opType()) {
        messages.error(fmt::format("definition op_type mismatch: path says '{}', JSON says '{}'", parts.opType(),
                                   definition->opType));
    }
    if (parts.workloads != nullptr) {
        const std::string& opType = parts.workloads->parts[0];
        if (opType != parts.opType()) {
            messages.error(fmt::format("workload op_type mismatch: expected '{}', got '{}'", parts.opType(), opType));
        }
        const auto& records = parts.workloads->records;
        const auto foreign = std::find_if(records.begin(), records.end(),
                                          [&](const Trace& trace) { return trace.definition != parts.name; });
        if (foreign != records.end()) {
            messages.error(fmt::format("workload trace definition mismatch: expected '{}', got '{}'", parts.name,
                                       foreign->definition));
        }
    }
    for (const ScannedSolution* solution : parts.solutions) {
        if (solution->value) checkLayoutOfSolution(messages, parts, *solution);
    }
    for (const auto& [file, facts] : parts.traces) {
        if (file->parts[1] != parts.opType()) {
            messages.error(fmt::format("trace file op_type mismatch for author '{}': expected '{}', got '{}'",
                                       file->parts[0], parts.opType(), file->parts[1]));
        }
        if (facts->error.empty() && facts->foreignDefinition) {
            messages.error(fmt::format("trace definition mismatch for author '{}': expected '{}', got '{}'",
                                       file->parts[0], parts.name, *facts->foreignDefinition));
        }
    }
    if (parts.workloads != nullptr && definition) {
        for (const Trace& trace : parts.workloads->records) {
            for (const auto& [name, input] : trace.workload.inputs) {
                const auto* tensor = std::get_if<SafetensorsInput>(&input);
                if (tensor == nullptr || !isBlobMissing(root, tensor->path)) continue;
                messages.error(fmt::format("workload {}: blob missing at {}", trace.workload.uuid, tensor->path));
            }
        }
    }
    return std::move(messages).result();
}

CheckResult checkDefinition(const DefinitionParts& parts)
{
    Messages messages;
    if (parts.duplicate || !parts.definition->value) {
        messages.error("parse error: " + parts.duplicate.value_or(parts.definition->error));
        return std::move(messages).result();
    }
    const Definition& definition = *parts.definition->value;
    const auto warnWithout = [&messages](const std::optional<std::string>& description, const std::string& where) {
        if (!description || description->empty()) messages.warning("missing description" + where);
    };
    warnWithout(definition.description, "");
    for (const Axis& axis : definition.axes) warnWithout(axis.description, ": axes." + axis.name);
    for (const TensorSpec& input : definition.inputs) warnWithout(input.description, ": inputs." + input.name);
    for (const TensorSpec& output : definition.outputs) warnWithout(output.description, ": outputs." + output.name);
    return std::move(messages).result();
}

CheckResult checkWorkloads(const std::filesystem::path& root, const DefinitionParts& parts)
{
    Messages messages;
    if (parts.workloads == nullptr) {
        messages.warning("no workload file found");
    } else if (!parts.workloads->error.empty()) {
        messages.error("parse error: " + parts.workloads->error);
    } else if (!parts.definition->value) {
        messages.error("cannot validate workloads: definition failed to load");
    } else {
        std::size_t valid = 0;
        const auto& records = parts.workloads->records;
        for (const Trace& trace : records) {
            if (checkWorkload(messages, root, *parts.definition->value, trace)) ++valid;
        }
        messages.infoFirst(valid == records.size() ? fmt::format("{} valid", valid)
                                                   : fmt::format("{}/{} valid", valid, records.size()));
    }
    return std::move(messages).result();
}

CheckResult checkSolutions(const DefinitionParts& parts)
{
    Messages messages;
    if (parts.solutions.empty()) {
        messages.info("no solutions");
        return std::move(messages).result();
    }
    std::size_t parsed = 0;
    for (const ScannedSolution* scanned : parts.solutions) {
        if (!scanned->value) {
            messages.error(scanned->stem + ": parse error: " + scanned->error);
            continue;
        }
        ++parsed;
        const Solution& solution = *scanned->value;
        if (solution.definition != parts.name) {
            messages.error(
                fmt::format("{}: definition field '{}' != '{}'", scanned->stem, solution.definition, parts.name));
        }
        if (solution.author != scanned->parts[0]) {
            messages.error(
                fmt::format("{}: author field '{}' != path '{}'", scanned->stem, solution.author, scanned->parts[0]));
        }
        if (solution.name != scanned->stem) {
            messages.error(
                fmt::format("{}: name field '{}' != path '{}'", scanned->stem, solution.name, scanned->stem));
        }
    }
    messages.infoFirst(fmt::format("{} solutions", parsed));
    return std::move(messages).result();
}

std::string pythonList(const std::set<std::string>& texts)
{
    std::string list = "[";
    for (const std::string& text : texts) {
        const char quote = text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
        if (list.size() > 1) list += ", ";
        list += quote;
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == quote || c == '\\') list += {'\\', c};
            else if (c == '\n') list += "\\n";
            else if (c == '\r') list += "\\r";
            else if (c == '\t') list += "\\t";
            else if (byte < 0x20 || byte == 0x7F) list += fmt::format("\\x{:02x}", byte);
            else list += c;
        }
        list += quote;
    }
    return list + "]";
}

std::string pythonTuple(const std::vector<std::int64_t>& numbers)
{
    return fmt::format("({}{})", fmt::join(numbers, ", "), numbers.size() == 1 ? "," : "");
}

}  // namespace tracedeck
