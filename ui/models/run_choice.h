// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <set>
#include <string>
#include <unordered_map>

#include "core/run/run_request.h"
#include "core/store/dataset.h"

namespace tracedeck::ui {

/// How much of something a selection covers.
enum class Chosen { No, Partly, Yes };

/// A selection looked at item by item, as check boxes show it: a box is ticked exactly when the item would be run. Value class; edits
/// return the selection that results. The rule is that of expandSelection: a definition that is touched runs its selected solutions
/// (all when none is selected) on its selected workloads (all when none is selected).
class RunChoice {
public:
    RunChoice() = default;
    RunChoice(std::shared_ptr<const Dataset> dataset, Selection selection);

    [[nodiscard]] const Selection& selection() const { return m_selection; }
    [[nodiscard]] Chosen ofOpType(const std::string& opType) const;
    [[nodiscard]] Chosen ofDefinition(const std::string& definition) const;
    [[nodiscard]] Chosen ofAllSolutions(const std::string& definition) const;
    [[nodiscard]] Chosen ofAllWorkloads(const std::string& definition) const;
    [[nodiscard]] bool hasSolution(const std::string& definition, const std::string& solution) const;
    [[nodiscard]] bool hasWorkload(const std::string& definition, const std::string& uuid) const;
    /// Number of (solution, workload) pairs, without making them: equals expandSelection(...).size().
    [[nodiscard]] std::size_t pairCount() const;

    [[nodiscard]] Selection withOpType(const std::string& opType, bool on) const;
    [[nodiscard]] Selection withDefinition(const std::string& definition, bool on) const;
    [[nodiscard]] Selection withSolutions(const std::string& definition, const std::set<std::string>& solutions, bool on) const;
    [[nodiscard]] Selection withWorkloads(const std::string& definition, const std::set<std::string>& uuids, bool on) const;

private:
    struct Touched {
        std::size_t solutions = 0;   ///< selected one by one; 0: all
        std::size_t workloads = 0;
        std::size_t solutionsTotal = 0;
        std::size_t workloadsTotal = 0;
    };
    [[nodiscard]] const Touched* find(const std::string& definition) const;
    [[nodiscard]] std::set<std::string> effectiveSolutions(const std::string& definition) const;
    [[nodiscard]] std::set<std::string> effectiveWorkloads(const std::string& definition) const;
    [[nodiscard]] Selection without(const std::string& definition) const;
    [[nodiscard]] Selection rewritten(const std::string& definition, const std::set<std::string>& solutions,
                                      const std::set<std::string>& workloads) const;
    void joinOpType(Selection& selection, const std::string& definition) const;

    std::shared_ptr<const Dataset> m_dataset;
    Selection m_selection;
    std::unordered_map<std::string, Touched> m_touched;
};

}  // namespace tracedeck::ui
