// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QFont>
#include <memory>
#include <stop_token>

#include "core/store/query.h"

namespace tracedeck::ui {

/// Traces beside one trace, as rows of the dataset.
struct SiblingTraces {
    /// Of the same workload by other solutions, those that the policy selects: on the same hardware first, the fastest first.
    RowIndex rivals;
    /// Of the same solution on the same workload, this one among them, newest first.
    RowIndex runs;
};
/// Some or all may be missing when the stop token is set.
[[nodiscard]] SiblingTraces siblingsOf(const Dataset& dataset, std::uint32_t row, SelectionPolicy policy, const std::stop_token& stop = {});

/// Sibling traces with how they compare to the one that is looked at.
class SiblingTracesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum class Kind { Rivals, Runs };
    enum Column { NameColumn, StatusColumn, LatencyColumn, RatioColumn, HardwareColumn, ColumnCount };
    enum Role { TraceRowRole = Qt::UserRole };

    explicit SiblingTracesModel(Kind kind, QObject* parent = nullptr);
    /// `row`: the trace that they are compared to; it may be among the rows.
    void show(std::shared_ptr<const Dataset> dataset, std::uint32_t row, RowIndex rows);
    void clear();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(const TraceRow& row, int column) const;
    [[nodiscard]] QString fullName(const TraceRow& row) const;

    Kind m_kind;
    std::shared_ptr<const Dataset> m_dataset;   ///< null while nothing is shown
    std::uint32_t m_shown = 0;
    RowIndex m_rows;
};

}  // namespace tracedeck::ui
