// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/model/definition.h"
#include "core/model/json.h"

namespace tracedeck {

/// Of each input kind, `unknownKeys` is null or an object kept for a rewrite.
struct RandomInput {
    Json unknownKeys = nullptr;
    bool operator==(const RandomInput&) const = default;
};
/// A host scalar; keeps the kind that the JSON had: integer, float or bool.
struct ScalarInput {
    std::variant<std::int64_t, double, bool> value;
    Json unknownKeys = nullptr;
    bool operator==(const ScalarInput&) const = default;
};
struct SafetensorsInput {
    std::string path;        ///< relative to the dataset root
    std::string tensorKey;
    Json unknownKeys = nullptr;
    bool operator==(const SafetensorsInput&) const = default;
};
using WorkloadInput = std::variant<RandomInput, ScalarInput, SafetensorsInput>;

/// Concrete axes and inputs (data model §2.3).
struct Workload {
    std::string uuid;
    bool uuidIsSynthetic = false;   ///< legacy line without a uuid; this one was computed
    AxisValues axes;
    std::vector<std::string> axisOrder;                             ///< file order of the keys
    std::vector<std::pair<std::string, WorkloadInput>> inputs;     ///< file order
    Json unknownKeys = Json::object();

    [[nodiscard]] const WorkloadInput* findInput(const std::string& name) const;
};

enum class Status : std::uint8_t {
    Passed, IncorrectShape, IncorrectNumerical, IncorrectDtype, RuntimeError, CompileError, Timeout
};
constexpr int kStatusCount = 7;
[[nodiscard]] std::string_view toString(Status status);   ///< for example `INCORRECT_NUMERICAL`
[[nodiscard]] std::optional<Status> statusFromString(std::string_view name);

struct Correctness {
    double maxRelativeError = 0;   ///< ≥ 0, +inf or NaN
    double maxAbsoluteError = 0;
    Json extra;                    ///< object or null
    Json unknownKeys = Json::object();
};
/// Times in milliseconds.
struct Performance {
    double latencyMs = 0;
    double referenceLatencyMs = 0;
    double speedupFactor = 0;      ///< stored, never recomputed: reference ÷ latency
    Json unknownKeys = Json::object();
};
struct Environment {
    std::string hardware;
    std::map<std::string, std::string> libs;
    Json unknownKeys = Json::object();
};

/// The outcome of one benchmark (data model §2.4).
struct Evaluation {
    Status status = Status::RuntimeError;
    Environment environment;
    std::string timestamp;
    std::string log;
    std::optional<Correctness> correctness;
    std::optional<Performance> performance;
    Json unknownKeys = Json::object();   ///< what we add lives here too: the key `judge` (trusted judging §3.12)
};

/// One line of a workloads or traces file.
struct Trace {
    std::string definition;
    Workload workload;
    std::optional<std::string> solution;
    std::optional<Evaluation> evaluation;
    Json unknownKeys = Json::object();

    [[nodiscard]] bool isWorkloadTrace() const { return !solution && !evaluation; }
    [[nodiscard]] bool isPassed() const { return evaluation && evaluation->status == Status::Passed; }
};

}  // namespace tracedeck
