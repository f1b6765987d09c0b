// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnose/profile.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fstream>

#include <unistd.h>

#include "core/run/diagnosis_tools.h"
#include "core/model/text.h"
#include "core/report/text_table.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

constexpr const char* kReportName = "call.ncu-rep";
constexpr double kImportSeconds = 300;
constexpr std::size_t kMostCsv = std::size_t{64} << 20U;

/// Whether the driver gives performance counters to every user; unknown counts as no.
bool countersAreFree()
{
    std::ifstream parameters("/proc/driver/nvidia/params");
    for (std::string line; std::getline(parameters, line);) {
        if (line.starts_with("RmProfilingAdminOnly:")) return line.find('0') != std::string::npos;
    }
    return false;
}

/// Walls take the privileges away that counters need where the driver keeps them from users.
SoloWalls wallsForProfiling()
{
    return countersAreFree() || ::geteuid() != 0 ? SoloWalls::Files : SoloWalls::None;
}

std::string safeFileName(std::string text)
{
    for (char& letter : text) {
        const bool isPlain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
        if (!isPlain) letter = '_';
    }
    constexpr std::size_t kLongest = 80;
    return text.substr(0, kLongest);
}

fs::path keepReport(const fs::path& made, const fs::path& folder, const DiagnosisTarget& target)
{
    std::error_code failure;
    fs::path place = folder;
    if (place.empty()) {
        const fs::path cache = cacheFolderOf({});
        if (cache.empty()) return {};
        place = cache / "profiles";
    }
    fs::create_directories(place, failure);
    const std::string stamp = fmt::format("{:%Y%m%d-%H%M%S}", fmt::localtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
    const fs::path kept = place / fmt::format("{}-{}-{}.ncu-rep", safeFileName(target.solution), safeFileName(target.workload.substr(0, 8)), stamp);
    fs::copy_file(made, kept, fs::copy_options::overwrite_existing, failure);
    return failure ? fs::path() : kept;
}

std::string percent(const std::optional<double>& value)
{
    return value ? fmt::format("{:.1f}", *value) : "–";
}

Json orNull(const std::optional<double>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

}  // namespace

const std::vector<ProfileSet>& profileSets()
{
    static const std::vector<ProfileSet> sets{{"basic", "basic: speed of light, launch, occupancy"},
                                              {"detailed", "detailed: also memory, compute, warp states"},
                                              {"full", "full: everything, many replays of each kernel"},
                                              {"roofline", "roofline: operations against bytes"}};
    return sets;
}

Result<ProfileReport> profileCall(const DiagnosisTarget& target, const std::string& set, const fs::path& reportFolder, const DiagnosisProgress& onProgress,
                                  std::stop_token stop)
{
    if (std::ranges::find(profileSets(), std::string_view(set), &ProfileSet::name) == profileSets().end())
        return Error{ErrorCode::Usage, fmt::format("Nsight Compute has no set \"{}\" here; there are basic, detailed, full and roofline", set), {}, 0, "set"};
    auto program = findTool(DiagnosisTool::NsightCompute);
    if (!program) return program.error();
    SoloOptions options;
    options.calls = 2;
    options.isProfiled = true;
    options.keepsLines = true;
    auto solo = SoloCall::prepare(target, options, onProgress, stop);
    if (!solo) return solo.error();
    if (onProgress) onProgress("profiling " + target.solution);
    ProfileReport report;
    report.set = set;
    report.program = program->string();
    const fs::path file = (*solo)->folder() / kReportName;
    std::vector<std::string> command{program->string(), "--set", set, "--target-processes", "all", "--profile-from-start", "off", "--export", file.string(), "--force-overwrite"};
    if (set == "basic") command.insert(command.end(), {"--section", "WarpStateStats"});   // why warps wait is what people ask first
    auto outcome = (*solo)->run(command, wallsForProfiling(), target.request.timeoutSeconds, stop);
    if (!outcome) return outcome.error();
    report.confinement = outcome->confinement;
    report.log = toValidUtf8(outcome->run.output);
    const std::string trouble = ncuTrouble(outcome->run.output);
    std::error_code failure;
    if (!trouble.empty() || !outcome->error.empty() || !fs::is_regular_file(file, failure)) {
        report.error = !trouble.empty() ? trouble : !outcome->error.empty() ? outcome->error : fmt::format("ncu made no report ({})", outcome->run.exit.toString());
        return report;
    }
    if (onProgress) onProgress("reading the report");
    ChildSpec spec;
    spec.command = {program->string(), "--import", file.string(), "--csv", "--page", "raw"};
    spec.workingFolder = (*solo)->folder();
    spec.environment = {{"LC_ALL", "C"}, {"HOME", (*solo)->folder().string()}, {"TMPDIR", (*solo)->folder().string()}};
    spec.diesWithThread = true;
    auto table = runCaptured(std::move(spec), {.timeoutSeconds = kImportSeconds, .capBytes = kMostCsv}, stop);
    if (!table) return table.error();
    if (table->cancelled) return Error{ErrorCode::Cancelled, "cancelled", {}, 0, {}};
    auto kernels = parseNcuCsv(table->output);
    if (!kernels) report.error = kernels.error().reason + ": " + toValidUtf8((table->errorOutput + table->output).substr(0, 500));
    else report.kernels = std::move(*kernels);
    report.report = keepReport(file, reportFolder, target);
    return report;
}

std::string profileText(const ProfileReport& report)
{
    std::string text = fmt::format("Nsight Compute, set {}\n", printable(report.set));
    text += "Confinement: " + printable(report.confinement) + "\n";
    if (!report.error.empty()) text += "No figures: " + printable(report.error) + "\n";
    if (!report.kernels.empty()) {
        TextTable table({{"Kernel", TextTable::Align::Left}, {"µs", TextTable::Align::Right}, {"Compute %", TextTable::Align::Right}, {"Memory %", TextTable::Align::Right},
                         {"DRAM %", TextTable::Align::Right}, {"Occupancy %", TextTable::Align::Right}, {"possible %", TextTable::Align::Right},
                         {"Registers", TextTable::Align::Right}, {"Grid", TextTable::Align::Left}, {"Block", TextTable::Align::Left}, {"Waits for", TextTable::Align::Left}});
        for (const KernelProfile& kernel : report.kernels) {
            std::string stalls;
            for (std::size_t i = 0; i < kernel.stalls.size() && i < 3; ++i) stalls += fmt::format("{}{} {:.1f}", i == 0 ? "" : ", ", kernel.stalls[i].first, kernel.stalls[i].second);
            table.addRow({kernel.name, kernel.durationUs ? fmt::format("{:.4g}", *kernel.durationUs) : "–", percent(kernel.computePercent), percent(kernel.memoryPercent),
                          percent(kernel.dramPercent), percent(kernel.occupancyPercent), percent(kernel.possibleOccupancyPercent),
                          kernel.registers ? fmt::format("{:g}", *kernel.registers) : "–", kernel.grid, kernel.block, stalls});
        }
        text += "\n" + table.toString();
        text += "\nTimes under a profiler are no results: clocks are fixed and caches flushed.\n";
    }
    if (!report.report.empty()) text += "Report: " + printable(report.report.string()) + " (ncu-ui opens it)\n";
    return text;
}

Json encodeProfile(const ProfileReport& report)
{
    Json kernels = Json::array();
    for (const KernelProfile& kernel : report.kernels) {
        Json stalls = Json::array();
        for (const auto& [reason, cycles] : kernel.stalls) stalls.push_back({{"reason", reason}, {"cycles", cycles}});
        kernels.push_back({{"name", kernel.name},
                           {"grid", kernel.grid},
                           {"block", kernel.block},
                           {"duration_us", orNull(kernel.durationUs)},
                           {"compute_percent", orNull(kernel.computePercent)},
                           {"memory_percent", orNull(kernel.memoryPercent)},
                           {"dram_percent", orNull(kernel.dramPercent)},
                           {"l2_percent", orNull(kernel.l2Percent)},
                           {"l1_percent", orNull(kernel.l1Percent)},
                           {"occupancy_percent", orNull(kernel.occupancyPercent)},
                           {"possible_occupancy_percent", orNull(kernel.possibleOccupancyPercent)},
                           {"registers", orNull(kernel.registers)},
                           {"shared_bytes", orNull(kernel.sharedBytes)},
                           {"stalls", std::move(stalls)},
                           {"metrics", kernel.metrics}});
    }
    return {{"set", report.set}, {"error", report.error}, {"confinement", report.confinement}, {"report", report.report.string()}, {"kernels", std::move(kernels)}};
}

}  // namespace tracedeck
