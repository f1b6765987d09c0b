// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/definition_page.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/io/json_codec.h"
#include "core/run/run_settings.h"
#include "ui/models/growth_refresh.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/models/pin_board.h"
#include "ui/models/solution_table_model.h"
#include "ui/models/workload_table_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/charts_page.h"
#include "ui/pages/code_view.h"
#include "ui/pages/column_widths.h"
#include "ui/pages/definition_header.h"
#include "ui/pages/errors_page.h"
#include "ui/pages/heat_map_page.h"
#include "ui/pages/number_delegate.h"
#include "ui/pages/table_tools.h"
#include "ui/pages/traces_page.h"
#include "ui/style/empty_hint.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/sort_header.h"
#include "ui/style/tables.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Whether or not the table was ever on the screen, which QTableView::selectRow() depends on.
void selectRow(QTableView* table, int row)
{
    table->selectionModel()->setCurrentIndex(table->model()->index(row, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

}  // namespace

DefinitionPage::DefinitionPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_header(new DefinitionHeader(this)), m_tabs(new QTabWidget(this)),
      m_charts(new ChartsPage(workspace, this)), m_heatMap(new HeatMapPage(workspace, this)), m_errors(new ErrorsPage(workspace, this)), m_traces(new TracesPage(workspace, this)), m_reference(new CodeView(this)),
      m_solutionModel(new SolutionTableModel(workspace, this)), m_workloadModel(new WorkloadTableModel(workspace, this)),
      m_job(new LatestJob(this)), m_growth(new GrowthRefresh(m_job, [this] { refreshSummary(); }, this))
{
    buildTables();
    m_tabs->setObjectName(QStringLiteral("definitionTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Parts of the definition"));
    m_tabs->tabBar()->setAccessibleName(tr("Parts of the definition"));
    m_tabs->addTab(m_charts, icon(QStringLiteral("charts")), tr("Charts"));
    m_tabs->addTab(m_heatMap, icon(QStringLiteral("heatmap")), tr("Heat map"));
    m_tabs->addTab(m_errors, icon(QStringLiteral("errors")), tr("Errors"));
    m_tabs->addTab(m_solutionTable, icon(QStringLiteral("solution")), tr("Solutions"));
    m_tabs->addTab(m_workloadTable, icon(QStringLiteral("workloads")), tr("Workloads"));
    m_tabs->addTab(m_traces, icon(QStringLiteral("traces")), tr("Traces"));
    m_tabs->addTab(m_reference, icon(QStringLiteral("code")), tr("Reference"));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_tabs, 1);
    buildEmptyState();
    layout->addWidget(m_emptyState, 1);

    connect(m_tabs, &QTabWidget::currentChanged, this, &DefinitionPage::tabChanged);
    connect(m_header, &DefinitionHeader::copyJsonRequested, this, &DefinitionPage::copyJson);
    connect(m_header, &DefinitionHeader::runAllRequested, this, [this] {
        Selection selection;
        selection.definitions.insert(m_workspace->currentDefinition().toStdString());
        emit runRequested(selection);
    });
    connect(m_traces, &TracesPage::rerunRequested, this, &DefinitionPage::runRequested);
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (!onlyGrew)
            refreshDefinition();
        else
            m_growth->request();
    });
    connect(workspace, &Workspace::currentDefinitionChanged, this, &DefinitionPage::refreshDefinition);
    connect(workspace, &Workspace::comparisonChanged, this, &DefinitionPage::refreshSummary);
    connect(workspace->pins(), &PinBoard::latenciesChanged, this, &DefinitionPage::refreshSummary);
    connect(workspace, &Workspace::currentSolutionChanged, this, &DefinitionPage::selectCurrentSolution);
    refreshDefinition();
}

DefinitionPage::~DefinitionPage() = default;

