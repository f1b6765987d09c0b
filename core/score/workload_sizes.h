// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/score/speed_of_light.h"
#include "core/store/dataset.h"

namespace tracedeck {

/// The work of a definition's workloads, each estimated once, by the dataset's own formula where it has one (of joined folders: the first of them that has the definition). The
/// dataset must outlive it.
class WorkloadSizes {
public:
    WorkloadSizes(const Dataset& dataset, const std::string& definition);

    /// Nothing where the shapes can't be resolved.
    [[nodiscard]] const std::optional<WorkEstimate>& of(const TraceRow& row);
    /// Why the dataset's own formula does not count, or not everywhere; empty: nothing is wrong with it.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    [[nodiscard]] const WorkFormula& formula();

    const Dataset& m_dataset;
    const Definition* m_definition;
    std::optional<WorkFormula> m_formula;   ///< read when the first size is asked for
    std::string m_problem;
    std::map<std::uint32_t, std::optional<WorkEstimate>> m_known;   ///< by workload key
};

}  // namespace tracedeck
