// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/failure_reason.h"

#include <string_view>

#include "core/model/text.h"

namespace tracedeck {

namespace {

constexpr std::size_t kMostBytes = 300;

/// Evidence of the verdict that decided, empty when there is none.
std::string judgesWord(const Json& record)
{
    const auto verdicts = record.is_object() ? record.find("verdicts") : record.end();
    if (!record.is_object() || verdicts == record.end() || !verdicts->is_array()) {
        return {};
    }
    for (const Json& verdict : *verdicts) {
        if (verdict.is_object() && verdict.value("level", Json()) == "reject") {
            if (const auto evidence = verdict.find("evidence"); evidence != verdict.end() && evidence->is_string()) {
                return evidence->get<std::string>();
            }
        }
    }
    return {};
}

std::string tellingLine(std::string_view text)
{
    constexpr std::string_view kBreaks = "\r\n \t";
    const auto first = text.find_first_not_of(kBreaks);
    if (first == std::string_view::npos) {
        return {};
    }
    text = text.substr(first, text.find_last_not_of(kBreaks) + 1 - first);
    const bool isTraceback = text.find("Traceback (most recent call last)") != std::string_view::npos;
    const auto line = isTraceback ? text.substr(text.find_last_of("\r\n") + 1) : text.substr(0, text.find_first_of("\r\n"));
    return line.size() <= kMostBytes ? std::string(line) : toValidUtf8(line.substr(0, kMostBytes)) + " …";
}

}  // namespace

std::string failureReason(const Evaluation& evaluation)
{
    const auto record = evaluation.unknownKeys.is_object() ? evaluation.unknownKeys.find("judge") : evaluation.unknownKeys.end();
    const bool isRecorded = evaluation.unknownKeys.is_object() && record != evaluation.unknownKeys.end();
    const std::string reason = isRecorded ? tellingLine(judgesWord(*record)) : std::string();
    return reason.empty() ? tellingLine(evaluation.log) : reason;
}

}  // namespace tracedeck
