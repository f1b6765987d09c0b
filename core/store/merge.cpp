// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/merge.h"

#include <algorithm>
#include <system_error>

#include "core/io/safetensors.h"
#include "core/model/text.h"
#include "core/store/merger.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

/// The target must not lie within a source: nothing is written there.
Result<void> checkApart(const fs::path& source, const fs::path& target)
{
    std::error_code code;
    const fs::path realSource = fs::weakly_canonical(fs::absolute(source / ""), code);
    if (code) {
        return Error{
            ErrorCode::Io, "the folder cannot be examined: " + code.message(), toValidUtf8(source.string()), 0, {}};
    }
    const fs::path realTarget = fs::weakly_canonical(fs::absolute(target / ""), code);
    if (code) {
        return Error{
            ErrorCode::Io, "the folder cannot be examined: " + code.message(), toValidUtf8(target.string()), 0, {}};
    }
    const fs::path relative = realTarget.lexically_relative(realSource);
    if (!relative.empty() && *relative.begin() == "..") return {};
    return Error{ErrorCode::Usage,
                 "the output must not lie in " + toValidUtf8(source.string()) + ": nothing is written into a source",
                 toValidUtf8(target.string()),
                 0,
                 {}};
}

Json countDocument(const MergeCount& count)
{
    return {{"written", count.written}, {"identical", count.identical}};
}

}  // namespace

bool MergeReport::isComplete() const
{
    return conflicts.empty() && setAside.empty() &&
           std::none_of(problems.begin(), problems.end(),
                        [](const Problem& problem) { return problem.severity == Severity::Error; });
}

Result<MergeReport> mergeDatasets(const MergeRequest& request, std::stop_token stop)
{
    if (request.sources.empty()) {
        return Error{ErrorCode::Usage, "there is nothing to merge: name at least one dataset", {}, 0, {}};
    }
    for (const fs::path& source : request.sources) {
        if (auto apart = checkApart(source, request.target); !apart) return apart.error();
    }
    for (std::size_t i = 0; i < request.sources.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            std::error_code code;   // a folder that is not there is named below
            if (!fs::equivalent(request.sources[i], request.sources[k], code)) continue;
            return Error{
                ErrorCode::Usage, "this dataset is given twice", toValidUtf8(request.sources[i].string()), 0, {}};
        }
    }
    // All sources are looked at before anything is made.
    std::vector<ScannedFiles> scans;
    for (const fs::path& source : request.sources) {
        auto scanned = scanDataset(source, stop);
        if (!scanned) return scanned.error();
        if (!scanned->problemFolders.empty()) {
            return Error{ErrorCode::Usage,
                         "this is a SOL-ExecBench dataset (folders with a definition.json each); its problems do not fit in the folders of "
                         "a FlashInfer-Trace dataset, which is what merge makes. Load it as it is: every command but merge takes it",
                         toValidUtf8(source.string()),
                         0,
                         {}};
        }
        scans.push_back(std::move(*scanned));
    }
    auto staging = StagingFolder::create(request.target);
    if (!staging) return staging.error();
    Merger merger(request, std::move(scans), *staging, stop);
    if (auto merged = merger.merge(); !merged) return merged.error();
    MergeReport report = std::move(merger).takeReport();
    if (!report.isComplete()) {
        const std::string text = mergeDocument(report).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
        if (auto written = staging->write("conflicts/report.json", text); !written) return written.error();
    }
    if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the merge was cancelled", {}, 0, {}};
    if (auto committed = staging->commit(); !committed) return committed.error();
    return report;
}

Json mergeDocument(const MergeReport& report)
{
    Json sources = Json::array();
    for (const fs::path& source : report.sources) sources.push_back(toValidUtf8(source.string()));
    Json conflicts = Json::array();
    for (const MergeConflict& conflict : report.conflicts) {
        conflicts.push_back({{"kind", conflict.kind},
                             {"name", conflict.name},
                             {"kept", conflict.keptFile},
                             {"other", conflict.otherFile},
                             {"set_aside_at", conflict.asideFile},
                             {"reason", conflict.reason}});
    }
    Json setAside = Json::array();
    for (const MergeSetAside& aside : report.setAside) {
        setAside.push_back({{"kind", aside.kind},
                            {"file", aside.file},
                            {"count", aside.count},
                            {"set_aside_at", aside.asideFile},
                            {"reason", aside.reason}});
    }
    Json problems = Json::array();
    for (const Problem& problem : report.problems) {
        problems.push_back({{"severity", problem.severity == Severity::Error ? "error" : "warning"},
                            {"file", problem.error.file},
                            {"line", problem.error.line},
                            {"field", problem.error.field},
                            {"reason", problem.error.reason}});
    }
    return {{"target", toValidUtf8(report.target.string())},
            {"sources", std::move(sources)},
            {"complete", report.isComplete()},
            {"definitions", countDocument(report.definitions)},
            {"solutions", countDocument(report.solutions)},
            {"workloads", countDocument(report.workloads)},
            {"traces", countDocument(report.traces)},
            {"blobs", countDocument(report.blobs)},
            {"conflicts", std::move(conflicts)},
            {"set_aside", std::move(setAside)},
            {"problems", std::move(problems)}};
}

}  // namespace tracedeck
