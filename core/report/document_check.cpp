// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/document_check.h"

#include <algorithm>
#include <array>

#include "core/io/json_codec.h"
#include "core/io/json_parse.h"
#include "core/io/relaxed_json.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

/// Larger texts take too much memory as one value; one record a line has no such limit.
constexpr std::size_t kLargestValue = std::size_t{64} << 20U;
/// Bare workloads name no definition: theirs is that of their folder.
constexpr const char* kFolderDefinition = "definition";

std::int64_t lineOf(std::string_view text, std::size_t position)
{
    return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(position, text.size())), '\n');
}

Problem problemAt(Severity severity, std::string reason, std::int64_t line, std::string field = {})
{
    return Problem{severity, Error{ErrorCode::InvalidInput, std::move(reason), {}, line, std::move(field)}};
}

/// One record by a reader of the formats: an Error for what the strict one refuses, and what the tolerant one makes of it.
template <class Value>
struct Reading {
    std::optional<Value> value;
    Dialect dialect = Dialect::FlashInferTrace;
    std::vector<Problem> problems;
};

template <class Decode>
auto readRecord(const Json& json, Decode decode) -> Reading<std::decay_t<decltype(decode(json, ReadMode::Strict, ReadPlace{})->value)>>
{
    const ReadPlace ours{};
    const ReadPlace sol{Dialect::SolExecBench, kFolderDefinition};
    auto strict = decode(json, ReadMode::Strict, ours);
    if (strict) return {std::move(strict->value), Dialect::FlashInferTrace, std::move(strict->warnings)};
    if (auto other = decode(json, ReadMode::Strict, sol)) return {std::move(other->value), Dialect::SolExecBench, std::move(other->warnings)};
    auto tolerant = decode(json, ReadMode::Tolerant, ReadPlace{Dialect::FlashInferTrace, kFolderDefinition});
    Error refused = tolerant ? strict.error() : tolerant.error();
    if (tolerant) refused.reason = "flashinfer-bench refuses this, Tracedeck reads it: " + refused.reason;
    std::vector<Problem> problems{Problem{Severity::Error, std::move(refused)}};
    // What the tolerant reader says about the same field is no second problem.
    if (tolerant) {
        std::erase_if(tolerant->warnings, [&problems](const Problem& warning) { return warning.error.field == problems.front().error.field; });
    }
    if (!tolerant) return {std::nullopt, Dialect::FlashInferTrace, std::move(problems)};
    std::move(tolerant->warnings.begin(), tolerant->warnings.end(), std::back_inserter(problems));
    return {std::move(tolerant->value), Dialect::FlashInferTrace, std::move(problems)};
}

class Checker {
public:
    Checker(bool isLines, const std::stop_token& stop) : m_stop(stop) { m_check.isLines = isLines; }

