// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <vector>

#include "core/run/run_record.h"
#include "ui/models/ordered_table_model.h"

namespace tracedeck::ui {

/// Recorded runs, one a row.
class PastRunsModel : public OrderedTableModel {
    Q_OBJECT
public:
    enum Column { Started, State, Pairs, Passed, Failed, NotRun, Took, Devices, Dataset, Program, Id, ColumnCount };

    explicit PastRunsModel(QObject* parent = nullptr);
    ~PastRunsModel() override;

    /// Rows stay where they are when only what they say changed.
    void show(std::vector<ListedRun> runs);
    [[nodiscard]] const std::vector<ListedRun>& runs() const { return m_runs; }
    [[nodiscard]] const ListedRun& runAt(int row) const { return m_runs[m_order[static_cast<std::size_t>(row)]]; }
    /// -1: there is none.
    [[nodiscard]] int rowOf(const std::string& id) const;
    void refreshLooks();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

protected:
    [[nodiscard]] bool isLess(std::size_t a, std::size_t b, const SortKey& key) const override;

private:
    [[nodiscard]] static double number(const ListedRun& run, int column);
    [[nodiscard]] QString text(const ListedRun& run, int column) const;

    std::vector<ListedRun> m_runs;
    QFont m_numberFont;
};

/// "running", "done", "cancelled", "ended by a crash", and whether its traces were taken out.
[[nodiscard]] QString runStateText(const ListedRun& run);
/// Everything that is recorded of a run, in lines for people.
[[nodiscard]] QString runFacts(const ListedRun& run);

}  // namespace tracedeck::ui
