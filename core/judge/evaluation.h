// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/judge/device.h"
#include "core/judge/host_launcher.h"
#include "core/judge/live_log.h"
#include "core/judge/workload_session.h"
#include "core/model/solution.h"
#include "core/model/tensor_difference.h"
#include "core/model/trace.h"

namespace tracedeck::judge {

/// A built native solution.
struct Artifact {
    std::filesystem::path library;
    std::string symbol;
};

struct EvaluationRequest {
    Solution solution;
    std::optional<Artifact> artifact;
    std::string buildLog;
    double timeoutSeconds = 300;
    bool seedByUser = false;
    bool wasBusy = false;    ///< a first process of it computed although nothing was asked of it
    bool wasTooFast = false; ///< a first process of it was faster than can be
    bool keepHost = false;   ///< the solution's host serves its next workload, too
    bool wantsDifference = false;   ///< ends after the checked calls, with how their outputs differ; nothing of it may be stored
    std::string contents;    ///< solutions with the same text here are timed on the same inputs; empty: each on its own
};

struct EvaluationResult {
    Evaluation evaluation;
    bool store = true;        ///< false: says nothing about the solution that may be kept
    std::string note;         ///< why, or what a user should know
    bool ranOutOfMemory = false;   ///< perhaps only because others held it
    bool isBusy = false;      ///< computes although nothing is asked of it: to be evaluated again, in a new process
    bool isTooFast = false;   ///< faster than can be: likewise
    bool isAbandoned = false; ///< the program is gone: nobody wants the rest
    DifferenceReport difference;   ///< where it was wanted
};

class EvaluationRun;

/// One evaluation. Its host is started and loads the solution as soon as this exists, so that it can be begun while another
/// one is measured; the session need not be open yet.
class BegunEvaluation {
public:
    BegunEvaluation(Device& device, HostLauncher& launcher, WorkloadSession& session, EvaluationRequest request);
    ~BegunEvaluation();
    BegunEvaluation(const BegunEvaluation&) = delete;
    BegunEvaluation& operator=(const BegunEvaluation&) = delete;

    /// True when it could not begin for lack of memory: another one may, once more is free.
    [[nodiscard]] bool lacksMemory() const;
    /// Checks, times and verifies the solution on the opened workload. Once. `liveLog`: gets what the host prints meanwhile; may be null.
    EvaluationResult run(const StageCallback& onStage, const std::shared_ptr<LiveLog>& liveLog = nullptr);

private:
    std::unique_ptr<EvaluationRun> m_run;
};

}  // namespace tracedeck::judge
