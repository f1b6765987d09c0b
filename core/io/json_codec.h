// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/definition.h"
#include "core/model/result.h"
#include "core/model/solution.h"
#include "core/model/trace.h"

namespace tracedeck {

/// Strict: accept and reject exactly as flashinfer-bench does. Tolerant: also the legacy forms of data model §5.3.
enum class ReadMode { Strict, Tolerant };

/// What the place of a text says about it.
struct ReadPlace {
    /// Whose rules hold. Tolerant mode accepts SOL-ExecBench's forms everywhere, with a warning where they are out of place.
    Dialect dialect = Dialect::FlashInferTrace;
    /// Definition of bare workload lines, which name none (dialect §1.1); empty: they are refused.
    std::string definition;
};

/// What a reader makes of one JSON text: the value and the repairs that it made (tolerant mode), or an Error.
/// Errors and warnings carry line (1-based, within the text) and dotted field; the caller fills in the file.
template <class T>
struct Decoded {
    T value;
    std::vector<Problem> warnings;
};

/// Parses JSON as the format does: UTF-8, bare NaN / Infinity / -Infinity allowed, overflowing numbers become infinity,
/// nesting ≤ 200, last of duplicate keys wins, nothing after the value. Order of keys is kept.
[[nodiscard]] Result<Json> parseJson(std::string_view text, ReadMode mode = ReadMode::Strict);

[[nodiscard]] Result<Decoded<Definition>> decodeDefinition(std::string_view text, ReadMode mode, const ReadPlace& place = {});
/// A source without content (SOL-ExecBench) is marked as a separate file: see readSeparateSources().
[[nodiscard]] Result<Decoded<Solution>> decodeSolution(std::string_view text, ReadMode mode, const ReadPlace& place = {});
/// One line of a workloads or traces file; in tolerant mode and in SOL-ExecBench also a bare workload.
[[nodiscard]] Result<Decoded<Trace>> decodeTrace(std::string_view text, ReadMode mode, const ReadPlace& place = {});
/// From a value that is parsed already (protocol messages). The templates below give them the names of the others without
/// a text ever being taken for a JSON string.
[[nodiscard]] Result<Decoded<Definition>> decodeDefinitionJson(const Json& json, ReadMode mode, const ReadPlace& place = {});
[[nodiscard]] Result<Decoded<Solution>> decodeSolutionJson(const Json& json, ReadMode mode, const ReadPlace& place = {});
[[nodiscard]] Result<Decoded<Trace>> decodeTraceJson(const Json& json, ReadMode mode, const ReadPlace& place = {});
template <std::same_as<Json> Value>
[[nodiscard]] Result<Decoded<Definition>> decodeDefinition(const Value& json, ReadMode mode, const ReadPlace& place = {})
{
    return decodeDefinitionJson(json, mode, place);
}
template <std::same_as<Json> Value>
[[nodiscard]] Result<Decoded<Solution>> decodeSolution(const Value& json, ReadMode mode, const ReadPlace& place = {})
{
    return decodeSolutionJson(json, mode, place);
}
template <std::same_as<Json> Value>
[[nodiscard]] Result<Decoded<Trace>> decodeTrace(const Value& json, ReadMode mode, const ReadPlace& place = {})
{
    return decodeTraceJson(json, mode, place);
}
[[nodiscard]] Result<Decoded<Workload>> decodeWorkload(const Json& json, ReadMode mode, const ReadPlace& place = {});
[[nodiscard]] Result<Decoded<Evaluation>> decodeEvaluation(const Json& json, ReadMode mode, const ReadPlace& place = {});

/// Values in the format's key order, unknown keys after them. Non-finite errors become "Infinity" / "NaN" strings. What was
/// read in SOL-ExecBench's form is written in it.
[[nodiscard]] Json encodeDefinition(const Definition& definition);
[[nodiscard]] Json encodeSolution(const Solution& solution);
/// For the solution's own file: sources that are separate files stay such, without their text.
[[nodiscard]] Json encodeSolutionAsGiven(const Solution& solution);
[[nodiscard]] Json encodeWorkload(const Workload& workload);
[[nodiscard]] Json encodeEvaluation(const Evaluation& evaluation);
[[nodiscard]] Json encodeTrace(const Trace& trace);

/// Text of a definition or solution file: indent 2, no final newline.
[[nodiscard]] std::string writeObjectFile(const Json& json);
/// One JSONL record without the newline: compact; U+0085, U+2028 and U+2029 escaped.
[[nodiscard]] std::string writeLine(const Json& json);
/// The record with U+0085, U+2028 and U+2029 escaped, at which some readers split lines. `line` must be valid JSON.
[[nodiscard]] std::string escapeLineBreaks(std::string line);

}  // namespace tracedeck
