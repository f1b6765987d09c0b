// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a definition, a solution and a trace, in both modes. Beyond not crashing: what the strict reader accepts the
// tolerant one accepts, and what we write of it is accepted again and says the same.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/io/json_codec.h"

using namespace tracedeck;

namespace {

void require(bool condition, const char* rule, const std::string& detail)
{
    if (condition) return;
    std::fprintf(stderr, "broken rule: %s\n%s\n", rule, detail.c_str());
    std::abort();
}

template <class Value, class Decode, class Encode>
void check(std::string_view text, Decode decode, Encode encode)
{
    const Result<Decoded<Value>> strict = decode(text, ReadMode::Strict);
    const Result<Decoded<Value>> tolerant = decode(text, ReadMode::Tolerant);
    if (!tolerant) {
        require(!strict, "the tolerant reader accepts what the strict one accepts", tolerant.error().toString());
        require(!tolerant.error().reason.empty(), "an error has a reason", {});
        return;
    }
    for (const Problem& warning : tolerant->warnings) {
        require(warning.error.line > 0 && !warning.error.reason.empty(), "a warning has a line and a reason", warning.error.toString());
    }
    if (!strict) {
        require(strict.error().line >= 0, "an error has a line", strict.error().toString());
        return;
    }
    const std::string written = writeLine(encode(strict->value));
    const Result<Decoded<Value>> again = decode(written, ReadMode::Strict);
    require(again.has_value(), "what is written is accepted", again ? "" : again.error().toString() + "\n" + written);
    require(writeLine(encode(again->value)) == written, "what is written says the same", written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check<Definition>(
        text, [](std::string_view t, ReadMode mode) { return decodeDefinition(t, mode); }, encodeDefinition);
    check<Solution>(
        text, [](std::string_view t, ReadMode mode) { return decodeSolution(t, mode); }, encodeSolution);
    check<Trace>(
        text, [](std::string_view t, ReadMode mode) { return decodeTrace(t, mode); }, encodeTrace);
    return 0;
}
