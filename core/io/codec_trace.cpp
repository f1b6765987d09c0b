// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include "core/io/codec_context.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct ReadStatus {
    Status status = Status::RuntimeError;
    std::string text{};            ///< of Status::Other
    bool isOldIncorrect = false;   ///< the status INCORRECT, from before shape, dtype and numbers were told apart
};

ReadStatus readStatus(DecodeContext& context, const Json& json, const FieldPath& path)
{
    const std::string name = readString(context, json, path);
    const auto known = [&context](const std::string& text) {
        const auto status = statusFromString(text);
        return status && (isFormatStatus(*status) || context.acceptsSol()) ? status : std::nullopt;
    };
    if (const auto status = known(name)) return {*status, {}, false};
    if (context.isTolerant()) {
        const std::string folded = asciiUpper(trimWhitespace(name));
        if (folded == "INCORRECT") {
            context.warn(path, "the old status INCORRECT is read as INCORRECT_NUMERICAL");
            return {Status::IncorrectNumerical, {}, true};
        }
        if (const auto status = known(folded)) {
            context.warn(path, "'" + name + "' is read as " + folded);
            return {*status, {}, false};
        }
        if (json.is_string() && !folded.empty()) {
            context.remark(path, "unknown status, got " + describe(json) + "; it is kept and counts as a failure");
            return {Status::Other, name, false};
        }
    }
    context.fail(path, "unknown status, got " + describe(json) +
                           "; expected PASSED, INCORRECT_SHAPE, INCORRECT_NUMERICAL, INCORRECT_DTYPE, RUNTIME_ERROR, "
                           "COMPILE_ERROR or TIMEOUT");
    return {};
}

/// A float that defaults to 0 and that old writers stored as null when it was infinite.
double readMeasure(DecodeContext& context, ObjectReader& object, const char* key, const FieldPath& parent, bool allowsNan)
{
    const Json* json = object.find(key);
    if (json == nullptr) return 0.0;
    const FieldPath path{&parent, key};
    if (json->is_null() && context.isTolerant()) {
        context.warn(path, "null is read as infinity");
        return kInfinity;
    }
    const double value = readFloat(context, *json, path);
    if (std::isnan(value)) {
        if (!allowsNan) context.fail(path, "expected a number of at least 0, got NaN");
    } else if (value < 0) {
        context.fail(path, "expected a number of at least 0, got " + describe(*json));
    }
    return value;
}

/// One of SOL-ExecBench's flags; in FlashInfer-Trace's strict reading, and when it is no flag, an unknown key.
std::optional<bool> readFlag(DecodeContext& context, ObjectReader& object, const char* key)
{
    const Json* json = object.peek(key);
    if (!context.acceptsSol() || json == nullptr || !json->is_boolean()) return std::nullopt;
    return object.find(key)->get<bool>();
}

Correctness readCorrectness(DecodeContext& context, const Json& json, const FieldPath& path)
{
    Correctness correctness;
    ObjectReader object(context, json, path);
    correctness.maxRelativeError = readMeasure(context, object, "max_relative_error", path, true);
    correctness.maxAbsoluteError = readMeasure(context, object, "max_absolute_error", path, true);
    if (const Json* extra = object.find("extra")) {
        if (!extra->is_null() && !extra->is_object()) {
            context.fail(FieldPath{&path, "extra"}, "expected an object or null, got " + describe(*extra));
        }
        correctness.extra = *extra;
    }
    if (context.isTolerant() && object.isObject()) {
        const Json* ratio = object.peek("matched_ratio");
        if (ratio != nullptr && !(correctness.extra.is_object() && correctness.extra.contains("matched_ratio"))) {
            object.find("matched_ratio");
            if (correctness.extra.is_null()) correctness.extra = Json::object();
            if (correctness.extra.is_object()) correctness.extra["matched_ratio"] = *ratio;
            context.warn(FieldPath{&path, "matched_ratio"}, "moved to extra.matched_ratio, where it stands today");
        }
    }
    correctness.hasNan = readFlag(context, object, "has_nan");
    correctness.hasInf = readFlag(context, object, "has_inf");
    for (double* measure : {&correctness.maxRelativeError, &correctness.maxAbsoluteError}) {
        if (*measure != 0.0) continue;   // such a file has 0 where it could not say
        if (correctness.hasNan.value_or(false)) *measure = std::numeric_limits<double>::quiet_NaN();
        else if (correctness.hasInf.value_or(false)) *measure = kInfinity;
    }
    correctness.unknownKeys = object.unknownKeys();
    return correctness;
}

Performance readPerformance(DecodeContext& context, const Json& json, const FieldPath& path)
{
    Performance performance;
    ObjectReader object(context, json, path);
    performance.latencyMs = readMeasure(context, object, "latency_ms", path, false);
    performance.referenceLatencyMs = readMeasure(context, object, "reference_latency_ms", path, false);
    performance.speedupFactor = readMeasure(context, object, "speedup_factor", path, false);
    performance.unknownKeys = object.unknownKeys();
    return performance;
}

