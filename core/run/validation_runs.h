// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/report/code_checks.h"
#include "core/run/python_environment.h"
#include "core/run/run_event.h"
#include "core/run/run_request.h"
#include "core/run/runner.h"

namespace tracedeck {

/// Does a validation's checks that run code by one run of the Runner: baseline solutions, and each reference packed as the solution
/// `<definition>__reference` of `__reference__` (data model §4, X4). Nothing is saved. A code's faults are told from what this machine lacks.
class ValidationRuns : public CodeChecks {
public:
    /// Who shows the run to a person; called on the thread that validates. Members may be empty.
    struct Listener {
        std::function<void()> onBegin;   ///< before anything is started
        std::function<void(const RunPlan&)> onStart;
        std::function<void(const RunEvent&)> onEvent;
        std::function<void()> onTick;   ///< some ten times a second: the time to look for a wish to stop
        std::function<void()> onEnd;
    };
    /// `devices` as RunRequest::devices; empty: every CUDA device, and without one nothing is run. Error: as chooseDevices.
    static Result<std::unique_ptr<ValidationRuns>> create(const std::vector<std::string>& devices, PythonChoice python, Listener listener);

    [[nodiscard]] std::optional<std::string> obstacle() const override;
    [[nodiscard]] Result<CodeResults> run(const std::filesystem::path& root, const std::vector<CodeSubject>& subjects,
                                          const std::stop_token& stop) override;

private:
    ValidationRuns() = default;
    /// Follows the run to its end and calls back with each event.
    void follow(Runner& runner, class EventQueue& queue, const std::function<void(const RunEvent&)>& onEvent, const std::stop_token& stop) const;

    std::vector<std::string> m_devices;
    std::string m_whyNoGpu;   ///< only when there is no device
    PythonChoice m_python;
    Listener m_listener;
};

}  // namespace tracedeck
