// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/fast_p_page.h"

#include <QAction>
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/io/trace_writer.h"
#include "core/report/report.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/fast_p_chart.h"
#include "ui/models/fast_p_model.h"
#include "ui/models/growth_refresh.h"
#include "ui/models/latest_job.h"
#include "ui/models/nothing_measured.h"
#include "ui/models/number_format.h"
#include "ui/models/workspace.h"
#include "ui/pages/baseline_button.h"
#include "ui/pages/column_widths.h"
#include "ui/pages/export_files.h"
#include "ui/pages/run_here_button.h"
#include "ui/pages/scope_box.h"
#include "ui/pages/shown_refresh.h"
#include "ui/pages/table_tools.h"
#include "ui/style/icons.h"
#include "ui/style/flow_layout.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"
#include "ui/style/sort_header.h"
#include "ui/style/tables.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/style/turning_splitter.h"

namespace tracedeck::ui {
namespace {

constexpr QSize kSmallestCurves(960, 540);
/// So many curves are drawn until the user ticks others.
constexpr std::size_t kCurvesAtFirst = 12;
constexpr double kGreatestPin = 100'000;
constexpr double kPinStep = 0.05;
constexpr int kWidestCurveName = 260;

}  // namespace

struct FastPPage::Answer {
    std::shared_ptr<const Result<FastPReport>> report;
};

FastPPage::FastPPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new FastPModel(this)), m_report(std::make_shared<const FastPReport>()), m_job(new LatestJob(this)),
      m_growth(new GrowthRefresh(m_job, [this] { refresh(); }, this)), m_shown(new ShownRefresh(this, m_job, [this] { compute(); }))
{
    setObjectName(QStringLiteral("fastPPage"));
    buildControls();
    buildActions();
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (onlyGrew) {
            m_growth->request();
            return;
        }
        m_scope->follow(*m_workspace);
        refresh();
    });
    connect(workspace, &Workspace::comparisonChanged, this, &FastPPage::refresh);
    connect(workspace, &Workspace::currentDefinitionChanged, this, [this] {
        const bool wasOneDefinition = !m_scope->scope().definition.isEmpty();
        m_scope->follow(*m_workspace);
        if (wasOneDefinition)
            refresh();
    });
    m_scope->follow(*m_workspace);
    refresh();
}

FastPPage::~FastPPage() = default;

bool FastPPage::isBusy() const { return m_job->isRunning() || m_growth->isPending() || m_shown->isPending(); }

