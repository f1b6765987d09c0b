// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/reference_runner.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tracedeck::judge {

namespace {

constexpr const char* kHostName = "reference";

std::optional<HostFailure> failureOf(HostResult<Frame>&& answer)
{
    if (auto* failure = std::get_if<HostFailure>(&answer)) {
        return std::move(*failure);
    }
    return std::nullopt;
}

HostFailure internal(const Error& error)
{
    return {HostFailure::Kind::Internal, error.reason};
}

/// With one slot where there is no memory for as many as are wanted.
Result<BufferSet> allocateUpTo(Device& device, const std::vector<TensorLayout>& layouts, std::size_t slots)
{
    auto buffers = BufferSet::allocate(device, layouts, slots);
    return buffers || slots == 1 ? std::move(buffers) : BufferSet::allocate(device, layouts);
}

}  // namespace

std::vector<TensorLayout> layoutsOf(const ExpectedOutputs& outputs)
{
    std::vector<TensorLayout> layouts;
    for (const ExpectedOutput& output : outputs) {
        layouts.push_back(output.layout);
    }
    return layouts;
}

ReferenceRunner::ReferenceRunner(Device& device, HostLauncher& launcher, const Definition& definition, const InputPlan& plan)
    : m_device(device), m_launcher(launcher), m_definition(definition), m_plan(plan)
{
}

ReferenceRunner::~ReferenceRunner()
{
    constexpr double kEmptySeconds = 5;
    if (!m_host || m_isLoading || !m_device.isCuda() || m_host->check()) {
        return;
    }
    m_launcher.keep(m_definition.name, kHostName, std::move(m_host), deadlineAfter(kEmptySeconds));
}

bool ReferenceRunner::takeKeptHost(Deadline deadline)
{
    m_host = m_launcher.takeKept(m_definition.name, kHostName, deadline);
    if (!m_host) {
        return false;
    }
    static_cast<void>(m_host->takeLog());   // what it said about another workload
    LoadParts parts = inputParts();
    const Json message = {{"op", "bind"}, {"inputs", parts.inputs}, {"outputs", Json::array()}};
    if (!m_host->send(message, deadline, parts.descriptors) && !awaitReady(deadline)) {
        return true;
    }
    end();
    return false;
}

std::string ReferenceRunner::log()
{
    return m_host ? m_host->log() : m_lastLog;
}

void ReferenceRunner::end()
{
    if (m_host) {
        m_host->end();
        m_lastLog = m_host->log();
        m_host.reset();
        m_isLoading = false;
    }
    m_knowsOutputs = false;
    m_canBatch = false;
}

HostFailure ReferenceRunner::give(HostFailure failure)
{
    end();
    return failure;
}

Result<void> ReferenceRunner::ensureInputs()
{
    if (m_inputs) {
        return {};
    }
    const std::vector<TensorLayout> layouts = tensorInputs(m_plan);
    auto buffers = allocateUpTo(m_device, layouts, m_device.slotsFor(bytesOf(layouts)));
    if (!buffers) {
        return buffers.error();
    }
    m_inputs = std::move(*buffers);
    return {};
}

Result<void> ReferenceRunner::fill(std::uint64_t seed, std::uint32_t call)
{
    auto allocated = ensureInputs();
    return allocated ? fillInputs(m_device, m_plan, *m_inputs, seed, call) : allocated;
}

void ReferenceRunner::begin(Deadline deadline)
{
    // A definition's next workload takes the host of the present one, which is busy or kept.
    if (m_host || !m_plan.isResolved() || !fill(0, 0)) {
        return;
    }
    m_device.synchronise();
    if (startLoading(deadline, true)) {
        end();
    }
}

std::optional<HostFailure> ReferenceRunner::ensureHost(Deadline deadline)
{
    if (m_isLoading) {
        auto failure = awaitStart(deadline);
        if (!failure) {
            return std::nullopt;
        }
        if (failure->kind == HostFailure::Kind::TimedOut || failure->kind == HostFailure::Kind::Abandoned) {
            return give(std::move(*failure));
        }
        // It was begun beside others, which may be why it failed: once more, alone.
        end();
    } else if (m_host && !m_host->check()) {
        return std::nullopt;
    } else {
        end();
        if (takeKeptHost(deadline)) {
            return std::nullopt;
        }
    }
    if (auto failure = startLoading(deadline)) {
        return failure;
    }
    if (auto failure = awaitStart(deadline)) {
        return give(std::move(*failure));
    }
    return std::nullopt;
}

