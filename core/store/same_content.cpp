// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/same_content.h"

#include <algorithm>
#include <filesystem>

#include "core/io/json_codec.h"

namespace tracedeck {

namespace {

bool isSameTensor(const TensorSpec& a, const TensorSpec& b)
{
    return a.name == b.name && a.shape == b.shape && a.dtypeName == b.dtypeName;
}

}  // namespace

bool computesTheSame(const Definition& a, const Definition& b)
{
    const auto isSameAxis = [](const Axis& left, const Axis& right) {
        return left.name == right.name && left.value == right.value;
    };
    return std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(), isSameAxis) &&
           std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(), isSameTensor) &&
           std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(), isSameTensor) &&
           a.reference == b.reference && a.constraints == b.constraints;
}

bool runsTheSame(const Solution& a, const Solution& b)
{
    return a.contentHash() == b.contentHash() && a.spec.destinationPassingStyle == b.spec.destinationPassingStyle;
}

std::string canonicalWorkload(const Workload& workload)
{
    Workload content = workload;
    for (auto& [name, input] : content.inputs) {
        if (auto* tensor = std::get_if<SafetensorsInput>(&input)) {
            tensor->path = std::filesystem::path(tensor->path).lexically_normal().string();
        }
    }
    Json json = encodeWorkload(content);
    const nlohmann::json sorted = json;
    return sorted.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace tracedeck