void readLibs(DecodeContext& context, const Json& json, const FieldPath& path, Environment& environment)
{
    if (json.is_null() && context.isTolerant()) {
        context.warn(path, "null is read as an empty object");
        return;
    }
    const auto* members = json.get_ptr<const Json::object_t*>();
    if (members == nullptr) {
        context.fail(path, "expected an object, got " + describe(json));
        return;
    }
    for (const auto& [name, value] : *members) {
        const FieldPath libPath{&path, name};
        if (value.is_string() || !context.isTolerant()) {
            environment.libs[name] = readString(context, value, libPath);
        } else {
            context.warn(libPath, "expected a string; " + describe(value) + " is kept as text");
            environment.libs[name] = writeLine(value);
        }
    }
}

Environment readEnvironment(DecodeContext& context, const Json& json, const FieldPath& path)
{
    Environment environment;
    ObjectReader object(context, json, path);
    const char* key = "hardware";
    if (context.isTolerant() && object.peek(key) == nullptr && object.peek("device") != nullptr) {
        key = "device";
        context.warn(FieldPath{&path, key}, "the old key 'device' is read as hardware");
    }
    if (const Json* hardware = object.require(key)) {
        environment.hardware = readNonEmptyString(context, *hardware, FieldPath{&path, key});
    }
    if (const Json* libs = object.find("libs")) readLibs(context, *libs, FieldPath{&path, "libs"}, environment);
    environment.unknownKeys = object.unknownKeys();
    return environment;
}

void readLog(DecodeContext& context, ObjectReader& object, const FieldPath& path, Evaluation& evaluation)
{
    const Json* log = object.find("log");
    if (log != nullptr && !(log->is_null() && context.isTolerant())) {
        evaluation.log = readString(context, *log, FieldPath{&path, "log"});
        return;
    }
    if (!context.isTolerant()) return;
    // Until October 2025 the text was in `error`, or in a file that `log_file` names; the name stays an unknown key.
    if (const Json* error = object.peek("error"); error != nullptr && error->is_string()) {
        object.find("error");
        evaluation.log = error->get<std::string>();
        context.warn(FieldPath{&path, "error"}, "the old key 'error' is read as log");
    } else if (object.peek("log_file") != nullptr) {
        context.remark(FieldPath{&path, "log_file"}, "the log is in a separate file, which is not read");
    } else if (log != nullptr) {
        context.warn(FieldPath{&path, "log"}, "null is read as an empty log");
    }
}

void readTimestamp(DecodeContext& context, ObjectReader& object, const FieldPath& path, Evaluation& evaluation)
{
    const FieldPath timestampPath{&path, "timestamp"};
    if (context.isTolerant() && object.isObject() && object.peek("timestamp") == nullptr) {
        object.find("timestamp");
        context.warn(timestampPath, "the field is missing; the time is unknown");
    } else if (const Json* timestamp = object.require("timestamp")) {
        evaluation.timestamp = readNonEmptyString(context, *timestamp, timestampPath);
    }
}

/// Correctness and performance must be there exactly when the status says so.
void checkPresence(DecodeContext& context, const FieldPath& path, const Evaluation& evaluation)
{
    if (evaluation.status == Status::Other) return;
    const std::string status(toString(evaluation.status));
    const auto report = [&](const char* key, bool isWanted, bool isThere) {
        if (isWanted == isThere) return;
        const std::string reason =
            "an evaluation with status " + status + (isWanted ? " must have this field" : " must not have this field");
        if (context.isTolerant()) {
            context.remark(FieldPath{&path, key}, reason + "; it is shown but not scored");
        } else {
            context.fail(FieldPath{&path, key}, reason);
        }
    };
    const bool isPassed = evaluation.status == Status::Passed;
    report("correctness", isPassed || evaluation.status == Status::IncorrectNumerical, evaluation.correctness.has_value());
    report("performance", isPassed, evaluation.performance.has_value());
}

/// A line that is a workload by itself, without `definition`, `solution` and `evaluation` around it.
bool isBareWorkload(const ObjectReader& object)
{
    return object.peek("workload") == nullptr &&
           (object.peek("uuid") != nullptr || (object.peek("axes") != nullptr && object.peek("inputs") != nullptr));
}

/// `"solution": ""` with `"evaluation": {}` was how workload lines were written until September 2025.
bool isOldWorkloadLine(const Json* solution, const Json* evaluation)
{
    return solution != nullptr && evaluation != nullptr && solution->is_string() &&
           solution->get_ref<const std::string&>().empty() && evaluation->is_object() && evaluation->empty();
}

}  // namespace

