// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <memory>
#include <vector>

#include "core/score/failures.h"
#include "ui/models/ordered_table_model.h"

namespace tracedeck::ui {

/// Groups of failures, one a row.
class FailureTableModel : public OrderedTableModel {
    Q_OBJECT
public:
    enum Column { StatusColumn, Count, Reason, Pattern, FirstWorkload, Workloads, Solutions, Definitions, ColumnCount };
    using Groups = std::vector<FailureGroup>;

    explicit FailureTableModel(QObject* parent = nullptr);
    ~FailureTableModel() override;

    void show(std::shared_ptr<const Dataset> dataset, std::shared_ptr<const Groups> groups);
    [[nodiscard]] const Groups& groups() const { return *m_groups; }
    [[nodiscard]] const FailureGroup& groupAt(int row) const { return (*m_groups)[m_order[static_cast<std::size_t>(row)]]; }
    void refreshLooks();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

protected:
    [[nodiscard]] bool isLess(std::size_t a, std::size_t b, const SortKey& key) const override;

private:
    [[nodiscard]] QString text(const FailureGroup& group, int column) const;
    [[nodiscard]] static qlonglong number(const FailureGroup& group, int column);

    std::shared_ptr<const Dataset> m_dataset;
    std::shared_ptr<const Groups> m_groups;
    QFont m_numberFont;
};

}  // namespace tracedeck::ui
