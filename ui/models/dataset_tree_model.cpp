// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/dataset_tree_model.h"

#include <QApplication>
#include <QFontMetrics>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "ui/models/number_format.h"
#include "ui/models/workspace.h"
#include "ui/style/icons.h"
#include "ui/style/series_colors.h"
#include "ui/style/theme.h"
#include "ui/style/text.h"

namespace tracedeck::ui {

DatasetTreeModel::DatasetTreeModel(Workspace* workspace, QObject* parent)
    : QAbstractItemModel(parent), m_workspace(workspace), m_dataset(workspace->dataset())
{
    refreshLooks();
    rebuild();
    connect(workspace, &Workspace::datasetChanged, this, &DatasetTreeModel::onDatasetChanged);
    connect(workspace, &Workspace::selectionChanged, this, &DatasetTreeModel::onSelectionChanged);
}

DatasetTreeModel::~DatasetTreeModel() = default;

void DatasetTreeModel::refreshLooks()
{
    m_solutionsIcon = icon(QStringLiteral("solution"));
    m_workloadsIcon = icon(QStringLiteral("workloads"));
    m_tracesIcon = icon(QStringLiteral("traces"));
    m_numberFont = monospacedFont();
    m_opTypeFont = QApplication::font();
    m_opTypeFont.setWeight(QFont::DemiBold);
    m_muted = themeColors().muted;
    m_rowSize = QSize(0, std::max(kRowHeight, QFontMetrics(QApplication::font()).height() + Space::kNormal));
    const QList<int> roles{Qt::DecorationRole, Qt::FontRole, Qt::ForegroundRole, Qt::SizeHintRole};
    if (!m_opTypes.empty())
        emit dataChanged(index(0, 0), index(static_cast<int>(m_opTypes.size()) - 1, ColumnCount - 1), roles);
}

void DatasetTreeModel::setFilterText(const QString& text)
{
    const QString simplified = text.simplified();
    if (simplified == m_filterText)
        return;
    // Who listens to the coming reset may still ask about the old filter.
    beginResetModel();
    m_filterText = simplified;
    m_filter = TreeFilter(simplified.toStdString());
    rebuild();
    endResetModel();
}

void DatasetTreeModel::onDatasetChanged(bool onlyGrew)
{
    if (!onlyGrew) {
        beginResetModel();
        m_dataset = m_workspace->dataset();
        rebuild();
        endResetModel();
        return;
    }
    m_dataset = m_workspace->dataset();
    m_choice = RunChoice(m_dataset, m_workspace->selection());
    for (DefinitionEntry& entry : m_definitions) {
        const std::size_t traces = m_dataset->traceRowsOfDefinition(entry.name).size();
        if (traces == entry.traces)
            continue;
        entry.traces = traces;
        const QModelIndex changed = indexOfNode(entry.node, CountColumn);
        emit dataChanged(changed, changed, {Qt::DisplayRole, Qt::ToolTipRole});
        const QModelIndex definition = indexOfNode(entry.node);
        for (int group = 0; group < rowCount(definition); ++group) {
            const QModelIndex count = index(group, CountColumn, definition);
            emit dataChanged(count, count, {Qt::DisplayRole});
            const QModelIndex parentOfItems = index(group, NameColumn, definition);
            if (const int items = rowCount(parentOfItems); items > 0)
                emit dataChanged(index(0, CountColumn, parentOfItems), index(items - 1, CountColumn, parentOfItems),
                                 {Qt::DisplayRole});
        }
    }
}

void DatasetTreeModel::onSelectionChanged()
{
    m_choice = RunChoice(m_dataset, m_workspace->selection());
    // Boxes anywhere may have changed: one range a parent, and only for parents that have children.
    const QList<int> roles{Qt::CheckStateRole};
    if (!m_opTypes.empty())
        emit dataChanged(index(0, 0), index(static_cast<int>(m_opTypes.size()) - 1, 0), roles);
    for (std::size_t node = 0; node < m_nodes.size(); ++node)
        if (m_nodes[node].childCount > 0) {
            const QModelIndex parentIndex = indexOfNode(static_cast<int>(node));
            emit dataChanged(index(0, 0, parentIndex), index(m_nodes[node].childCount - 1, 0, parentIndex), roles);
        }
}

void DatasetTreeModel::rebuild()
{
    m_choice = RunChoice(m_dataset, m_workspace->selection());
    collectEntries();
    makeNodes();
}

void DatasetTreeModel::collectEntries()
{
    m_opTypes.clear();
    m_definitions.clear();
    const auto add = [this](OpTypeEntry& opType, const std::string& name, const Definition* definition) {
        FilteredDefinition left = m_filter.apply(*m_dataset, name);
        if (!left.shown)
            return;
        opType.definitions.push_back(m_definitions.size());
        m_definitions.push_back({name, definition, std::move(left), m_dataset->traceRowsOfDefinition(name).size(), -1});
    };
    std::map<std::string, std::vector<const Definition*>> byOpType;
    for (const auto& definition : m_dataset->definitions())
        byOpType[definition->opType].push_back(definition.get());
    for (auto& [opType, definitions] : byOpType) {
        std::sort(definitions.begin(), definitions.end(),
                  [](const Definition* a, const Definition* b) { return naturallyLess(a->name, b->name); });
        OpTypeEntry entry{opType, {}};
        for (const Definition* definition : definitions)
            add(entry, definition->name, definition);
        if (!entry.definitions.empty())
            m_opTypes.push_back(std::move(entry));
    }
    std::set<std::string> orphans;
    for (const auto& solution : m_dataset->solutions())
        if (!m_dataset->findDefinition(solution->definition))
            orphans.insert(solution->definition);
    for (const auto& [definition, workloads] : m_dataset->workloads())
        if (!m_dataset->findDefinition(definition))
            orphans.insert(definition);
    const StringPool& names = m_dataset->traces().names();
    std::vector<bool> seen(names.size(), false);
    for (const WorkloadKey& key : m_dataset->traces().workloadKeys()) {
        if (seen[key.definition])
            continue;
        seen[key.definition] = true;
        if (!m_dataset->findDefinition(names.text(key.definition)))
            orphans.insert(names.text(key.definition));
    }
    OpTypeEntry nameless;
    for (const std::string& orphan : orphans)
        add(nameless, orphan, nullptr);
    if (!nameless.definitions.empty())
        m_opTypes.push_back(std::move(nameless));
}

void DatasetTreeModel::makeNodes()
{
    m_nodes.clear();
    const auto addChildren = [this](int parent, std::size_t count) {
        const auto first = static_cast<int>(m_nodes.size());
        if (parent >= 0) {
            m_nodes[static_cast<std::size_t>(parent)].firstChild = first;
            m_nodes[static_cast<std::size_t>(parent)].childCount = static_cast<int>(count);
        }
        m_nodes.resize(m_nodes.size() + count);
        for (std::size_t row = 0; row < count; ++row) {
            Node& node = m_nodes[static_cast<std::size_t>(first) + row];
            node.parent = parent;
            node.row = static_cast<int>(row);
        }
        return first;
    };
    addChildren(-1, m_opTypes.size());
    for (std::size_t opType = 0; opType < m_opTypes.size(); ++opType) {
        m_nodes[opType].entry = static_cast<std::uint32_t>(opType);
        const auto& definitions = m_opTypes[opType].definitions;
        const int first = addChildren(static_cast<int>(opType), definitions.size());
        for (std::size_t row = 0; row < definitions.size(); ++row) {
            const int node = first + static_cast<int>(row);
            m_nodes[static_cast<std::size_t>(node)].kind = NodeKind::Definition;
            m_nodes[static_cast<std::size_t>(node)].entry = static_cast<std::uint32_t>(definitions[row]);
            m_definitions[definitions[row]].node = node;
        }
    }
    for (std::size_t index = 0; index < m_definitions.size(); ++index) {
        const auto entry = static_cast<std::uint32_t>(index);
        const auto first = static_cast<std::size_t>(addChildren(m_definitions[index].node, 3));
        const FilteredDefinition& left = m_definitions[index].left;
        constexpr std::array kGroups{NodeKind::SolutionGroup, NodeKind::WorkloadGroup, NodeKind::TraceGroup};
        for (std::size_t group = 0; group < kGroups.size(); ++group) {
            m_nodes[first + group].kind = kGroups[group];
            m_nodes[first + group].entry = entry;
        }
        const auto addItems = [&](std::size_t group, NodeKind kind, std::size_t count) {
            const auto firstItem = static_cast<std::size_t>(addChildren(static_cast<int>(group), count));
            for (std::size_t row = 0; row < count; ++row) {
                m_nodes[firstItem + row].kind = kind;
                m_nodes[firstItem + row].entry = entry;
                m_nodes[firstItem + row].item = static_cast<std::uint32_t>(row);
            }
        };
        addItems(first, NodeKind::Solution, left.solutions.size());
        addItems(first + 1, NodeKind::Workload, left.workloads.size());
    }
}

QModelIndex DatasetTreeModel::indexOfNode(int node, int column) const
{
    return createIndex(m_nodes[static_cast<std::size_t>(node)].row, column, static_cast<quintptr>(node));
}

QModelIndex DatasetTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || column < 0 || column >= ColumnCount || row >= rowCount(parent))
        return {};
    const int first = parent.isValid() ? nodeOf(parent).firstChild : 0;
    return createIndex(row, column, static_cast<quintptr>(first + row));
}

