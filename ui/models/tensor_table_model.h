// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "core/io/safetensors.h"

namespace tracedeck::ui {

/// The tensors of a safetensors file in the order of its header.
class TensorTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { NameColumn, DtypeColumn, ShapeColumn, BytesColumn, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;
    void setFile(std::shared_ptr<const SafetensorsFile> file);
    /// `[2, 3]`; `scalar` without dimensions.
    [[nodiscard]] static QString shapeText(const SafetensorsEntry& entry);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::shared_ptr<const SafetensorsFile> m_file;
};

}  // namespace tracedeck::ui