    Result<DocumentCheck> run(std::string_view text)
    {
        if (hasByteOrderMark(text)) {
            report(problemAt(Severity::Warning, "the text starts with a byte order mark, which the format does not allow; save it as UTF-8 without one", 1));
            text = withoutByteOrderMark(text);
        }
        if (trimWhitespace(text).empty()) {
            report(problemAt(Severity::Error, "there is no text", 0));
            return std::move(m_check);
        }
        if (m_check.isLines || looksLikeLines(text)) {
            readLines(text);
        } else if (text.size() > kLargestValue) {
            report(problemAt(Severity::Warning, "the text is too large to be checked as one JSON value; it is only shown", 0));
        } else {
            readValue(text, 1);
        }
        if (m_stop.stop_requested()) return Error{ErrorCode::Cancelled, "the check was cancelled", {}, 0, {}};
        const auto most = std::max_element(m_check.recordsOfKind.begin(), m_check.recordsOfKind.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        if (most != m_check.recordsOfKind.end()) m_check.kind = most->first;
        if (m_firstOther > 0 && m_check.kind != DocumentKind::OtherJson && m_check.kind != DocumentKind::NoJson) {
            Problem problem = problemAt(Severity::Warning, "this record is none of the kinds that are known here, unlike the others", m_firstOther);
            problem.occurrences = m_check.recordsOfKind[DocumentKind::OtherJson];
            report(std::move(problem));
        }
        if (m_check.records != 1) m_check.name.clear();
        std::stable_sort(m_check.problems.begin(), m_check.problems.end(),
                         [](const Problem& a, const Problem& b) { return a.error.line < b.error.line; });
        return std::move(m_check);
    }

private:
    void report(Problem problem)
    {
        if (m_check.problems.size() >= DocumentCheck::kMostProblems) {
            ++m_check.problemsLeftOut;
        } else {
            m_check.problems.push_back(std::move(problem));
        }
    }

    /// The first line that is not blank is a whole object, and more follows.
    static bool looksLikeLines(std::string_view text)
    {
        const std::size_t start = text.find_first_not_of(" \t\r\n");
        const std::size_t end = text.find('\n', start);
        if (end == std::string_view::npos || trimWhitespace(text.substr(end)).empty()) return false;
        const std::string_view first = trimWhitespace(text.substr(start, end - start));
        return first.starts_with('{') && first.size() <= kLargestValue && parseJson(first).has_value();
    }

    void readLines(std::string_view text)
    {
        m_check.isLines = true;
        std::int64_t number = 0;
        while (!text.empty() && !m_stop.stop_requested()) {
            ++number;
            const std::size_t end = std::min(text.find('\n'), text.size());
            const std::string_view line = text.substr(0, end);
            const bool isLast = end == text.size();
            text.remove_prefix(std::min(end + 1, text.size()));
            if (const std::string_view record = trimWhitespace(line); !record.empty()) {
                if (record.size() > kLargestValue) {
                    report(problemAt(Severity::Error, "the line is too long to be checked", number));
                } else {
                    readValue(record, number, true);
                }
                if (isLast) {
                    report(problemAt(Severity::Warning, "the last line has no line end: what another program appends would stand on the same line", number));
                }
            }
        }
    }

    /// A value that begins on line `firstLine` of the text.
    void readValue(std::string_view text, std::int64_t firstLine, bool isLine = false)
    {
        auto json = parseJson(text);
        std::string relaxedText;
        if (!json) {
            RelaxedJson relaxed = relaxJson(text);
            if (isLine && trimWhitespace(relaxed.text).empty()) {
                report(problemAt(Severity::Warning, "comments are not part of JSON: other programs refuse them", firstLine));
                return;
            }
            if (!relaxed.comments.empty() || !relaxed.commas.empty()) {
                if (auto again = parseJson(relaxed.text)) {
                    reportRelaxed(text, relaxed, firstLine);
                    json = std::move(again);
                    relaxedText = std::move(relaxed.text);
                    text = relaxedText;
                }
            }
        }
        if (!json) {
            Error error = json.error();
            if (error.line > 0) error.line += firstLine - 1;
            if (error.line == 0 && isLine) error.line = firstLine;
            report(Problem{Severity::Error, std::move(error)});
            count(DocumentKind::NoJson);
            return;
        }
        std::vector<Problem> problems;
        if (json->is_array() && !json->empty() && documentKindOf(json->front()) != DocumentKind::OtherJson) {
            std::size_t position = 0;
            for (const Json& record : *json) {
                if (m_stop.stop_requested()) return;
                std::vector<Problem> found = readOne(record);
                for (Problem& problem : found) {
                    problem.error.field = std::to_string(position) + (problem.error.field.empty() ? "" : "." + problem.error.field);
                }
                std::move(found.begin(), found.end(), std::back_inserter(problems));
                ++position;
            }
        } else {
            problems = readOne(*json);
            if (isLine && m_firstOther == 0 && documentKindOf(*json) == DocumentKind::OtherJson) m_firstOther = firstLine;
        }
        std::vector<Error*> places;
        for (Problem& problem : problems) places.push_back(&problem.error);
        assignLines(text, places);
        for (Problem& problem : problems) {
            problem.error.line += firstLine - 1;
            report(std::move(problem));
        }
    }

    void reportRelaxed(std::string_view text, const RelaxedJson& relaxed, std::int64_t firstLine)
    {
        if (!relaxed.comments.empty()) {
            Problem problem = problemAt(Severity::Warning, "comments are not part of JSON: other programs refuse them",
                                        firstLine - 1 + lineOf(text, relaxed.comments.front()));
            problem.occurrences = relaxed.comments.size();
            report(std::move(problem));
        }
        if (!relaxed.commas.empty()) {
            Problem problem = problemAt(Severity::Warning, "a comma before a closing bracket is not part of JSON: other programs refuse it",
                                        firstLine - 1 + lineOf(text, relaxed.commas.front()));
            problem.occurrences = relaxed.commas.size();
            report(std::move(problem));
        }
    }

    void count(DocumentKind kind)
    {
        ++m_check.records;
        ++m_check.recordsOfKind[kind];
    }

    /// Problems have no lines yet.
    std::vector<Problem> readOne(const Json& json)
    {
        const DocumentKind kind = documentKindOf(json);
        count(kind);
        switch (kind) {
        case DocumentKind::Definition: {
            auto reading = readRecord(json, decodeDefinitionJson);
            if (reading.value) m_check.name = reading.value->name;
            note(reading.dialect);
            return std::move(reading.problems);
        }
        case DocumentKind::Solution: {
            auto reading = readRecord(json, decodeSolutionJson);
            if (reading.value) m_check.name = reading.value->name;
            note(reading.dialect);
            return std::move(reading.problems);
        }
        case DocumentKind::Workload:
        case DocumentKind::Trace: {
            auto reading = readRecord(json, decodeTraceJson);
            note(reading.dialect);
            return std::move(reading.problems);
        }
        case DocumentKind::HubRecord: return checkHubRecord(json);
        case DocumentKind::OtherJson:
        case DocumentKind::NoJson: break;
        }
        return {};
    }

    void note(Dialect dialect)
    {
        if (dialect == Dialect::SolExecBench) m_check.dialect = dialect;
    }

    DocumentCheck m_check;
    std::int64_t m_firstOther = 0;   ///< line of the first record of no known kind
    const std::stop_token& m_stop;
};

/// A member that must be there and fit; a problem when it does not.
template <class Fits>
const Json* member(const Json& object, const std::string& path, const std::string& key, const std::string& wanted, Fits fits, std::vector<Problem>& problems)
{
    const std::string field = path.empty() ? key : path + "." + key;
    const auto found = object.find(key);
    if (found == object.end()) {
        problems.push_back(problemAt(Severity::Error, "the key is missing", 0, field));
        return nullptr;
    }
    if (!fits(*found)) {
        problems.push_back(problemAt(Severity::Error, "must be " + wanted, 0, field));
        return nullptr;
    }
    return &*found;
}

}  // namespace