QModelIndex DatasetTreeModel::parent(const QModelIndex& child) const
{
    if (!child.isValid())
        return {};
    const int node = nodeOf(child).parent;
    return node < 0 ? QModelIndex() : indexOfNode(node);
}

int DatasetTreeModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_opTypes.size());
    return parent.column() == NameColumn ? nodeOf(parent).childCount : 0;
}

int DatasetTreeModel::columnCount(const QModelIndex&) const { return ColumnCount; }

const Trace& DatasetTreeModel::workloadOf(const Node& node) const
{
    const DefinitionEntry& entry = definitionOf(node);
    return m_dataset->workloadsOf(entry.name)[entry.left.workloads[node.item]];
}

QString DatasetTreeModel::nameOf(const Node& node) const
{
    switch (node.kind) {
    case NodeKind::OpType: return QString::fromStdString(m_opTypes[node.entry].name);
    case NodeKind::Solution: return QString::fromStdString(solutionOf(node)->name);
    case NodeKind::Workload: return QString::fromStdString(workloadOf(node).workload.uuid);
    default: return QString::fromStdString(definitionOf(node).name);
    }
}

QString DatasetTreeModel::displayName(const Node& node) const
{
    switch (node.kind) {
    case NodeKind::OpType:
        return m_opTypes[node.entry].name.empty() ? tr("without a definition") : nameOf(node);
    case NodeKind::SolutionGroup: return tr("Solutions");
    case NodeKind::WorkloadGroup: return tr("Workloads");
    case NodeKind::TraceGroup: return tr("Traces");
    case NodeKind::Workload: {
        const Workload& workload = workloadOf(node).workload;
        const QString axes = axesText(workload);
        return axes.isEmpty() ? QString::fromStdString(workload.uuid) : axes;
    }
    case NodeKind::Solution: {
        // Many names begin with the definition's, which stands two rows above.
        const QString name = nameOf(node);
        const QString definition = QString::fromStdString(definitionOf(node).name);
        return name.size() > definition.size() + 1 && name.startsWith(definition) ? QStringLiteral("…") + name.mid(definition.size()) : name;
    }
    default: return nameOf(node);
    }
}

