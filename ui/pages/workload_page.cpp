// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/workload_page.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/store/joined_dataset.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/models/workload_tensor_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/column_widths.h"
#include "ui/pages/tensor_summary_panel.h"
#include "ui/style/chips.h"
#include "ui/style/empty_hint.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/tables.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/style/turning_splitter.h"

namespace tracedeck::ui {
namespace {

constexpr int kWidestTensorCell = 420;

}  // namespace

WorkloadPage::WorkloadPage(Workspace* workspace, QString definition, Workload workload, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_definition(std::move(definition)), m_workload(std::move(workload)), m_title(new ElidedLabel(this)),
      m_chips(new Chips(this)), m_subtitle(new ElidedLabel(this)), m_goToDefinition(new QPushButton(icon(QStringLiteral("definition")), tr("Show the &definition"), this)),
      m_run(new QPushButton(icon(QStringLiteral("run")), tr("Run a&ll here"), this)), m_model(new WorkloadTensorModel(this)), m_table(new QTableView(this)),
      m_summary(new TensorSummaryPanel(this)), m_job(new LatestJob(this))
{
    setObjectName(QStringLiteral("workloadPage"));
    buildHeader();
    m_table->setObjectName(QStringLiteral("workloadTensors"));
    m_table->setAccessibleName(tr("Tensors of the workload"));
    m_table->setModel(m_model);
    setUpTable(m_table);
    m_table->setSortingEnabled(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    new ColumnSharing(m_table, {WorkloadTensorModel::NameColumn, WorkloadTensorModel::ShapeColumn, WorkloadTensorModel::SourceColumn}, kWidestTensorCell, WorkloadTensorModel::SourceColumn);
    new EmptyHint(m_table, tr("The dataset has no file for this definition, which would say what its tensors are."));
    auto* splitter = new TurningSplitter(kLeastSideBySide, 2, 1, this);
    splitter->addWidget(m_table);
    splitter->addWidget(m_summary);
    splitter->setStretchFactor(0, 1);
    static_cast<QVBoxLayout*>(layout())->addWidget(splitter, 1);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &WorkloadPage::showCurrent);
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (!onlyGrew)
            refresh();
    });
    refresh();
}

WorkloadPage::~WorkloadPage() = default;

void WorkloadPage::buildHeader()
{
    m_title->setFont(headingFont());
    m_title->setElideMode(Qt::ElideMiddle);
    m_title->setText(tr("Workload of %1").arg(m_definition));
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_subtitle->setMuted(true);
    m_subtitle->setText(uuid());
    QStringList axes;
    for (const auto& [name, value] : m_workload.axes)
        axes << QStringLiteral("%1=%2").arg(QString::fromStdString(name)).arg(value);
    m_chips->setTexts(axes);
    m_run->setObjectName(QStringLiteral("runWorkload"));
    m_run->setToolTip(tr("Run every solution of the definition on this workload"));
    m_goToDefinition->setToolTip(tr("Show what the tensors mean: axes, signature and reference"));
    auto* titleRow = new QHBoxLayout;
    titleRow->setSpacing(Space::kWide);
    titleRow->addWidget(m_title, 1);
    titleRow->addWidget(m_goToDefinition);
    titleRow->addWidget(m_run);
    auto* header = new QVBoxLayout;
    header->setContentsMargins(Space::kPage, Space::kWide, Space::kPage, Space::kNormal);
    header->setSpacing(Space::kTight);
    header->addLayout(titleRow);
    header->addWidget(m_subtitle);
    header->addWidget(m_chips);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(header);
    connect(m_goToDefinition, &QPushButton::clicked, this, [this] { emit definitionActivated(m_definition); });
    connect(m_run, &QPushButton::clicked, this, [this] {
        Selection selection;
        for (const Solution* solution : m_workspace->dataset()->solutionsOf(m_definition.toStdString()))
            selection.solutions.insert(solution->name);
        selection.workloads.insert(m_workload.uuid);
        emit runRequested(selection);
    });
}

QString WorkloadPage::uuid() const { return QString::fromStdString(m_workload.uuid); }

QString WorkloadPage::title() const
{
    const QString axes = axesText(m_workload);
    return axes.isEmpty() ? uuid() : tr("%1 of %2").arg(axes, m_definition);
}

bool WorkloadPage::isBusy() const { return m_job->isRunning() || m_summary->isBusy(); }

void WorkloadPage::selectTensor(const QString& name)
{
    m_wanted = name;
    if (const int row = m_model->rowOf(name); row >= 0)
        m_table->setCurrentIndex(m_model->index(row, 0));
}

void WorkloadPage::refresh()
{
    const auto dataset = m_workspace->dataset();
    const auto& known = dataset->workloadsOf(m_definition.toStdString());
    // The line may be another one after a reload; a trace's workload need not have one.
    const auto line = std::find_if(known.begin(), known.end(), [this](const Trace& trace) { return trace.workload.uuid == m_workload.uuid; });
    if (line != known.end())
        m_workload = line->workload;
    m_run->setEnabled(line != known.end() && !dataset->solutionsOf(m_definition.toStdString()).empty());
    using Tensors = std::vector<WorkloadTensor>;
    m_job->start<Tensors>(
        [dataset, definition = m_definition.toStdString(), workload = m_workload](std::stop_token) {
            const Definition* specified = dataset->findDefinition(definition);
            return specified ? workloadTensors(folderOfWorkload(*dataset, definition, workload.uuid), *specified, workload) : Tensors();
        },
        [this](Tensors tensors) {
            if (m_wanted.isEmpty() && m_table->currentIndex().isValid())
                m_wanted = QString::fromStdString(m_model->tensors()[static_cast<std::size_t>(m_table->currentIndex().row())].name);
            // First what can be looked at, or what is wrong.
            const auto rank = [](const WorkloadTensor& tensor) { return !tensor.file.empty() ? 0 : !tensor.problem.empty() ? 1 : 2; };
            const auto best = std::min_element(tensors.begin(), tensors.end(), [&rank](const WorkloadTensor& a, const WorkloadTensor& b) { return rank(a) < rank(b); });
            const int first = static_cast<int>(best - tensors.begin());
            m_model->show(std::move(tensors));
            const int wanted = m_model->rowOf(std::exchange(m_wanted, QString()));
            m_table->setCurrentIndex(m_model->index(wanted >= 0 ? wanted : first, 0));
            showCurrent();
        });
}

void WorkloadPage::showCurrent()
{
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid()) {
        m_summary->showMessage({}, tr("Choose a tensor to see what its values are like."));
        return;
    }
    const WorkloadTensor tensor = m_model->tensors()[static_cast<std::size_t>(current.row())];
    const QString name = QString::fromStdString(tensor.name);
    if (const QString why = WorkloadTensorModel::whyNoValues(tensor); !why.isEmpty())
        m_summary->showMessage(name, why);
    else
        m_summary->showValues(name, [tensor](std::stop_token stop) { return summariseWorkloadTensor(tensor, stop); }, QString::fromStdString(tensor.problem));
}

}  // namespace tracedeck::ui
