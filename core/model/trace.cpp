// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/trace.h"

#include <algorithm>
#include <array>

namespace tracedeck {

namespace {

/// In the order of the enumeration.
constexpr std::array<std::string_view, kStatusCount> kStatusNames{
    "PASSED", "INCORRECT_SHAPE", "INCORRECT_NUMERICAL", "INCORRECT_DTYPE", "RUNTIME_ERROR", "COMPILE_ERROR", "TIMEOUT",
    "INVALID_REFERENCE", "REWARD_HACK", "OTHER"};

}  // namespace

const WorkloadInput* Workload::findInput(const std::string& name) const
{
    const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const auto& input) { return input.first == name; });
    return found == inputs.end() ? nullptr : &found->second;
}

double WorkloadTolerance::matchedRatio(MisspeltRatio misspelt) const
{
    constexpr double kDefault = 0.99;
    if (requiredMatchedRatio) return *requiredMatchedRatio;
    return misspelt == MisspeltRatio::Honoured ? misspeltMatchedRatio.value_or(kDefault) : kDefault;
}

std::string_view toString(Status status)
{
    return kStatusNames.at(static_cast<std::size_t>(status));
}

std::optional<Status> statusFromString(std::string_view name)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(Status::Other); ++i) {
        if (kStatusNames[i] == name) return static_cast<Status>(i);
    }
    return std::nullopt;
}

}  // namespace tracedeck