std::optional<HostFailure> ReferenceRunner::awaitStart(Deadline deadline)
{
    m_isLoading = false;
    if (auto failure = m_host->adopt(deadline)) {
        return failure;
    }
    return awaitReady(deadline);
}

std::optional<HostFailure> ReferenceRunner::awaitReady(Deadline deadline)
{
    auto answer = m_host->expect("ready", deadline);
    if (const auto* ready = std::get_if<Frame>(&answer)) {
        m_canBatch = evictsCaches(ready->body);
        m_hasLoaded = true;
    }
    return failureOf(std::move(answer));
}

std::optional<HostFailure> ReferenceRunner::startLoading(Deadline deadline, bool rehearses)
{
    auto launched = m_launcher.launch({HostKind::Python, HostRole::Reference}, deadline);
    if (auto* failure = std::get_if<HostFailure>(&launched)) {
        return std::move(*failure);
    }
    m_host = std::move(std::get<std::unique_ptr<HostProcess>>(launched));
    LoadParts parts = inputParts();
    for (const TensorSpec& output : m_definition.outputs) {
        parts.outputs.push_back({{"name", output.name}, {"declared", std::string(toString(output.dtype))}, {"fd", nullptr}});
    }
    const Json load = {{"op", "load"},
                       {"v", kProtocolVersion},
                       {"role", "reference"},
                       {"style", "vr"},
                       {"scratch", m_host->scratch().string()},
                       {"package", "tracedeck_reference"},
                       {"entry", "main.py::run"},
                       {"sources", Json::array({{{"path", "main.py"}, {"content", m_definition.reference}}})},
                       {"interpret_triton", false},
                       {"rehearse", rehearses},
                       {"gpu", m_launcher.gpuMessage()},
                       {"named_results", m_definition.dialect == Dialect::SolExecBench},
                       {"inputs", parts.inputs},
                       {"outputs", parts.outputs}};
    if (auto failure = m_host->send(load, deadline, parts.descriptors)) {
        return give(std::move(*failure));
    }
    m_isLoading = true;
    return std::nullopt;
}

HostResult<ExpectedOutputs> ReferenceRunner::takeResult(ClaimedResult claim)
{
    if (claim.outputs.size() != m_definition.outputs.size() || claim.blocks.size() != claim.outputs.size()) {
        return HostFailure{HostFailure::Kind::Protocol, "the reference host sent a result that does not fit the definition"};
    }
    ExpectedOutputs outputs;
    for (std::size_t i = 0; i < claim.outputs.size(); ++i) {
        const ClaimedTensor& tensor = claim.outputs[i];
        ExpectedOutput output;
        // A dtype that the format does not name travels as float32.
        const DType dtype = dtypeFromString(tensor.dtype).value_or(DType::Float32);
        output.layout = {m_definition.outputs[i].name, tensor.dtype, dtype, tensor.shape, tensor.elements};
        auto contents = m_device.snapshotOfDescriptor(claim.blocks[i].get(), output.layout.bytes());
        if (!contents) {
            return contents.error().code == ErrorCode::InvalidInput ? HostFailure{HostFailure::Kind::Protocol, contents.error().reason}
                                                                    : internal(contents.error());
        }
        output.contents = std::move(*contents);
        outputs.push_back(std::move(output));
    }
    return outputs;
}

Result<BufferSet> ReferenceRunner::allocateOutputs(const std::vector<TensorLayout>& layouts) const
{
    return allocateUpTo(m_device, layouts, std::min(m_inputs->slotCount(), m_device.slotsFor(bytesOf(layouts))));
}

std::optional<HostFailure> ReferenceRunner::bindOutputs(const std::vector<TensorLayout>& layouts, Deadline deadline)
{
    if (!m_outputs || m_outputs->layouts() != layouts) {
        auto buffers = allocateOutputs(layouts);
        if (!buffers) {
            return internal(buffers.error());
        }
        m_outputs = std::move(*buffers);
        m_knowsOutputs = false;
    }
    if (m_knowsOutputs) {
        return std::nullopt;
    }
    LoadParts parts;
    describeOutputs(parts, *m_outputs, m_definition);
    if (auto failure = m_host->send({{"op", "outputs"}, {"outputs", parts.outputs}}, deadline, parts.descriptors)) {
        return give(std::move(*failure));
    }
    if (auto failure = failureOf(m_host->expect("ready", deadline))) {
        return give(std::move(*failure));
    }
    m_knowsOutputs = true;
    return std::nullopt;
}

