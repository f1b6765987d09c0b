// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/judge_verdicts.h"

#include <algorithm>
#include <array>

#include "core/model/judge_record.h"

namespace tracedeck {

std::vector<JudgeVerdict> judgeVerdicts(const Evaluation& evaluation)
{
    std::vector<JudgeVerdict> verdicts;
    const Json* judge = judgeRecord(evaluation);
    if (judge == nullptr) return verdicts;
    const auto list = judge->find("verdicts");
    if (list == judge->end() || !list->is_array()) return verdicts;
    for (const Json& entry : *list) {
        if (!entry.is_object()) continue;
        JudgeVerdict verdict{textMember(entry, "id"), textMember(entry, "level"), -1, textMember(entry, "evidence")};
        if (verdict.id.empty()) continue;
        if (const auto call = entry.find("call"); call != entry.end() && call->is_number_integer()) verdict.call = call->get<std::int64_t>();
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

bool breaksRules(const JudgeVerdict& verdict)
{
    constexpr std::array<std::string_view, 6> kRules{"late.write", "late.cpu", "late.device", "physics", "protocol", "time.ahead"};
    return verdict.level == "reject" && std::ranges::find(kRules, verdict.id) != kRules.end();
}

}  // namespace tracedeck
