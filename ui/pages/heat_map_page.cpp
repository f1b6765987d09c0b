// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/heat_map_page.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "core/io/trace_writer.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/heat_map_view.h"
#include "ui/models/growth_refresh.h"
#include "ui/models/latest_job.h"
#include "ui/models/nothing_measured.h"
#include "ui/models/workspace.h"
#include "ui/pages/baseline_button.h"
#include "ui/pages/export_files.h"
#include "ui/pages/run_here_button.h"
#include "ui/style/icons.h"
#include "ui/style/flow_layout.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {

struct HeatMapPage::Answer {
    std::shared_ptr<const HeatMap> map;   ///< null: none
    std::string problem;
    bool machineWasChosenHere = false;
    bool hasNoBaseline = false;           ///< so ratios are to the fastest
};

HeatMapPage::HeatMapPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_view(new HeatMapView(this)), m_scale(new HeatMapScale(this)), m_measure(new NameBox(tr("What a cell's latency is set against"), this)),
      m_workloadOrder(new NameBox(tr("Order of the workloads"), this)), m_solutionOrder(new NameBox(tr("Order of the solutions"), this)), m_note(new WrappedLabel(this)),
      m_empty(new WrappedLabel(this)), m_emptyBaseline(new BaselineButton(workspace, this)), m_noteBaseline(new BaselineButton(workspace, this)),
      m_runHere(new RunHereButton(workspace, this)), m_job(new LatestJob(this)), m_growth(new GrowthRefresh(m_job, [this] { refresh(); }, this))
{
    setObjectName(QStringLiteral("heatMapPage"));
    buildControls();
    buildActions();
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (onlyGrew)
            m_growth->request();
        else
            refresh();
    });
    connect(workspace, &Workspace::comparisonChanged, this, &HeatMapPage::refresh);
    connect(workspace, &Workspace::currentDefinitionChanged, this, &HeatMapPage::refresh);
    refresh();
}

HeatMapPage::~HeatMapPage() = default;

bool HeatMapPage::isBusy() const { return m_job->isRunning() || m_growth->isPending(); }

void HeatMapPage::buildControls()
{
    m_measure->setObjectName(QStringLiteral("heatMeasure"));
    m_measure->addItem(tr("against the baseline"), static_cast<int>(HeatMeasure::Baseline));
    m_measure->addItem(tr("over the reference"), static_cast<int>(HeatMeasure::Reference));
    m_measure->addItem(tr("against the fastest"), static_cast<int>(HeatMeasure::Best));
    m_workloadOrder->setObjectName(QStringLiteral("heatWorkloadOrder"));
    m_workloadOrder->addItem(tr("in file order"), kFileOrder);
    m_workloadOrder->addItem(tr("by axes"), kByAxes);
    m_workloadOrder->addItem(tr("by one solution"), kByOneSolution);
    m_workloadOrder->setCurrentIndex(m_workloadOrder->findData(kByAxes));
    m_solutionOrder->setObjectName(QStringLiteral("heatSolutionOrder"));
    m_solutionOrder->addItem(tr("as loaded"), kLoadOrder);
    m_solutionOrder->addItem(tr("by name"), kByName);
    m_solutionOrder->addItem(tr("by geometric mean"), kByMean);
    m_solutionOrder->addItem(tr("by one workload"), kByOneWorkload);
    m_solutionOrder->setCurrentIndex(m_solutionOrder->findData(kByMean));
    m_note->setMuted(true);
    m_note->setObjectName(QStringLiteral("heatNote"));
    m_empty->setObjectName(QStringLiteral("heatEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(Space::kPage);

    auto* bar = new FlowLayout;
    bar->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kTight);
    for (const auto& [text, box] : {std::pair{tr("&Ratio"), m_measure}, std::pair{tr("&Workloads"), m_workloadOrder}, std::pair{tr("&Solutions"), m_solutionOrder}})
        bar->addField(text, box, this);
    bar->addWidget(m_scale);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(Space::kWide, 0, Space::kWide, Space::kTight);
    second->addWidget(m_note, 1);
    second->addWidget(m_noteBaseline);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addLayout(second);
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_view);
    m_stack->addWidget(emptyPage(m_empty, {m_emptyBaseline, m_runHere}, this));
    layout->addLayout(m_stack, 1);
    setFocusProxy(m_view);

    connect(m_measure, &QComboBox::activated, this, [this] {
        m_measureChosen = true;
        refresh();
    });
    for (NameBox* box : {m_workloadOrder, m_solutionOrder})
        connect(box, &QComboBox::activated, this, [this] {
            // One of them: the one that is looked at, else the first.
            const auto current = m_view->current();
            const HeatMap& map = *m_view->map();
            if (!map.isEmpty()) {
                m_sortSolution = map.solutions[current ? current->solution : 0].name;
                m_sortWorkload = map.workloads[current ? current->workload : 0].uuid;
            }
            applyOrder();
        });
    connect(m_view, &HeatMapView::activated, this, [this](const HeatMapView::Place& place) {
        const HeatMapCell& cell = m_view->map()->at(place.workload, place.solution);
        if (cell.isRun())
            m_workspace->setCurrentTrace(static_cast<qint64>(*cell.row));
    });
    connect(m_view, &HeatMapView::solutionTitleClicked, this, &HeatMapPage::sortBySolution);
    connect(m_view, &HeatMapView::workloadTitleClicked, this, &HeatMapPage::sortByWorkload);
}

