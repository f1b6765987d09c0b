// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <memory>
#include <string>
#include <vector>

#include "ui/models/definition_summary.h"
#include "ui/models/ordered_table_model.h"
#include "ui/models/run_choice.h"

namespace tracedeck::ui {

class Workspace;

/// All workloads of one definition, those that were never run too: a column for each variable axis, where the inputs come from, and how
/// they did. Sorts itself.
class WorkloadTableModel : public OrderedTableModel {
    Q_OBJECT
public:
    enum Role { UuidRole = Qt::UserRole };

    explicit WorkloadTableModel(Workspace* workspace, QObject* parent = nullptr);

    void show(std::shared_ptr<const DefinitionSummary> summary);
    [[nodiscard]] int rowOf(const QString& uuid) const;
    /// Columns before the first axis column.
    [[nodiscard]] static int firstAxisColumn() { return 1; }
    [[nodiscard]] int bestLatencyColumn() const { return firstAxisColumn() + static_cast<int>(m_axes.size()) + 1; }
    [[nodiscard]] int bestSolutionColumn() const { return bestLatencyColumn() + 2; }
    [[nodiscard]] int firstPinColumn() const override;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Colours and fonts again, after the palette or font changed.
    void refreshLooks();

private:
    /// What a column shows; axis columns lie between Number and Passed.
    enum class Kind { Number, Axis, Passed, BestLatency, Light, BestSolution, Inputs, Uuid };
    [[nodiscard]] Kind kindOf(int column) const;
    [[nodiscard]] const Trace& at(int row) const { return (*m_workloads)[m_order[static_cast<std::size_t>(row)]]; }
    /// False for a definition that the dataset has no file for.
    [[nodiscard]] bool isEnabledForRun() const;
    [[nodiscard]] const WorkloadSummary* summaryOf(const Trace& workload) const;
    /// Share of the speed of light of the best time; NaN: not known.
    [[nodiscard]] double lightShare(const Trace& workload) const;
    [[nodiscard]] PinnedChange changeOf(const Trace& workload, std::size_t pin) const;
    [[nodiscard]] std::optional<std::int64_t> axisValue(const Trace& workload, int column) const;
    [[nodiscard]] QVariant displayed(int row, int column) const;
    /// What a run makes of random integers, a line for each rule; empty when there are none.
    [[nodiscard]] QString indexRulesText(const Workload& workload) const;
    [[nodiscard]] QVariant cell(int row, int column) const;
    [[nodiscard]] bool isLess(std::size_t a, std::size_t b, const SortKey& key) const override;

    Workspace* m_workspace;
    std::shared_ptr<const DefinitionSummary> m_summary;
    const std::vector<Trace>* m_workloads;   ///< of m_summary's dataset
    std::vector<std::string> m_axes;
    RunChoice m_choice;
    QFont m_numberFont;
};

}  // namespace tracedeck::ui
