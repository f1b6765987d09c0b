// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QIcon>
#include <memory>

#include "core/store/dataset.h"

namespace tracedeck::ui {

class Workspace;

/// What was wrong in the dataset's files, one row a problem.
class ProblemListModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { SeverityColumn, ReasonColumn, FieldColumn, FileColumn, LineColumn, ColumnCount };

    explicit ProblemListModel(Workspace* workspace, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    /// Colours and icons again, after the palette changed.
    void refreshLooks();

private:
    [[nodiscard]] QString fileOf(const Error& error) const;

    Workspace* m_workspace;
    std::shared_ptr<const Dataset> m_dataset;
    QIcon m_errorIcon;
    QIcon m_warningIcon;
};

}  // namespace tracedeck::ui