void FastPPage::buildControls()
{
    m_preset = new NameBox(tr("Whose definition of the share"), this);
    m_preset->setObjectName(QStringLiteral("fastPPreset"));
    m_preset->addItem(tr("fast_p: web site"), static_cast<int>(FastPPreset::Site));
    m_preset->addItem(tr("win@p: script"), static_cast<int>(FastPPreset::WinP));
    m_preset->addItem(tr("fast_p: KernelBench"), static_cast<int>(FastPPreset::KernelBench));
    m_by = new NameBox(tr("One curve an author or a solution"), this);
    m_by->setObjectName(QStringLiteral("fastPBy"));
    m_by->addItem(tr("authors"), static_cast<int>(RankBy::Author));
    m_by->addItem(tr("solutions"), static_cast<int>(RankBy::Solution));
    m_scope = new ScopeBox(tr("Which definitions count"), this);
    m_scope->setObjectName(QStringLiteral("fastPScope"));
    m_pin = new QDoubleSpinBox(this);
    m_pin->setObjectName(QStringLiteral("fastPPin"));
    m_pin->setRange(0, kGreatestPin);
    m_pin->setDecimals(3);
    m_pin->setSingleStep(kPinStep);
    m_pin->setValue(0.95);   // where the web site pins it at first
    m_pin->setToolTip(tr("The table ranks at this p; a click on the chart pins another one"));
    m_sampled = new QCheckBox(tr("as the &site samples it"), this);
    m_sampled->setObjectName(QStringLiteral("fastPSampled"));
    m_sampled->setToolTip(tr("The web site reads its curves at samples: a tie with p is usually lost. Off: exactly."));
    m_rule = new WrappedLabel(this);
    m_rule->setMuted(true);
    m_rule->setObjectName(QStringLiteral("fastPRule"));
    auto* bar = new FlowLayout;
    bar->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kTight);
    bar->addField(tr("&Rule"), m_preset, this);
    bar->addField(tr("&Curves"), m_by, this);
    bar->addField(tr("&Over"), m_scope, this);
    bar->addField(tr("&p"), m_pin, this);
    bar->addWidget(m_sampled);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(Space::kWide, 0, Space::kWide, Space::kNormal);
    m_ruleBaseline = new BaselineButton(m_workspace, this);
    second->addWidget(m_rule, 1);
    second->addWidget(m_ruleBaseline);

    m_chart = new FastPChart(this);
    m_view = new QTableView(this);
    m_view->setObjectName(QStringLiteral("fastPTable"));
    m_view->setAccessibleName(tr("Ranking at p"));
    m_view->setHorizontalHeader(new SortHeader(m_view));
    m_view->setModel(m_model);
    setUpTable(m_view);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_tools = new TableTools(m_view, QStringLiteral("fastp"), QStringLiteral("name"), this);
    m_tools->setFileName([] { return QStringLiteral("fast_p"); });
    m_tools->setHiddenByDefault({QStringLiteral("geomean")});
    m_tools->showSortKeys({{FastPModel::Rank, Qt::AscendingOrder}});
    m_model->sortBy(m_tools->sortKeys());
    connect(m_tools, &TableTools::sortRequested, m_model, &FastPModel::sortBy);
    new ColumnSharing(m_view, {FastPModel::Name}, kWidestCurveName, FastPModel::Name);
    auto* splitter = new TurningSplitter(kLeastSideBySide, 520, 480, this);
    splitter->addWidget(m_chart);
    splitter->addWidget(m_view);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    m_empty = new WrappedLabel(this);
    m_empty->setObjectName(QStringLiteral("fastPEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(Space::kPage);
    m_stack = new QStackedLayout;
    m_stack->addWidget(splitter);
    m_emptyBaseline = new BaselineButton(m_workspace, this);
    m_runHere = new RunHereButton(m_workspace, this);
    m_stack->addWidget(emptyPage(m_empty, {m_emptyBaseline, m_runHere}, this));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addLayout(second);
    layout->addLayout(m_stack, 1);

    for (NameBox* box : std::initializer_list<NameBox*>{m_preset, m_by, m_scope})
        connect(box, &QComboBox::currentIndexChanged, this, &FastPPage::refresh);
    connect(m_sampled, &QCheckBox::toggled, this, &FastPPage::showRanks);
    connect(m_pin, &QDoubleSpinBox::valueChanged, this, [this](double p) {
        m_chart->setPin(p);
        showRanks();
    });
    connect(m_chart, &FastPChart::pinned, this, &FastPPage::setPin);
    connect(m_model, &FastPModel::hiddenChanged, m_chart, &FastPChart::setHidden);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { m_chart->setEmphasis(index.isValid() ? m_model->nameAt(index.row()) : QString()); });
}

void FastPPage::buildActions()
{
    const auto add = [this](const QString& suffix, const QString& text, const QString& tip, auto write) {
        m_exportActions << makeExportAction(this, {QStringLiteral("exportFastP_") + suffix, text, tip, tr("Export curves"), [] { return QStringLiteral("fast_p"); }, suffix, write});
    };
    for (const QString& suffix : pictureSuffixes())
        add(suffix, tr("Export curves as %1…").arg(suffix.toUpper()), tr("Write the curves that are ticked, with title and legend"), [this](const QString& path) { return exportPicture(path); });
    add(QStringLiteral("csv"), tr("Export curves as CSV…"), tr("Write every step of every curve; of win@p the table of the script"), [this](const QString& path) { return exportSteps(path); });
}

QList<QAction*> FastPPage::exportActions() const { return QList<QAction*>{m_tools->exportAction()} + m_exportActions; }

Result<void> FastPPage::exportPicture(const QString& path) const
{
    FastPChart copy;
    const QSize size = m_chart->size().expandedTo(kSmallestCurves);
    copy.resize(size);
    copy.setReport(m_report);
    copy.setHidden(m_chart->hidden());
    copy.setPin(m_chart->pin());
    copy.xAxis->setRange(m_chart->xAxis->range());
    copy.yAxis->setRange(m_chart->yAxis->range());
    const QString title = QStringLiteral("%1 · %2").arg(m_preset->currentText(), m_scope->currentText());
    copy.addTitleAndLegend(title);
    return writePlotPicture(copy, title, size, path);
}

Result<void> FastPPage::exportSteps(const QString& path) const
{
    std::string text;
    if (m_report->preset == FastPPreset::WinP) {
        text = winAtPCsv(*m_report);
    } else {
        text = "name,p,share\n";
        for (const FastPCurve& curve : m_report->curves)
            for (const auto& [p, share] : m_report->steps(curve))
                text += csvCell(curve.name) + ',' + shortestNumber(p) + ',' + shortestNumber(share) + '\n';
    }
    return writeFileAtomically(path.toStdString(), text);
}

void FastPPage::setPreset(FastPPreset preset) { m_preset->setCurrentIndex(m_preset->findData(static_cast<int>(preset))); }
void FastPPage::setBy(RankBy by) { m_by->setCurrentIndex(m_by->findData(static_cast<int>(by))); }
void FastPPage::setPin(double p) { m_pin->setValue(p); }

