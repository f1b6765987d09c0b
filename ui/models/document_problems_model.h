// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QIcon>
#include <vector>

#include "core/model/result.h"

namespace tracedeck::ui {

/// What is wrong in a text, in its order.
class DocumentProblemsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { LineColumn, ReasonColumn, FieldColumn, ColumnCount };

    explicit DocumentProblemsModel(QObject* parent = nullptr);
    void setProblems(std::vector<Problem> problems);
    [[nodiscard]] const std::vector<Problem>& problems() const { return m_problems; }
    void refreshLooks();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<Problem> m_problems;
    QIcon m_errorIcon;
    QIcon m_warningIcon;
};

}  // namespace tracedeck::ui