void DefinitionPage::buildTables()
{
    m_solutionTable = new QTableView(this);
    m_solutionTable->setObjectName(QStringLiteral("solutionTable"));
    m_solutionTable->setAccessibleName(tr("Solutions of the definition"));
    m_solutionTable->setHorizontalHeader(new SortHeader(m_solutionTable));
    m_solutionTable->setModel(m_solutionModel);
    setUpTable(m_solutionTable);
    m_solutionTools = new TableTools(m_solutionTable, QStringLiteral("solutions"), QStringLiteral("solution"), this);
    m_solutionTools->showSortKeys({{SolutionTableModel::SpeedupColumn, Qt::DescendingOrder}});
    m_solutionModel->sortBy(m_solutionTools->sortKeys());
    connect(m_solutionTools, &TableTools::sortRequested, m_solutionModel, &SolutionTableModel::sortBy);
    constexpr int kWidestSolution = 320;
    new ColumnSharing(m_solutionTable, {SolutionTableModel::NameColumn, SolutionTableModel::AuthorColumn, SolutionTableModel::HardwareColumn}, kWidestSolution, SolutionTableModel::NameColumn);
    connect(m_solutionTable, &QTableView::activated, this, [this](const QModelIndex& index) {
        emit solutionActivated(index.siblingAtColumn(0).data(SolutionTableModel::NameRole).toString());
    });
    connect(m_solutionTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        if (m_followsTable && current.isValid() && current.siblingAtColumn(0).data(SolutionTableModel::HasSourceRole).toBool())
            m_workspace->setCurrentSolution(current.siblingAtColumn(0).data(SolutionTableModel::NameRole).toString());
    });

    const auto placeSolutionPins = [this] {
        placeColumnsBehind(m_solutionTable, SolutionTableModel::LatencyColumn, m_solutionModel->firstPinColumn(), m_solutionModel->pinCount());
        // Room for them.
        m_solutionTools->setHiddenByDefault(QStringLiteral("hardware"), m_solutionModel->pinCount() > 0);
        m_solutionTools->setHiddenByDefault(QStringLiteral("language"), m_solutionModel->pinCount() > 1);
    };
    for (const auto signal : {&QAbstractItemModel::columnsInserted, &QAbstractItemModel::columnsRemoved})
        connect(m_solutionModel, signal, this, placeSolutionPins);
    connect(m_solutionModel, &QAbstractItemModel::modelReset, this, placeSolutionPins);
    for (const auto signal : {&QAbstractItemModel::columnsInserted, &QAbstractItemModel::columnsRemoved})
        connect(m_workloadModel, signal, this, &DefinitionPage::sizeWorkloadColumns);

    m_latencyDelegate = new NumberDelegate(3, this);
    m_workloadTable = new QTableView(this);
    m_workloadTable->setObjectName(QStringLiteral("workloadTable"));
    m_workloadTable->setAccessibleName(tr("Workloads of the definition"));
    m_workloadTable->setHorizontalHeader(new SortHeader(m_workloadTable));
    m_workloadTable->setModel(m_workloadModel);
    setUpTable(m_workloadTable);
    m_workloadTools = new TableTools(m_workloadTable, QStringLiteral("workloads"), QStringLiteral("number"), this);
    constexpr int kWidestWorkload = 300;
    m_workloadColumns = new ColumnSharing(m_workloadTable, {}, kWidestWorkload);
    m_workloadTools->showSortKeys({{0, Qt::AscendingOrder}});
    m_workloadModel->sortBy(m_workloadTools->sortKeys());
    connect(m_workloadTools, &TableTools::sortRequested, m_workloadModel, &WorkloadTableModel::sortBy);
    connect(m_workloadTable, &QTableView::activated, this,
            [this](const QModelIndex& index) { emit workloadActivated(index.data(WorkloadTableModel::UuidRole).toString()); });
    for (TableTools* tools : {m_solutionTools, m_workloadTools}) {
        tools->setFileName([this, tools] { return m_workspace->currentDefinition() + (tools == m_solutionTools ? QStringLiteral("_solutions") : QStringLiteral("_workloads")); });
        tools->view()->setTextElideMode(Qt::ElideMiddle);
        tools->view()->setSelectionMode(QAbstractItemView::ExtendedSelection);
        tools->view()->setContextMenuPolicy(Qt::ActionsContextMenu);
    }
    m_solutionTable->setItemDelegateForColumn(SolutionTableModel::LatencyColumn, new NumberDelegate(3, this));
    m_solutionTable->setItemDelegateForColumn(SolutionTableModel::SpeedupColumn, new NumberDelegate(3, this));
}

