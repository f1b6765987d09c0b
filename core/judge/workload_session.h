// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/judge/device.h"
#include "core/judge/evaluator.h"
#include "core/judge/host_launcher.h"
#include "core/judge/inputs.h"
#include "core/judge/reference_runner.h"
#include "core/model/definition.h"
#include "core/model/trace.h"
#include "core/run/eval_config.h"

namespace tracedeck::judge {

using StageCallback = std::function<void(const char* stage)>;

/// What is opened: one workload of one definition.
struct WorkloadRequest {
    std::filesystem::path root;
    Definition definition;
    Workload workload;
    EvalConfig config;
    bool profileBaseline = true;
    double timeoutSeconds = 300;
    std::filesystem::path problemFolder = {};   ///< of a SOL-ExecBench problem: its files are looked for here, too
};

/// Why a workload can't be judged.
struct OpenFailure {
    std::string message;
    std::string log;          ///< what the reference printed
    bool isAbandoned = false; ///< the program is gone
    bool lacksMemory = false; ///< perhaps only because others hold it
    std::optional<Status> referenceStatus = std::nullopt;   ///< what a trace of the reference would say; not set: it was not the reference
    bool referenceLoaded = false;                           ///< it failed only when it was called
};

/// One workload with its inputs, its reference and the expected outputs, ready for any number of solutions.
class WorkloadSession {
public:
    /// Resolves shapes and reads files, so that solutions can be loaded; open() does the rest. `seed`: contents of this
    /// workload, see `contentSeed()`.
    static std::variant<std::unique_ptr<WorkloadSession>, OpenFailure> plan(Device& device, HostLauncher& launcher, WorkloadRequest request,
                                                                            std::uint64_t seed);
    /// Makes the expected outputs and times the reference. std::nullopt when all is well.
    std::optional<OpenFailure> open(HostLauncher& launcher, const StageCallback& onStage);
    [[nodiscard]] bool isOpen() const { return !m_expected.empty(); }

    [[nodiscard]] const Definition& definition() const { return m_request.definition; }
    [[nodiscard]] const Workload& workload() const { return m_request.workload; }
    [[nodiscard]] const EvalConfig& config() const { return m_request.config; }
    [[nodiscard]] const InputPlan& plan() const { return m_plan; }
    [[nodiscard]] ReferenceRunner& reference() { return m_reference; }
    /// Who judges the outputs, and what for.
    [[nodiscard]] EvaluatorKind evaluator() const { return m_evaluator; }
    [[nodiscard]] const EvaluatorNeeds& needs() const { return m_needs; }
    /// Expected outputs of one correctness call; its inputs have the contents (contentSeed(), round). Computed anew where there was no room
    /// to keep them all; valid until the next call.
    HostResult<const ExpectedOutputs*> expected(std::size_t round, Deadline deadline);
    /// Inputs of any call, in this process's memory; overwrites the reference's buffers.
    Result<std::vector<HostTensor>> readInputs(const std::vector<std::string>& names, std::uint64_t seed, std::uint32_t call);
    /// Remarks on the workload itself, for every evaluation's record.
    [[nodiscard]] const std::vector<Verdict>& notes() const { return m_notes; }
    /// Layouts of the outputs as the definition declares them. Error InvalidInput or Unsupported where an output can't be a buffer of its own.
    [[nodiscard]] Result<std::vector<TensorLayout>> declaredLayouts() const;
    /// Layouts of the expected outputs.
    [[nodiscard]] std::vector<TensorLayout> outputLayouts() const;
    [[nodiscard]] double referenceLatencyMs() const { return m_referenceTime.latencyMs; }
    /// Everything about the reference's time; count 0 when it was not asked for.
    [[nodiscard]] const TimeSummary& referenceTime() const { return m_referenceTime; }
    /// The seed that was asked for, as it is recorded.
    [[nodiscard]] std::uint64_t seed() const { return m_seed; }
    /// The seed mixed with the workload's uuid.
    [[nodiscard]] std::uint64_t contentSeed() const { return m_contentSeed; }

private:
    WorkloadSession(Device& device, HostLauncher& launcher, WorkloadRequest request, InputPlan plan, std::uint64_t seed);
    /// Lets the definition's input function say what its inputs are, and makes those of the rounds.
    std::optional<OpenFailure> makeGeneratedInputs(Deadline deadline);
    void noteTolerance();
    void noteTrivialTolerance();

    Device& m_device;
    WorkloadRequest m_request;
    EvaluatorKind m_evaluator = EvaluatorKind::Default;
    EvaluatorNeeds m_needs;
    std::vector<Verdict> m_notes;
    InputPlan m_plan;
    ReferenceRunner m_reference;
    std::vector<ExpectedOutputs> m_expected;   ///< of the first rounds
    ExpectedOutputs m_spare;                   ///< of one that was not kept
    TimeSummary m_referenceTime;
    std::uint64_t m_seed;
    std::uint64_t m_contentSeed;
    bool m_isCuda;
};

}  // namespace tracedeck::judge
