// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/workload_session.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "core/io/safetensors.h"
#include "core/judge/philox.h"
#include "core/judge/system_random.h"

namespace tracedeck::judge {

namespace {

/// Memory for expected outputs that are kept for all solutions.
constexpr std::uint64_t kExpectedBytes = std::uint64_t{4} << 30;

OpenFailure describe(const HostFailure& failure, ReferenceRunner& reference)
{
    using Kind = HostFailure::Kind;
    OpenFailure described{{}, reference.log(), failure.kind == Kind::Abandoned};
    described.referenceLoaded = failure.kind == Kind::Call || reference.hasLoaded();
    described.lacksMemory = failure.kind == Kind::Internal || tellsOfLackingMemory(failure.message);
    switch (failure.kind) {
    case Kind::TimedOut:
        described.message = "the reference did not finish within the time limit";
        described.referenceStatus = Status::Timeout;
        break;
    case Kind::Limit:
    case Kind::Died:
        described.message = "the reference failed: " + failure.message;
        described.referenceStatus = described.referenceLoaded ? Status::RuntimeError : Status::CompileError;
        break;
    case Kind::Load:
        described.message = "the reference can't be loaded";
        described.referenceStatus = Status::CompileError;
        described.log += failure.message;
        break;
    case Kind::Call:
        described.message = "the reference raised an exception";
        described.referenceStatus = Status::RuntimeError;
        described.log += failure.message;
        break;
    case Kind::Protocol:
    case Kind::Abandoned:
    case Kind::Internal: described.message = failure.message; break;
    }
    return described;
}

}  // namespace

WorkloadSession::WorkloadSession(Device& device, HostLauncher& launcher, WorkloadRequest request, InputPlan plan, std::uint64_t seed)
    : m_device(device), m_request(std::move(request)), m_plan(std::move(plan)), m_reference(device, launcher, m_request.definition, m_plan), m_seed(seed),
      m_contentSeed(mixSeed(seed, m_request.workload.uuid)), m_isCuda(device.isCuda())
{
    m_plan.setGenerator(&m_reference);
}

std::variant<std::unique_ptr<WorkloadSession>, OpenFailure> WorkloadSession::plan(Device& device, HostLauncher& launcher, WorkloadRequest request,
                                                                                  std::uint64_t seed)
{
    const auto refuse = [](const Error& error) {
        return OpenFailure{.message = error.field.starts_with("extra.") ? fmt::format("the config's {} {}", error.field, error.reason) : error.reason, .log = {}};
    };
    const auto evaluator = chooseEvaluator(request.definition, request.config);
    if (!evaluator) {
        return refuse(evaluator.error());
    }
    const auto needs = needsOf(*evaluator, request.config);
    const auto names = usesNameHeuristics(request.definition, request.config);
    if (!needs || !names) {
        return refuse(needs ? names.error() : needs.error());
    }
    InputOptions options;
    options.usesNames = *names;
    options.validIndexes = request.config.validIndexInputs;
    if (request.definition.dialect == Dialect::SolExecBench) {
        options.blobRoots = blobRoots(request.problemFolder.empty() ? request.root : request.problemFolder, request.root);
    }
    auto plan = InputPlan::make(request.definition, request.workload, request.root, mixSeed(seed, request.workload.uuid), options);
    if (!plan) {
        return refuse(plan.error());
    }
    request.config.numTrials = needs->trials;
    std::unique_ptr<WorkloadSession> session(new WorkloadSession(device, launcher, std::move(request), std::move(*plan), seed));
    session->m_evaluator = *evaluator;
    session->m_needs = *needs;
    session->noteTolerance();
    return session;
}

void WorkloadSession::noteTolerance()
{
    const auto& tolerance = m_request.workload.tolerance;
    if (!tolerance) {
        return;
    }
    if (m_evaluator != EvaluatorKind::Sol) {
        m_notes.push_back({"tolerance.unused", "note", -1,
                           fmt::format("the workload's own tolerance is SOL-ExecBench's and does not count for the evaluator `{}`", evaluatorName(m_evaluator))});
    } else if (tolerance->misspeltMatchedRatio) {
        m_notes.push_back({"tolerance.misspelt", "note", -1,
                           fmt::format("the workload says required_match_ratio (no \"ed\") {:g}, which SOL-ExecBench ignores; {:g} is required here", *tolerance->misspeltMatchedRatio,
                                       tolerance->matchedRatio(misspeltRatio(m_request.config)))});
    }
}

std::optional<OpenFailure> WorkloadSession::makeGeneratedInputs(Deadline deadline)
{
    const Definition& definition = m_request.definition;
    auto axes = definition.resolveAxes(m_request.workload.axes);
    if (!axes) {
        return OpenFailure{.message = axes.error().toString(), .log = {}};
    }
    Json values = Json::object();
    for (const auto& [name, value] : *axes) {
        values[name] = value;
    }
    for (const auto& [name, input] : m_request.workload.inputs) {
        if (const auto* scalar = std::get_if<ScalarInput>(&input)) {
            values[name] = scalarValue(*scalar);   // wins over an axis of that name
        }
    }
    m_reference.setGeneration({definition.customInputsEntrypoint.value_or(""), std::move(values), m_request.timeoutSeconds});
    const auto failed = [this](const HostFailure& failure) {
        OpenFailure described = describe(failure, m_reference);
        if (failure.kind == HostFailure::Kind::Call) {
            described.message = "gen_inputs failed: the definition's input function could not make the inputs";
            described.referenceStatus.reset();   // it says nothing about a solution
        }
        return described;
    };
    auto made = m_reference.describeGenerated(m_contentSeed, deadline);
    if (const auto* failure = std::get_if<HostFailure>(&made)) {
        return failed(*failure);
    }
    auto words = m_plan.resolve(definition, std::get<std::vector<GeneratedInput>>(made));
    if (!words) {
        return OpenFailure{.message = words.error().reason, .log = m_reference.log()};
    }
    // Declared shapes are checked here, since the axes are known here.
    const auto declared = definition.inputShapes(m_request.workload.axes);
    for (std::size_t i = 0; declared && i < m_plan.entries().size(); ++i) {
        const InputSlot& slot = m_plan.entries()[i];
        if (slot.isGenerated && !slot.isScalar && (!(*declared)[i] || *(*declared)[i] != slot.layout.shape)) {
            words->push_back(fmt::format("the input function made `{}` in the shape [{}], not as declared", slot.layout.name, fmt::join(slot.layout.shape, ", ")));
        }
    }
    for (std::string& word : *words) {
        m_notes.push_back({"inputs.undeclared", "note", -1, std::move(word)});
    }
    if (auto failure = m_reference.keepGenerated(m_contentSeed, m_needs.rounds, deadline)) {
        return failed(*failure);
    }
    if (!m_reference.generatesAlike()) {
        m_notes.push_back({"fixed_inputs", "note", -1,
                           "the input function does not make the same of the same seed: timed calls take their inputs from those of the checked calls"});
    }
    return std::nullopt;
}

std::optional<OpenFailure> WorkloadSession::open(HostLauncher& launcher, const StageCallback& onStage)
{
    std::vector<ExpectedOutputs> expected;
    const Deadline deadline = deadlineAfter(m_request.timeoutSeconds);
    onStage("reference");
    if (!m_plan.isResolved()) {
        if (auto failure = makeGeneratedInputs(deadline)) {
            return failure;
        }
    }
    // The first call says what the outputs are, unless they are as declared; the others find room for them.
    std::size_t rounds = m_needs.usesExpected && !m_needs.sharesContents ? static_cast<std::size_t>(m_needs.rounds) : 1;
    std::size_t firstRounds = 1;
    if (auto declared = declaredLayouts(); declared && m_isCuda) {
        firstRounds = bytesOf(*declared) * rounds <= kExpectedBytes ? rounds : 1;
        m_reference.guessOutputs(std::move(*declared));
    }
    std::uint32_t begin = 0;
    for (const std::size_t end : {firstRounds, rounds}) {
        std::vector<std::uint32_t> some(std::min(end, rounds) - begin);
        std::iota(some.begin(), some.end(), begin);
        auto outputs = m_reference.computeAll(m_contentSeed, some, deadline);
        if (auto* failure = std::get_if<HostFailure>(&outputs)) {
            return describe(*failure, m_reference);
        }
        std::ranges::move(std::get<std::vector<ExpectedOutputs>>(outputs), std::back_inserter(expected));
        begin = static_cast<std::uint32_t>(expected.size());
        rounds = std::min(rounds, static_cast<std::size_t>(std::max<std::uint64_t>(kExpectedBytes / std::max<std::uint64_t>(bytesOf(layoutsOf(expected.front())), 1), 1)));
        if (begin >= rounds) {
            break;
        }
    }
    m_expected = std::move(expected);
    noteTrivialTolerance();
    if (m_request.profileBaseline) {
        HostResult<double> roundTrip = 0.0;
        if (!m_isCuda) {
            roundTrip = launcher.roundTripNs(HostKind::Python, deadline);
        }
        if (auto* failure = std::get_if<HostFailure>(&roundTrip)) {
            return describe(*failure, m_reference);
        }
        // Contents of its own: no solution is timed on what the reference was timed on.
        auto times = m_reference.time(outputLayouts(), m_request.config, mixSeed(m_contentSeed, "reference timing"), deadline);
        if (auto* failure = std::get_if<HostFailure>(&times)) {
            // SOL-ExecBench goes on without (dialect §7.1): the latency is 0 then, and so is every speedup.
            if (m_evaluator != EvaluatorKind::Sol || failure->kind != HostFailure::Kind::Call) {
                return describe(*failure, m_reference);
            }
            m_notes.push_back({"reference.untimed", "note", -1, "the reference failed while it was timed: " + failure->message.substr(0, 500)});
            return std::nullopt;
        }
        m_referenceTime = summarise(std::get<Series>(times), std::get<double>(roundTrip));
    }
    return std::nullopt;
}

/// Says so where zeros everywhere would pass: then passing proves nothing.
void WorkloadSession::noteTrivialTolerance()
{
    constexpr std::size_t kMostBytes = std::size_t{256} << 20U;   // larger ones are made at a cost that an extra remark is not worth
    if (m_evaluator != EvaluatorKind::Default || m_expected.empty() || m_expected.front().empty()) {
        return;
    }
    const EvalConfig& config = m_request.config;
    double largest = 0;
    for (const ExpectedOutput& output : m_expected.front()) {
        const std::size_t bytes = output.layout.bytes();
        if (bytes == 0 || bytes > kMostBytes) {
            return;
        }
        auto zeros = m_device.zeros(bytes);
        if (!zeros) {
            return;   // no room for it: the evaluations need it more
        }
        auto compared = m_device.compare(**zeros, *output.contents, output.layout.dtype, output.layout.elements, config.atol, config.rtol, systemRandom());
        if (!compared || compared->expectedNonFinite > 0 || compared->matchedRatio < 1) {
            return;
        }
        largest = std::max(largest, compared->maxAbsoluteError);
    }
    if (largest > 0) {
        m_notes.push_back({"tolerance.trivial", "note", -1,
                           fmt::format("zeros everywhere would pass: the largest expected value is {:g}, the absolute tolerance {:g}", largest, config.atol)});
    }
}

HostResult<const ExpectedOutputs*> WorkloadSession::expected(std::size_t round, Deadline deadline)
{
    if (m_needs.sharesContents) {
        round = 0;
    }
    if (round < m_expected.size()) {
        return &m_expected[round];
    }
    auto outputs = m_reference.compute(m_contentSeed, static_cast<std::uint32_t>(round), deadline);
    if (auto* failure = std::get_if<HostFailure>(&outputs)) {
        return std::move(*failure);
    }
    m_spare = std::move(std::get<ExpectedOutputs>(outputs));
    return &m_spare;
}

Result<std::vector<HostTensor>> WorkloadSession::readInputs(const std::vector<std::string>& names, std::uint64_t seed, std::uint32_t call)
{
    if (auto filled = m_reference.fill(seed, call); !filled) {
        return filled.error();
    }
    const BufferSet& buffers = m_reference.inputs();
    std::vector<HostTensor> tensors;
    for (const std::string& name : names) {
        const auto found = std::ranges::find(buffers.layouts(), name, &TensorLayout::name);
        if (found == buffers.layouts().end()) {
            return Error{ErrorCode::InvalidInput,
                         fmt::format("the evaluator `{}` needs an input `{}` that is a tensor; the definition or the workload has none", evaluatorName(m_evaluator), name), {}, 0,
                         "inputs." + name};
        }
        const auto index = static_cast<std::size_t>(found - buffers.layouts().begin());
        tensors.push_back({*found, m_device.download(buffers.buffer(index), found->bytes())});
    }
    return tensors;
}

Result<std::vector<TensorLayout>> WorkloadSession::declaredLayouts() const
{
    const Definition& definition = m_request.definition;
    // In SOL-ExecBench an axis need not stand in any input's shape.
    auto axes = definition.dialect == Dialect::SolExecBench ? Result<AxisValues>(m_request.workload.axes)
                                                            : definition.axesFromShapes(m_plan.shapes());
    if (!axes) {
        return axes.error();
    }
    auto shapes = definition.outputShapes(*axes);
    if (!shapes) {
        return shapes.error();
    }
    std::vector<TensorLayout> layouts;
    for (std::size_t i = 0; i < definition.outputs.size(); ++i) {
        if (!(*shapes)[i]) {
            return Error{ErrorCode::InvalidInput,
                         fmt::format("output `{}` is a host scalar: destination-passing style has nowhere to write it", definition.outputs[i].name), {}, 0, {}};
        }
        if (definition.outputs[i].dtype == DType::Float64 || definition.outputs[i].dtype == DType::Float4E2M1FNx2) {
            return Error{ErrorCode::Unsupported,
                         fmt::format("output `{}` has the dtype {}, which can't be compared", definition.outputs[i].name, definition.outputs[i].dtypeName), {}, 0, {}};
        }
        auto layout = makeLayout(definition.outputs[i], *(*shapes)[i]);
        if (!layout) {
            return layout.error();
        }
        layouts.push_back(std::move(*layout));
    }
    return layouts;
}

std::vector<TensorLayout> WorkloadSession::outputLayouts() const
{
    return layoutsOf(m_expected.front());
}

}  // namespace tracedeck::judge
