// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/io/json_codec.h"
#include "tests/fuzz/fuzz_support.h"

namespace tracedeck::fuzz {

/// Reads a text in both modes. Beyond not crashing: what the strict reader accepts the tolerant one accepts, and what is
/// written of it (on one line, and as a file) is accepted again and says the same. Returns what the strict reader made of it.
template <class Value, class Decode, class Encode>
Result<Decoded<Value>> checkReaders(std::string_view text, Decode decode, Encode encode)
{
    const Result<Decoded<Value>> strict = decode(text, ReadMode::Strict);
    const Result<Decoded<Value>> tolerant = decode(text, ReadMode::Tolerant);
    if (!tolerant) {
        require(!strict, "the tolerant reader accepts what the strict one accepts", tolerant.error().toString());
        require(!tolerant.error().reason.empty(), "an error has a reason");
        return strict;
    }
    for (const Problem& warning : tolerant->warnings) {
        require(warning.error.line > 0 && !warning.error.reason.empty(), "a warning has a line and a reason", warning.error.toString());
    }
    // Whatever was read can be shown and sent on, even when no strict reader would take it.
    require(!writeLine(encode(tolerant->value)).empty(), "what was read can be written");
    if (!strict) {
        require(strict.error().line >= 0 && !strict.error().reason.empty(), "an error has a line and a reason", strict.error().toString());
        return strict;
    }
    const std::string written = writeLine(encode(strict->value));
    require(written.find('\n') == std::string::npos, "a record is one line", written);
    const Result<Decoded<Value>> again = decode(written, ReadMode::Strict);
    require(again.has_value(), "what is written is accepted", again ? "" : again.error().toString() + "\n" + written);
    require(writeLine(encode(again->value)) == written, "what is written says the same", written);
    const Result<Decoded<Value>> file = decode(writeObjectFile(encode(strict->value)), ReadMode::Strict);
    require(file.has_value() && writeLine(encode(file->value)) == written, "the form of a file says the same", written);
    return strict;
}

}  // namespace tracedeck::fuzz
