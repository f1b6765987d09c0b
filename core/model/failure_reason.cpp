// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/failure_reason.h"

#include <string_view>

#include "core/model/judge_record.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

constexpr std::size_t kMostBytes = 300;

/// Evidence of the verdict that decided, empty when there is none.
std::string judgesWord(const Json& record)
{
    const auto verdicts = record.find("verdicts");
    if (verdicts == record.end() || !verdicts->is_array()) {
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
    const Json* record = judgeRecord(evaluation);
    const std::string reason = record != nullptr ? tellingLine(judgesWord(*record)) : std::string();
    return reason.empty() ? tellingLine(evaluation.log) : reason;
}

}  // namespace tracedeck
