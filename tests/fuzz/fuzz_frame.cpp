// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as what a host sends. However they are grouped the same messages come out or the same refusal, what comes out
// survives being sent again, and a claim that is accepted has a size that can be trusted.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/io/frame.h"
#include "core/judge/call_loop.h"
#include "tests/fuzz/fuzz_support.h"

using namespace tracedeck;
using tracedeck::fuzz::require;

namespace {

constexpr std::size_t kLimit = 1U << 14U;

struct Outcome {
    std::vector<std::string> messages;
    std::string refusal;
    bool operator==(const Outcome&) const = default;
};

Outcome parse(const char* data, std::size_t size, std::size_t group)
{
    Outcome outcome;
    FrameParser parser(kLimit);
    for (std::size_t begin = 0; begin < size; begin += group) {
        std::span<const char> rest(data + begin, std::min(group, size - begin));
        while (!rest.empty()) {
            require(parser.wanted() > 0 && parser.wanted() <= kLimit, "it wants something, and no more than the limit");
            const std::size_t before = rest.size();
            auto message = parser.feed(rest);
            if (!message) {
                require(!message.error().reason.empty(), "a refusal has a reason");
                outcome.refusal = message.error().reason;
                return outcome;
            }
            require(rest.size() < before, "it takes bytes");
            if (*message) outcome.messages.push_back((*message)->dump(-1, ' ', false, Json::error_handler_t::replace));
        }
    }
    return outcome;
}

void checkClaim(const std::string& text)
{
    Json body = Json::parse(text, nullptr, false);
    if (body.is_discarded()) return;   // bare NaN, which only our own parser takes
    const auto claim = judge::readClaim(Frame{std::move(body), {}});
    if (!claim) return;
    for (const judge::ClaimedTensor& tensor : claim->outputs) {
        std::uint64_t product = 1;
        for (const std::int64_t size : tensor.shape) {
            require(size >= 0, "a dimension is a size");
            require(!__builtin_mul_overflow(product, static_cast<std::uint64_t>(size), &product), "a shape's product does not overflow");
        }
        require(product == tensor.elements && product <= std::uint64_t{1} << 48, "the element count is the shape's");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    const char* data = reinterpret_cast<const char*>(bytes);
    const Outcome whole = parse(data, size, std::max<std::size_t>(size, 1));
    require(parse(data, size, 1) == whole && parse(data, size, 5) == whole, "the grouping of the bytes does not matter");
    for (const std::string& message : whole.messages) checkClaim(message);
    // The same bytes as the text of one frame, with a right length.
    if (size > 0 && size <= kLimit) {
        std::string framed(4, '\0');
        for (std::size_t i = 0; i < 4; ++i) framed[i] = static_cast<char>(size >> (8 * i) & 0xFFU);
        framed.append(data, size);
        const Outcome one = parse(framed.data(), framed.size(), framed.size());
        require(one.messages.size() + (one.refusal.empty() ? 0 : 1) == 1, "one frame is one message or one refusal");
        for (const std::string& message : one.messages) checkClaim(message);
    }
    return 0;
}
