// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QColor>
#include <QFont>
#include <QIcon>
#include <QSize>
#include <memory>
#include <string>
#include <vector>

#include "core/store/dataset.h"
#include "ui/models/run_choice.h"
#include "ui/models/tree_filter.h"

namespace tracedeck::ui {

class Workspace;

/// The dataset as a tree: op_type → definition → solutions, workloads, traces. Check boxes show and edit the workspace's
/// selection for a run. Nodes are made again for each snapshot and filter; nodes have keys that stay the same, so that a view can put
/// its expansion back.
class DatasetTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum class NodeKind : std::uint8_t { OpType, Definition, SolutionGroup, WorkloadGroup, TraceGroup, Solution, Workload };
    Q_ENUM(NodeKind)
    enum Column { NameColumn, CountColumn, ColumnCount };
    enum Role { KindRole = Qt::UserRole, NameRole, DefinitionRole, KeyRole };

    explicit DatasetTreeModel(Workspace* workspace, QObject* parent = nullptr);
    ~DatasetTreeModel() override;

    /// The widest text of the column of counts.
    [[nodiscard]] QString widestCount() const;
    /// Shows what matches; see TreeFilter. Resets the model when the text means another filter.
    void setFilterText(const QString& text);
    [[nodiscard]] bool isFiltered() const { return !m_filter.isEmpty(); }
    /// Definitions shown.
    [[nodiscard]] int definitionCount() const { return static_cast<int>(m_definitions.size()); }

    /// The node with this key, or an invalid index when it is not shown.
    [[nodiscard]] QModelIndex indexOfKey(const QString& key) const;
    [[nodiscard]] QModelIndex indexOfDefinition(const QString& name) const;
    [[nodiscard]] QModelIndex indexOfSolution(const QString& name) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    using QObject::parent;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    /// Colours and icons again, after the palette or font changed.
    void refreshLooks();

private:
    struct OpTypeEntry {
        std::string name;       ///< empty: definitions that are only named, by solutions, workloads or traces
        std::vector<std::size_t> definitions;   ///< indexes into m_definitions
    };
    struct DefinitionEntry {
        std::string name;
        const Definition* definition = nullptr;
        FilteredDefinition left;
        std::size_t traces = 0;   ///< shown last, to tell what grew
        int node = -1;
    };
    struct Node {
        NodeKind kind = NodeKind::OpType;
        int parent = -1;
        int row = 0;
        int firstChild = 0;
        int childCount = 0;
        std::uint32_t entry = 0;   ///< op_type or definition entry
        std::uint32_t item = 0;    ///< solution or workload of the definition entry
    };

    void rebuild();
    void collectEntries();
    void makeNodes();
    void onDatasetChanged(bool onlyGrew);
    void onSelectionChanged();
    [[nodiscard]] const Node& nodeOf(const QModelIndex& index) const { return m_nodes[static_cast<std::size_t>(index.internalId())]; }
    [[nodiscard]] QModelIndex indexOfNode(int node, int column = 0) const;
    [[nodiscard]] const DefinitionEntry& definitionOf(const Node& node) const { return m_definitions[node.entry]; }
    [[nodiscard]] const Solution* solutionOf(const Node& node) const { return definitionOf(node).left.solutions[node.item]; }
    [[nodiscard]] const Trace& workloadOf(const Node& node) const;
    [[nodiscard]] QString nameOf(const Node& node) const;
    [[nodiscard]] QString displayName(const Node& node) const;
    [[nodiscard]] QString countText(const Node& node) const;
    [[nodiscard]] QString toolTip(const Node& node) const;
    [[nodiscard]] QString keyOf(const Node& node) const;
    [[nodiscard]] QVariant iconOf(const Node& node) const;
    [[nodiscard]] QVariant checkState(const Node& node) const;
    [[nodiscard]] bool isCheckable(const Node& node) const;
    [[nodiscard]] Selection toggled(const Node& node, bool on) const;

    Workspace* m_workspace;
    std::shared_ptr<const Dataset> m_dataset;
    TreeFilter m_filter;
    QString m_filterText;
    RunChoice m_choice;
    std::vector<OpTypeEntry> m_opTypes;
    std::vector<DefinitionEntry> m_definitions;
    std::vector<Node> m_nodes;    ///< children of one parent lie together; the first m_opTypes.size() are the roots
    QIcon m_solutionsIcon;
    QIcon m_workloadsIcon;
    QIcon m_tracesIcon;
    QFont m_numberFont;
    QFont m_opTypeFont;
    QColor m_muted;
    QSize m_rowSize;
};

}  // namespace tracedeck::ui
