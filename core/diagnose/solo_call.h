// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/diagnose/judge_session.h"
#include "core/io/child_process.h"
#include "core/model/json.h"
#include "core/model/result.h"
#include "core/run/scratch_folder.h"

namespace tracedeck {

/// How the process of a single call is started.
struct SoloOptions {
    int calls = 1;                        ///< the last one is what a tool looks at
    bool keepsLines = false;              ///< CUDA code is compiled with line numbers
    bool ownAllocations = false;          ///< each tensor has an allocation of its own, so that strays are seen
    bool isProfiled = false;              ///< the CUDA profiler is switched on around the last call only
    bool hasTimeline = false;             ///< CUPTI records what the GPU does in the last call
};

/// How far a tool lets the process that it looks into be confined.
enum class SoloWalls {
    All,        ///< as in an evaluation
    Files,      ///< the tool and the process talk over the loopback network, and it may trace: only the file system is walled off
    None        ///< the tool needs privileges that walls take away
};

/// What came of it.
struct SoloOutcome {
    CapturedRun run;             ///< the tool's, where there is one
    int calls = 0;               ///< that ended
    std::string error;           ///< what the solution or its loading raised; empty: nothing
    Json activities;             ///< CUPTI's, an array; null without
    std::string confinement;     ///< in words: which walls there were
};

/// One call of a solution in a process of its own, on inputs of its workload, outside of any evaluation: nobody compares what it computes.
class SoloCall {
public:
    /// Lets a judge make the inputs, compiles the solution, writes what the process needs into a private folder. Errors as for a JudgeSession.
    static Result<std::unique_ptr<SoloCall>> prepare(const DiagnosisTarget& target, const SoloOptions& options, const DiagnosisProgress& onProgress,
                                                     std::stop_token stop);
    /// Runs it behind `tool` (a program and its options; empty: as it is), as often as wanted. Error: it could not be started, or not confined as
    /// the request demands.
    Result<SoloOutcome> run(const std::vector<std::string>& tool, SoloWalls walls, double timeoutSeconds, std::stop_token stop);

    /// Where a tool may write files.
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder.path(); }
    [[nodiscard]] const std::filesystem::path& library() const { return m_library; }
    [[nodiscard]] const std::string& device() const { return m_device; }

private:
    explicit SoloCall(ScratchFolder folder) : m_folder(std::move(folder)) {}
    Result<void> writeOrder(JudgeSession& session, const Solution& solution, const Json& call, const SoloOptions& options);
    Result<std::string> surround(ChildSpec& spec, const std::vector<std::string>& tool, SoloWalls walls) const;

    ScratchFolder m_folder;
    RunRequest m_request;
    std::string m_device;
    std::string m_visibleDevice;           ///< what CUDA_VISIBLE_DEVICES takes; empty on the cpu
    std::filesystem::path m_library;       ///< of a compiled solution
    std::filesystem::path m_tvmFfiLibrary;
    bool m_ownAllocations = false;
};

/// In the system's temporary folder.
[[nodiscard]] Result<ScratchFolder> makeDiagnosisFolder();

}  // namespace tracedeck
