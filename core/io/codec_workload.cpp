// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/io/codec_context.h"
#include "core/model/sha1.h"

namespace tracedeck {

namespace {

using ScalarValue = std::variant<std::int64_t, double, bool>;

/// Keeps the kind that the JSON has; strings are tried as integer, float, bool in this order.
std::optional<ScalarValue> coerceScalar(const Json& value)
{
    if (value.is_boolean()) return ScalarValue(value.get<bool>());
    if (value.is_number_integer()) {
        const auto number = coerceInt(value);
        return number ? std::optional<ScalarValue>(*number) : std::nullopt;
    }
    if (value.is_number_float()) return ScalarValue(value.get<double>());
    if (!value.is_string()) return std::nullopt;
    if (const auto number = coerceInt(value)) return ScalarValue(*number);
    if (const auto number = coerceFloat(value)) return ScalarValue(*number);
    if (const auto flag = coerceBool(value)) return ScalarValue(*flag);
    return std::nullopt;
}

bool isNonEmptyString(const Json* value)
{
    return value != nullptr && value->is_string() && !value->get_ref<const std::string&>().empty();
}

template <class Input>
Input withUnknownKeys(Input input, const ObjectReader& object)
{
    Json unknown = object.unknownKeys();
    if (!unknown.empty()) input.unknownKeys = std::move(unknown);
    return input;
}

WorkloadInput readScalar(DecodeContext& context, ObjectReader& object, const FieldPath& path)
{
    ScalarInput input{std::int64_t{0}};
    if (const Json* value = object.require("value")) {
        if (const auto scalar = coerceScalar(*value)) {
            input.value = *scalar;
        } else {
            const bool isTooLarge = value->is_number_integer();
            context.fail(FieldPath{&path, "value"}, isTooLarge ? "the integer does not fit in 64 bits"
                                                               : "expected a number or true/false, got " + describe(*value));
        }
    }
    return withUnknownKeys(std::move(input), object);
}

WorkloadInput readSafetensors(DecodeContext& context, ObjectReader& object, const FieldPath& path)
{
    SafetensorsInput input;
    if (const Json* value = object.require("path")) input.path = readNonEmptyString(context, *value, FieldPath{&path, "path"});
    const char* key = "tensor_key";
    if (context.isTolerant() && object.peek(key) == nullptr && object.peek("key") != nullptr) {
        key = "key";
        context.warn(FieldPath{&path, key}, "the old key 'key' is read as tensor_key");
    }
    if (const Json* value = object.require(key)) input.tensorKey = readNonEmptyString(context, *value, FieldPath{&path, key});
    return withUnknownKeys(std::move(input), object);
}

/// Which kind of input it is follows from `type`, or from the fields that are valid when there is no type (rule U2).
WorkloadInput readInput(DecodeContext& context, const Json& json, const FieldPath& path)
{
    ObjectReader object(context, json, path);
    const Json* type = object.find("type");
    if (type == nullptr) {
        if (isNonEmptyString(object.peek("path")) && (context.isSol() || isNonEmptyString(object.peek("tensor_key")))) {
            return readSafetensors(context, object, path);
        }
        const Json* value = object.peek("value");
        if (value != nullptr && coerceScalar(*value)) return readScalar(context, object, path);
        return withUnknownKeys(RandomInput{}, object);
    }
    if (*type == "random") return withUnknownKeys(RandomInput{}, object);
    if (*type == "scalar") return readScalar(context, object, path);
    if (*type == "safetensors") return readSafetensors(context, object, path);
    if (*type == "custom" && context.acceptsSol()) return withUnknownKeys(CustomInput{}, object);
    const std::string kinds = context.acceptsSol() ? "'random', 'scalar', 'safetensors' or 'custom'" : "'random', 'scalar' or 'safetensors'";
    context.fail(FieldPath{&path, "type"}, "expected " + kinds + ", got " + describe(*type));
    return RandomInput{};
}

Json encodeInput(const WorkloadInput& input)
{
    Json json = Json::object();
    if (std::holds_alternative<RandomInput>(input)) {
        json["type"] = "random";
    } else if (const auto* scalar = std::get_if<ScalarInput>(&input)) {
        json["type"] = "scalar";
        if (const auto* integer = std::get_if<std::int64_t>(&scalar->value)) {
            json["value"] = *integer;
        } else if (const auto* number = std::get_if<double>(&scalar->value)) {
            json["value"] = encodeFloat(*number);
        } else {
            json["value"] = std::get<bool>(scalar->value);
        }
    } else if (const auto* tensor = std::get_if<SafetensorsInput>(&input)) {
        json["type"] = "safetensors";
        json["path"] = tensor->path;
        json["tensor_key"] = tensor->tensorKey;
    } else {
        json["type"] = "custom";
    }
    std::visit([&json](const auto& kind) { appendUnknownKeys(json, kind.unknownKeys); }, input);
    return json;
}

/// A number of at least 0 that may be left out.
std::optional<double> readBound(DecodeContext& context, ObjectReader& object, const char* key, const FieldPath& parent)
{
    const Json* json = object.find(key);
    if (json == nullptr) return std::nullopt;
    const FieldPath path{&parent, key};
    const double bound = readFloat(context, *json, path);
    if (!(bound >= 0)) context.fail(path, "expected a number of at least 0, got " + describe(*json));
    return bound;
}

/// Readable only as a whole: a workload must not run with other bounds than its file names.
void readTolerance(DecodeContext& context, ObjectReader& workload, const FieldPath& parent, Workload& into)
{
    const Json* json = workload.peek("tolerance");
    if (json == nullptr || json->is_null() || !context.acceptsSol() || (!context.isSol() && !json->is_object())) return;
    const FieldPath path{&parent, "tolerance"};
    ObjectReader object(context, *workload.find("tolerance"), path);
    WorkloadTolerance tolerance;
    tolerance.maxAtol = readBound(context, object, "max_atol", path);
    tolerance.maxRtol = readBound(context, object, "max_rtol", path);
    tolerance.requiredMatchedRatio = readBound(context, object, "required_matched_ratio", path);
    if (const Json* cap = object.peek("max_error_cap"); cap != nullptr && !cap->is_null()) {
        tolerance.maxErrorCap = readBound(context, object, "max_error_cap", path);
    }
    if (const Json* flag = object.find("allow_negative_inf")) {
        tolerance.allowNegativeInf = readBool(context, *flag, FieldPath{&path, "allow_negative_inf"});
    }
    if (object.peek("required_match_ratio") != nullptr) {
        tolerance.misspeltMatchedRatio = readBound(context, object, "required_match_ratio", path);
        context.remark(FieldPath{&path, "required_match_ratio"},
                     "the key is misspelt (required_matched_ratio): SOL-ExecBench ignores it and uses " +
                         std::string(tolerance.requiredMatchedRatio ? "the other one" : "the default, 0.99") + ", and so do we");
    }
    tolerance.unknownKeys = object.unknownKeys();
    into.tolerance = std::move(tolerance);
}

Json encodeTolerance(const WorkloadTolerance& tolerance)
{
    Json json = Json::object();
    const auto write = [&json](const char* key, const std::optional<double>& bound) {
        if (bound) json[key] = encodeFloat(*bound);
    };
    write("max_atol", tolerance.maxAtol);
    write("max_rtol", tolerance.maxRtol);
    write("required_matched_ratio", tolerance.requiredMatchedRatio);
    write("required_match_ratio", tolerance.misspeltMatchedRatio);
    write("max_error_cap", tolerance.maxErrorCap);
    if (tolerance.allowNegativeInf) json["allow_negative_inf"] = *tolerance.allowNegativeInf;
    appendUnknownKeys(json, tolerance.unknownKeys);
    return json;
}

/// A stand-in for the uuid of old lines: equal for equal axes and inputs, whatever the order of their keys.
std::string syntheticUuid(const Workload& workload)
{
    Json axes = Json::object();
    for (const auto& [name, value] : workload.axes) axes[name] = value;
    std::map<std::string, Json> sorted;
    for (const auto& [name, input] : workload.inputs) sorted[name] = encodeInput(input);
    Json inputs = Json::object();
    for (auto& [name, input] : sorted) inputs[name] = std::move(input);
    const Json identity = {{"axes", std::move(axes)}, {"inputs", std::move(inputs)}};
    return sha1Hex(writeLine(identity)).substr(0, 32);
}

}  // namespace

Workload readWorkload(DecodeContext& context, const Json& json, const FieldPath& path)
{
    Workload workload;
    ObjectReader object(context, json, path);
    const FieldPath axesPath{&path, "axes"};
    if (const Json* axes = object.require("axes")) {
        if (const auto* members = axes->get_ptr<const Json::object_t*>()) {
            workload.axisOrder.reserve(members->size());
            for (const auto& [name, value] : *members) {
                workload.axes[name] = readNonNegativeInt(context, value, FieldPath{&axesPath, name});
                workload.axisOrder.push_back(name);
            }
        } else {
            context.fail(axesPath, "expected an object, got " + describe(*axes));
        }
    }
    const FieldPath inputsPath{&path, "inputs"};
    if (const Json* inputs = object.require("inputs")) {
        if (const auto* members = inputs->get_ptr<const Json::object_t*>()) {
            workload.inputs.reserve(members->size());
            for (const auto& [name, value] : *members) {
                workload.inputs.emplace_back(name, readInput(context, value, FieldPath{&inputsPath, name}));
            }
        } else {
            context.fail(inputsPath, "expected an object, got " + describe(*inputs));
        }
    }
    const FieldPath uuidPath{&path, "uuid"};
    if (context.isTolerant() && object.isObject() && object.peek("uuid") == nullptr) {
        object.find("uuid");
        if (!context.hasFailed()) {
            workload.uuid = syntheticUuid(workload);
            workload.uuidIsSynthetic = true;
            context.warn(uuidPath, "the field is missing; an id computed from axes and inputs stands in for it");
        }
    } else if (const Json* uuid = object.require("uuid")) {
        workload.uuid = readNonEmptyString(context, *uuid, uuidPath);
    }
    readTolerance(context, object, path, workload);
    workload.unknownKeys = object.unknownKeys();
    return workload;
}

Json encodeWorkload(const Workload& workload)
{
    Json axes = Json::object();
    for (const std::string& name : workload.axisOrder) {
        if (const auto found = workload.axes.find(name); found != workload.axes.end()) axes[name] = found->second;
    }
    for (const auto& [name, value] : workload.axes) {
        if (!axes.contains(name)) axes[name] = value;
    }
    Json inputs = Json::object();
    for (const auto& [name, input] : workload.inputs) inputs[name] = encodeInput(input);
    Json json = Json::object();
    json["axes"] = std::move(axes);
    json["inputs"] = std::move(inputs);
    json["uuid"] = workload.uuid;
    if (workload.tolerance) json["tolerance"] = encodeTolerance(*workload.tolerance);
    appendUnknownKeys(json, workload.unknownKeys);
    return json;
}

}  // namespace tracedeck