Evaluation readEvaluation(DecodeContext& context, const Json& json, const FieldPath& path)
{
    Evaluation evaluation;
    ObjectReader object(context, json, path);
    ReadStatus status;
    if (const Json* value = object.require("status")) status = readStatus(context, *value, FieldPath{&path, "status"});
    evaluation.status = status.status;
    evaluation.statusText = status.text;
    if (const Json* environment = object.require("environment")) {
        evaluation.environment = readEnvironment(context, *environment, FieldPath{&path, "environment"});
    }
    readTimestamp(context, object, path, evaluation);
    readLog(context, object, path, evaluation);
    if (const Json* correctness = object.find("correctness"); correctness != nullptr && !correctness->is_null()) {
        evaluation.correctness = readCorrectness(context, *correctness, FieldPath{&path, "correctness"});
    }
    if (const Json* performance = object.find("performance"); performance != nullptr && !performance->is_null()) {
        evaluation.performance = readPerformance(context, *performance, FieldPath{&path, "performance"});
    }
    if (status.isOldIncorrect) {
        constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
        evaluation.performance.reset();
        if (!evaluation.correctness) {
            evaluation.correctness.emplace();
            evaluation.correctness->maxRelativeError = kNan;
            evaluation.correctness->maxAbsoluteError = kNan;
        }
    }
    evaluation.unknownKeys = object.unknownKeys();
    if (!context.hasFailed()) checkPresence(context, path, evaluation);
    return evaluation;
}

Trace readTrace(DecodeContext& context, const Json& json)
{
    Trace trace;
    const FieldPath root;
    ObjectReader object(context, json, root);
    if (context.acceptsSol() && isBareWorkload(object)) {
        trace.definition = context.place().definition;
        if (trace.definition.empty()) {
            context.fail(FieldPath{&root, "definition"}, "the line is a workload by itself, and its place names no definition for it");
        }
        trace.workload = readWorkload(context, json, root);
        return trace;
    }
    if (const Json* definition = object.require("definition")) {
        trace.definition = readNonEmptyString(context, *definition, FieldPath{&root, "definition"});
    }
    if (const Json* workload = object.require("workload")) {
        trace.workload = readWorkload(context, *workload, FieldPath{&root, "workload"});
    }
    const Json* solution = object.find("solution");
    const Json* evaluation = object.find("evaluation");
    if (context.isTolerant() && isOldWorkloadLine(solution, evaluation)) {
        context.warn(FieldPath{&root, "evaluation"}, "an empty solution and evaluation are read as null");
    } else {
        trace.solution = readNullableString(context, solution, FieldPath{&root, "solution"});
        if (evaluation != nullptr && !evaluation->is_null()) {
            trace.evaluation = readEvaluation(context, *evaluation, FieldPath{&root, "evaluation"});
        }
    }
    trace.unknownKeys = object.unknownKeys();
    return trace;
}

Json encodeEvaluation(const Evaluation& evaluation)
{
    Json json = Json::object();
    json["status"] = evaluation.statusName();
    Json environment = Json::object();
    environment["hardware"] = evaluation.environment.hardware;
    Json libs = Json::object();
    for (const auto& [name, version] : evaluation.environment.libs) libs[name] = version;
    environment["libs"] = std::move(libs);
    appendUnknownKeys(environment, evaluation.environment.unknownKeys);
    json["environment"] = std::move(environment);
    // Readers refuse an empty time; this text sorts before every date.
    json["timestamp"] = evaluation.timestamp.empty() ? "(unknown)" : evaluation.timestamp;
    json["log"] = evaluation.log;
    json["correctness"] = nullptr;
    if (const auto& correctness = evaluation.correctness) {
        Json part = Json::object();
        // Beside its flags SOL-ExecBench has 0 for an error that is no finite number.
        const bool isFlagged = correctness->hasNan.value_or(false) || correctness->hasInf.value_or(false);
        const auto encodeError = [isFlagged](double error) { return encodeFloat(isFlagged && !std::isfinite(error) ? 0.0 : error); };
        part["max_relative_error"] = encodeError(correctness->maxRelativeError);
        part["max_absolute_error"] = encodeError(correctness->maxAbsoluteError);
        if (correctness->hasNan) part["has_nan"] = *correctness->hasNan;
        if (correctness->hasInf) part["has_inf"] = *correctness->hasInf;
        part["extra"] = correctness->extra;
        appendUnknownKeys(part, correctness->unknownKeys);
        json["correctness"] = std::move(part);
    }
    json["performance"] = nullptr;
    if (const auto& performance = evaluation.performance) {
        Json part = Json::object();
        part["latency_ms"] = encodeFloat(performance->latencyMs);
        part["reference_latency_ms"] = encodeFloat(performance->referenceLatencyMs);
        part["speedup_factor"] = encodeFloat(performance->speedupFactor);
        appendUnknownKeys(part, performance->unknownKeys);
        json["performance"] = std::move(part);
    }
    appendUnknownKeys(json, evaluation.unknownKeys);
    return json;
}

Json encodeTrace(const Trace& trace)
{
    Json json = Json::object();
    json["definition"] = trace.definition;
    json["workload"] = encodeWorkload(trace.workload);
    json["solution"] = trace.solution ? Json(*trace.solution) : Json(nullptr);
    json["evaluation"] = trace.evaluation ? encodeEvaluation(*trace.evaluation) : Json(nullptr);
    appendUnknownKeys(json, trace.unknownKeys);
    return json;
}

}  // namespace tracedeck