void HeatMapPage::buildActions()
{
    const auto add = [this](const QString& suffix, const QString& text, const QString& tip, auto write) {
        m_exportActions << makeExportAction(this, {QStringLiteral("exportHeatMap_") + suffix, text, tip, tr("Export heat map"), [this] { return m_workspace->currentDefinition() + QStringLiteral("_heat_map"); }, suffix, write});
    };
    for (const QString& suffix : pictureSuffixes())
        add(suffix, tr("Export heat map as %1…").arg(suffix.toUpper()), tr("Write the whole heat map with title and scale"), [this](const QString& path) { return exportPicture(path); });
    add(QStringLiteral("csv"), tr("Export heat map as CSV…"), tr("Write the ratios with every digit, one line a workload"), [this](const QString& path) { return exportCsv(path); });
}

Result<void> HeatMapPage::exportPicture(const QString& path) const
{
    const HeatMap& map = *m_view->map();
    const QString title = QStringLiteral("%1 · %2 · %3").arg(QString::fromStdString(map.question.definition), QString::fromStdString(map.question.hardware), m_measure->currentText());
    return writePainting([&](QPainter& painter) { m_view->paintPicture(painter, title); }, title, m_view->pictureSize(), path);
}

Result<void> HeatMapPage::exportCsv(const QString& path) const
{
    return writeFileAtomically(path.toStdString(), tableText(heatMapTable(*m_view->map(), m_view->order()), TableFormat::Csv));
}

void HeatMapPage::refresh()
{
    HeatMapQuestion question;
    question.definition = m_workspace->currentDefinition().toStdString();
    question.hardware = m_workspace->hardware().toStdString();
    question.measure = m_measureChosen ? static_cast<HeatMeasure>(m_measure->currentData().toInt()) : HeatMeasure::Baseline;
    question.baselineAuthor = m_workspace->baselineAuthor().toStdString();
    question.policy = m_workspace->policy();
    m_job->start<Answer>(
        [dataset = m_workspace->dataset(), question, mayChange = !m_measureChosen](std::stop_token stop) {
            Answer answer;
            if (question.definition.empty())
                return answer;
            auto map = heatMap(*dataset, question, stop);
            if (!map && mayChange) {
                HeatMapQuestion other = question;
                other.measure = HeatMeasure::Best;
                map = heatMap(*dataset, other, stop);
                answer.hasNoBaseline = true;
            }
            if (!map) {
                answer.problem = map.error().reason;
                return answer;
            }
            answer.machineWasChosenHere = question.hardware.empty() && map->machines.size() > 1;
            answer.map = std::make_shared<const HeatMap>(std::move(*map));
            return answer;
        },
        [this](const Answer& answer) { applyAnswer(answer); });
}

