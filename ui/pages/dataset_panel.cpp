// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/dataset_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStyle>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include "ui/models/dataset_tree_model.h"
#include "ui/models/number_format.h"
#include "ui/models/run_choice.h"
#include "ui/models/workspace.h"
#include "ui/pages/solution_name_delegate.h"
#include "ui/style/empty_hint.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Little, as names are long.
constexpr int kIndentation = 14;
constexpr int kFilterPauseMs = 120;
constexpr int kPreferredWidth = 308;
/// Under a filter, definitions are opened as well when there are only this many.
constexpr int kFewDefinitions = 8;

}  // namespace

DatasetPanel::DatasetPanel(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new DatasetTreeModel(workspace, this)), m_filter(new QLineEdit(this)),
      m_tree(new QTreeView(this)), m_summary(new ElidedLabel(this)), m_clear(new QPushButton(tr("Clear"), this)),
      m_filterTimer(new QTimer(this))
{
    m_filter->setObjectName(QStringLiteral("datasetFilter"));
    m_filter->setAccessibleName(tr("Filter the dataset tree"));
    m_filter->setPlaceholderText(tr("Filter: name, tag, author, h=32 …"));
    m_filter->setToolTip(tr("Words that must all match a name, op_type, tag, author or language; h=32 matches an axis (Ctrl+L)"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
    m_filter->installEventFilter(this);

    m_tree->setObjectName(QStringLiteral("datasetTree"));
    m_tree->setAccessibleName(tr("Dataset"));
    m_tree->setModel(m_model);
    m_tree->setUniformRowHeights(true);
    m_tree->setAnimated(false);
    m_tree->setHeaderHidden(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setItemDelegateForColumn(DatasetTreeModel::NameColumn, new TreeNameDelegate(m_tree));
    m_tree->setIndentation(kIndentation);
    m_tree->setExpandsOnDoubleClick(false);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(DatasetTreeModel::NameColumn, QHeaderView::Stretch);
    m_tree->header()->setSectionResizeMode(DatasetTreeModel::CountColumn, QHeaderView::Fixed);
    m_tree->header()->setMinimumSectionSize(1);
    m_tree->installEventFilter(this);
    m_hint = new EmptyHint(m_tree, QString());

    m_summary->setObjectName(QStringLiteral("runSelectionSummary"));
    m_summary->setMuted(true);
    m_clear->setToolTip(tr("Untick everything"));
    m_clear->setAccessibleName(tr("Untick everything"));
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(Space::kNormal, Space::kTight, Space::kNormal, Space::kTight);
    bottom->addWidget(m_summary, 1);
    bottom->addWidget(m_clear);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* top = new QVBoxLayout;
    top->setContentsMargins(Space::kNormal, Space::kNormal, Space::kNormal, Space::kNormal);
    top->addWidget(m_filter);
    layout->addLayout(top);
    layout->addWidget(m_tree, 1);
    layout->addLayout(bottom);

    m_filterTimer->setSingleShot(true);
    m_filterTimer->setInterval(kFilterPauseMs);
    connect(m_filter, &QLineEdit::textChanged, m_filterTimer, qOverload<>(&QTimer::start));
    connect(m_filterTimer, &QTimer::timeout, this, &DatasetPanel::applyFilter);
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this, &DatasetPanel::rememberState);
    connect(m_model, &QAbstractItemModel::modelReset, this, &DatasetPanel::restoreState);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &DatasetPanel::onCurrentChanged);
    connect(m_tree, &QTreeView::activated, this, &DatasetPanel::onActivated);
    connect(m_tree, &QTreeView::customContextMenuRequested, this, &DatasetPanel::showMenu);
    connect(m_clear, &QPushButton::clicked, this, &DatasetPanel::clearRunSelection);
    connect(workspace, &Workspace::selectionChanged, this, &DatasetPanel::updateSummary);
    connect(workspace, &Workspace::datasetChanged, this, [this] {
        updateSummary();
        sizeCounts();
    });
    connect(m_model, &QAbstractItemModel::modelReset, this, &DatasetPanel::sizeCounts);
    updateSummary();
    sizeCounts();
}

QSize DatasetPanel::sizeHint() const { return {kPreferredWidth, kPreferredWidth}; }

void DatasetPanel::sizeCounts()
{
    // A number that lost its middle is another number: the names give way instead.
    const int margins = 2 * (m_tree->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, m_tree) + 1);
    m_tree->header()->resizeSection(DatasetTreeModel::CountColumn,
                                    QFontMetrics(monospacedFont()).horizontalAdvance(m_model->widestCount()) + margins + Space::kNormal);
}

