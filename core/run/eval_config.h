// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck {

/// How one evaluation is done; names and defaults of the format (benchmark §4.8).
struct EvalConfig {
    int warmupRuns = 10;
    int iterations = 50;
    int numTrials = 3;
    double rtol = 1e-2;
    double atol = 1e-2;
    std::optional<double> requiredMatchedRatio;
    bool validIndexInputs = true;  ///< random integers that are indexes get valid values (ours; false: the format's -1024 … 1023)
    bool strictNumerics = false;   ///< ours: combined tolerance, agreement of what is not finite, integers exact (judge/numerics.h)
    double precision = 0;          ///< ours: percent that the median may be off by; trials are added until it is known so well. 0: none are
    Json extra = Json::object();   ///< what an evaluator of one op_type wants, for example `sampling_tvd_threshold`
};

/// Top-level overrides of a command line or a dialog; unset fields keep what lies below.
struct EvalOverrides {
    std::optional<int> warmupRuns;
    std::optional<int> iterations;
    std::optional<int> numTrials;
    std::optional<double> rtol;
    std::optional<double> atol;
    std::optional<double> requiredMatchedRatio;
    std::optional<bool> validIndexInputs;
    std::optional<bool> strictNumerics;
    std::optional<double> precision;
    Json extra = Json::object();   ///< merged key by key over what lies below

    bool operator==(const EvalOverrides&) const = default;
};

/// Where a value of an evaluation config holds.
struct ConfigScope {
    enum class Kind { Everything, OpType, Definition } kind = Kind::Everything;
    std::string name{};   ///< of the op_type or definition
};

/// What a YAML file says about the run as a whole (benchmark §4.8 "System fields"). A command line option wins over it.
struct SystemConfig {
    std::optional<bool> useIsolatedRunner;          ///< read for compatibility: every evaluation has its own process here
    std::optional<std::set<std::string>> definitions;
    std::optional<std::set<std::string>> solutions;
    std::optional<double> timeoutSeconds;
    std::optional<bool> profileBaseline;
};

/// The layered YAML of benchmark §4.8: `op_type_config`, `definition_config`, top level.
class EvalConfigFile {
public:
    /// The bundled file (resources/config/eval_config.yaml), compiled in.
    static EvalConfigFile bundled();
    /// A user's file, which replaces the bundled one. Errors name line and field.
    static Result<EvalConfigFile> load(const std::string& path);
    static Result<EvalConfigFile> parse(const std::string& yaml, const std::string& file);

    /// Built-in defaults → op_type → definition → top level of the file with `overrides` replacing its values.
    [[nodiscard]] EvalConfig resolve(const std::string& opType, const std::string& definition, const EvalOverrides& overrides) const;
    [[nodiscard]] const SystemConfig& system() const { return m_system; }
    /// What the file says for a scope alone. What it says for everything wins over op_types and definitions, as in the format.
    [[nodiscard]] EvalOverrides layer(const ConfigScope& scope) const;
    /// Replaces it; one without any value goes.
    void setLayer(const ConfigScope& scope, EvalOverrides values);
    void setSystem(SystemConfig system);
    /// The file that load() read and that still says what this does; empty for any other.
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// The text that parse() reads to the same. Deprecated names become present ones, comments are lost.
    [[nodiscard]] std::string toYaml() const;
    /// Keys that mean nothing to us and were ignored, with their lines.
    [[nodiscard]] const std::vector<Problem>& warnings() const { return m_warnings; }

private:
    friend class EvalConfigParser;
    EvalOverrides m_top;
    std::map<std::string, EvalOverrides> m_byOpType;
    std::map<std::string, EvalOverrides> m_byDefinition;
    SystemConfig m_system;
    std::vector<Problem> m_warnings;
    std::string m_path;
};

/// The set values by their names in the YAML.
[[nodiscard]] Json encodeOverrides(const EvalOverrides& overrides);
/// Reads that form back. Error InvalidInput naming the field.
[[nodiscard]] Result<EvalOverrides> decodeOverrides(const Json& json);

/// Adds `key=value` to the `extra` of overrides; the value is read as YAML (0.1, true, word). Error Usage.
[[nodiscard]] Result<void> addExtra(EvalOverrides& overrides, const std::string& entry);

/// Error naming the field when a value is out of range (iterations > 0, rtol > 0 …).
[[nodiscard]] Result<void> validate(const EvalConfig& config);

/// The form of the `config` field of the judge's `open` message: the format's names, `required_matched_ratio` null when unset.
[[nodiscard]] Json encodeEvalConfig(const EvalConfig& config);
/// Reads that form back and validates it. Error InvalidInput naming the field.
[[nodiscard]] Result<EvalConfig> decodeEvalConfig(const Json& json);

}  // namespace tracedeck
