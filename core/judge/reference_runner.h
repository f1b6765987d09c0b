// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/judge/device.h"
#include "core/judge/host_launcher.h"
#include "core/judge/inputs.h"
#include "core/judge/timing.h"
#include "core/model/definition.h"

namespace tracedeck::judge {

/// What the reference returned for one output: the truth, whatever the definition declares (benchmark §2.3).
struct ExpectedOutput {
    TensorLayout layout;                       ///< dtypeName as returned; dtype is how the contents are kept
    std::unique_ptr<PrivateBuffer> contents;   ///< in the judge's own memory, never shared
};
using ExpectedOutputs = std::vector<ExpectedOutput>;
[[nodiscard]] std::vector<TensorLayout> layoutsOf(const ExpectedOutputs& outputs);

/// Runs a definition's reference in a host of its own, on input buffers of its own.
class ReferenceRunner : public InputGenerator {
public:
    ReferenceRunner(Device& device, HostLauncher& launcher, const Definition& definition, const InputPlan& plan);
    /// On a GPU a host that works stays for the definition's next workload: making a context costs more than a workload.
    ~ReferenceRunner() override;
    ReferenceRunner(const ReferenceRunner&) = delete;
    ReferenceRunner& operator=(const ReferenceRunner&) = delete;

    /// Starts a host and lets it load the reference and try it, unless one was kept; compute() waits for it. What goes wrong shows there.
    void begin(Deadline deadline);
    /// What the outputs are most likely to be, so that calls can be made together before one has shown it. Used on a GPU.
    void guessOutputs(std::vector<TensorLayout> layouts) { m_guess = std::move(layouts); }
    /// Outputs for the contents of one call. Starts the host when there is none. Failures come with `log()`.
    HostResult<ExpectedOutputs> compute(std::uint64_t seed, std::uint32_t call, Deadline deadline);
    /// The same for several calls, together where there are slots for them.
    HostResult<std::vector<ExpectedOutputs>> computeAll(std::uint64_t seed, std::span<const std::uint32_t> calls, Deadline deadline);
    /// Times the reference by the same procedure as a solution. `outputs`: layouts to copy the results to.
    HostResult<Series> time(const std::vector<TensorLayout>& outputs, const EvalConfig& config, std::uint64_t seed, Deadline deadline);
    /// Writes the contents of one call into the reference's input buffers, to compare others with.
    Result<void> fill(std::uint64_t seed, std::uint32_t call);
    [[nodiscard]] const BufferSet& inputs() const { return *m_inputs; }

    /// How the definition's own input function is called (SOL-ExecBench dialect §4.2).
    struct Generation {
        std::string entry;
        Json values = Json::object();     ///< axes, and scalars of the workload
        double seconds = 300;             ///< that one call may take
    };
    void setGeneration(Generation generation) { m_generation = std::move(generation); }
    /// Calls the input function once: what it makes of the generated inputs, in their order.
    HostResult<std::vector<GeneratedInput>> describeGenerated(std::uint64_t seed, Deadline deadline);
    /// Once the plan knows what they are: makes the inputs of the first `rounds` calls of `seed` and keeps them, as far as there is room
    /// for them, so that every use of these finds the same ones.
    std::optional<HostFailure> keepGenerated(std::uint64_t seed, int rounds, Deadline deadline);
    /// Whether the function makes the same of the same seed. If not, all calls take from those that are kept.
    [[nodiscard]] bool generatesAlike() const { return m_generatesAlike; }
    Result<void> generate(const BufferSet& buffers, std::uint64_t seed, std::uint32_t call, std::size_t slot) override;

    /// What the present or last host printed.
    [[nodiscard]] std::string log();
    /// Whether a host had loaded it, so that a failure came from a call.
    [[nodiscard]] bool hasLoaded() const { return m_hasLoaded; }
    /// Ends the host.
    void end();

private:
    std::optional<HostFailure> ensureHost(Deadline deadline);
    /// Buffers for the inputs, once.
    Result<void> ensureInputs();
    /// Waits until the host has been started and has loaded.
    std::optional<HostFailure> awaitStart(Deadline deadline);
    std::optional<HostFailure> startLoading(Deadline deadline, bool rehearses = false);
    /// A host that served this definition's last workload; false when there is none that works.
    bool takeKeptHost(Deadline deadline);
    /// Reads the host's `ready`.
    std::optional<HostFailure> awaitReady(Deadline deadline);
    /// Calls once and takes what comes, whatever its layout: each output travels in a block of its own.
    HostResult<ExpectedOutputs> computeAnyLayout(Deadline deadline);
    /// Calls with the outputs of earlier calls as the place for the results, which costs no allocation; one call in each of the first
    /// `calls.size()` slots. Nothing when some result does not fit.
    HostResult<std::optional<std::vector<ExpectedOutputs>>> computeInSlots(std::uint64_t seed, std::span<const std::uint32_t> calls, Deadline deadline);
    /// The same in buffers of the guessed layouts. Nothing when there is no guess or it was wrong.
    HostResult<std::optional<std::vector<ExpectedOutputs>>> computeByGuess(std::uint64_t seed, std::span<const std::uint32_t> calls, Deadline deadline);
    /// Private copies of the output buffers of one slot.
    HostResult<ExpectedOutputs> copyOutputs(std::size_t slot);
    HostResult<ExpectedOutputs> takeResult(ClaimedResult claim);
    /// As many slots as the inputs have, where there is memory for them.
    Result<BufferSet> allocateOutputs(const std::vector<TensorLayout>& layouts) const;
    /// Output buffers of these layouts, made known to the host.
    std::optional<HostFailure> bindOutputs(const std::vector<TensorLayout>& layouts, Deadline deadline);
    /// What a host needs to know of the inputs: nothing yet while it is not known what these are.
    [[nodiscard]] LoadParts inputParts() const;
    /// Calls the input function with a seed. `slot`: of the reference's own buffers, to write there; std::nullopt: only to see what comes.
    HostResult<std::vector<GeneratedInput>> askForInputs(std::uint64_t seed, std::optional<std::size_t> slot, Deadline deadline);
    /// Private copies of the generated inputs in slot 0.
    Result<std::vector<std::unique_ptr<PrivateBuffer>>> copyGenerated();
    /// Indexes of the generated tensors among the buffers.
    [[nodiscard]] std::vector<std::size_t> generatedBuffers() const;
    /// Keeps the log of a host that failed, and ends it: the next use starts a new one.
    HostFailure give(HostFailure failure);

    Device& m_device;
    HostLauncher& m_launcher;
    const Definition& m_definition;
    const InputPlan& m_plan;
    std::optional<BufferSet> m_inputs;
    std::optional<BufferSet> m_outputs;
    std::vector<TensorLayout> m_guess;   ///< empty: none, or it was wrong
    std::unique_ptr<HostProcess> m_host;
    bool m_knowsOutputs = false;   ///< m_host has been told of m_outputs; ends with it
    bool m_isLoading = false;   ///< its `ready` has not been read
    bool m_canBatch = false;    ///< it evicts caches when asked
    bool m_hasLoaded = false;
    std::string m_lastLog;
    Generation m_generation;
    std::uint64_t m_poolSeed = 0;
    std::vector<std::vector<std::unique_ptr<PrivateBuffer>>> m_pool;   ///< generated inputs of the first calls of m_poolSeed
    bool m_generatesAlike = true;
    bool m_isInRun = false;     ///< the host makes calls and can't make inputs
};

}  // namespace tracedeck::judge
