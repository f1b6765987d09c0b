// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <unordered_set>

#include "core/io/codec_context.h"
#include "core/model/python_source.h"

namespace tracedeck {

namespace {

/// The members of a JSON object whose keys are names, in file order.
const Json::object_t* readNamedObject(DecodeContext& context, const Json* value, const FieldPath& path)
{
    if (value == nullptr) return nullptr;
    const auto* object = value->get_ptr<const Json::object_t*>();
    if (object == nullptr) {
        context.fail(path, "expected an object, got " + describe(*value));
        return nullptr;
    }
    for (const auto& member : *object) {
        if (member.first.empty()) context.fail(path, "a name in this object is empty");
    }
    return object;
}

/// The expression of a computed axis.
void readExpression(DecodeContext& context, ObjectReader& object, const FieldPath& path, Axis& axis)
{
    const Json* json = object.require("expression");
    if (json == nullptr) return;
    const FieldPath expressionPath{&path, "expression"};
    const std::string text = readNonEmptyString(context, *json, expressionPath);
    if (context.hasFailed()) return;
    auto expression = AxisExpression::parse(text);
    if (!expression) {
        context.fail(expressionPath, expression.error().reason);
        return;
    }
    axis.expression = std::move(*expression);
    context.warnOfSolForm(path, "an axis that is computed from others");
}

/// Which kind of axis it is follows from `type`, or from a valid `value` when there is no type (rule U1).
Axis readAxis(DecodeContext& context, const std::string& name, const Json& json, const FieldPath& path)
{
    Axis axis;
    axis.name = name;
    ObjectReader object(context, json, path);
    const Json* type = object.find("type");
    const Json* value = object.peek("value");
    const FieldPath valuePath{&path, "value"};
    if (type == nullptr) {
        const auto number = value != nullptr ? coerceInt(*value) : std::nullopt;
        if (number && *number >= 0) {
            object.find("value");
            axis.value = number;
        } else if (const Json* expression = object.peek("expression");
                   context.acceptsSol() && expression != nullptr && expression->is_string()) {
            readExpression(context, object, path, axis);
        }
    } else if (*type == "expr" && context.acceptsSol()) {
        readExpression(context, object, path, axis);
    } else if (*type == "const") {
        if (const Json* required = object.require("value")) axis.value = readNonNegativeInt(context, *required, valuePath);
    } else if (*type != "var") {
        context.fail(FieldPath{&path, "type"}, std::string(context.acceptsSol() ? "expected 'const', 'var' or 'expr', got " : "expected 'const' or 'var', got ") +
                                                  describe(*type));
    }
    axis.description = readNullableString(context, object.find("description"), FieldPath{&path, "description"});
    axis.unknownKeys = object.unknownKeys();
    return axis;
}

void readDType(DecodeContext& context, ObjectReader& object, const FieldPath& path, TensorSpec& tensor)
{
    const FieldPath dtypePath{&path, "dtype"};
    if (context.isTolerant() && object.peek("dtype") == nullptr) {
        object.find("dtype");
        context.warn(dtypePath, "the field is missing; read as float16, which it meant before September 2025");
        tensor.dtype = DType::Float16;
        tensor.dtypeName = toString(tensor.dtype);
        return;
    }
    const Json* json = object.require("dtype");
    if (json == nullptr) return;
    const std::string name = readString(context, *json, dtypePath);
    if (const auto dtype = dtypeFromString(name)) {
        tensor.dtype = *dtype;
    } else if (const auto solDType = dtypeFromString(name, Dialect::SolExecBench); solDType && context.acceptsSol()) {
        tensor.dtype = *solDType;
        context.warnOfSolForm(dtypePath, "the dtype " + name);
    } else if (!context.isTolerant()) {
        context.fail(dtypePath, "unknown dtype '" + name + "'");
    } else if (name == "float8_e4m3") {
        context.warn(dtypePath, "the old name float8_e4m3 is read as float8_e4m3fn");
        tensor.dtype = DType::Float8E4M3FN;
    } else {
        context.remark(dtypePath, "unknown dtype '" + name + "': the definition is shown but cannot be run");
        tensor.dtype = DType::Unknown;
    }
    tensor.dtypeName = tensor.dtype == DType::Unknown ? name : std::string(toString(tensor.dtype));
}

TensorSpec readTensor(DecodeContext& context, const std::string& name, const Json& json, const FieldPath& path)
{
    TensorSpec tensor;
    tensor.name = name;
    ObjectReader object(context, json, path);
    if (const Json* shape = object.require("shape"); shape != nullptr && !shape->is_null()) {
        tensor.shape = readStringList(context, *shape, FieldPath{&path, "shape"}, EmptyText::Refused);
    }
    readDType(context, object, path, tensor);
    tensor.description = readNullableString(context, object.find("description"), FieldPath{&path, "description"});
    tensor.unknownKeys = object.unknownKeys();
    return tensor;
}

std::vector<TensorSpec> readTensors(DecodeContext& context, const Json* json, const FieldPath& path)
{
    std::vector<TensorSpec> tensors;
    if (const auto* members = readNamedObject(context, json, path)) {
        for (const auto& [name, value] : *members) {
            tensors.push_back(readTensor(context, name, value, FieldPath{&path, name}));
        }
    }
    return tensors;
}

void checkShapes(DecodeContext& context, const std::vector<TensorSpec>& tensors,
                 const std::unordered_set<std::string_view>& axes, const FieldPath& section)
{
    for (const TensorSpec& tensor : tensors) {
        if (!tensor.shape) continue;
        for (const std::string& axis : *tensor.shape) {
            if (axes.contains(axis)) continue;
            const FieldPath tensorPath{&section, tensor.name};
            const FieldPath shapePath{&tensorPath, "shape"};
            if (!context.acceptsSol() || !isLiteralLength(axis)) {
                context.fail(shapePath, "the axis '" + axis + "' is not declared in axes");
            } else if (!literalLength(axis)) {
                context.fail(shapePath, "the length " + axis + " does not fit in 64 bits");
            } else {
                context.warnOfSolForm(shapePath, "a length in place of an axis");
            }
        }
    }
}

/// The checks over the whole object, in the format's order.
void checkDefinition(DecodeContext& context, const FieldPath& root, Definition& definition)
{
    if (const auto problem = referenceProblem(definition.reference)) context.fail(FieldPath{&root, "reference"}, *problem);

    std::unordered_set<std::string_view> inputs;
    for (const TensorSpec& input : definition.inputs) inputs.insert(input.name);
    const FieldPath outputsPath{&root, "outputs"};
    for (const TensorSpec& output : definition.outputs) {
        if (!inputs.contains(output.name)) continue;
        const std::string reason = "the name '" + output.name + "' is used for an input and an output";
        if (context.isTolerant()) {
            context.remark(FieldPath{&outputsPath, output.name}, reason + ": the definition is shown but cannot be run");
            definition.invalidReason = reason;
        } else {
            context.fail(FieldPath{&outputsPath, output.name}, reason);
        }
    }

    const FieldPath constraintsPath{&root, "constraints"};
    for (std::size_t i = 0; i < definition.constraints.size(); ++i) {
        const std::string index = std::to_string(i);
        const auto problem = constraintProblem(definition.constraints[i]);
        if (!problem) continue;
        const FieldPath constraintPath{&constraintsPath, index};
        if (context.isSol()) context.remark(constraintPath, *problem);   // no field of that dialect, whose program drops it
        else context.fail(constraintPath, *problem);
    }

    std::unordered_set<std::string_view> axes;
    for (const Axis& axis : definition.axes) axes.insert(axis.name);
    checkShapes(context, definition.inputs, axes, FieldPath{&root, "inputs"});
    checkShapes(context, definition.outputs, axes, outputsPath);
}

/// FlashInfer-Trace knows none of these.
bool usesSolForms(const Definition& definition)
{
    std::unordered_set<std::string_view> axes;
    for (const Axis& axis : definition.axes) axes.insert(axis.name);
    const auto isComputed = [](const Axis& axis) { return axis.isExpression(); };
    const auto hasSolForms = [&axes](const TensorSpec& tensor) {
        if (tensor.dtype == DType::Float64 || tensor.dtype == DType::Float4E2M1FNx2) return true;
        if (!tensor.shape) return false;
        return std::any_of(tensor.shape->begin(), tensor.shape->end(), [&axes](const std::string& entry) {
            return isLiteralLength(entry) && !axes.contains(entry);
        });
    };
    return !definition.opTypeGiven || definition.customInputsEntrypoint ||
           std::any_of(definition.axes.begin(), definition.axes.end(), isComputed) ||
           std::any_of(definition.inputs.begin(), definition.inputs.end(), hasSolForms) ||
           std::any_of(definition.outputs.begin(), definition.outputs.end(), hasSolForms);
}

void readOpType(DecodeContext& context, ObjectReader& object, const FieldPath& root, Definition& definition)
{
    const FieldPath path{&root, "op_type"};
    const Json* json = object.peek("op_type");
    const bool isMissing = json == nullptr || json->is_null();
    if (context.isTolerant() && isMissing && object.peek("type") != nullptr) {
        context.warn(FieldPath{&root, "type"}, "the old key 'type' is read as op_type");
        object.find("op_type");
        definition.opType = readNonEmptyString(context, *object.find("type"), FieldPath{&root, "type"});
    } else if (isMissing && context.acceptsSol()) {
        definition.opTypeGiven = false;
        if (!context.isSol()) context.warn(path, "the field is missing: the name of the folder stands in for it");
    } else if (json = object.require("op_type"); json != nullptr) {
        definition.opType = readNonEmptyString(context, *json, path);
    }
}

/// A text that only SOL-ExecBench has; anything else under the key is an unknown key, and an error in that dialect.
std::optional<std::string> readSolText(DecodeContext& context, ObjectReader& object, const FieldPath& root, const char* key)
{
    const Json* json = object.peek(key);
    if (!context.acceptsSol() || json == nullptr || json->is_null() || (!json->is_string() && !context.isSol())) return std::nullopt;
    return readNonEmptyString(context, *object.find(key), FieldPath{&root, key});
}

Json encodeTensors(const std::vector<TensorSpec>& tensors)
{
    Json json = Json::object();
    for (const TensorSpec& tensor : tensors) {
        Json entry = Json::object();
        entry["shape"] = tensor.shape ? Json(*tensor.shape) : Json(nullptr);
        entry["dtype"] = tensor.dtype == DType::Unknown ? Json(tensor.dtypeName) : Json(toString(tensor.dtype));
        if (tensor.description) entry["description"] = *tensor.description;
        appendUnknownKeys(entry, tensor.unknownKeys);
        json[tensor.name] = std::move(entry);
    }
    return json;
}

}  // namespace

Definition readDefinition(DecodeContext& context, const Json& json)
{
    Definition definition;
    const FieldPath root;
    ObjectReader object(context, json, root);
    const auto readName = [&](const char* key) {
        const Json* value = object.require(key);
        return value != nullptr ? readNonEmptyString(context, *value, FieldPath{&root, key}) : std::string();
    };
    definition.name = readName("name");
    readOpType(context, object, root, definition);
    const FieldPath axesPath{&root, "axes"};
    if (const auto* axes = readNamedObject(context, object.require("axes"), axesPath)) {
        for (const auto& [name, value] : *axes) {
            definition.axes.push_back(readAxis(context, name, value, FieldPath{&axesPath, name}));
        }
    }
    definition.inputs = readTensors(context, object.require("inputs"), FieldPath{&root, "inputs"});
    definition.outputs = readTensors(context, object.require("outputs"), FieldPath{&root, "outputs"});
    definition.reference = readName("reference");
    definition.tags = readOptionalList(context, object.find("tags"), FieldPath{&root, "tags"});
    definition.description = readNullableString(context, object.find("description"), FieldPath{&root, "description"});
    definition.constraints = readOptionalList(context, object.find("constraints"), FieldPath{&root, "constraints"});
    definition.customInputsEntrypoint = readSolText(context, object, root, "custom_inputs_entrypoint");
    definition.hfId = readSolText(context, object, root, "hf_id");
    definition.unknownKeys = object.unknownKeys();
    if (context.isSol() || usesSolForms(definition)) definition.dialect = Dialect::SolExecBench;
    if (!context.hasFailed()) checkDefinition(context, root, definition);
    return definition;
}

Json encodeDefinition(const Definition& definition)
{
    Json json = Json::object();
    json["name"] = definition.name;
    if (definition.opTypeGiven) json["op_type"] = definition.opType;
    Json axes = Json::object();
    for (const Axis& axis : definition.axes) {
        Json entry = Json::object();
        entry["type"] = axis.isConst() ? "const" : axis.isExpression() ? "expr" : "var";
        if (axis.isConst()) entry["value"] = *axis.value;
        if (axis.isExpression()) entry["expression"] = axis.expression->text();
        if (axis.description) entry["description"] = *axis.description;
        appendUnknownKeys(entry, axis.unknownKeys);
        axes[axis.name] = std::move(entry);
    }
    json["axes"] = std::move(axes);
    json["inputs"] = encodeTensors(definition.inputs);
    json["outputs"] = encodeTensors(definition.outputs);
    json["reference"] = definition.reference;
    if (!definition.tags.empty()) json["tags"] = definition.tags;
    if (definition.description) json["description"] = *definition.description;
    if (!definition.constraints.empty()) json["constraints"] = definition.constraints;
    if (definition.customInputsEntrypoint) json["custom_inputs_entrypoint"] = *definition.customInputsEntrypoint;
    if (definition.hfId) json["hf_id"] = *definition.hfId;
    appendUnknownKeys(json, definition.unknownKeys);
    return json;
}

}  // namespace tracedeck
