// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json_codec.h"

#include <array>

#include "core/io/codec_context.h"
#include "core/io/json_parse.h"

namespace tracedeck {

namespace {

template <class Value, class Read>
Result<Decoded<Value>> decodeValue(const Json& json, ReadMode mode, const ReadPlace& place, Read read)
{
    DecodeContext context(mode, place);
    Value value = read(context, json);
    if (context.hasFailed()) return *context.error();
    return Decoded<Value>{std::move(value), context.takeWarnings()};
}

template <class Value, class Read>
Result<Decoded<Value>> decodeText(std::string_view text, ReadMode mode, const ReadPlace& place, Read read)
{
    const Result<Json> json = parseJson(text, mode);
    if (!json) return json.error();
    Result<Decoded<Value>> decoded = decodeValue<Value>(*json, mode, place, read);
    if (!decoded) {
        Error error = decoded.error();
        assignLines(text, {&error});
        return error;
    }
    if (hasByteOrderMark(text)) {
        decoded->warnings.push_back(
            Problem{Severity::Warning, Error{ErrorCode::InvalidInput, "the byte order mark at the start is skipped", {}, 1, {}}, true});
    }
    std::vector<Error*> places;
    for (Problem& warning : decoded->warnings) places.push_back(&warning.error);
    assignLines(text, std::move(places));
    return decoded;
}

Workload readWholeWorkload(DecodeContext& context, const Json& json)
{
    return readWorkload(context, json, FieldPath{});
}

Evaluation readWholeEvaluation(DecodeContext& context, const Json& json)
{
    return readEvaluation(context, json, FieldPath{});
}

std::string dump(const Json& json, int indent)
{
    // Text that is not UTF-8 (a program's output, for example) becomes U+FFFD, as the format has it for logs.
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<Decoded<Definition>> decodeDefinition(std::string_view text, ReadMode mode, const ReadPlace& place)
{
    return decodeText<Definition>(text, mode, place, readDefinition);
}

Result<Decoded<Solution>> decodeSolution(std::string_view text, ReadMode mode, const ReadPlace& place)
{
    return decodeText<Solution>(text, mode, place, readSolution);
}

Result<Decoded<Trace>> decodeTrace(std::string_view text, ReadMode mode, const ReadPlace& place)
{
    return decodeText<Trace>(text, mode, place, readTrace);
}

Result<Decoded<Definition>> decodeDefinitionJson(const Json& json, ReadMode mode, const ReadPlace& place)
{
    return decodeValue<Definition>(json, mode, place, readDefinition);
}

Result<Decoded<Solution>> decodeSolutionJson(const Json& json, ReadMode mode, const ReadPlace& place)
{
    return decodeValue<Solution>(json, mode, place, readSolution);
}

Result<Decoded<Trace>> decodeTraceJson(const Json& json, ReadMode mode, const ReadPlace& place)
{
    return decodeValue<Trace>(json, mode, place, readTrace);
}

Result<Decoded<Workload>> decodeWorkload(const Json& json, ReadMode mode, const ReadPlace& place)
{
    return decodeValue<Workload>(json, mode, place, readWholeWorkload);
}

Result<Decoded<Evaluation>> decodeEvaluation(const Json& json, ReadMode mode, const ReadPlace& place)
{
    return decodeValue<Evaluation>(json, mode, place, readWholeEvaluation);
}

std::string writeObjectFile(const Json& json)
{
    return dump(json, 2);
}

std::string writeLine(const Json& json)
{
    return escapeLineBreaks(dump(json, -1));
}

std::string escapeLineBreaks(std::string line)
{
    // They can only stand in strings, where an escape means the same.
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kLineBreaks{
        {{"\xC2\x85", "\\u0085"}, {"\xE2\x80\xA8", "\\u2028"}, {"\xE2\x80\xA9", "\\u2029"}}};
    std::string escaped;
    std::size_t copied = 0;
    for (std::size_t at = line.find_first_of("\xC2\xE2"); at != std::string::npos; at = line.find_first_of("\xC2\xE2", at + 1)) {
        for (const auto& [raw, escape] : kLineBreaks) {
            if (line.compare(at, raw.size(), raw) != 0) continue;
            escaped.append(line, copied, at - copied).append(escape);
            copied = at + raw.size();
        }
    }
    if (copied == 0) return line;
    return escaped.append(line, copied);
}

}  // namespace tracedeck
