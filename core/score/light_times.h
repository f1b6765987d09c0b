// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/score/ceilings.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

/// The shortest time that the workloads of some traces can take on their hardware (speed_of_light.h), worked out once: to be asked for again and again, from any thread.
class LightTimes {
public:
    LightTimes() = default;
    /// For the workloads and hardware of these rows. When the token is set, some may be missing.
    LightTimes(const Dataset& dataset, const RowIndex& rows, const CeilingTable& ceilings, const std::stop_token& stop = {});

    /// Milliseconds; NaN where it is not known.
    [[nodiscard]] double lightMs(const TraceRow& row) const;
    /// That ÷ the row's latency; NaN unless the row has a time that counts. Above 1: the figures or the ceilings are wrong.
    [[nodiscard]] double share(const TraceRow& row) const;
    /// Formulas of the dataset that don't count, and why.
    [[nodiscard]] const std::vector<std::string>& problems() const { return m_problems; }

private:
    std::unordered_map<std::uint64_t, double> m_times;   ///< by workload key and hardware
    std::vector<std::string> m_problems;
};

}  // namespace tracedeck
