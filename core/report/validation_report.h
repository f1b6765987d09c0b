// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck {

/// Of a message: info, warning, error. As a status: ok, warning, error.
enum class CheckLevel { Info, Warning, Error };

/// The checks of flashinfer-bench in report order (data model §4), and then our own over the dataset as a whole.
enum class Check { Layout, Definition, Workload, Solution, Trace, Baseline, Benchmark, Dataset };
constexpr std::size_t kDefinitionCheckCount = 7;   ///< those that are reported for each definition
[[nodiscard]] std::string_view toString(Check check);
[[nodiscard]] std::optional<Check> checkFromString(std::string_view name);

struct CheckMessage {
    CheckLevel level = CheckLevel::Info;
    std::string text;
    // Where, for what flashinfer-bench's validator does not know (problem folders of SOL-ExecBench).
    std::string file{};      ///< relative to the root; empty: the text says it
    std::int64_t line = 0;   ///< 1-based; 0 when it concerns no single line
    std::string field{};     ///< dotted path; empty when it concerns no single field
    bool operator==(const CheckMessage&) const = default;
};

struct CheckResult {
    CheckLevel status = CheckLevel::Info;   ///< the worst level of the messages
    std::vector<CheckMessage> messages;
    bool operator==(const CheckResult&) const = default;
};
/// A result whose status follows from its messages.
[[nodiscard]] CheckResult makeCheckResult(std::vector<CheckMessage> messages);

struct DefinitionReport {
    CheckLevel status = CheckLevel::Info;
    std::array<std::optional<CheckResult>, kDefinitionCheckCount> checks;   ///< by Check; not set: not run
    bool operator==(const DefinitionReport&) const = default;
};

/// Something that the check `dataset` found.
struct DatasetFinding {
    CheckLevel level = CheckLevel::Warning;
    std::string kind;        ///< fixed word for programs, for example `orphan-trace`
    std::string file;        ///< relative to the root; empty when it concerns no single file
    std::int64_t line = 0;   ///< 1-based; 0 when it concerns no single line
    std::string reason;
    std::string field{};     ///< dotted path; empty when it concerns no single field
    bool operator==(const DatasetFinding&) const = default;
};
struct DatasetCheckResult {
    CheckLevel status = CheckLevel::Info;
    std::vector<DatasetFinding> findings;
    bool operator==(const DatasetCheckResult&) const = default;
};

/// What a validation found. Everything but the last two members has the shape of flashinfer-bench's report.
struct ValidationReport {
    std::string dataset;               ///< root as it was given
    std::vector<std::string> checks;   ///< names of the format's own checks that ran
    bool disableGpu = true;
    std::vector<std::string> opTypes;   ///< filters as they were given
    std::vector<std::string> definitions;
    std::map<std::string, DefinitionReport> reports;   ///< by definition
    std::optional<DatasetCheckResult> datasetCheck;    ///< not set: not run
    std::vector<std::string> notRun;   ///< what was asked for, or is on by default, but cannot be done here

    /// Worst status of all definitions and of the dataset.
    [[nodiscard]] CheckLevel status() const;
    bool operator==(const ValidationReport&) const = default;
};

/// The JSON report: flashinfer-bench's keys `config` and `definitions`, ours below `tracedeck`, which it ignores.
[[nodiscard]] Json validationDocument(const ValidationReport& report);
/// Reads a JSON report of either program back. Error: not a report, with the field that is wrong.
[[nodiscard]] Result<ValidationReport> parseValidationReport(std::string_view text);
/// The text report: flashinfer-bench's lines, then a section with what is ours. Control characters are made visible.
[[nodiscard]] std::string validationText(const ValidationReport& report);

}  // namespace tracedeck