void DefinitionPage::buildEmptyState()
{
    m_emptyState = new QWidget(this);
    m_emptyState->setObjectName(QStringLiteral("noDefinitions"));
    auto* text = new WrappedLabel(m_emptyState);
    text->setAlignment(Qt::AlignCenter);
    text->setText(tr("A dataset folder holds JSON files in definitions/ and solutions/, and JSON Lines in workloads/ and traces/.\n"
                     "Open another folder, or look at the sample to see how one is laid out. "
                     "When you add files to this folder, reload it."));
    m_emptyButtons = new QHBoxLayout;
    m_emptyButtons->addStretch(1);
    m_emptyButtons->addStretch(1);
    auto* layout = new QVBoxLayout(m_emptyState);
    layout->setContentsMargins(Space::kPage, Space::kPage, Space::kPage, Space::kPage);
    layout->setSpacing(Space::kPage);
    layout->addStretch(2);
    layout->addWidget(text);
    layout->addLayout(m_emptyButtons);
    layout->addStretch(3);
    m_emptyState->hide();

    new EmptyHint(m_solutionTable, tr("No solution of this definition is here yet.\nPut its JSON file into the dataset's solutions/ folder, then reload (F5)."));
    new EmptyHint(m_workloadTable, tr("No workload of this definition is here yet.\nPut its JSON Lines into the dataset's workloads/ folder, then reload (F5)."));
    m_referenceHint = new EmptyHint(m_reference->area());
    m_referenceHint->setText(tr("There is no reference: the dataset has no file for this definition."));
}

void DefinitionPage::offerWhenEmpty(const QList<QAction*>& actions)
{
    for (QAction* action : actions) {
        auto* button = new QPushButton(action->icon(), action->text(), m_emptyState);
        button->setToolTip(action->toolTip());
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        m_emptyButtons->insertWidget(m_emptyButtons->count() - 1, button);
    }
}

void DefinitionPage::sizeWorkloadColumns()
{
    const int columns = m_workloadModel->columnCount();
    const int solutionColumn = m_workloadModel->bestSolutionColumn();
    m_workloadColumns->setTexts({solutionColumn, columns - 2, columns - 1}, solutionColumn);   // fastest solution, inputs, UUID
    placeColumnsBehind(m_workloadTable, m_workloadModel->bestLatencyColumn(), m_workloadModel->firstPinColumn(), m_workloadModel->pinCount());
    if (m_numberColumn >= 0)
        m_workloadTable->setItemDelegateForColumn(m_numberColumn, nullptr);
    m_numberColumn = m_workloadModel->bestLatencyColumn();
    m_workloadTable->setItemDelegateForColumn(m_numberColumn, m_latencyDelegate);
}

TableTools* DefinitionPage::currentTools() const
{
    switch (currentTab()) {
    case Tab::Solutions: return m_solutionTools;
    case Tab::Workloads: return m_workloadTools;
    case Tab::Traces: return m_traces->tools();
    default: return nullptr;
    }
}

const Workload* DefinitionPage::currentWorkload() const
{
    const auto& workloads = m_workspace->dataset()->workloadsOf(m_workspace->currentDefinition().toStdString());
    const std::string chosen = m_workloadTable->currentIndex().data(WorkloadTableModel::UuidRole).toString().toStdString();
    const auto found = std::find_if(workloads.begin(), workloads.end(), [&chosen](const Trace& line) { return line.workload.uuid == chosen; });
    return found != workloads.end() ? &found->workload : workloads.empty() ? nullptr : &workloads.front().workload;
}

void DefinitionPage::offerForWorkloads(QAction* action) { m_workloadTable->addAction(action); }

DefinitionPage::Tab DefinitionPage::currentTab() const { return static_cast<Tab>(m_tabs->currentIndex()); }
void DefinitionPage::showTab(Tab tab) { m_tabs->setCurrentIndex(static_cast<int>(tab)); }

void DefinitionPage::showWorkload(const QString& uuid)
{
    showTab(Tab::Workloads);
    const int row = m_workloadModel->rowOf(uuid);
    if (row >= 0) {
        selectRow(m_workloadTable, row);
        m_workloadTable->scrollTo(m_workloadModel->index(row, 0));
    }
}

bool DefinitionPage::isBusy() const { return m_job->isRunning() || m_growth->isPending() || m_charts->isBusy() || m_heatMap->isBusy() || m_errors->isBusy() || m_traces->isBusy(); }

