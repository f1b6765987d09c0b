// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/json.h"
#include "core/model/result.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

/// Whose form results have.
enum class InterchangeFormat {
    KernelsBenchmarks,   ///< Hugging Face's kernels-benchmarks: a JSONL record for each implementation and workload
    NvBench,             ///< nvbench's JSON, with the binary files of sample times beside it
    WinAtP               ///< the CSV of the win@p script; written only
};
[[nodiscard]] std::string_view toString(InterchangeFormat format);   ///< `hf`, `nvbench` or `winp`
[[nodiscard]] std::optional<InterchangeFormat> interchangeFormatFromString(std::string_view name);

/// Something that the other form, or our own, has no place for.
struct NotCarried {
    std::string what;
    std::size_t count = 0;
};

struct ImportRequest {
    std::vector<std::filesystem::path> files;
    std::filesystem::path target;                ///< must not exist, or be an empty folder
    std::optional<InterchangeFormat> format{};   ///< not set: by what is in each file
    std::string kind{};                          ///< of kernels-benchmarks records; empty: the file's name without extension
    std::string author{};                        ///< of all solutions; empty: the tag `family`, or the file's name
};

struct ImportReport {
    std::filesystem::path target;
    std::size_t definitions = 0;
    std::size_t solutions = 0;
    std::size_t workloads = 0;
    std::size_t traces = 0;
    std::vector<NotCarried> notCarried;
    std::vector<Problem> problems;   ///< an Error is of something that was left out, with file, line and field

    /// Whether nothing was left out.
    [[nodiscard]] bool isComplete() const;
};

/// Makes a dataset from result files of other programs. Implementations become solutions, whose source is not in such files: a stand-in says so when
/// it is run. Of the nine kernel kinds (kernel_kinds.h) definitions and workloads are the real ones. Each record is kept in its trace, so that
/// exportResults() writes it again. The target appears whole or not at all; names are made safe as file names. Error: a file cannot be read or is
/// nothing of the kind, the target is not free, no result could be read, or the token was set.
[[nodiscard]] Result<ImportReport> importResults(const ImportRequest& request, const std::stop_token& stop = {});

struct ExportRequest {
    InterchangeFormat format = InterchangeFormat::KernelsBenchmarks;
    /// KernelsBenchmarks: a file of one kind of kernel, when its name ends in `.jsonl`, else a folder that gets `<kind>.jsonl` files. Others: a file.
    std::filesystem::path out;
    std::string opType{};
    std::string definition{};
    std::string solution{};
    std::string hardware{};
    std::string baseline{};    ///< WinAtP; empty: defaultBaselineAuthor()
    /// Not set: All, and Newest for nvbench, which has one result a state.
    std::optional<SelectionPolicy> policy{};
};

struct ExportReport {
    std::vector<std::filesystem::path> files;
    std::size_t records = 0;
    std::size_t groups = 0;           ///< WinAtP
    std::size_t fallbackGroups = 0;   ///< WinAtP: groups without a passing baseline, compared with their fastest
    std::vector<NotCarried> notCarried;
};

/// Writes results for other programs, each file whole or not at all, existing ones replaced. Same data, same bytes; what was exported, imported
/// (importResults) and exported again is identical byte for byte. Error Usage: nothing is in scope, a name is unknown, or several kinds for one file.
[[nodiscard]] Result<ExportReport> exportResults(const Dataset& dataset, const ExportRequest& request, const std::stop_token& stop = {});

/// `import --json`: {target, complete, definitions, solutions, workloads, traces, not_carried: [{what, count}], problems}.
[[nodiscard]] Json importDocument(const ImportReport& report);
[[nodiscard]] std::string importText(const ImportReport& report);
/// `export --json`: {format, files, records, groups, fallback_groups, not_carried}.
[[nodiscard]] Json exportDocument(const ExportReport& report, InterchangeFormat format);
[[nodiscard]] std::string exportText(const ExportReport& report, InterchangeFormat format);

}  // namespace tracedeck
