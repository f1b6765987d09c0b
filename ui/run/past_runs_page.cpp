// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/past_runs_page.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/model/timestamp.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/models/past_runs_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/column_widths.h"
#include "ui/pages/run_here_button.h"
#include "ui/pages/table_tools.h"
#include "ui/style/flow_layout.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/sort_header.h"
#include "ui/style/tables.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/style/turning_splitter.h"

namespace tracedeck::ui {
namespace {

constexpr int kFollowMs = 2000;
constexpr int kPastRunsShare = 720;
constexpr int kRunFactsShare = 250;
constexpr int kRoomForRunFacts = 1100;
constexpr int kWidestRunCell = 260;

}  // namespace

PastRunsPage::PastRunsPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new PastRunsModel(this)), m_follow(new QTimer(this)), m_listJob(new LatestJob(this)), m_actJob(new LatestJob(this))
{
    setObjectName(QStringLiteral("pastRunsPage"));
    buildTable();
    buildDetails();
    buildLayout();
    m_follow->setInterval(kFollowMs);
    connect(m_follow, &QTimer::timeout, this, [this] {
        if (isVisible() && !m_listJob->isRunning())
            refresh();
    });
    refresh();
    showSelected();
}

PastRunsPage::~PastRunsPage() = default;

bool PastRunsPage::isBusy() const { return m_listJob->isRunning() || m_actJob->isRunning(); }

void PastRunsPage::buildTable()
{
    m_view = new QTableView(this);
    m_view->setObjectName(QStringLiteral("pastRunsTable"));
    m_view->setAccessibleName(tr("Recorded runs"));
    m_view->setHorizontalHeader(new SortHeader(m_view));
    m_view->setModel(m_model);
    setUpTable(m_view);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_tools = new TableTools(m_view, QStringLiteral("past_runs"), QStringLiteral("started"), this);
    m_tools->setFileName([] { return QStringLiteral("runs"); });
    m_tools->setHiddenByDefault({QStringLiteral("program"), QStringLiteral("id")});
    m_tools->showSortKeys({{PastRunsModel::Started, Qt::DescendingOrder}});
    m_model->sortBy(m_tools->sortKeys());
    connect(m_tools, &TableTools::sortRequested, m_model, &PastRunsModel::sortBy);
    new ColumnSharing(m_view, {PastRunsModel::Dataset, PastRunsModel::Devices}, kWidestRunCell, PastRunsModel::Dataset);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PastRunsPage::showSelected);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &PastRunsPage::showSelected);
    connect(m_model, &QAbstractItemModel::modelReset, this, &PastRunsPage::showSelected);
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex& index) { emit tracesRequested(m_model->runAt(index.row())); });
}

QPushButton* PastRunsPage::addButton(const char* name, const QString& text, const QString& iconName, const QString& tip)
{
    auto* button = new QPushButton(iconName.isEmpty() ? QIcon() : icon(iconName), text, this);
    button->setObjectName(QString::fromLatin1(name));
    button->setToolTip(tip);
    return button;
}

void PastRunsPage::buildDetails()
{
    m_facts = new QPlainTextEdit(this);
    m_facts->setObjectName(QStringLiteral("runFacts"));
    m_facts->setAccessibleName(tr("What is recorded of the run"));
    m_facts->setReadOnly(true);
    m_facts->setUndoRedoEnabled(false);
    m_facts->setFrameShape(QFrame::NoFrame);
    m_facts->setPlaceholderText(tr("Choose a run to see its settings, seed, environment and outcome."));
    m_traces = addButton("runTraces", tr("Show &traces"), QStringLiteral("traces"), tr("The results that this run stored (Enter)"));
    m_compare = addButton("runCompare", tr("Co&mpare"), QStringLiteral("results"), tr("Two runs against each other; of one, the one before of the same dataset"));
    m_repeat = addButton("runRepeat", tr("Re&peat"), QStringLiteral("reload"), tr("Run all of its pairs again with its settings"));
    m_continue = addButton("runContinue", tr("Co&ntinue"), QStringLiteral("run"), tr("Run what it did not get to, with its settings"));
    m_stop = addButton("runStop", tr("&Stop"), QStringLiteral("stop"), tr("Ask the program that runs it to stop; what was measured is kept"));
    m_remove = addButton("runRemoveTraces", tr("Remo&ve traces…"), {}, tr("Take its results out of the dataset; they are kept, and can be put back"));
    m_restore = addButton("runRestoreTraces", tr("Put traces &back"), {}, tr("Put the results that were taken out into the dataset again"));
    m_forget = addButton("runForget", tr("For&get…"), {}, tr("Delete what is recorded of it; its traces stay"));
    connect(m_traces, &QPushButton::clicked, this, [this] {
        if (const auto runs = selected(); !runs.empty())
            emit tracesRequested(*runs.front());
    });
    connect(m_compare, &QPushButton::clicked, this, &PastRunsPage::compareSelected);
    for (const auto& [button, part] : {std::pair{m_repeat, RunPart::Everything}, {m_continue, RunPart::Rest}})
        connect(button, &QPushButton::clicked, this, [this, wanted = part] {
            if (const auto runs = selected(); !runs.empty())
                emit runRequested(*runs.front(), wanted);
        });
    connect(m_stop, &QPushButton::clicked, this, [this] {
        act([](const std::string& id) -> Result<QString> {
            const auto process = stopRun(runRecordFolder(), id);
            return process ? Result<QString>(tr("Process %1 was asked to stop.").arg(*process)) : Result<QString>(process.error());
        });
    });
    connect(m_remove, &QPushButton::clicked, this, &PastRunsPage::askToRemove);
    connect(m_restore, &QPushButton::clicked, this, [this] {
        act([](const std::string& id) -> Result<QString> {
            const auto count = restoreRunTraces(runRecordFolder(), id);
            return count ? Result<QString>(tr("%1 traces are back in the dataset.").arg(countText(static_cast<qint64>(*count)))) : Result<QString>(count.error());
        });
    });
    connect(m_forget, &QPushButton::clicked, this, &PastRunsPage::askToForget);
}

