// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "core/report/workload_tensors.h"

namespace tracedeck::ui {

/// Inputs and outputs of a definition on one workload.
class WorkloadTensorModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { NameColumn, DtypeColumn, ShapeColumn, SourceColumn, BytesColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void show(std::vector<WorkloadTensor> tensors);
    [[nodiscard]] const std::vector<WorkloadTensor>& tensors() const { return m_tensors; }
    /// -1: none of this name.
    [[nodiscard]] int rowOf(const QString& name) const;
    /// Why there are no values to look at, in sentences; empty for a tensor whose file is there.
    [[nodiscard]] static QString whyNoValues(const WorkloadTensor& tensor);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] static QString text(const WorkloadTensor& tensor, int column);
    std::vector<WorkloadTensor> m_tensors;
};

}  // namespace tracedeck::ui
