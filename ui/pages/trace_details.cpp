// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/trace_details.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/run/run_settings.h"
#include "ui/models/number_format.h"
#include "ui/models/sibling_traces_model.h"
#include "ui/models/verdict_text.h"
#include "ui/models/workload_tensor_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/log_panel.h"
#include "ui/pages/trace_facts.h"
#include "ui/style/empty_hint.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/status_look.h"
#include "ui/style/tables.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Letters of a name above the facts, which have it whole.
constexpr qsizetype kLongestHeading = 160;
enum DetailsTab { kLogTab, kRivalsTab, kRunsTab, kTensorsTab };
constexpr int kSiblingNameWidth = 150;
constexpr int kSiblingStatusWidth = 90;
constexpr int kTensorNameWidth = 90;
constexpr int kDetailsShapeWidth = 110;
constexpr int kDetailsDtypeWidth = 70;
constexpr int kTensorSourceWidth = 160;

}  // namespace

struct TraceDetails::Answer {
    Result<Trace> trace = Trace();
    QString file;
    std::shared_ptr<const Dataset> dataset;
};

TraceDetails::TraceDetails(Workspace* workspace, QWidget* parent) : QWidget(parent), m_workspace(workspace), m_job(new LatestJob(this)), m_siblingsJob(new LatestJob(this)),
      m_tensorsJob(new LatestJob(this))
{
    setObjectName(QStringLiteral("traceDetails"));
    m_stack = new QStackedLayout(this);
    m_message = new WrappedLabel(this);
    m_message->setObjectName(QStringLiteral("traceDetailsMessage"));
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setMargin(Space::kPage);
    m_content = new QWidget(this);
    auto* layout = new QVBoxLayout(m_content);
    layout->setContentsMargins(0, Space::kNormal, 0, 0);
    layout->setSpacing(Space::kTight);
    buildHeader();
    buildBody();
    m_stack->addWidget(m_message);
    m_stack->addWidget(m_content);
    setMinimumWidth(220);

    connect(workspace, &Workspace::currentTraceChanged, this, &TraceDetails::onCurrentTraceChanged);
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (!onlyGrew)
            onCurrentTraceChanged(m_workspace->currentTrace());
        else
            showSiblings();
    });
    connect(workspace, &Workspace::comparisonChanged, this, &TraceDetails::showSiblings);
    onCurrentTraceChanged(workspace->currentTrace());
}

TraceDetails::~TraceDetails() = default;

void TraceDetails::buildHeader()
{
    auto* header = new QVBoxLayout;
    header->setContentsMargins(Space::kWide, 0, Space::kWide, 0);
    header->setSpacing(Space::kTight);
    m_statusLabel = new QLabel(m_content);
    m_statusLabel->setObjectName(QStringLiteral("traceStatus"));
    m_statusLabel->setTextFormat(Qt::PlainText);
    m_titleLabel = new WrappedLabel(m_content);
    m_titleLabel->setObjectName(QStringLiteral("traceTitle"));
    m_headline = new WrappedLabel(m_content);
    m_headline->setMuted(true);
    m_headline->setObjectName(QStringLiteral("traceHeadline"));
    m_rerunButton = new QPushButton(icon(QStringLiteral("run")), tr("Run &again"), m_content);
    m_rerunButton->setObjectName(QStringLiteral("rerunTrace"));
    m_rerunButton->setToolTip(tr("Measure this solution on this workload again"));
    m_copyButton = new QPushButton(icon(QStringLiteral("copy")), tr("Copy co&mmand"), m_content);
    m_copyButton->setObjectName(QStringLiteral("copyReproduction"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Space::kNormal);
    buttons->addWidget(m_rerunButton);
    buttons->addWidget(m_copyButton);
    buttons->addStretch(1);
    header->addWidget(m_statusLabel);
    header->addWidget(m_titleLabel);
    header->addWidget(m_headline);
    header->addLayout(buttons);
    static_cast<QVBoxLayout*>(m_content->layout())->addLayout(header);

    connect(m_rerunButton, &QPushButton::clicked, this, [this] {
        if (m_trace && m_trace->solution) {
            Selection selection;
            selection.solutions.insert(*m_trace->solution);
            selection.workloads.insert(m_trace->workload.uuid);
            emit rerunRequested(selection);
        }
    });
    connect(m_copyButton, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(reproductionCommand()); });
}

