// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/score/speed_of_light.h"
#include "core/store/dataset.h"

namespace tracedeck {

/// The work of a definition's workloads, each estimated once, by the dataset's own formula where it has one. The dataset must outlive it.
class WorkloadSizes {
public:
    WorkloadSizes(const Dataset& dataset, const std::string& definition);

    /// Nothing where the shapes can't be resolved.
    [[nodiscard]] const std::optional<WorkEstimate>& of(const TraceRow& row);
    /// Why the dataset's own formula does not count, or not everywhere; empty: nothing is wrong with it.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    const TraceTable& m_traces;
    const Definition* m_definition;
    WorkFormula m_formula;
    std::string m_problem;
    std::map<std::uint32_t, std::optional<WorkEstimate>> m_known;   ///< by workload key
};

}  // namespace tracedeck
