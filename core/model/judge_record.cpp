// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/judge_record.h"

namespace tracedeck {

namespace {

const Json* objectIn(const Json* object, const char* key)
{
    if (object == nullptr || !object->is_object()) return nullptr;
    const auto found = object->find(key);
    return found != object->end() && found->is_object() ? &*found : nullptr;
}

}  // namespace

const Json* judgeRecord(const Evaluation& evaluation)
{
    return objectIn(&evaluation.unknownKeys, "judge");
}

std::string judgedSource(const Evaluation& evaluation)
{
    const Json* record = judgeRecord(evaluation);
    return record != nullptr ? textMember(*record, "source") : std::string();
}

const Json* judgeTime(const Evaluation& evaluation)
{
    return objectIn(judgeRecord(evaluation), "time");
}

const Json* importedRecord(const Evaluation& evaluation)
{
    return objectIn(&evaluation.unknownKeys, "imported");
}

const Json* callStatistics(const Evaluation& evaluation)
{
    const Json* time = judgeTime(evaluation);
    return time != nullptr ? time : objectIn(importedRecord(evaluation), "time");
}

}  // namespace tracedeck