void TraceDetails::buildBody()
{
    auto* splitter = new QSplitter(Qt::Vertical, m_content);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    m_facts = new TraceFacts(splitter);
    m_facts->setObjectName(QStringLiteral("traceFacts"));
    m_parts = new QTabWidget(splitter);
    m_parts->setObjectName(QStringLiteral("traceParts"));
    m_parts->setDocumentMode(true);
    m_parts->setAccessibleName(tr("Log and other traces"));
    m_parts->tabBar()->setAccessibleName(tr("Log and other traces"));
    m_log = new LogPanel(LogPanel::Content::Log, m_parts);
    m_rivals = new SiblingTracesModel(SiblingTracesModel::Kind::Rivals, this);
    m_runs = new SiblingTracesModel(SiblingTracesModel::Kind::Runs, this);
    m_parts->addTab(m_log, tr("Log"));
    m_parts->addTab(makeSiblings(m_rivals, QStringLiteral("rivalTraces"), tr("Traces of other solutions on this workload"),
                                 tr("No other solution was measured on this workload.")),
                    tr("Rivals"));
    m_parts->addTab(makeSiblings(m_runs, QStringLiteral("runTraces"), tr("Traces of this solution on this workload"),
                                 tr("This solution was not measured on this workload.")),
                    tr("Runs"));
    buildTensors();
    m_parts->setTabToolTip(kTensorsTab, tr("Inputs and outputs on this workload; Enter shows what the values are like"));
    m_parts->setTabToolTip(kLogTab, tr("What the solution and the judge wrote"));
    m_parts->setTabToolTip(kRivalsTab, tr("The same workload: other solutions"));
    m_parts->setTabToolTip(kRunsTab, tr("The same solution and workload: all runs"));
    splitter->addWidget(m_facts);
    splitter->addWidget(m_parts);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    static_cast<QVBoxLayout*>(m_content->layout())->addWidget(splitter, 1);
    updateColors();
}

QTableView* TraceDetails::makeSiblings(SiblingTracesModel* model, const QString& name, const QString& accessibleName, const QString& whenEmpty)
{
    auto* table = new QTableView(m_parts);
    table->setObjectName(name);
    table->setAccessibleName(accessibleName);
    table->setModel(model);
    setUpTable(table);
    table->setSortingEnabled(false);
    table->setColumnWidth(SiblingTracesModel::NameColumn, kSiblingNameWidth);
    table->setColumnWidth(SiblingTracesModel::StatusColumn, kSiblingStatusWidth);
    new EmptyHint(table, whenEmpty);
    connect(table, &QTableView::activated, this,
            [this](const QModelIndex& index) { m_workspace->setCurrentTrace(index.data(SiblingTracesModel::TraceRowRole).toLongLong()); });
    return table;
}

void TraceDetails::buildTensors()
{
    m_tensors = new WorkloadTensorModel(this);
    auto* table = new QTableView(m_parts);
    table->setObjectName(QStringLiteral("traceTensors"));
    table->setAccessibleName(tr("Tensors of the trace's workload"));
    table->setModel(m_tensors);
    setUpTable(table);
    table->setSortingEnabled(false);
    table->setTextElideMode(Qt::ElideMiddle);
    // The name and the shape say most where there is little room.
    table->horizontalHeader()->moveSection(WorkloadTensorModel::ShapeColumn, WorkloadTensorModel::DtypeColumn);
    table->setColumnWidth(WorkloadTensorModel::NameColumn, kTensorNameWidth);
    table->setColumnWidth(WorkloadTensorModel::ShapeColumn, kDetailsShapeWidth);
    table->setColumnWidth(WorkloadTensorModel::DtypeColumn, kDetailsDtypeWidth);
    table->setColumnWidth(WorkloadTensorModel::SourceColumn, kTensorSourceWidth);
    new EmptyHint(table, tr("The dataset has no file for this definition, which would say what its tensors are."));
    connect(table, &QTableView::activated, this,
            [this](const QModelIndex& index) { emit tensorActivated(QString::fromStdString(m_tensors->tensors()[static_cast<std::size_t>(index.row())].name)); });
    m_parts->addTab(table, tr("Tensors"));
}

void TraceDetails::showTensors()
{
    if (!m_trace) {
        m_tensorsJob->cancel();
        m_tensors->show({});
        return;
    }
    using Tensors = std::vector<WorkloadTensor>;
    m_tensorsJob->start<Tensors>(
        [dataset = m_workspace->dataset(), root = folder().toStdString(), definition = m_trace->definition, workload = m_trace->workload](std::stop_token) {
            const Definition* known = dataset->findDefinition(definition);
            return known ? workloadTensors(root, *known, workload) : Tensors();
        },
        [this](Tensors tensors) {
            m_tensors->show(std::move(tensors));
            m_parts->setTabText(kTensorsTab, tr("Tensors %1").arg(countText(m_tensors->rowCount())));
        });
}

void TraceDetails::onCurrentTraceChanged(qint64 row)
{
    m_row = row;
    const auto dataset = m_workspace->dataset();
    if (row < 0 || static_cast<std::size_t>(row) >= dataset->traces().size()) {
        m_job->cancel();
        m_trace.reset();
        showSiblings();
        showTensors();
        showMessage(tr("Choose a trace in the table, or a point in a chart, to see everything about it."));
        return;
    }
    m_job->start<Answer>(
        [dataset, row](std::stop_token) {
            const auto index = static_cast<std::size_t>(row);
            return Answer{dataset->readTrace(index), QString::fromStdString(dataset->traceFile(index).string()), dataset};
        },
        [this, row](const Answer& answer) { showAnswer(row, answer); });
}

