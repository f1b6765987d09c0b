// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/workload_session.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "core/judge/philox.h"

namespace tracedeck::judge {

namespace {

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
    : m_request(std::move(request)), m_plan(std::move(plan)), m_reference(device, launcher, m_request.definition, m_plan), m_seed(seed),
      m_contentSeed(mixSeed(seed, m_request.workload.uuid)), m_isCuda(device.isCuda())
{
}

std::variant<std::unique_ptr<WorkloadSession>, OpenFailure> WorkloadSession::plan(Device& device, HostLauncher& launcher, WorkloadRequest request,
                                                                                  std::uint64_t seed)
{
    auto plan = InputPlan::make(request.definition, request.workload, request.root, mixSeed(seed, request.workload.uuid));
    if (!plan) {
        return OpenFailure{.message = plan.error().reason, .log = {}};
    }
    return std::unique_ptr<WorkloadSession>(new WorkloadSession(device, launcher, std::move(request), std::move(*plan), seed));
}

std::optional<OpenFailure> WorkloadSession::open(HostLauncher& launcher, const StageCallback& onStage)
{
    std::vector<ExpectedOutputs> expected;
    const Deadline deadline = deadlineAfter(m_request.timeoutSeconds);
    onStage("reference");
    // The first call says what the outputs are; the others find room for them.
    std::vector<std::uint32_t> trials(static_cast<std::size_t>(m_request.config.numTrials));
    std::iota(trials.begin(), trials.end(), 0U);
    const std::size_t first = std::min<std::size_t>(1, trials.size());
    for (const auto& some : {std::span(trials).first(first), std::span(trials).subspan(first)}) {
        auto outputs = m_reference.computeAll(m_contentSeed, some, deadline);
        if (auto* failure = std::get_if<HostFailure>(&outputs)) {
            return describe(*failure, m_reference);
        }
        std::ranges::move(std::get<std::vector<ExpectedOutputs>>(outputs), std::back_inserter(expected));
    }
    m_expected = std::move(expected);
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
            return describe(*failure, m_reference);
        }
        m_referenceTime = summarise(std::get<Series>(times), std::get<double>(roundTrip));
    }
    return std::nullopt;
}

std::vector<TensorLayout> WorkloadSession::outputLayouts() const
{
    return layoutsOf(m_expected.front());
}

}  // namespace tracedeck::judge