QString DatasetTreeModel::countText(const Node& node) const
{
    const auto text = [](std::size_t count) { return ui::countText(static_cast<qint64>(count)); };
    switch (node.kind) {
    case NodeKind::OpType: return text(m_opTypes[node.entry].definitions.size());
    case NodeKind::Definition:
    case NodeKind::TraceGroup: return text(m_dataset->traceRowsOfDefinition(definitionOf(node).name).size());
    case NodeKind::SolutionGroup: return text(definitionOf(node).left.solutions.size());
    case NodeKind::WorkloadGroup: return text(definitionOf(node).left.workloads.size());
    case NodeKind::Solution: return text(m_dataset->traceRowsOfSolution(solutionOf(node)->name).size());
    case NodeKind::Workload: return {};
    }
    return {};
}

QString DatasetTreeModel::widestCount() const
{
    std::size_t most = m_definitions.size();
    for (const DefinitionEntry& entry : m_definitions)
        most = std::max({most, entry.traces, entry.left.solutions.size(), entry.left.workloads.size()});
    return ui::countText(static_cast<qint64>(most));
}

QString DatasetTreeModel::toolTip(const Node& node) const
{
    switch (node.kind) {
    case NodeKind::OpType:
        if (m_opTypes[node.entry].name.empty())
            return plainToolTip(tr("Solutions, workloads or traces name these definitions, but the dataset has no file for them. They "
                                   "can be looked at, not run."));
        return plainToolTip(tr("%n definition(s) of this op_type", nullptr, static_cast<int>(m_opTypes[node.entry].definitions.size())));
    case NodeKind::Definition: {
        const DefinitionEntry& entry = definitionOf(node);
        return plainToolTip(tr("%1\n%2 solutions, %3 workloads, %4 traces")
                                .arg(QString::fromStdString(entry.name), ui::countText(static_cast<qint64>(entry.left.solutions.size())),
                                     ui::countText(static_cast<qint64>(entry.left.workloads.size())),
                                     ui::countText(static_cast<qint64>(entry.traces))));
    }
    case NodeKind::Solution: {
        const Solution* solution = solutionOf(node);
        return plainToolTip(tr("%1\nby %2 in %3").arg(QString::fromStdString(solution->name), QString::fromStdString(solution->author),
                                                      fromView(toString(solution->spec.language))));
    }
    case NodeKind::Workload: return plainToolTip(tr("%1\nworkload %2").arg(displayName(node), nameOf(node)));
    default: return {};
    }
}

