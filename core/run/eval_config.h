// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>

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
};

/// Top-level overrides of a command line or a dialog; unset fields keep what lies below.
struct EvalOverrides {
    std::optional<int> warmupRuns;
    std::optional<int> iterations;
    std::optional<int> numTrials;
    std::optional<double> rtol;
    std::optional<double> atol;
    std::optional<double> requiredMatchedRatio;
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

private:
    EvalOverrides m_top;
    std::map<std::string, EvalOverrides> m_byOpType;
    std::map<std::string, EvalOverrides> m_byDefinition;
};

/// Error naming the field when a value is out of range (iterations > 0, rtol > 0 …).
[[nodiscard]] Result<void> validate(const EvalConfig& config);

}  // namespace tracedeck