Result<DocumentCheck> checkDocument(std::string_view text, bool isLines, const std::stop_token& stop)
{
    return Checker(isLines, stop).run(text);
}

DocumentKind documentKindOf(const Json& value)
{
    if (!value.is_object()) return DocumentKind::OtherJson;
    if (value.contains("workload")) {
        const auto isSet = [&value](const char* key) { return value.contains(key) && !value.at(key).is_null(); };
        return isSet("solution") || isSet("evaluation") ? DocumentKind::Trace : DocumentKind::Workload;
    }
    if (value.contains("reference")) return DocumentKind::Definition;
    if (value.contains("sources")) return DocumentKind::Solution;
    if (value.contains("impl") && value.contains("wl")) return DocumentKind::HubRecord;
    if (value.contains("axes") && value.contains("inputs") && (value.contains("uuid") || !value.contains("outputs"))) return DocumentKind::Workload;
    // Definitions without reference code are still best told what they lack.
    if (value.contains("axes") && value.contains("outputs")) return DocumentKind::Definition;
    return DocumentKind::OtherJson;
}

std::vector<Problem> checkHubRecord(const Json& record)
{
    std::vector<Problem> problems;
    const auto isText = [](const Json& value) { return value.is_string() && !value.get_ref<const std::string&>().empty(); };
    const auto isObject = [](const Json& value) { return value.is_object(); };
    const auto isObjectOrNull = [](const Json& value) { return value.is_object() || value.is_null(); };
    const auto isTime = [](const Json& value) { return value.is_number() && value.get<double>() >= 0; };
    member(record, {}, "impl", "a text that is not empty", isText, problems);
    if (const Json* workload = member(record, {}, "wl", "an object", isObject, problems)) {
        member(*workload, "wl", "name", "a text that is not empty", isText, problems);
    }
    member(record, {}, "ok", "true or false, or null after an error", [](const Json& value) { return value.is_boolean() || value.is_null(); }, problems);
    const Json* failure = member(record, {}, "err", "null, or an object with type and msg", isObjectOrNull, problems);
    const bool hasFailed = failure && failure->is_object();
    if (hasFailed) {
        for (const char* key : {"type", "msg"})
            member(*failure, "err", key, "a text", [](const Json& value) { return value.is_string(); }, problems);
    }
    const Json* latency = member(record, {}, "lat_ms", "an object, or null after an error", isObjectOrNull, problems);
    if (latency && latency->is_null() && failure && !hasFailed) {
        problems.push_back(problemAt(Severity::Error, "must be an object, as there was no error", 0, "lat_ms"));
    }
    if (!latency || !latency->is_object()) return problems;
    std::array<double, 3> percentiles{};
    bool isComplete = true;
    const std::array<const char*, 3> names{"p10", "p50", "p90"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Json* value = member(*latency, "lat_ms", names[i], "a time in milliseconds, 0 or more", isTime, problems);
        isComplete = isComplete && value;
        if (value) percentiles[i] = value->get<double>();
    }
    if (isComplete && !std::is_sorted(percentiles.begin(), percentiles.end())) {
        problems.push_back(problemAt(Severity::Error, "p10, p50 and p90 must not decrease", 0, "lat_ms.p50"));
    }
    if (const auto times = latency->find("raw_times"); times != latency->end()) {
        if (!times->is_array() || !std::all_of(times->begin(), times->end(), isTime)) {
            problems.push_back(problemAt(Severity::Error, "must be a list of times in milliseconds, 0 or more", 0, "lat_ms.raw_times"));
        }
    }
    return problems;
}

}  // namespace tracedeck