void HeatMapPage::applyAnswer(const Answer& answer)
{
    const auto map = answer.map ? answer.map : std::make_shared<const HeatMap>();
    QString empty;
    if (!m_workspace->isOpen())
        empty = tr("No dataset is open.\nOpen a dataset folder from the File menu, or drop one onto the window.");
    else if (m_workspace->currentDefinition().isEmpty())
        empty = tr("Choose a definition in the tree to see its heat map.");
    else if (const QString nothing = whyNothingIsMeasured(*m_workspace->dataset(), m_workspace->currentDefinition()); !nothing.isEmpty())
        empty = nothing;
    else if (!answer.problem.empty())
        empty = tr("There is no ratio to show: %1\nChoose another baseline author, or another ratio.").arg(shortened(QString::fromStdString(answer.problem), 4 * kLongestName));
    else if (std::none_of(map->cells.begin(), map->cells.end(), [](const HeatMapCell& cell) { return cell.isRun(); }))
        empty = tr("No trace of %1 counts here.\nChoose another GPU above, or other traces in the status bar.").arg(shortened(visibleText(m_workspace->currentDefinition()), kLongestName));
    m_empty->setText(empty);
    const RankingScope scope{.definition = m_workspace->currentDefinition().toStdString(), .hardware = map->question.hardware};
    m_emptyBaseline->offer(!answer.problem.empty(), scope);
    m_runHere->offer(!empty.isEmpty() && !m_workspace->currentDefinition().isEmpty(), m_workspace->currentDefinition());
    m_noteBaseline->offer(empty.isEmpty() && answer.hasNoBaseline, scope);
    m_stack->setCurrentIndex(empty.isEmpty() ? 0 : 1);
    m_note->setVisible(empty.isEmpty());
    m_scale->setVisible(empty.isEmpty());
    for (QAction* action : std::as_const(m_exportActions))
        action->setEnabled(empty.isEmpty());
    const QString machine = shortened(visibleText(QString::fromStdString(map->question.hardware)), kLongestName);
    QString note = answer.machineWasChosenHere ? tr("Measured on %1, which has the most traces; choose the GPU above to see another one.").arg(machine) : tr("Measured on %1.").arg(machine);
    if (map->question.measure == HeatMeasure::Baseline)
        note += QLatin1Char(' ') + tr("Baseline: %1.").arg(shortened(visibleText(QString::fromStdString(map->baselineSolution)), kLongestName));
    else if (answer.hasNoBaseline)
        note += QLatin1Char(' ') + tr("There is no baseline here, so ratios are to the fastest.");
    if (answer.map) {
        const QSignalBlocker blocker(m_measure);
        m_measure->setCurrentIndex(m_measure->findData(static_cast<int>(map->question.measure)));
    }
    m_note->setText(note);
    m_scale->setDoubling(map->greatestDoubling());
    m_view->setMap(map, heatMapOrder(*map));
    applyOrder();
    emit mapShown(empty.isEmpty() ? static_cast<int>(map->cells.size()) : 0);
}

void HeatMapPage::applyOrder()
{
    const HeatMap& map = *m_view->map();
    HeatMapOrder order = heatMapOrder(map);
    if (map.isEmpty())
        return;
    const auto solution = std::find_if(map.solutions.begin(), map.solutions.end(), [this](const HeatMapSolution& one) { return one.name == m_sortSolution; });
    const auto workload = std::find_if(map.workloads.begin(), map.workloads.end(), [this](const HeatMapWorkload& one) { return one.uuid == m_sortWorkload; });
    switch (m_workloadOrder->currentData().toInt()) {
    case kByAxes: order.workloads = map.workloadsByAxes(); break;
    case kByOneSolution:
        if (solution != map.solutions.end())
            order.workloads = map.workloadsByRatio(static_cast<std::size_t>(solution - map.solutions.begin()), m_solutionDescends);
        break;
    default: break;
    }
    switch (m_solutionOrder->currentData().toInt()) {
    case kByName: order.solutions = map.solutionsByName(); break;
    case kByMean: order.solutions = map.solutionsByMean(); break;
    case kByOneWorkload:
        if (workload != map.workloads.end())
            order.solutions = map.solutionsByRatio(static_cast<std::size_t>(workload - map.workloads.begin()), m_workloadDescends);
        break;
    default: break;
    }
    m_view->setOrder(std::move(order));
}

void HeatMapPage::sortBySolution(std::size_t solution)
{
    const std::string& name = m_view->map()->solutions[solution].name;
    const bool again = m_sortSolution == name && m_workloadOrder->currentData().toInt() == kByOneSolution;
    m_solutionDescends = again ? !m_solutionDescends : true;
    m_sortSolution = name;
    m_workloadOrder->setCurrentIndex(m_workloadOrder->findData(kByOneSolution));
    applyOrder();
}

void HeatMapPage::sortByWorkload(std::size_t workload)
{
    const std::string& uuid = m_view->map()->workloads[workload].uuid;
    const bool again = m_sortWorkload == uuid && m_solutionOrder->currentData().toInt() == kByOneWorkload;
    m_workloadDescends = again ? !m_workloadDescends : true;
    m_sortWorkload = uuid;
    m_solutionOrder->setCurrentIndex(m_solutionOrder->findData(kByOneWorkload));
    applyOrder();
}

}  // namespace tracedeck::ui