void TraceDetails::showSiblings()
{
    const auto dataset = m_workspace->dataset();
    if (!m_trace || m_row < 0 || static_cast<std::size_t>(m_row) >= dataset->traces().size()) {
        m_siblingsJob->cancel();
        m_rivals->clear();
        m_runs->clear();
        return;
    }
    const auto row = static_cast<std::uint32_t>(m_row);
    m_siblingsJob->start<SiblingTraces>(
        [dataset, row, policy = m_workspace->policy()](std::stop_token stop) { return siblingsOf(*dataset, row, policy, stop); },
        [this, dataset, row](const SiblingTraces& siblings) {
            m_rivals->show(dataset, row, siblings.rivals);
            m_runs->show(dataset->plain(), row, siblings.runs);   // each by its own time
            m_parts->setTabText(kRivalsTab, tr("Rivals %1").arg(countText(m_rivals->rowCount())));
            m_parts->setTabText(kRunsTab, tr("Runs %1").arg(countText(m_runs->rowCount())));
        });
}

void TraceDetails::showMessage(const QString& text)
{
    m_message->setText(text);
    m_stack->setCurrentWidget(m_message);
}

void TraceDetails::showAnswer(qint64 row, const Answer& answer)
{
    if (!answer.trace) {
        m_trace.reset();
        showMessage(tr("The trace could not be read back from “%1”: %2\nThe file may have changed. Reload the dataset (F5).")
                        .arg(answer.file, QString::fromStdString(answer.trace.error().toString())));
        emit traceShown(row);
        return;
    }
    m_trace = *answer.trace;
    const Trace& trace = *m_trace;
    m_titleLabel->setText(trace.solution ? shortened(QString::fromStdString(*trace.solution), kLongestHeading) : tr("no solution"));
    QStringList headline;
    if (trace.evaluation && trace.evaluation->performance) {
        headline << durationText(trace.evaluation->performance->latencyMs);
        if (trace.evaluation->performance->speedupFactor > 0) {
            headline << tr("%1 over the reference").arg(ratioText(trace.evaluation->performance->speedupFactor));
        }
    }
    headline << axesText(trace.workload);
    if (trace.evaluation) {
        headline << QString::fromStdString(trace.evaluation->environment.hardware);
    }
    headline.removeAll(QString());
    m_headline->setText(shortened(headline.join(QStringLiteral(" · ")), kLongestHeading));
    m_rerunButton->setEnabled(trace.solution && m_workspace->dataset()->findSolution(*trace.solution) != nullptr);
    m_copyButton->setEnabled(trace.solution.has_value());
    m_copyButton->setToolTip(plainToolTip(reproductionCommand()));
    m_facts->showTrace(trace, *answer.dataset, answer.file);
    m_log->setLog(trace.evaluation ? trace.evaluation->log : std::string());
    showSiblings();
    showTensors();
    updateColors();
    m_stack->setCurrentWidget(m_content);
    emit traceShown(row);
}

/// That the trace which is shown lies in.
QString TraceDetails::folder() const
{
    const auto dataset = m_workspace->dataset();
    const bool isShown = m_row >= 0 && static_cast<std::size_t>(m_row) < dataset->traces().size();
    return QString::fromStdString((isShown ? dataset->folderOf(dataset->traces().row(static_cast<std::size_t>(m_row))) : dataset->root()).string());
}

QString TraceDetails::reproductionCommand() const
{
    if (!m_trace || !m_trace->solution) {
        return {};
    }
    return QString::fromStdString(shellQuoted({"tracedeck", "run", "--local", folder().toStdString(), "--definitions", m_trace->definition, "--solutions",
                                               *m_trace->solution, "--workloads", m_trace->workload.uuid}));
}

void TraceDetails::showFind()
{
    m_parts->setCurrentIndex(kLogTab);
    m_log->showFind();
}

void TraceDetails::updateColors()
{
    StatusLook look = m_trace && m_trace->evaluation ? statusLook(m_trace->evaluation->status) : notRunLook();
    if (m_trace && m_trace->evaluation) {
        const std::vector<JudgeVerdict> verdicts = judgeVerdicts(*m_trace->evaluation);
        if (const auto broken = std::ranges::find_if(verdicts, breaksRules); broken != verdicts.end())
            look = caughtLook(verdictText(*broken).title);
    }
    m_statusLabel->setText(look.symbol + QLatin1Char(' ') + look.word);
    QPalette palette = m_statusLabel->palette();
    if (palette.color(QPalette::WindowText) != look.color) {
        palette.setColor(QPalette::WindowText, look.color);
        m_statusLabel->setPalette(palette);
    }
    QFont bold = font();
    bold.setBold(true);
    m_titleLabel->setFont(bold);
}

void TraceDetails::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_facts) {
        updateColors();
    }
}

}  // namespace tracedeck::ui
