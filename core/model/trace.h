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
/// Made by the definition's custom input function (SOL-ExecBench).
struct CustomInput {
    Json unknownKeys = nullptr;
    bool operator==(const CustomInput&) const = default;
};
using WorkloadInput = std::variant<RandomInput, ScalarInput, SafetensorsInput, CustomInput>;

/// Which share of matching elements counts when the file spells the key wrongly (dialect §5.1).
enum class MisspeltRatio {
    Ignored,    ///< as the harness has it: the default share
    Honoured    ///< as its author meant it
};

/// How far outputs may be off, for one workload (SOL-ExecBench dialect §5). Members that are not set have the default.
struct WorkloadTolerance {
    std::optional<double> maxAtol;                  ///< default 0.01
    std::optional<double> maxRtol;                  ///< default 0.01
    std::optional<double> requiredMatchedRatio;     ///< default 0.99
    std::optional<double> maxErrorCap;              ///< default: none
    std::optional<bool> allowNegativeInf;           ///< default: false
    std::optional<double> misspeltMatchedRatio;     ///< `required_match_ratio`, which the harness ignores
    Json unknownKeys = Json::object();

    [[nodiscard]] double atol() const { return maxAtol.value_or(0.01); }
    [[nodiscard]] double rtol() const { return maxRtol.value_or(0.01); }
    [[nodiscard]] double matchedRatio(MisspeltRatio misspelt = MisspeltRatio::Ignored) const;
};

/// Concrete axes and inputs (data model §2.3).
struct Workload {
    std::string uuid;
    bool uuidIsSynthetic = false;   ///< legacy line without a uuid; this one was computed
    AxisValues axes;
    std::vector<std::string> axisOrder;                             ///< file order of the keys
    std::vector<std::pair<std::string, WorkloadInput>> inputs;     ///< file order
    std::optional<WorkloadTolerance> tolerance;                             ///< SOL-ExecBench only
    Json unknownKeys = Json::object();

    [[nodiscard]] const WorkloadInput* findInput(const std::string& name) const;
};

enum class Status : std::uint8_t {
    Passed, IncorrectShape, IncorrectNumerical, IncorrectDtype, RuntimeError, CompileError, Timeout,
    InvalidReference,   ///< SOL-ExecBench: the reference raised, which is not the solution's fault
    RewardHack,         ///< SOL-ExecBench: a check caught a cheat
    Other               ///< a status that neither dialect knows: Evaluation::statusText; a failure
};
constexpr int kStatusCount = 10;
/// The first ones, which FlashInfer-Trace knows.
constexpr int kFormatStatusCount = 7;
[[nodiscard]] std::string_view toString(Status status);   ///< for example `INCORRECT_NUMERICAL`; `OTHER` for Status::Other
/// std::nullopt for what neither dialect knows.
[[nodiscard]] std::optional<Status> statusFromString(std::string_view name);
[[nodiscard]] constexpr bool isFormatStatus(Status status) { return static_cast<int>(status) < kFormatStatusCount; }

struct Correctness {
    double maxRelativeError = 0;   ///< ≥ 0, +inf or NaN
    double maxAbsoluteError = 0;
    /// SOL-ExecBench's flags. Where one is true the file's errors of 0 mean nothing: they are NaN or infinity here.
    std::optional<bool> hasNan;
    std::optional<bool> hasInf;
    Json extra;                    ///< object or null
    Json unknownKeys = Json::object();
};
/// A kernel's latency lies between these: no clock of a GPU shows the shorter one, and nobody waits for the longer (31 years).
inline constexpr double kShortestLatencyMs = 1e-9;
inline constexpr double kLongestLatencyMs = 1e12;
/// Whether a latency can be true. The one rule of scores, best traces and charts: what is not usable is shown as it is, and
/// compared with nothing.
[[nodiscard]] constexpr bool isUsableLatency(double latencyMs)
{
    return latencyMs >= kShortestLatencyMs && latencyMs <= kLongestLatencyMs;   // NaN compares false
}

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
    std::string statusText;              ///< as the file has it, for Status::Other
    Environment environment;
    std::string timestamp;
    std::string log;
    std::optional<Correctness> correctness;
    std::optional<Performance> performance;
    Json unknownKeys = Json::object();   ///< what we add lives here too: the key `judge` (trusted judging §3.12)

    /// The status as it is written: also one that we do not know.
    [[nodiscard]] std::string_view statusName() const { return status == Status::Other && !statusText.empty() ? statusText : toString(status); }
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
