// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QIcon>
#include <vector>

#include "ui/models/problem_items.h"

namespace tracedeck::ui {

/// Problems in groups: by the file that they are in, or by what became of them.
class ProblemTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { ReasonColumn, OutcomeColumn, LineColumn, FieldColumn, FileColumn, ColumnCount };
    enum class Grouping { File, Outcome };

    explicit ProblemTreeModel(QObject* parent = nullptr);
    void setItems(std::vector<ProblemItem> items);
    void setGrouping(Grouping grouping);
    [[nodiscard]] Grouping grouping() const { return m_grouping; }
    [[nodiscard]] const std::vector<ProblemItem>& items() const { return m_items; }
    /// The problem of a row; nullptr for a group.
    [[nodiscard]] const ProblemItem* item(const QModelIndex& index) const;
    /// Place of the problem that reads the same; invalid when there is none.
    [[nodiscard]] QModelIndex find(const ProblemItem& item) const;
    /// Colours and icons again, after the palette changed.
    void refreshLooks();

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Group {
        QString title;
        bool hasErrors = false;
        std::vector<std::size_t> items;
    };
    void regroup();
    [[nodiscard]] QVariant groupData(const Group& group, int column, int role) const;
    [[nodiscard]] static bool isGroup(const QModelIndex& index) { return index.internalId() == 0; }

    Grouping m_grouping = Grouping::File;
    std::vector<ProblemItem> m_items;
    std::vector<Group> m_groups;
    QIcon m_errorIcon;
    QIcon m_warningIcon;
};

}  // namespace tracedeck::ui
