// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/judge_samples.h"

namespace tracedeck {

std::vector<double> judgeSamplesMs(const Evaluation& evaluation)
{
    constexpr double kMicrosecondsPerMillisecond = 1e3;
    std::vector<double> samples;
    const Json& keys = evaluation.unknownKeys;
    if (!keys.is_object()) return samples;
    const auto judge = keys.find("judge");
    if (judge == keys.end() || !judge->is_object()) return samples;
    const auto time = judge->find("time");
    if (time == judge->end() || !time->is_object()) return samples;
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
