// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QIcon>
#include <memory>
#include <vector>

#include "ui/models/definition_summary.h"
#include "ui/models/ordered_table_model.h"
#include "ui/models/run_choice.h"

namespace tracedeck::ui {

class Workspace;

/// The solutions of one definition with how they do; sorts itself.
class SolutionTableModel : public OrderedTableModel {
    Q_OBJECT
public:
    enum Column { NameColumn, AuthorColumn, LanguageColumn, PassedColumn, SpeedupColumn, LatencyColumn, LightColumn, BestColumn, HardwareColumn, ColumnCount };
    enum Role { NameRole = Qt::UserRole, HasSourceRole };

    explicit SolutionTableModel(Workspace* workspace, QObject* parent = nullptr);

    /// Keeps the sort; rows keep their persistent indexes when the same solutions come again.
    void show(std::shared_ptr<const DefinitionSummary> summary);
    [[nodiscard]] int rowOf(const QString& solution) const;
    [[nodiscard]] int firstPinColumn() const override { return ColumnCount; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Colours and fonts again, after the palette or font changed.
    void refreshLooks();

private:
    [[nodiscard]] const SolutionSummary& at(int row) const { return m_summary->solutions[m_order[static_cast<std::size_t>(row)]]; }
    [[nodiscard]] QString text(const SolutionSummary& solution, int column) const;
    [[nodiscard]] QVariant cell(const SolutionSummary& solution, int column) const;
    [[nodiscard]] bool isLess(std::size_t a, std::size_t b, const SortKey& key) const override;

    Workspace* m_workspace;
    std::shared_ptr<const DefinitionSummary> m_summary;
    RunChoice m_choice;
    QFont m_numberFont;
};

}  // namespace tracedeck::ui