QString DatasetTreeModel::keyOf(const Node& node) const
{
    // Names may hold any character: the unit separator cannot be typed, so keys of different nodes differ.
    return QString::number(static_cast<int>(node.kind)) + QChar(0x1F) +
           (node.kind == NodeKind::OpType ? QString() : QString::fromStdString(definitionOf(node).name)) + QChar(0x1F) + nameOf(node);
}

QModelIndex DatasetTreeModel::indexOfKey(const QString& key) const
{
    const QStringList parts = key.split(QChar(0x1F));
    if (parts.size() != 3)
        return {};
    const auto kind = static_cast<NodeKind>(parts[0].toInt());
    if (kind == NodeKind::OpType) {
        const auto found = std::find_if(m_opTypes.begin(), m_opTypes.end(),
                                        [name = parts[2].toStdString()](const OpTypeEntry& entry) { return entry.name == name; });
        return found == m_opTypes.end() ? QModelIndex() : index(static_cast<int>(found - m_opTypes.begin()), 0);
    }
    const QModelIndex definition = indexOfDefinition(parts[1]);
    if (!definition.isValid() || kind == NodeKind::Definition)
        return definition;
    const auto group = [&](int row) { return index(row, 0, definition); };
    switch (kind) {
    case NodeKind::SolutionGroup: return group(0);
    case NodeKind::WorkloadGroup: return group(1);
    case NodeKind::TraceGroup: return group(2);
    default: break;
    }
    const QModelIndex items = group(kind == NodeKind::Solution ? 0 : 1);
    for (int row = 0; row < rowCount(items); ++row)
        if (const QModelIndex item = index(row, 0, items); nameOf(nodeOf(item)) == parts[2])
            return item;
    return {};
}