void DatasetPanel::applyFilter()
{
    m_filterTimer->stop();
    m_model->setFilterText(m_filter->text());
    updateSummary();
}

void DatasetPanel::rememberState()
{
    m_wasFiltered = m_model->isFiltered();
    // What a filter opened is not what the user opened.
    if (!m_wasFiltered) {
        m_expanded.clear();
        const auto remember = [this](const auto& self, const QModelIndex& parent) -> void {
            for (int row = 0; row < m_model->rowCount(parent); ++row) {
                const QModelIndex index = m_model->index(row, 0, parent);
                if (!m_tree->isExpanded(index))
                    continue;
                m_expanded.insert(index.data(DatasetTreeModel::KeyRole).toString());
                self(self, index);
            }
        };
        remember(remember, QModelIndex());
    }
    if (const QModelIndex current = m_tree->currentIndex(); current.isValid())
        m_currentKey = current.data(DatasetTreeModel::KeyRole).toString();
}

QStringList DatasetPanel::expandedKeys()
{
    rememberState();
    QStringList keys(m_expanded.begin(), m_expanded.end());
    keys.sort();
    return keys;
}

void DatasetPanel::setExpandedKeys(const QStringList& keys)
{
    m_expanded = QSet<QString>(keys.begin(), keys.end());
    if (m_model->isFiltered())
        return;   // when the filter goes
    // What was closed over the current entry stays closed.
    m_tree->collapseAll();
    for (const QString& key : keys)
        if (const QModelIndex index = m_model->indexOfKey(key); index.isValid())
            m_tree->setExpanded(index, true);
}

void DatasetPanel::restoreState()
{
    m_restoring = true;
    if (m_model->isFiltered()) {
        expandForFilter();
    } else {
        for (const QString& key : std::as_const(m_expanded))
            if (const QModelIndex index = m_model->indexOfKey(key); index.isValid())
                m_tree->setExpanded(index, true);
    }
    if (const QModelIndex index = m_model->indexOfKey(m_currentKey); index.isValid())
        m_tree->setCurrentIndex(index);
    m_restoring = false;
}

void DatasetPanel::expandForFilter()
{
    const bool few = m_model->definitionCount() <= kFewDefinitions;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex opType = m_model->index(row, 0);
        m_tree->expand(opType);
        for (int definition = 0; few && definition < m_model->rowCount(opType); ++definition)
            m_tree->expand(m_model->index(definition, 0, opType));
    }
}

void DatasetPanel::revealDefinition(const QString& name)
{
    const QModelIndex shown = m_tree->currentIndex();
    if (shown.isValid() && shown.data(DatasetTreeModel::DefinitionRole).toString() == name)
        return;
    reveal(m_model->indexOfDefinition(name));
}

void DatasetPanel::revealSolution(const QString& name) { reveal(m_model->indexOfSolution(name)); }

void DatasetPanel::reveal(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    m_restoring = true;
    m_tree->setCurrentIndex(index);
    m_tree->scrollTo(index);
    m_restoring = false;
}

void DatasetPanel::onCurrentChanged(const QModelIndex& index)
{
    if (m_restoring || !index.isValid())
        return;
    const QString definition = index.data(DatasetTreeModel::DefinitionRole).toString();
    if (definition.isEmpty())
        return;
    m_workspace->setCurrentDefinition(definition);
    switch (index.data(DatasetTreeModel::KindRole).value<DatasetTreeModel::NodeKind>()) {
    case DatasetTreeModel::NodeKind::Solution:
        m_workspace->setCurrentSolution(index.data(DatasetTreeModel::NameRole).toString());
        emit solutionsChosen(definition);
        break;
    case DatasetTreeModel::NodeKind::Workload:
        emit workloadChosen(definition, index.data(DatasetTreeModel::NameRole).toString());
        break;
    default: break;
    }
}

