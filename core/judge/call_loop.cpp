// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/call_loop.h"

#include <sched.h>
#include <sys/random.h>

#include <limits>

#include <fmt/format.h>

namespace tracedeck::judge {

namespace {

constexpr std::size_t kMaxOutputs = 256;
constexpr std::size_t kMaxDimensions = 64;
constexpr std::size_t kMaxNameBytes = 40;
/// Spins between two looks at the clock, and time between two looks at the process.
constexpr int kSpinsPerLook = 512;
constexpr auto kCheckInterval = std::chrono::milliseconds(10);
/// A host that says `failed` on the page has sent the reason before.
constexpr double kReasonSeconds = 5;

Error claimError(const std::string& reason)
{
    return Error{ErrorCode::InvalidInput, reason, {}, 0, "outputs"};
}

std::uint32_t randomWord()
{
    std::uint32_t word = 0;
    while (::getrandom(&word, sizeof word, 0) != static_cast<ssize_t>(sizeof word) || word == 0) {
    }
    return word;
}

}  // namespace

Result<ClaimedResult> readClaim(Frame frame)
{
    const auto outputs = frame.body.find("outputs");
    if (outputs == frame.body.end() || !outputs->is_array() || outputs->size() > kMaxOutputs) {
        return claimError("a result has no list of outputs");
    }
    ClaimedResult claim;
    for (const Json& output : *outputs) {
        const auto dtype = output.is_object() ? output.find("dtype") : output.end();
        const auto shape = output.is_object() ? output.find("shape") : output.end();
        if (!output.is_object() || dtype == output.end() || !dtype->is_string() || shape == output.end() || !shape->is_array() ||
            shape->size() > kMaxDimensions) {
            return claimError("an output of a result lacks a dtype or a shape");
        }
        ClaimedTensor tensor{dtype->get<std::string>(), {}, 1};
        if (tensor.dtype.size() > kMaxNameBytes) {
            return claimError("an output of a result has an overlong dtype");
        }
        for (const Json& dimension : *shape) {
            if (!dimension.is_number_integer() || dimension.get<std::int64_t>() < 0) {
                return claimError("an output of a result has a dimension that is no size");
            }
            const auto size = dimension.get<std::int64_t>();
            // 2^48 elements are beyond any memory; the product stays far from overflow.
            if (size != 0 && tensor.elements > (std::uint64_t{1} << 48) / static_cast<std::uint64_t>(size)) {
                return claimError("an output of a result is too large");
            }
            tensor.elements *= static_cast<std::uint64_t>(size);
            tensor.shape.push_back(size);
        }
        claim.outputs.push_back(std::move(tensor));
    }
    claim.blocks = std::move(frame.descriptors);
    return claim;
}

std::optional<HostFailure> CallLoop::begin(int calls, bool sendResults, Deadline deadline)
{
    // The last call of an earlier series must not look like the first of this one.
    m_host.page().call.store(0, std::memory_order_release);
    m_host.page().go.store(0, std::memory_order_release);
    return m_host.send({{"op", "run"}, {"calls", calls}, {"results", sendResults ? "send" : "copy"}}, deadline);
}

HostResult<CallLoop::Seen> CallLoop::await(const std::atomic<std::uint32_t>& word, const std::atomic<std::uint32_t>* other,
                                           std::uint32_t value, Deadline deadline)
{
    auto nextCheck = FrameClock::now() + kCheckInterval;
    while (true) {
        for (int spin = 0; spin < kSpinsPerLook; ++spin) {
            if (word.load(std::memory_order_acquire) == value) {
                return Seen::Wanted;
            }
            if (other != nullptr && other->load(std::memory_order_acquire) == value) {
                return Seen::Other;
            }
            if (m_yields) {
                ::sched_yield();
            }
        }
        const auto now = FrameClock::now();
        if (now >= deadline) {
            return HostFailure{HostFailure::Kind::TimedOut, "the time limit passed"};
        }
        if (now >= nextCheck) {
            if (auto failure = m_host.check()) {
                return std::move(*failure);
            }
            nextCheck = now + kCheckInterval;
        }
    }
}

HostResult<CallOutcome> CallLoop::call(Deadline deadline, const std::function<void()>& beforeGo)
{
    Page& page = m_host.page();
    std::uint32_t value = randomWord();
    while (value == m_last) {
        value = randomWord();
    }
    m_last = value;
    page.call.store(value, std::memory_order_release);
    auto ready = await(page.enqueued, nullptr, value, deadline);
    if (auto* failure = std::get_if<HostFailure>(&ready)) {
        return std::move(*failure);
    }
    if (beforeGo) {
        beforeGo();
    }
    const auto begin = FrameClock::now();
    page.go.store(value, std::memory_order_release);
    auto seen = await(page.done, &page.failed, value, deadline);
    const auto end = FrameClock::now();
    if (auto* failure = std::get_if<HostFailure>(&seen)) {
        return std::move(*failure);
    }
    CallOutcome outcome;
    outcome.nanoseconds = static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count());
    if (std::get<Seen>(seen) == Seen::Other) {
        auto answer = m_host.expect("result", std::min(deadline, deadlineAfter(kReasonSeconds)));
        if (auto* failure = std::get_if<HostFailure>(&answer)) {
            return std::move(*failure);
        }
        auto claim = readClaim(std::move(std::get<Frame>(answer)));
        if (!claim) {
            return HostFailure{HostFailure::Kind::Protocol, claim.error().reason};
        }
        outcome.mismatch = std::move(*claim);
    }
    return outcome;
}

std::optional<HostFailure> CallLoop::finish(Deadline deadline)
{
    auto answer = m_host.expect("ran", deadline);
    if (auto* failure = std::get_if<HostFailure>(&answer)) {
        return std::move(*failure);
    }
    return std::nullopt;
}

}  // namespace tracedeck::judge
