// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/call_loop.h"

#include <sched.h>
#include <sys/random.h>

#include <limits>
#include <thread>

#include <fmt/format.h>

namespace tracedeck::judge {

namespace {

constexpr std::size_t kMaxOutputs = 256;
constexpr std::size_t kMaxDimensions = 64;
constexpr std::size_t kMaxNameBytes = 40;
/// Spins between two looks at the clock, and time between two looks at the process.
constexpr int kSpinsPerLook = 512;
constexpr auto kCheckInterval = std::chrono::milliseconds(10);
constexpr auto kWordAfterFrame = std::chrono::seconds(2);   // a busy machine may stop a host between the two
constexpr auto kLongWait = std::chrono::milliseconds(100);
constexpr int kShareAsleep = 2000;
/// A host that says `failed` on the page has sent the reason before.
constexpr double kReasonSeconds = 5;
/// A call that is not enqueued by then waits for its own work (trusted judging §3.6).
constexpr double kQueuePatienceSeconds = 0.05;

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

Result<std::vector<ClaimedTimes>> readTimes(const Json& body, std::size_t calls)
{
    constexpr double kLongestNs = 1e15;
    const auto times = body.find("times");
    if (times == body.end() || !times->is_array() || times->size() != calls) {
        return claimError("a series ended without one time for each call");
    }
    std::vector<ClaimedTimes> claims;
    claims.reserve(calls);
    for (const Json& entry : *times) {
        if (!entry.is_array() || entry.size() != 4 || !entry[0].is_number() || !entry[1].is_number() || !entry[2].is_number_unsigned()) {
            return claimError("a call's times are not understood");
        }
        const ClaimedTimes claim{entry[0].get<double>(), entry[1].get<double>(), entry[2].get<std::uint32_t>()};
        if (!(claim.span >= 0 && claim.span < kLongestNs && claim.sum >= 0 && claim.sum < kLongestNs)) {
            return claimError("a call's times make no sense");
        }
        claims.push_back(claim);
    }
    return claims;
}

bool tellsOfLackingMemory(const std::string& message)
{
    return message.find("out of memory") != std::string::npos || message.find("OUT_OF_MEMORY") != std::string::npos ||
           message.find("cudaErrorMemoryAllocation") != std::string::npos;
}

bool evictsCaches(const Json& ready)
{
    const auto field = ready.find("evicts");
    return field != ready.end() && field->is_boolean() && field->get<bool>();
}

std::optional<HostFailure> CallLoop::begin(int calls, bool sendResults, Deadline deadline)
{
    // The last call of an earlier series must not look like the first of this one.
    m_host.page().call.store(0, std::memory_order_release);
    m_host.page().go.store(0, std::memory_order_release);
    m_host.page().arm.store(0, std::memory_order_release);
    m_made = 0;
    return m_host.send({{"op", "run"}, {"calls", calls}, {"results", sendResults ? "send" : "copy"}}, deadline);
}

HostResult<CallLoop::Seen> CallLoop::await(const std::atomic<std::uint32_t>& word, const std::atomic<std::uint32_t>* other,
                                           std::uint32_t value, Deadline deadline)
{
    const auto begin = FrameClock::now();
    auto nextCheck = begin + kCheckInterval;
    std::optional<Deadline> unexplained;   ///< since when a frame has been there
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
            // What explains a word on the page is sent just before it is written there.
            if (!m_host.hasWaitingFrame()) {
                unexplained = {};
            } else if (!unexplained) {
                unexplained = now;
            } else if (now - *unexplained > kWordAfterFrame) {
                return m_host.outOfTurn();
            }
            nextCheck = now + kCheckInterval;
        }
        // Whoever waits for long may as well sleep, for so short that it is a two-thousandth of the time at most.
        if (const auto waited = now - begin; waited > kLongWait) {
            std::this_thread::sleep_for(waited / kShareAsleep);
        }
    }
}

HostResult<CallLoop::Seen> CallLoop::awaitEnqueued(std::uint32_t value, CallMode mode, Deadline deadline)
{
    const Page& page = m_host.page();
    if (mode == CallMode::Live) {
        return await(page.enqueued, nullptr, value, deadline);
    }
    const Deadline patience = std::min(deadline, deadlineAfter(kQueuePatienceSeconds));
    auto seen = await(page.enqueued, &page.failed, value, patience);
    const auto* failure = std::get_if<HostFailure>(&seen);
    if (failure != nullptr && failure->kind == HostFailure::Kind::TimedOut && FrameClock::now() < deadline) {
        return Seen::Neither;
    }
    return seen;
}

HostResult<CallOutcome> CallLoop::call(Deadline deadline, const std::function<void()>& beforeGo, CallKind kind,
                                       const std::function<void()>& afterDone)
{
    if (m_host.hasWaitingFrame()) {
        return m_host.outOfTurn();
    }
    Page& page = m_host.page();
    std::uint32_t value = randomWord();
    while (value == m_last) {
        value = randomWord();
    }
    m_last = value;
    ++m_made;
    page.mode.store((kind.mode == CallMode::Queued ? kQueuedCall : 0U) | (kind.isBatched ? kHostEvicts : 0U), std::memory_order_relaxed);
    page.slot.store(kind.slot, std::memory_order_relaxed);
    page.call.store(value, std::memory_order_release);
    if (kind.isBatched && beforeGo) {
        beforeGo();
    }
    auto ready = awaitEnqueued(value, kind.mode, deadline);
    if (auto* failure = std::get_if<HostFailure>(&ready)) {
        return std::move(*failure);
    }
    if (!kind.isBatched && beforeGo) {
        beforeGo();
    }
    if (m_isGpu && !kind.isBatched) {
        page.arm.store(value, std::memory_order_release);
    }
    if (m_isGpu && (!kind.isBatched || kind.mode == CallMode::Queued)) {
        auto switched = await(page.switchedIn, &page.failed, value, deadline);
        if (auto* failure = std::get_if<HostFailure>(&switched)) {
            return std::move(*failure);
        }
    }
    const auto begin = FrameClock::now();
    page.go.store(value, std::memory_order_release);
    auto seen = await(page.done, &page.failed, value, deadline);
    const auto end = FrameClock::now();
    if (auto* failure = std::get_if<HostFailure>(&seen)) {
        return std::move(*failure);
    }
    if (afterDone && std::get<Seen>(seen) == Seen::Wanted) {
        afterDone();
    }
    CallOutcome outcome;
    outcome.hostSynchronises = std::get<Seen>(ready) == Seen::Neither;
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

HostResult<std::vector<ClaimedTimes>> CallLoop::finish(Deadline deadline)
{
    auto answer = m_host.expect("ran", deadline);
    if (auto* failure = std::get_if<HostFailure>(&answer)) {
        return std::move(*failure);
    }
    if (!m_isGpu) {
        return std::vector<ClaimedTimes>{};
    }
    auto claims = readTimes(std::get<Frame>(answer).body, m_made);
    if (!claims) {
        return HostFailure{HostFailure::Kind::Protocol, claims.error().reason};
    }
    return std::move(*claims);
}

}  // namespace tracedeck::judge
