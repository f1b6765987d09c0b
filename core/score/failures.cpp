// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/failures.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core/model/failure_reason.h"
#include "core/model/judge_record.h"
#include "core/model/text.h"
#include "core/store/parallel.h"

namespace tracedeck {

namespace {

constexpr std::size_t kLongestReason = 300;

bool isWordLetter(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_'; }
bool isDigitLetter(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }
bool isHexLetter(char letter) { return std::isxdigit(static_cast<unsigned char>(letter)) != 0; }

/// Length of a hash that begins here, such as the `70e478` of `build_70e478`: six hexadecimal digits or more, numbers and letters, by themselves.
std::size_t hashAt(std::string_view line, std::size_t begin)
{
    constexpr std::size_t kShortestHash = 6;
    if (begin > 0 && std::isalnum(static_cast<unsigned char>(line[begin - 1])) != 0) return 0;
    std::size_t end = begin;
    bool hasDigit = false;
    while (end < line.size() && isHexLetter(line[end])) hasDigit = isDigitLetter(line[end++]) || hasDigit;
    if (end < line.size() && std::isalnum(static_cast<unsigned char>(line[end])) != 0) return 0;
    return hasDigit && end - begin >= kShortestHash ? end - begin : 0;
}

std::string trimmedLine(std::string_view line)
{
    constexpr std::string_view kBlanks = " \t\r\n";
    const auto first = line.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    line = line.substr(first, line.find_last_not_of(kBlanks) + 1 - first);
    return line.size() <= kLongestReason ? std::string(line) : toValidUtf8(line.substr(0, kLongestReason)) + " …";
}

/// `[3/7] c++ …` and the like: what a build says while it works.
bool isBuildChatter(std::string_view line)
{
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) return true;
    line = line.substr(first);
    if (line.substr(0, 6) == "ninja:") return true;
    if (line.front() != '[') return false;
    const auto slash = line.find('/');
    const auto end = line.find(']');
    return slash != std::string_view::npos && end != std::string_view::npos && slash < end &&
           std::all_of(line.begin() + 1, line.begin() + static_cast<std::ptrdiff_t>(end), [](char letter) { return isDigitLetter(letter) || letter == '/'; });
}

/// The last line that names an exception, such as `torch.cuda.OutOfMemoryError: …`; empty when none does. What follows it may be a tensor's numbers.
std::string exceptionLine(std::string_view log)
{
    std::string found;
    for (std::size_t begin = 0; begin < log.size();) {
        const std::size_t end = std::min(log.find('\n', begin), log.size());
        const std::string_view line = log.substr(begin, end - begin);
        begin = end + 1;
        std::size_t name = 0;
        while (name < line.size() && (isWordLetter(line[name]) || line[name] == '.')) ++name;
        const std::string_view type = line.substr(0, name);
        const bool isException = type.ends_with("Error") || type.ends_with("Exception") || type.ends_with("Interrupt") || type.ends_with("Exit");
        if (isException && (name == line.size() || line[name] == ':')) found = trimmedLine(line);
    }
    return found;
}

/// The first line that says anything beside what a build says while it works; empty when none does.
std::string firstSpeakingLine(std::string_view log)
{
    for (std::size_t begin = 0; begin < log.size();) {
        const std::size_t end = std::min(log.find('\n', begin), log.size());
        const std::string_view line = log.substr(begin, end - begin);
        if (!isBuildChatter(line)) return trimmedLine(line);
        begin = end + 1;
    }
    return {};
}

/// The first line that speaks of an error; empty when none does.
std::string errorLine(std::string_view log)
{
    for (std::size_t begin = 0; begin < log.size();) {
        const std::size_t end = std::min(log.find('\n', begin), log.size());
        const std::string_view line = log.substr(begin, end - begin);
        if (isBuildChatter(line)) {
            begin = end + 1;
            continue;
        }
        const std::string lower = asciiLower(line.substr(0, 4 * kLongestReason));
        // Compilers and Python name it; a command line with -Werror does not.
        for (const std::string_view word : {"error:", "exception:", "error ", "fatal", "assert"}) {
            if (lower.find(word) != std::string::npos) return trimmedLine(line);
        }
        begin = end + 1;
    }
    return {};
}

using RowAxes = std::vector<std::pair<std::string, std::int64_t>>;

RowAxes rowAxes(const TraceTable& traces, std::uint32_t index)
{
    RowAxes axes;
    for (const auto& [name, value] : traces.workloadKeys()[traces.row(index).workload].axes) axes.emplace_back(traces.names().text(name), value);
    return axes;
}

struct AxisSpan {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
    void add(std::int64_t value)
    {
        least = std::min(least, value);
        greatest = std::max(greatest, value);
    }
};
using AxisSpans = std::map<std::string, AxisSpan>;

AxisSpans spansOf(const TraceTable& traces, const RowIndex& rows)
{
    AxisSpans spans;
    for (const std::uint32_t index : rows) {
        for (const auto& [name, value] : rowAxes(traces, index)) spans[name].add(value);
    }
    return spans;
}

std::string patternOf(const TraceTable& traces, const RowIndex& failing, const RowIndex& passing)
{
    if (passing.empty()) return {};
    const AxisSpans passes = spansOf(traces, passing);
    std::string text;
    for (const auto& [name, fails] : spansOf(traces, failing)) {
        const auto found = passes.find(name);
        if (found == passes.end()) continue;
        const AxisSpan& other = found->second;
        std::string part;
        if (fails.least > other.greatest) part = fmt::format("{} >= {} (passes up to {})", name, fails.least, other.greatest);
        else if (fails.greatest < other.least) part = fmt::format("{} <= {} (passes from {})", name, fails.greatest, other.least);
        if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
    }
    return text;
}

}  // namespace

std::string normalizedReason(std::string_view line)
{
    std::string text;
    for (std::size_t i = 0; i < line.size();) {
        const bool startsWord = i == 0 || !isWordLetter(line[i - 1]);
        if (startsWord && line.substr(i, 2) == "0x" && i + 2 < line.size() && isHexLetter(line[i + 2])) {
            text += "0xN";
            for (i += 2; i < line.size() && isHexLetter(line[i]);) ++i;
        } else if (line[i] == '/' && i + 1 < line.size() && isWordLetter(line[i + 1])) {
            // A path: its last part tells more than where it lies.
            std::size_t end = i;
            std::size_t last = i;
            while (end < line.size() && (isWordLetter(line[end]) || std::string_view("/.-+").find(line[end]) != std::string_view::npos)) {
                if (line[end] == '/') last = end;
                ++end;
            }
            while (end > last + 1 && line[end - 1] == '.') --end;
            if (last == i && (i > 0 && isWordLetter(line[i - 1]))) {   // "a/b" is no path
                text += line[i++];
                continue;
            }
            text += normalizedReason(line.substr(last + 1, end - last - 1));
            i = end;
        } else if (const std::size_t hash = hashAt(line, i); hash > 0) {
            text += 'N';
            i += hash;
        } else if (isDigitLetter(line[i])) {
            text += 'N';
            // Decimals and exponents are one number; so are the digits within a word.
            while (i < line.size() && (isDigitLetter(line[i]) || (line[i] == '.' && i + 1 < line.size() && isDigitLetter(line[i + 1])))) ++i;
        } else {
            text += line[i++];
        }
    }
    return text;
}

std::string tellingReason(const Evaluation& evaluation)
{
    if (judgeRecord(evaluation) != nullptr) return failureReason(evaluation);
    if (evaluation.log.find("Traceback (most recent call last)") != std::string::npos) {
        const std::string exception = exceptionLine(evaluation.log);
        return exception.empty() ? failureReason(evaluation) : exception;
    }
    // Wrong results are no matter of what a compiler warned of.
    const bool isWrong = evaluation.status == Status::IncorrectShape || evaluation.status == Status::IncorrectNumerical || evaluation.status == Status::IncorrectDtype;
    const std::string line = isWrong ? std::string() : errorLine(evaluation.log);
    return line.empty() ? firstSpeakingLine(evaluation.log) : line;
}

Result<std::vector<FailureGroup>> failureGroups(const Dataset& dataset, const TraceFilter& filter, SelectionPolicy policy, const std::stop_token& stop, const FailureProgress& progress)
{
    const TraceTable& traces = dataset.traces();
    RowIndex rows = filterTraces(dataset, filter, stop);
    std::erase_if(rows, [&traces](std::uint32_t index) {
        constexpr auto kResult = TraceFlag::kHasEvaluation | TraceFlag::kHasSolution;
        return (traces.row(index).flags & kResult) != kResult;
    });
    rows = selectTraces(dataset, rows, policy, stop);
    RowIndex failed;
    std::map<std::pair<std::string, std::string>, RowIndex> passed;   // by definition and solution
    for (const std::uint32_t index : rows) {
        const TraceRow& row = traces.row(index);
        if (row.status == Status::Passed) passed[{traces.definitionName(row), std::string(traces.solutionName(row))}].push_back(index);
        else failed.push_back(index);
    }
    std::vector<std::string> reasons(failed.size());
    std::atomic<std::size_t> done{0};
    parallelFor(
        failed.size(), defaultThreads(),
        [&](std::size_t i) {
            const auto trace = dataset.readTrace(failed[i]);
            reasons[i] = !trace ? "the line could not be read back: " + trace.error().reason : trace->evaluation ? tellingReason(*trace->evaluation) : std::string();
            if (progress) progress(++done, failed.size());
        },
        stop);
    if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the search for failures was stopped", {}, 0, {}};
    std::map<std::pair<Status, std::string>, FailureGroup> groups;
    std::map<std::uint32_t, const std::string*> reasonOf;
    for (std::size_t i = 0; i < failed.size(); ++i) {
        const TraceRow& row = traces.row(failed[i]);
        FailureGroup& group = groups[{row.status, normalizedReason(reasons[i])}];
        group.rows.push_back(failed[i]);
        group.definitions.insert(traces.definitionName(row));
        group.solutions.emplace(traces.solutionName(row));
        group.hardware.emplace(traces.hardwareName(row));
        reasonOf.emplace(failed[i], &reasons[i]);
    }
    std::vector<FailureGroup> found;
    for (auto& [key, group] : groups) {
        group.status = key.first;
        group.reason = key.second;
        const auto placeOf = [&traces](std::uint32_t index) { return std::tuple(traces.definitionName(traces.row(index)), rowAxes(traces, index), traces.solutionName(traces.row(index)), index); };
        std::sort(group.rows.begin(), group.rows.end(), [&placeOf](std::uint32_t a, std::uint32_t b) { return placeOf(a) < placeOf(b); });
        group.example = *reasonOf.at(group.first());
        std::set<std::uint32_t> workloads;
        for (const std::uint32_t index : group.rows) workloads.insert(traces.row(index).workload);
        group.workloads = workloads.size();
        if (group.definitions.size() == 1) {
            RowIndex passing;
            for (const std::string& solution : group.solutions) {
                const auto of = passed.find({*group.definitions.begin(), solution});
                if (of != passed.end()) passing.insert(passing.end(), of->second.begin(), of->second.end());
            }
            group.pattern = patternOf(traces, group.rows, passing);
        }
        found.push_back(std::move(group));
    }
    std::stable_sort(found.begin(), found.end(), [](const FailureGroup& a, const FailureGroup& b) { return a.rows.size() > b.rows.size(); });
    return found;
}

}  // namespace tracedeck