void PastRunsPage::buildLayout()
{
    m_note = new WrappedLabel(this);
    m_note->setObjectName(QStringLiteral("pastRunsNote"));
    m_note->hide();
    m_empty = new WrappedLabel(this);
    m_empty->setObjectName(QStringLiteral("pastRunsEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(Space::kPage);
    auto* splitter = new TurningSplitter(kRoomForRunFacts, kPastRunsShare, kRunFactsShare, this);
    splitter->addWidget(m_view);
    splitter->addWidget(m_facts);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    m_plan = addButton("planFirstRun", tr("Plan a r&un…"), QStringLiteral("run"), tr("Choose what is run, on which devices and how"));
    connect(m_plan, &QPushButton::clicked, this, &PastRunsPage::planRequested);
    m_stack = new QStackedLayout;
    m_stack->addWidget(splitter);
    m_stack->addWidget(emptyPage(m_empty, {m_plan}, this));
    auto* buttons = new FlowLayout;
    buttons->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kNormal);
    for (QPushButton* button : {m_traces, m_compare, m_repeat, m_continue, m_stop, m_remove, m_restore, m_forget})
        buttons->addWidget(button);
    auto* note = new QHBoxLayout;
    note->setContentsMargins(Space::kWide, 0, Space::kWide, Space::kTight);
    note->addWidget(m_note, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(buttons);
    layout->addLayout(note);
    layout->addLayout(m_stack, 1);
    setFocusProxy(m_view);
}

std::vector<const ListedRun*> PastRunsPage::selected() const
{
    QModelIndexList rows = m_view->selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    std::vector<const ListedRun*> runs;
    for (const QModelIndex& index : rows)
        runs.push_back(&m_model->runAt(index.row()));
    return runs;
}

void PastRunsPage::refresh()
{
    m_listJob->start<RunList>([](std::stop_token stop) { return listRuns(runRecordFolder(), stop); },
                              [this](const RunList& list) {
                                  std::string before = m_wanted;
                                  if (const auto runs = selected(); before.empty() && !runs.empty())
                                      before = runs.front()->record.id;
                                  const bool hadSelection = m_view->selectionModel()->hasSelection();
                                  m_model->show(list.runs);
                                  if (!m_wanted.empty() || (hadSelection && !m_view->selectionModel()->hasSelection()))
                                      if (const int row = m_model->rowOf(before); row >= 0)
                                          m_view->selectRow(row);
                                  m_wanted.clear();
                                  QStringList problems;
                                  for (const Problem& problem : list.problems)
                                      problems << QString::fromStdString(problem.error.toString());
                                  m_empty->setText(tr("No run is recorded yet.\nRuns from here and from `tracedeck run` are listed here, whatever their dataset."));
                                  if (!problems.isEmpty())
                                      setNote(tr("Some records can't be read: %1").arg(problems.join(QStringLiteral("; "))));
                                  m_plan->setVisible(m_workspace->isOpen());
                                  m_stack->setCurrentIndex(list.runs.empty() ? 1 : 0);
                                  const bool isAnyRunning = std::ranges::any_of(list.runs, [](const ListedRun& run) { return run.state == RunState::Running; });
                                  isAnyRunning ? m_follow->start() : m_follow->stop();
                                  showSelected();
                              });
}

void PastRunsPage::setNote(const QString& text)
{
    m_note->setText(text);
    m_note->setVisible(!text.isEmpty());
}

void PastRunsPage::showRun(const std::string& id)
{
    m_wanted = id;
    refresh();
}

void PastRunsPage::showSelected()
{
    const auto runs = selected();
    const bool isOne = runs.size() == 1;
    const ListedRun* run = isOne ? runs.front() : nullptr;
    const bool isAlive = run && run->state == RunState::Running;
    const QString facts = run ? visibleLines(runFacts(*run)) : QString();
    if (facts != m_facts->toPlainText())
        m_facts->setPlainText(facts);
    const bool isBusyHere = m_actJob->isRunning();
    m_traces->setEnabled(isOne);
    m_compare->setEnabled(isOne || runs.size() == 2);
    m_repeat->setEnabled(isOne);
    m_continue->setEnabled(run && !isAlive && run->left() > 0);
    m_stop->setEnabled(isAlive && !isBusyHere);
    m_remove->setEnabled(run && !isAlive && !isBusyHere && run->counts.passed + run->counts.failed > 0);
    m_restore->setEnabled(run && run->record.hasRemovedTraces && !isBusyHere);
    m_forget->setEnabled(run && !isAlive && !isBusyHere);
}

SideChoice PastRunsPage::sideOf(const ListedRun& run) const
{
    SideChoice side;
    const QString root = QString::fromStdString(run.record.root);
    if (root != m_workspace->root())
        side.folder = root;
    const auto start = timestampMicroseconds(run.record.started);
    const auto end = timestampMicroseconds(run.record.ended);
    constexpr std::int64_t kEndOfTime = std::int64_t{253'402'300'799} * 1'000'000;   // of the year 9999
    side.run = MeasurementRun{start.value_or(0), end.value_or(kEndOfTime), run.counts.passed + run.counts.failed};
    side.isRecordedRun = true;
    return side;
}

void PastRunsPage::compareSelected()
{
    auto runs = selected();
    if (runs.size() == 1) {
        // Of the same dataset the one that was made before.
        const ListedRun* before = nullptr;
        for (const ListedRun& other : m_model->runs())
            if (other.record.root == runs.front()->record.root && other.record.started < runs.front()->record.started && (!before || other.record.started > before->record.started))
                before = &other;
        if (!before) {
            setNote(tr("There is no earlier run of this dataset: choose two runs."));
            return;
        }
        runs.push_back(before);
    }
    if (runs.size() != 2)
        return;
    std::ranges::sort(runs, {}, [](const ListedRun* run) { return run->record.started; });
    ComparisonChoice choice;
    choice.a = sideOf(*runs.front());
    choice.b = sideOf(*runs.back());
    emit compareRequested(choice);
}

void PastRunsPage::ask(const QString& name, const QString& text, const QString& details, const QString& button, std::function<Result<QString>(const std::string&)> action)
{
    auto* question = new QMessageBox(QMessageBox::Question, tr("Past runs"), text, QMessageBox::Cancel, this);
    question->setObjectName(name);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setTextFormat(Qt::PlainText);
    question->setInformativeText(details);
    QPushButton* doIt = question->addButton(button, QMessageBox::DestructiveRole);
    connect(doIt, &QPushButton::clicked, this, [this, action = std::move(action)] { act(action); });
    question->open();
}

void PastRunsPage::askToRemove()
{
    const auto runs = selected();
    if (runs.size() != 1)
        return;
    const ListedRun& run = *runs.front();
    ask(QStringLiteral("removeTracesQuestion"), tr("Take the results of this run out of the dataset?"),
        tr("%1 results, in %2. They are kept beside the record of the run, and Put traces back brings them back.").arg(countText(static_cast<qint64>(run.counts.passed + run.counts.failed)), visibleText(QString::fromStdString(run.record.root))),
        tr("&Remove traces"), [](const std::string& id) -> Result<QString> {
            const auto count = removeRunTraces(runRecordFolder(), id);
            return count ? Result<QString>(tr("%1 traces were taken out; they can be put back.").arg(countText(static_cast<qint64>(*count)))) : Result<QString>(count.error());
        });
}

void PastRunsPage::askToForget()
{
    const auto runs = selected();
    if (runs.size() != 1)
        return;
    ask(QStringLiteral("forgetRunQuestion"), tr("Delete what is recorded of this run?"),
        runs.front()->record.hasRemovedTraces ? tr("The traces that were taken out of the dataset are deleted with it, for good.") : tr("Its settings, seed and what became of each pair are gone then. Its traces stay in the dataset."),
        tr("&Delete the record"), [](const std::string& id) -> Result<QString> {
            const auto gone = forgetRun(runRecordFolder(), id);
            return gone ? Result<QString>(tr("The record is deleted.")) : Result<QString>(gone.error());
        });
}

void PastRunsPage::act(std::function<Result<QString>(const std::string&)> action)
{
    const auto runs = selected();
    if (runs.size() != 1 || m_actJob->isRunning())
        return;
    setNote(tr("At work …"));
    m_actJob->start<Result<QString>>([action = std::move(action), id = runs.front()->record.id](std::stop_token) { return action(id); },
                                     [this](const Result<QString>& said) {
                                         setNote(said ? *said : QString::fromStdString(said.error().toString()));
                                         refresh();
                                     });
    showSelected();
}

void PastRunsPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        m_model->refreshLooks();
}

void PastRunsPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!m_listJob->isRunning())
        refresh();
}

}  // namespace tracedeck::ui
