// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "core/model/json.h"
#include "core/model/result.h"
#include "core/run/judge_process.h"
#include "core/run/run_request.h"
#include "core/run/run_tools.h"

namespace tracedeck {

/// What is looked at: one solution on one workload, on the first device of the request.
struct DiagnosisTarget {
    RunRequest request;          ///< dataset, device, interpreter, settings; selection, resume and saving mean nothing here
    std::string definition;
    std::string solution;        ///< may be empty where only the workload is looked at
    std::string workload;        ///< uuid
};

/// What a long look is busy with, for a line of progress; called on the thread that looks.
using DiagnosisProgress = std::function<void(const std::string& what)>;

/// A judge that has one workload of a dataset open. Nothing that it says goes into the dataset. For one thread.
class JudgeSession {
public:
    /// Checks the target, starts a judge and opens the workload. Error: Usage or NotFound when the target makes no sense, anything else when
    /// this machine can't do it or the reference fails.
    static Result<std::unique_ptr<JudgeSession>> open(DiagnosisTarget target, const DiagnosisProgress& onProgress, std::stop_token stop);
    ~JudgeSession();

    [[nodiscard]] const DiagnosisTarget& target() const { return m_target; }
    [[nodiscard]] const Definition& definition() const { return *m_definition; }
    [[nodiscard]] const std::string& device() const { return m_target.request.devices.front(); }
    [[nodiscard]] const RunTools& tools() const { return m_tools; }
    [[nodiscard]] const std::string& hardware() const { return m_judge->hardware(); }
    /// Compute capability of the device, empty on the cpu.
    [[nodiscard]] const std::string& computeCapability() const { return m_computeCapability; }

    /// A solution of the definition. Error NotFound, Unsupported when it can't run on the device.
    [[nodiscard]] Result<const Solution*> solution(const std::string& name) const;
    struct Built {
        Json artifact;         ///< null where nothing is compiled
        std::string log;
    };
    /// Compiles it if need be. `keepsLines`: see BuildOptions. Error with the compiler's words.
    Result<Built> build(const Solution& solution, bool keepsLines = false);
    /// One evaluation; `more` has further members of the message. The judge's `evaluated`.
    Result<Json> evaluate(const Solution& solution, const Built& built, const Json& more);
    /// Any other message about the opened workload, and its answer, which has to be of the kind `expected`.
    Result<Json> ask(Json message, const std::string& expected);

private:
    JudgeSession() = default;
    DiagnosisTarget m_target;
    const Definition* m_definition = nullptr;
    RunTools m_tools;
    std::string m_computeCapability;
    std::unique_ptr<JudgeProcess> m_judge;
    DiagnosisProgress m_onProgress;
    std::stop_token m_stop;
};

/// The workload of a target. Error NotFound or Usage naming what is not there.
[[nodiscard]] Result<const Trace*> findWorkload(const DiagnosisTarget& target);

}  // namespace tracedeck