void DatasetPanel::onActivated(const QModelIndex& index)
{
    const QString definition = index.data(DatasetTreeModel::DefinitionRole).toString();
    const QString name = index.data(DatasetTreeModel::NameRole).toString();
    switch (index.data(DatasetTreeModel::KindRole).value<DatasetTreeModel::NodeKind>()) {
    case DatasetTreeModel::NodeKind::OpType: m_tree->setExpanded(index.siblingAtColumn(0), !m_tree->isExpanded(index.siblingAtColumn(0))); break;
    case DatasetTreeModel::NodeKind::Definition:
        emit definitionActivated(definition);
        m_tree->expand(index.siblingAtColumn(0));
        break;
    case DatasetTreeModel::NodeKind::SolutionGroup:
        emit solutionsChosen(definition);
        m_tree->expand(index.siblingAtColumn(0));
        break;
    case DatasetTreeModel::NodeKind::WorkloadGroup:
        emit workloadActivated(definition, QString());
        m_tree->expand(index.siblingAtColumn(0));
        break;
    case DatasetTreeModel::NodeKind::TraceGroup: emit tracesActivated(definition); break;
    case DatasetTreeModel::NodeKind::Solution: emit solutionActivated(name); break;
    case DatasetTreeModel::NodeKind::Workload: emit workloadActivated(definition, name); break;
    }
}

void DatasetPanel::showMenu(const QPoint& position)
{
    const QModelIndex index = m_tree->indexAt(position).siblingAtColumn(0);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (index.isValid()) {
        const QPersistentModelIndex target(index);
        const QString name = index.data(DatasetTreeModel::NameRole).toString();
        menu->addAction(icon(QStringLiteral("forward")), tr("Open"), this, [this, target] { onActivated(target); });
        menu->addAction(icon(QStringLiteral("copy")), tr("Copy name"), this, [name] { QApplication::clipboard()->setText(name); });
        if (index.flags() & Qt::ItemIsUserCheckable) {
            const bool ticked = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
            menu->addAction(icon(QStringLiteral("check")), ticked ? tr("Untick for running") : tr("Tick for running"), this,
                            [this, target, ticked] { m_model->setData(target, ticked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole); });
        }
        menu->addSeparator();
    }
    menu->addAction(tr("Collapse all"), m_tree, &QTreeView::collapseAll);
    menu->addAction(tr("Untick everything"), this, &DatasetPanel::clearRunSelection);
    menu->popup(m_tree->viewport()->mapToGlobal(position));
}

void DatasetPanel::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void DatasetPanel::clearRunSelection() { m_workspace->setSelection({}); }

void DatasetPanel::updateSummary()
{
    m_hint->setText(m_model->isFiltered() ? tr("Nothing matches the filter.\nPress Esc in the filter to see everything.")
                                          : tr("There is no definition in this folder.\nA dataset keeps them as JSON files in definitions/."));
    const std::size_t pairs = RunChoice(m_workspace->dataset(), m_workspace->selection()).pairCount();
    m_clear->setEnabled(!m_workspace->selection().empty());
    if (!m_workspace->selection().empty())
        m_summary->setText(tr("%1 pairs ticked to run").arg(countText(static_cast<qint64>(pairs))));
    else if (m_model->isFiltered())
        m_summary->setText(tr("%1 of %2 definitions")
                               .arg(m_model->definitionCount())
                               .arg(m_workspace->dataset()->definitions().size()));
    else
        m_summary->setText(tr("%1 definitions · tick to run").arg(countText(static_cast<qint64>(m_workspace->dataset()->definitions().size()))));
}

void DatasetPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_model->refreshLooks();
        sizeCounts();
    }
}

bool DatasetPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (watched == m_filter && key->key() == Qt::Key_Escape) {
            if (m_filter->text().isEmpty())
                m_tree->setFocus(Qt::OtherFocusReason);
            m_filter->clear();
            return true;
        }
        if (watched == m_filter && (key->key() == Qt::Key_Down || key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
            applyFilter();
            m_tree->setFocus(Qt::OtherFocusReason);
            if (!m_tree->currentIndex().isValid() && m_model->rowCount() > 0)
                m_tree->setCurrentIndex(m_model->index(0, 0));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace tracedeck::ui
