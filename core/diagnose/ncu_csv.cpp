// SPDX-License-Identifier: GPL-3.0-or-later
// The readers of Nsight Compute's output in profile.h.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/diagnose/profile.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

constexpr std::size_t kMostColumns = 20000;
constexpr std::size_t kMostKernelRows = 100000;

/// One record of CSV with fields in double quotes, cut off `text`; line ends within quotes belong to a field.
std::vector<std::string> takeRecord(std::string_view& text)
{
    std::vector<std::string> fields(1);
    bool isQuoted = false;
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        const char letter = text[at];
        if (isQuoted) {
            if (letter != '"') fields.back() += letter;
            else if (at + 1 < text.size() && text[at + 1] == '"') fields.back() += text[++at];
            else isQuoted = false;
        } else if (letter == '"') {
            isQuoted = true;
        } else if (letter == ',') {
            if (fields.size() < kMostColumns) fields.emplace_back();
        } else if (letter == '\n') {
            ++at;
            break;
        } else if (letter != '\r') {
            fields.back() += letter;
        }
    }
    text.remove_prefix(at);
    return fields;
}

/// `1,234.5`: ncu groups digits in some locales.
std::optional<double> figureOf(std::string text)
{
    std::erase(text, ',');
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

/// In the wanted unit, by ncu's names of units.
std::optional<double> inMicroseconds(std::optional<double> value, const std::string& unit)
{
    if (!value) return value;
    if (unit == "nsecond" || unit == "ns") return *value / 1e3;
    if (unit == "msecond" || unit == "ms") return *value * 1e3;
    if (unit == "second" || unit == "s") return *value * 1e6;
    return value;
}

double inBytes(double value, const std::string& unit)
{
    if (unit.starts_with("Kbyte") || unit.starts_with("KB")) return value * 1e3;
    if (unit.starts_with("Mbyte") || unit.starts_with("MB")) return value * 1e6;
    return value;
}

/// The table: what stands in which column.
class Columns {
public:
    Columns(std::vector<std::string> names, std::vector<std::string> units) : m_names(std::move(names)), m_units(std::move(units)) { m_units.resize(m_names.size()); }

    [[nodiscard]] std::size_t find(std::string_view name) const { return static_cast<std::size_t>(std::ranges::find(m_names, name) - m_names.begin()); }
    [[nodiscard]] std::string text(const std::vector<std::string>& row, std::string_view name) const
    {
        const std::size_t column = find(name);
        return column < row.size() ? toValidUtf8(row[column]) : std::string();
    }
    /// The first of these that is there.
    [[nodiscard]] std::optional<double> figure(const std::vector<std::string>& row, std::initializer_list<std::string_view> names) const
    {
        for (const std::string_view name : names) {
            if (const std::size_t column = find(name); column < row.size()) {
                if (const auto value = figureOf(row[column])) return value;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] const std::string& unit(std::string_view name) const
    {
        static const std::string none;
        const std::size_t column = find(name);
        return column < m_units.size() ? m_units[column] : none;
    }
    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }
    [[nodiscard]] const std::string& unitOf(std::size_t column) const { return m_units[column]; }

private:
    std::vector<std::string> m_names;
    std::vector<std::string> m_units;
};

void takeStalls(const Columns& columns, const std::vector<std::string>& row, KernelProfile& kernel)
{
    constexpr std::string_view kStart = "smsp__average_warps_issue_stalled_";
    constexpr std::string_view kEnd = "_per_issue_active.ratio";
    for (std::size_t column = 0; column < columns.names().size() && column < row.size(); ++column) {
        const std::string_view name = columns.names()[column];
        if (!name.starts_with(kStart) || !name.ends_with(kEnd) || name.size() <= kStart.size() + kEnd.size()) continue;
        const std::string reason(name.substr(kStart.size(), name.size() - kStart.size() - kEnd.size()));
        if (reason.ends_with("_not_issued")) continue;
        if (const auto value = figureOf(row[column]); value && *value > 0) kernel.stalls.emplace_back(toValidUtf8(reason), *value);
    }
    std::ranges::stable_sort(kernel.stalls, [](const auto& one, const auto& other) { return one.second > other.second; });
}

KernelProfile profileOf(const Columns& columns, const std::vector<std::string>& row)
{
    constexpr std::string_view kDuration = "gpu__time_duration.sum";
    constexpr std::string_view kStaticShared = "launch__shared_mem_per_block_static";
    constexpr std::string_view kDynamicShared = "launch__shared_mem_per_block_dynamic";
    KernelProfile kernel;
    kernel.name = columns.text(row, "Kernel Name");
    kernel.grid = columns.text(row, "Grid Size");
    kernel.block = columns.text(row, "Block Size");
    kernel.durationUs = inMicroseconds(columns.figure(row, {kDuration}), columns.unit(kDuration));
    kernel.computePercent = columns.figure(row, {"sm__throughput.avg.pct_of_peak_sustained_elapsed"});
    kernel.memoryPercent = columns.figure(row, {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"});
    kernel.dramPercent = columns.figure(row, {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "dram__throughput.avg.pct_of_peak_sustained_elapsed"});
    kernel.l2Percent = columns.figure(row, {"lts__throughput.avg.pct_of_peak_sustained_elapsed"});
    kernel.l1Percent = columns.figure(row, {"l1tex__throughput.avg.pct_of_peak_sustained_active", "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"});
    kernel.occupancyPercent = columns.figure(row, {"sm__warps_active.avg.pct_of_peak_sustained_active"});
    kernel.possibleOccupancyPercent = columns.figure(row, {"sm__maximum_warps_per_active_cycle_pct"});
    kernel.registers = columns.figure(row, {"launch__registers_per_thread"});
    const auto fixed = columns.figure(row, {kStaticShared});
    const auto dynamic = columns.figure(row, {kDynamicShared});
    if (fixed || dynamic) kernel.sharedBytes = inBytes(fixed.value_or(0), columns.unit(kStaticShared)) + inBytes(dynamic.value_or(0), columns.unit(kDynamicShared));
    takeStalls(columns, row, kernel);
    for (std::size_t column = 0; column < columns.names().size() && column < row.size(); ++column) {
        if (columns.names()[column].find("__") == std::string::npos || row[column].empty()) continue;
        const std::string& unit = columns.unitOf(column);
        kernel.metrics[toValidUtf8(columns.names()[column])] = toValidUtf8(row[column] + (unit.empty() ? "" : " " + unit));
    }
    return kernel;
}

}  // namespace

Result<std::vector<KernelProfile>> parseNcuCsv(std::string_view text)
{
    // Before the table may stand what the program or ncu itself (==PROF== …) printed.
    std::optional<Columns> columns;
    std::vector<KernelProfile> kernels;
    while (!text.empty() && kernels.size() < kMostKernelRows) {
        if (!columns && !text.starts_with("\"ID\"")) {
            const std::size_t end = text.find('\n');
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
            continue;
        }
        std::vector<std::string> record = takeRecord(text);
        if (!columns) {
            std::vector<std::string> units = text.starts_with("\"\"") ? takeRecord(text) : std::vector<std::string>();
            columns.emplace(std::move(record), std::move(units));
            continue;
        }
        const bool isKernel = record.size() > 1 && !record.front().empty() && std::ranges::all_of(record.front(), [](char letter) { return letter >= '0' && letter <= '9'; });
        if (isKernel) kernels.push_back(profileOf(*columns, record));
    }
    if (!columns) return Error{ErrorCode::InvalidInput, "Nsight Compute printed no table of metrics", {}, 0, {}};
    return kernels;
}

std::string ncuTrouble(std::string_view printed)
{
    if (printed.find("ERR_NVGPUCTRPERM") != std::string_view::npos) {
        return "this user may not read the GPU's performance counters: run as root, or let all users (options nvidia NVreg_RestrictProfilingToAdminUsers=0 in "
               "/etc/modprobe.d, then load the driver again); a container needs --cap-add=SYS_ADMIN";
    }
    if (printed.find("No kernels were profiled") != std::string_view::npos) return "the call started no kernel";
    if (printed.find("==ERROR== An error was reported by the driver") != std::string_view::npos || printed.find("Profiling is not supported on this device") != std::string_view::npos)
        return "the driver does not let this GPU be profiled here (a virtual or shared GPU, or one in MIG mode)";
    constexpr std::string_view kError = "==ERROR== ";
    const std::size_t at = printed.find(kError);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = printed.substr(at + kError.size());
    return toValidUtf8(std::string(rest.substr(0, std::min(rest.find('\n'), std::size_t{500}))));
}

}  // namespace tracedeck