void FastPPage::refresh() { m_shown->request(); }

void FastPPage::compute()
{
    RankingScope scope;
    const ComparisonScope chosen = m_scope->scope();
    scope.definition = chosen.definition.toStdString();
    scope.opType = chosen.opType.toStdString();
    scope.hardware = m_workspace->hardware().toStdString();
    scope.policy = SelectionPolicy::All;   // which trace counts is part of each rule
    const auto preset = static_cast<FastPPreset>(m_preset->currentData().toInt());
    m_sampled->setVisible(preset == FastPPreset::Site);
    m_job->start<Answer>(
        [dataset = m_workspace->dataset(), preset, by = static_cast<RankBy>(m_by->currentData().toInt()), baseline = m_workspace->baselineAuthor().toStdString(), scope](std::stop_token) {
            return Answer{std::make_shared<const Result<FastPReport>>(fastP(*dataset, preset, by, baseline, scope))};
        },
        [this](const Answer& answer) { applyAnswer(answer); });
}

void FastPPage::applyAnswer(const Answer& answer)
{
    const Result<FastPReport>& report = *answer.report;
    const auto before = m_report;
    m_report = report ? std::shared_ptr<const FastPReport>(answer.report, &*report) : std::make_shared<const FastPReport>();
    // Which curves there are has changed: the best ones are drawn at first.
    const auto namesOf = [](const FastPReport& of) {
        QSet<QString> names;
        for (const FastPCurve& curve : of.curves)
            names.insert(QString::fromStdString(curve.name));
        return names;
    };
    const bool isAnother = namesOf(*before) != namesOf(*m_report);
    m_chart->setReport(m_report);
    showRanks();
    if (isAnother) {
        QSet<QString> hidden;
        const auto ranks = rankAtP(*m_report, m_chart->pin());
        for (std::size_t i = kCurvesAtFirst; i < ranks.size(); ++i)
            hidden.insert(QString::fromStdString(m_report->curves[ranks[i].curve].name));
        m_model->setHidden(hidden);
    }
    QString rule = QString::fromStdString(describeRule(m_report->preset, m_report->baselineAuthor));
    rule += QLatin1Char(' ') + tr("The rule chooses the traces itself: what counts elsewhere, as the status bar says, does not matter here.");
    rule += QLatin1Char(' ') + tr("%n workload(s) count.", nullptr, static_cast<int>(m_report->groups));
    if (m_report->fallbackGroups > 0)
        rule += QLatin1Char(' ') + tr("On %1 of them the fastest stands in for the baseline.").arg(countText(static_cast<qint64>(m_report->fallbackGroups)));
    if (!m_report->unscored.empty())
        rule += QLatin1Char(' ') + tr("%n definition(s) without a single baseline are left out.", nullptr, static_cast<int>(m_report->unscored.size()));
    m_rule->setText(rule);
    QString empty;
    const ComparisonScope chosen = m_scope->scope();
    const QString nothing = whyNothingIsMeasured(*m_workspace->dataset(), chosen.definition);
    if (!m_workspace->isOpen())
        empty = tr("No dataset is open.\nOpen a dataset folder from the File menu, or drop one onto the window.");
    else if (!nothing.isEmpty())
        empty = nothing;
    else if (!report)
        empty = QString::fromStdString(report.error().reason);
    else if (m_report->curves.empty() && (empty = whyThereIsNoBaseline(*m_workspace->dataset(), m_workspace->baselineAuthor())).isEmpty())
        empty = tr("Nobody can be compared with %1 here.\nChoose another baseline author above, another GPU, or other definitions.")
                    .arg(shortened(visibleText(m_workspace->baselineAuthor()), kLongestName));
    m_empty->setText(empty);
    const RankingScope scope{chosen.opType.toStdString(), chosen.definition.toStdString(), m_workspace->hardware().toStdString()};
    m_emptyBaseline->offer(m_workspace->isOpen() && nothing.isEmpty() && m_report->curves.empty(), scope);
    m_runHere->offer(!nothing.isEmpty(), chosen.definition);
    m_ruleBaseline->offer(empty.isEmpty() && !m_report->unscored.empty(), scope);
    m_rule->setVisible(empty.isEmpty());
    m_stack->setCurrentIndex(empty.isEmpty() ? 0 : 1);
    for (QAction* action : std::as_const(m_exportActions))
        action->setEnabled(empty.isEmpty());
    emit reportShown(static_cast<int>(m_report->curves.size()));
}

void FastPPage::showRanks()
{
    const bool isSampled = m_sampled->isChecked() && m_report->preset == FastPPreset::Site;
    m_model->show(m_report, rankAtP(*m_report, m_pin->value(), isSampled));
}

void FastPPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if ((event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) && m_model)
        m_model->refreshLooks();
}

}  // namespace tracedeck::ui