void DefinitionPage::refreshDefinition()
{
    const auto dataset = m_workspace->dataset();
    const QString name = m_workspace->currentDefinition();
    const bool another = std::exchange(m_shownDefinition, name) != name;
    const bool isEmpty = name.isEmpty() && dataset->definitions().empty();
    m_tabs->setHidden(isEmpty);
    m_emptyState->setVisible(isEmpty);
    m_referenceHint->setShown(!name.isEmpty() && !dataset->findDefinition(name.toStdString()));
    if (name.isEmpty()) {
        m_header->showNothing(*dataset);
        m_reference->setCode({}, CodeLanguage::Python);
    } else {
        m_header->showDefinition(*dataset, name);
        const Definition* definition = dataset->findDefinition(name.toStdString());
        const QString reference = definition ? QString::fromStdString(definition->reference) : QString();
        if (another || m_reference->code() != reference)
            m_reference->setCode(reference, CodeLanguage::Python);
    }
    // What is known without looking at traces, at once; the figures follow.
    auto summary = std::make_shared<DefinitionSummary>();
    summary->dataset = dataset;
    summary->definition = name.toStdString();
    if (another) {
        summary->pinned = std::make_shared<const PinnedLatencies>(Dataset(), m_workspace->pins()->latencies()->pins(), m_workspace->policy());   // their columns stay
        for (const Solution* solution : dataset->solutionsOf(summary->definition))
            summary->solutions.push_back({.name = solution->name, .solution = solution, .changes = std::vector<PinnedChange>(summary->pinned->size())});
        applySummary(std::move(summary));
        sizeWorkloadColumns();
    }
    refreshSummary();
}

void DefinitionPage::refreshSummary()
{
    const QString name = m_workspace->currentDefinition();
    if (name.isEmpty()) {
        m_job->cancel();
        updateTabTitles();
        return;
    }
    using Answer = std::shared_ptr<const DefinitionSummary>;
    m_job->start<Answer>(
        [dataset = m_workspace->dataset(), name = name.toStdString(), hardware = m_workspace->hardware().toStdString(),
         policy = m_workspace->policy(), pinned = m_workspace->pins()->latencies()](std::stop_token stop) -> Answer {
            const auto ceilings = CeilingTable::read(ceilingsFile());
            return std::make_shared<const DefinitionSummary>(
                summarizeDefinition(dataset, name, hardware, policy, stop, {pinned, ceilings ? *ceilings : CeilingTable::dataSheets()}));
        },
        [this](Answer summary) {
            m_header->showSummary(*summary);
            applySummary(std::move(summary));
        });
    updateTabTitles();
}

void DefinitionPage::applySummary(std::shared_ptr<const DefinitionSummary> summary)
{
    m_followsTable = false;
    m_timing = summary->timing;
    m_solutionModel->show(summary);
    m_workloadModel->show(std::move(summary));
    m_followsTable = true;
    selectCurrentSolution();
    updateTabTitles();
    emit summaryShown();
}

void DefinitionPage::updateTabTitles()
{
    const std::string name = m_workspace->currentDefinition().toStdString();
    const auto count = [](qsizetype number) { return countText(static_cast<qint64>(number)); };
    const auto dataset = m_workspace->dataset();
    const auto title = [&](Tab tab, const QString& text, qsizetype number) {
        m_tabs->setTabText(static_cast<int>(tab), name.empty() ? text : tr("%1 %2").arg(text, count(number)));
    };
    title(Tab::Solutions, tr("Solutions"), m_solutionModel->rowCount());
    title(Tab::Workloads, tr("Workloads"), m_workloadModel->rowCount());
    title(Tab::Traces, tr("Traces"), static_cast<qsizetype>(dataset->traceRowsOfDefinition(name).size()));
}

void DefinitionPage::selectCurrentSolution()
{
    const int row = m_solutionModel->rowOf(m_workspace->currentSolution());
    m_followsTable = false;
    if (row >= 0)
        selectRow(m_solutionTable, row);
    else
        m_solutionTable->clearSelection();
    m_followsTable = true;
}

void DefinitionPage::copyJson()
{
    if (const Definition* definition = m_workspace->dataset()->findDefinition(m_workspace->currentDefinition().toStdString()))
        QApplication::clipboard()->setText(QString::fromStdString(writeObjectFile(encodeDefinition(*definition))));
}

void DefinitionPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_solutionModel->refreshLooks();
        m_workloadModel->refreshLooks();
    }
}

}  // namespace tracedeck::ui