HostResult<ExpectedOutputs> ReferenceRunner::compute(std::uint64_t seed, std::uint32_t call, Deadline deadline)
{
    if (auto allocated = ensureInputs(); !allocated) {
        return internal(allocated.error());
    }
    if (m_outputs) {
        auto known = computeInSlots(seed, std::span(&call, 1), deadline);
        if (auto* failure = std::get_if<HostFailure>(&known)) {
            return std::move(*failure);
        }
        if (auto& outputs = std::get<std::optional<std::vector<ExpectedOutputs>>>(known)) {
            return std::move(outputs->front());
        }
    }
    if (auto failure = ensureHost(deadline)) {
        return std::move(*failure);
    }
    // Not before the host is there: one that was begun ahead may have been trying the reference on these buffers.
    if (auto filled = fill(seed, call); !filled) {
        return internal(filled.error());
    }
    auto outputs = computeAnyLayout(deadline);
    if (auto* made = std::get_if<ExpectedOutputs>(&outputs)) {
        if (auto failure = bindOutputs(layoutsOf(*made), deadline)) {
            return std::move(*failure);
        }
    }
    return outputs;
}

HostResult<ExpectedOutputs> ReferenceRunner::computeAnyLayout(Deadline deadline)
{
    CallLoop loop(*m_host, m_launcher.processors().yields, m_device.isCuda());
    if (auto failure = loop.begin(1, true, deadline)) {
        return give(std::move(*failure));
    }
    auto outcome = loop.call(deadline, [this] { m_device.synchronise(); });
    if (auto* failure = std::get_if<HostFailure>(&outcome)) {
        return give(std::move(*failure));
    }
    auto answer = m_host->expect("result", deadline);
    if (auto* failure = std::get_if<HostFailure>(&answer)) {
        return give(std::move(*failure));
    }
    auto claim = readClaim(std::move(std::get<Frame>(answer)));
    if (!claim) {
        return give({HostFailure::Kind::Protocol, claim.error().reason});
    }
    auto result = takeResult(std::move(*claim));
    if (auto* failure = std::get_if<HostFailure>(&result)) {
        return give(std::move(*failure));
    }
    auto finished = loop.finish(deadline);
    if (auto* failure = std::get_if<HostFailure>(&finished)) {
        return give(std::move(*failure));
    }
    return result;
}

HostResult<ExpectedOutputs> ReferenceRunner::copyOutputs(std::size_t slot)
{
    ExpectedOutputs outputs;
    for (std::size_t i = 0; i < m_outputs->size(); ++i) {
        const TensorLayout& layout = m_outputs->layouts()[i];
        auto contents = m_device.snapshot(m_outputs->buffer(i, slot), layout.bytes());
        if (!contents) {
            return internal(contents.error());
        }
        outputs.push_back({layout, std::move(*contents)});
    }
    return outputs;
}

HostResult<std::optional<std::vector<ExpectedOutputs>>> ReferenceRunner::computeByGuess(std::uint64_t seed, std::span<const std::uint32_t> calls,
                                                                                       Deadline deadline)
{
    std::optional<std::vector<ExpectedOutputs>> nothing;
    if (m_outputs || m_guess.empty() || !m_device.isCuda()) {
        return nothing;
    }
    const std::vector<TensorLayout> guess = std::exchange(m_guess, {});
    if (auto allocated = ensureInputs(); !allocated) {
        return internal(allocated.error());
    }
    if (auto failure = ensureHost(deadline)) {
        return std::move(*failure);
    }
    auto buffers = allocateOutputs(guess);
    if (!buffers || calls.size() > std::min(m_inputs->slotCount(), buffers->slotCount())) {
        return nothing;
    }
    m_outputs = std::move(*buffers);
    m_knowsOutputs = false;
    auto together = computeInSlots(seed, calls, deadline);
    const auto* made = std::get_if<std::optional<std::vector<ExpectedOutputs>>>(&together);
    if (made != nullptr && !*made) {
        m_outputs.reset();   // the reference returns something else than what is declared
    }
    return together;
}

