// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/judge_samples.h"

#include "core/model/judge_record.h"

namespace tracedeck {

namespace {

std::vector<double> importedSamplesMs(const Evaluation& evaluation)
{
    std::vector<double> samples;
    const Json* record = importedRecord(evaluation);
    if (record == nullptr) return samples;
    const auto list = record->find("samples_ms");
    if (list == record->end() || !list->is_array()) return samples;
    for (const Json& sample : *list) {
        if (!sample.is_number() || !isUsableLatency(sample.get<double>())) return {};
        samples.push_back(sample.get<double>());
    }
    return samples;
}

}  // namespace

std::vector<double> judgeSamplesMs(const Evaluation& evaluation)
{
    constexpr double kMicrosecondsPerMillisecond = 1e3;
    std::vector<double> samples;
    const Json* time = judgeTime(evaluation);
    if (time == nullptr) return importedSamplesMs(evaluation);
    const auto trials = time->find("samples_us");
    if (trials == time->end() || !trials->is_array()) return samples;
    for (const Json& trial : *trials) {
        if (!trial.is_array()) return {};
        for (const Json& sample : trial) {
            if (!sample.is_number()) return {};
            const double sampleMs = sample.get<double>() / kMicrosecondsPerMillisecond;
            if (!isUsableLatency(sampleMs)) return {};
            samples.push_back(sampleMs);
        }
    }
    return samples;
}

}  // namespace tracedeck
