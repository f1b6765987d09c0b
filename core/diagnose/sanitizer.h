// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnose/solo_call.h"
#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck {

/// Checks of compute-sanitizer.
enum class SanitizerCheck {
    Memory,           ///< memcheck: out of bounds, misaligned
    Races,            ///< racecheck: hazards in shared memory
    Initialisation,   ///< initcheck: global memory that is read before it is written
    Synchronisation   ///< synccheck: barriers that not all threads reach
};
/// As compute-sanitizer's --tool names them: memcheck, racecheck, initcheck, synccheck.
[[nodiscard]] std::string_view toString(SanitizerCheck check);
[[nodiscard]] std::optional<SanitizerCheck> sanitizerCheckFromString(std::string_view name);

/// One thing that compute-sanitizer found; alike ones are counted together.
struct SanitizerFinding {
    std::string kind;        ///< `Invalid __global__ write of size 4 bytes`
    std::string kernel;      ///< function, with its arguments where the tool says them; empty: not in a kernel
    std::string file;        ///< of the source, below the solution's folder; empty: not known
    int line = 0;
    std::string thread;      ///< `thread (32,0,0) in block (0,0,0)` of the first one
    std::string address;     ///< `0x7f…` of the first one
    std::vector<std::string> details;   ///< further lines of the first one: how far out of which allocation, the other access …
    std::uint64_t count = 1;

    /// kernel.cu:12, or empty.
    [[nodiscard]] std::string place() const;
};

/// What the text of compute-sanitizer holds.
struct SanitizerOutput {
    std::vector<SanitizerFinding> findings;   ///< in the order of their first occurrence
    bool hasSummary = false;                  ///< it came to its end
    std::uint64_t errors = 0;                 ///< by its summary: all, also those that it did not print
    std::vector<std::string> problems;        ///< why the tool itself could not work
};
/// Reads what compute-sanitizer prints, of any version since 2021, whatever a program prints in between.
[[nodiscard]] SanitizerOutput parseSanitizerOutput(std::string_view text);

/// What one check came to.
struct SanitizerReport {
    SanitizerCheck check = SanitizerCheck::Memory;
    std::string program;          ///< compute-sanitizer's path
    SanitizerOutput output;
    std::string error;            ///< what the call raised, or why nothing is known
    std::string confinement;
    std::string log;              ///< all that was printed

    [[nodiscard]] bool isClean() const { return output.hasSummary && output.findings.empty() && output.errors == 0 && error.empty(); }
};

/// Calls a solution once under compute-sanitizer for each check, on inputs of its workload. Error: the tool is missing (how to get it), or the
/// solution could not be prepared.
[[nodiscard]] Result<std::vector<SanitizerReport>> runSanitizer(const DiagnosisTarget& target, const std::vector<SanitizerCheck>& checks,
                                                                const DiagnosisProgress& onProgress = {}, std::stop_token stop = {});
[[nodiscard]] std::string sanitizerText(const std::vector<SanitizerReport>& reports);
[[nodiscard]] Json encodeSanitizerReports(const std::vector<SanitizerReport>& reports);

}  // namespace tracedeck
