// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/diagnose/solo_call.h"
#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck {

/// What Nsight Compute measured of one kernel of a call. Shares are percent of the peak; missing: the set has no such figure.
struct KernelProfile {
    std::string name;
    std::string grid;                                ///< (128, 1, 1)
    std::string block;
    std::optional<double> durationUs;
    std::optional<double> computePercent;            ///< speed of light: of the busiest unit of the multiprocessors
    std::optional<double> memoryPercent;             ///< of the busiest part of the memory system
    std::optional<double> dramPercent;
    std::optional<double> l2Percent;
    std::optional<double> l1Percent;
    std::optional<double> occupancyPercent;          ///< achieved
    std::optional<double> possibleOccupancyPercent;  ///< what registers, shared memory and block size allow
    std::optional<double> registers;
    std::optional<double> sharedBytes;               ///< a block, static and dynamic
    std::vector<std::pair<std::string, double>> stalls;   ///< reason (long_scoreboard) and cycles a warp waits for it per instruction, the longest first
    std::map<std::string, std::string> metrics;      ///< everything: name, value and unit
};

/// Reads what `ncu --import … --csv --page raw` prints: one row a kernel, below a row of names and a row of units. Lines that are not of the
/// table are passed over. Error InvalidInput when there is no such table.
[[nodiscard]] Result<std::vector<KernelProfile>> parseNcuCsv(std::string_view text);
/// What ncu's own words (==ERROR== …) mean for a user, with what to do; empty when it complains of nothing.
[[nodiscard]] std::string ncuTrouble(std::string_view printed);

/// Sets of Nsight Compute, the shortest first, with what they cost.
struct ProfileSet {
    std::string_view name;    ///< basic, detailed, full, roofline
    std::string_view title;
};
[[nodiscard]] const std::vector<ProfileSet>& profileSets();

struct ProfileReport {
    std::string set;
    std::string program;                      ///< ncu's path
    std::vector<KernelProfile> kernels;
    std::filesystem::path report;             ///< the .ncu-rep file; empty: none
    std::string confinement;
    std::string error;                        ///< why there are no figures; empty when there are
    std::string log;
};

/// Profiles one call of a solution, after one to warm up. The report is kept in `reportFolder` (empty: the user's cache). Error: ncu is missing
/// (how to get it), or the solution could not be prepared.
[[nodiscard]] Result<ProfileReport> profileCall(const DiagnosisTarget& target, const std::string& set, const std::filesystem::path& reportFolder,
                                                const DiagnosisProgress& onProgress = {}, std::stop_token stop = {});
[[nodiscard]] std::string profileText(const ProfileReport& report);
[[nodiscard]] Json encodeProfile(const ProfileReport& report);

}  // namespace tracedeck
