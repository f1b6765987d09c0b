// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/model/definition.h"
#include "core/model/result.h"
#include "core/model/solution.h"
#include "core/model/trace.h"

namespace tracedeck {

/// What the checks that run code want to know about one definition. What is pointed to outlives the checks.
struct CodeSubject {
    std::string name;                        ///< of the report's entry
    const Definition* definition = nullptr;
    std::vector<const Trace*> workloads;     ///< in file order
    std::vector<const Solution*> baselines;
    bool buildReference = false;
    bool buildBaselines = false;
    bool benchmark = false;                  ///< each baseline and the reference on each workload
};

/// What was found about one definition. What is not set or not listed could not be found out: `CodeResults::notRun` says why.
struct CodeFindings {
    struct Build {
        std::string failure;   ///< empty: it worked
    };
    struct Failure {
        std::string solution;       ///< name of the baseline solution; of no use for the reference
        std::string workloadUuid;
        std::string status;         ///< for example `INCORRECT_NUMERICAL`
    };
    std::optional<Build> reference;
    std::map<const Solution*, Build> builds;
    std::size_t baselineRuns = 0;   ///< evaluations of baselines that ended, well or not
    std::vector<Failure> baselineFailures;
    std::size_t referenceRuns = 0;
    std::vector<Failure> referenceFailures;
    std::vector<std::string> runErrors;   ///< why an evaluation was not even tried though it should be possible
};

struct CodeResults {
    std::map<std::string, CodeFindings> findings;   ///< by CodeSubject::name
    std::vector<std::string> notRun;                ///< what this machine or device could not do, and why
};

/// Runs code of a dataset for a validation. An interface, as what runs lies above the reports.
class CodeChecks {
public:
    virtual ~CodeChecks() = default;
    /// Why nothing can be run here; std::nullopt when something can.
    [[nodiscard]] virtual std::optional<std::string> obstacle() const = 0;
    /// All subjects in one go: starting what runs them takes seconds. `root`: where their blobs are. Error: Cancelled.
    [[nodiscard]] virtual Result<CodeResults> run(const std::filesystem::path& root, const std::vector<CodeSubject>& subjects,
                                                  const std::stop_token& stop) = 0;
};

}  // namespace tracedeck