HostResult<std::vector<ExpectedOutputs>> ReferenceRunner::computeAll(std::uint64_t seed, std::span<const std::uint32_t> calls, Deadline deadline)
{
    auto guessed = computeByGuess(seed, calls, deadline);
    if (auto* failure = std::get_if<HostFailure>(&guessed)) {
        return std::move(*failure);
    }
    if (auto& outputs = std::get<std::optional<std::vector<ExpectedOutputs>>>(guessed)) {
        return std::move(*outputs);
    }
    if (m_canBatch && m_inputs && m_outputs && calls.size() > 1 && calls.size() <= std::min(m_inputs->slotCount(), m_outputs->slotCount())) {
        auto together = computeInSlots(seed, calls, deadline);
        if (auto* failure = std::get_if<HostFailure>(&together)) {
            return std::move(*failure);
        }
        if (auto& outputs = std::get<std::optional<std::vector<ExpectedOutputs>>>(together)) {
            return std::move(*outputs);
        }
    }
    std::vector<ExpectedOutputs> all;
    for (const std::uint32_t call : calls) {
        auto outputs = compute(seed, call, deadline);
        if (auto* failure = std::get_if<HostFailure>(&outputs)) {
            return std::move(*failure);
        }
        all.push_back(std::move(std::get<ExpectedOutputs>(outputs)));
    }
    return all;
}

HostResult<std::optional<std::vector<ExpectedOutputs>>> ReferenceRunner::computeInSlots(std::uint64_t seed, std::span<const std::uint32_t> calls,
                                                                                       Deadline deadline)
{
    if (auto failure = ensureHost(deadline)) {
        return std::move(*failure);
    }
    const bool isBatched = calls.size() > 1;
    if (isBatched && !m_canBatch) {
        return std::optional<std::vector<ExpectedOutputs>>();   // another host than before
    }
    if (auto failure = bindOutputs(m_outputs->layouts(), deadline)) {
        return std::move(*failure);
    }
    for (std::size_t slot = 0; slot < calls.size(); ++slot) {
        if (auto filled = fillInputs(m_device, m_plan, *m_inputs, seed, calls[slot], slot); !filled) {
            return internal(filled.error());
        }
    }
    m_device.synchronise();
    CallLoop loop(*m_host, m_launcher.processors().yields, m_device.isCuda());
    if (auto failure = loop.begin(static_cast<int>(calls.size()), false, deadline)) {
        return give(std::move(*failure));
    }
    bool fits = true;
    for (std::size_t slot = 0; slot < calls.size(); ++slot) {
        auto outcome = loop.call(deadline, {}, {CallMode::Live, isBatched, static_cast<std::uint32_t>(slot)});
        if (auto* failure = std::get_if<HostFailure>(&outcome)) {
            return give(std::move(*failure));
        }
        fits = fits && !std::get<CallOutcome>(outcome).mismatch;
    }
    auto finished = loop.finish(deadline);
    if (auto* failure = std::get_if<HostFailure>(&finished)) {
        return give(std::move(*failure));
    }
    if (!fits) {
        return std::optional<std::vector<ExpectedOutputs>>();
    }
    std::vector<ExpectedOutputs> all;
    for (std::size_t slot = 0; slot < calls.size(); ++slot) {
        auto outputs = copyOutputs(slot);
        if (auto* failure = std::get_if<HostFailure>(&outputs)) {
            return std::move(*failure);
        }
        all.push_back(std::move(std::get<ExpectedOutputs>(outputs)));
    }
    return std::optional(std::move(all));
}

HostResult<Series> ReferenceRunner::time(const std::vector<TensorLayout>& outputs, const EvalConfig& config, std::uint64_t seed,
                                             Deadline deadline)
{
    if (auto failure = ensureHost(deadline)) {
        return std::move(*failure);
    }
    if (auto failure = bindOutputs(outputs, deadline)) {
        return std::move(*failure);
    }
    CallLoop loop(*m_host, m_launcher.processors().yields, m_device.isCuda());
    const CallSetup setup{m_device, m_plan, *m_inputs, *m_outputs, m_canBatch, false, false, {}};
    if (auto failure = loop.begin(timedCallCount(config, m_device.isCuda(), setup.slotCount(), setup.hasAudits), false, deadline)) {
        return give(std::move(*failure));
    }
    m_isInRun = true;
    auto times = timeCalls(setup, loop, config, seed, deadline, {});
    m_isInRun = false;
    if (auto* failure = std::get_if<HostFailure>(&times)) {
        return give(std::move(*failure));
    }
    auto finished = loop.finish(deadline);
    if (auto* failure = std::get_if<HostFailure>(&finished)) {
        return give(std::move(*failure));
    }
    attachClaims(std::get<Series>(times), std::get<std::vector<ClaimedTimes>>(finished));
    return times;
}

}  // namespace tracedeck::judge