QModelIndex DatasetTreeModel::indexOfDefinition(const QString& name) const
{
    const auto found = std::find_if(m_definitions.begin(), m_definitions.end(),
                                    [name = name.toStdString()](const DefinitionEntry& entry) { return entry.name == name; });
    return found == m_definitions.end() ? QModelIndex() : indexOfNode(found->node);
}

QModelIndex DatasetTreeModel::indexOfSolution(const QString& name) const
{
    const Solution* solution = m_dataset->findSolution(name.toStdString());
    if (!solution)
        return {};
    const QModelIndex definition = indexOfDefinition(QString::fromStdString(solution->definition));
    if (!definition.isValid())
        return {};
    const auto& solutions = definitionOf(nodeOf(definition)).left.solutions;
    const auto found = std::find(solutions.begin(), solutions.end(), solution);
    return found == solutions.end() ? QModelIndex() : index(static_cast<int>(found - solutions.begin()), 0, index(0, 0, definition));
}

QVariant DatasetTreeModel::iconOf(const Node& node) const
{
    switch (node.kind) {
    case NodeKind::OpType:
    case NodeKind::Definition: return {};   // names are long: the place is theirs
    case NodeKind::SolutionGroup: return m_solutionsIcon;
    case NodeKind::WorkloadGroup: return m_workloadsIcon;
    case NodeKind::TraceGroup: return m_tracesIcon;
    case NodeKind::Solution: return seriesChip(QString::fromStdString(solutionOf(node)->name));
    case NodeKind::Workload: return {};
    }
    return {};
}

QVariant DatasetTreeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const Node& node = nodeOf(index);
    switch (role) {
    case Qt::SizeHintRole: return m_rowSize;
    case KindRole: return QVariant::fromValue(node.kind);
    case NameRole: return nameOf(node);
    case DefinitionRole: return node.kind == NodeKind::OpType ? QString() : QString::fromStdString(definitionOf(node).name);
    case KeyRole: return keyOf(node);
    case Qt::ToolTipRole: return toolTip(node);
    default: break;
    }
    if (index.column() == CountColumn) {
        switch (role) {
        case Qt::DisplayRole: return countText(node);
        case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        case Qt::ForegroundRole: return m_muted;
        case Qt::FontRole: return m_numberFont;
        default: return {};
        }
    }
    switch (role) {
    case Qt::DisplayRole: return visibleText(displayName(node));
    case Qt::DecorationRole: return iconOf(node);
    case Qt::CheckStateRole: return isCheckable(node) ? checkState(node) : QVariant();
    case Qt::FontRole: return node.kind == NodeKind::OpType ? QVariant(m_opTypeFont) : QVariant();
    case Qt::AccessibleTextRole:
        if (node.kind == NodeKind::Workload)
            return tr("workload %1").arg(visibleText(displayName(node)));
        return tr("%1, %2").arg(visibleText(node.kind == NodeKind::Solution ? nameOf(node) : displayName(node)), countText(node));
    default: return {};
    }
}

QVariant DatasetTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section == CountColumn)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    return section == NameColumn ? tr("Name") : tr("Count");
}

Qt::ItemFlags DatasetTreeModel::flags(const QModelIndex& index) const
{
    if (!index.isValid() || !checkIndex(index))
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    const Node& node = nodeOf(index);
    if (index.column() == NameColumn && isCheckable(node))
        flags |= Qt::ItemIsUserCheckable;
    if (node.childCount == 0)
        flags |= Qt::ItemNeverHasChildren;
    return flags;
}

}  // namespace tracedeck::ui
