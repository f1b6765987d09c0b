// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/nothing_measured.h"
#include "ui/models/policy_text.h"
#include "ui/pages/charts_page.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "core/run/run_settings.h"
#include "core/score/ranking.h"
#include "ui/charts/chart_legend.h"
#include "ui/charts/chart_maker.h"
#include "ui/charts/latency_chart.h"
#include "ui/models/growth_refresh.h"
#include "ui/models/marked_traces.h"
#include "ui/models/workspace.h"
#include "ui/pages/baseline_button.h"
#include "ui/pages/run_here_button.h"
#include "ui/style/flow_layout.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Data of the horizontal box beside the names of axes, which are never empty and hold no line break.
const QString kOtherAbscissa = QStringLiteral("\n");

QString dataOf(ChartAbscissa abscissa) { return kOtherAbscissa + fromView(toString(abscissa)); }

/// One entry a solution, whatever the machines: for the legend.
std::vector<Series> bySolution(const std::vector<Series>& series)
{
    std::vector<Series> merged;
    for (const Series& line : series) {
        const auto found = std::find_if(merged.begin(), merged.end(), [&line](const Series& one) { return one.solution == line.solution; });
        if (found == merged.end()) {
            merged.push_back(line);
        } else {
            found->points.insert(found->points.end(), line.points.begin(), line.points.end());
        }
    }
    return merged;
}

/// Values that span more than this are easier to read on a log scale.
constexpr double kWideSpan = 12;

bool spansWidely(const std::vector<Series>& series, bool ofX)
{
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (const Series& line : series) {
        for (const SeriesPoint& point : line.points) {
            if (ofX || (!point.failed && point.y > 0)) {   // an error of 0 lies below a logarithmic scale
                low = std::min(low, ofX ? point.x : point.y);
                high = std::max(high, ofX ? point.x : point.y);
            }
        }
    }
    return low > 0 && high / low >= kWideSpan;
}

}  // namespace

ChartsPage::ChartsPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_chart(new LatencyChart(this)), m_legend(new ChartLegend(this)), m_job(new LatestJob(this)),
      m_growth(new GrowthRefresh(m_job, [this] { refresh(); }, this))
{
    setObjectName(QStringLiteral("chartsPage"));
    buildControls();
    buildActions();
    connectChart(m_chart);
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (onlyGrew) {
            m_growth->request();
            return;
        }
        rebuildAxes();
        refresh();
    });
    connect(workspace, &Workspace::comparisonChanged, this, &ChartsPage::refresh);
    connect(workspace->marks(), &MarkedTraces::changed, this, &ChartsPage::showMarks);
    connect(workspace->board(), &ChartBoard::notesChanged, this, &ChartsPage::showNotes);
    connect(workspace, &Workspace::currentDefinitionChanged, this, [this] {
        rebuildAxes();
        refresh();
    });
    rebuildAxes();
    refresh();
}

ChartsPage::~ChartsPage() = default;

QList<QAction*> ChartsPage::exportActions() const { return m_exportActions; }

bool ChartsPage::isBusy() const { return m_job->isRunning() || m_growth->isPending(); }

void ChartsPage::buildControls()
{
    const auto makeCombo = [this](const QString& name, const QString& accessible, const QString& toolTip) {
        auto* combo = new NameBox(toolTip, this);
        combo->setObjectName(name);
        combo->setAccessibleName(accessible);
        return combo;
    };
    m_xCombo = makeCombo(QStringLiteral("chartX"), tr("Horizontal axis"), tr("What lies on the horizontal axis"));
    m_yCombo = makeCombo(QStringLiteral("chartY"), tr("Vertical axis"), tr("What lies on the vertical axis"));
    m_yCombo->addItem(tr("latency"), static_cast<int>(ChartMeasure::LatencyMs));
    m_yCombo->addItem(tr("speedup over the reference"), static_cast<int>(ChartMeasure::SpeedupToReference));
    m_yCombo->addItem(tr("speedup over the baseline"), static_cast<int>(ChartMeasure::RatioToBaseline));
    m_yCombo->addItem(tr("bandwidth"), static_cast<int>(ChartMeasure::Bandwidth));
    m_yCombo->addItem(tr("throughput"), static_cast<int>(ChartMeasure::Throughput));
    m_yCombo->addItem(tr("share of the speed of light"), static_cast<int>(ChartMeasure::LightShare));
    m_yCombo->addItem(tr("greatest absolute error"), static_cast<int>(ChartMeasure::AbsoluteError));
    m_yCombo->addItem(tr("greatest relative error"), static_cast<int>(ChartMeasure::RelativeError));
    m_timeCombo = makeCombo(QStringLiteral("chartTime"), tr("Time of a call"), tr("Which time of a call counts: a launch-bound call looks very different by each of them"));
    m_timeCombo->addItem(tr("as stored"), static_cast<int>(CallTime::Stored));
    m_timeCombo->addItem(tr("live span"), static_cast<int>(CallTime::Live));
    m_timeCombo->addItem(tr("queued"), static_cast<int>(CallTime::Queued));
    m_timeCombo->addItem(tr("sum of kernels"), static_cast<int>(CallTime::Kernels));
    m_band = new QCheckBox(tr("&band p10–p90"), this);
    m_band->setObjectName(QStringLiteral("chartBand"));
    m_band->setToolTip(tr("The spread of the samples behind each point, where traces have it; of stored times only"));
    m_band->setChecked(true);
    m_facetBox = new QCheckBox(tr("one chart a &GPU"), this);
    m_facetBox->setObjectName(QStringLiteral("chartFacets"));
    m_facetBox->setToolTip(tr("All GPUs side by side on the same scales; choose all hardware above"));
    m_xLog = new QCheckBox(tr("log &x"), this);
    m_xLog->setObjectName(QStringLiteral("chartLogX"));
    m_xLog->setToolTip(tr("Logarithmic horizontal axis"));
    m_yLog = new QCheckBox(tr("log &y"), this);
    m_yLog->setObjectName(QStringLiteral("chartLogY"));
    m_yLog->setToolTip(tr("Logarithmic vertical axis"));
    m_fitButton = new QPushButton(tr("Show &all"), this);
    m_fitButton->setToolTip(tr("Undo zooming (double click, or 0)"));
    m_fitButton->setEnabled(false);
    m_note = new WrappedLabel(this);
    m_note->setMuted(true);
    m_note->setObjectName(QStringLiteral("chartNote"));

    auto* bar = new FlowLayout;
    bar->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kTight);
    bar->addField(tr("&Horizontal"), m_xCombo, this);
    bar->addWidget(m_xLog);
    bar->addField(tr("&Vertical"), m_yCombo, this);
    bar->addWidget(m_yLog);
    bar->addField(tr("&Time"), m_timeCombo, this);
    for (QWidget* control : std::initializer_list<QWidget*>{m_band, m_facetBox, m_fitButton})
        bar->addWidget(control);

    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    auto* charts = new QWidget(splitter);
    m_grid = new QGridLayout(charts);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(0);
    (void)facetChart(0);
    splitter->addWidget(charts);
    splitter->addWidget(m_legend);
    splitter->setStretchFactor(0, 1);
    splitter->setSizes({900, 240});

    m_empty = new WrappedLabel(this);
    m_empty->setObjectName(QStringLiteral("chartEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(Space::kPage);
    m_stack = new QStackedLayout;
    m_stack->addWidget(splitter);
    m_baselineButton = new BaselineButton(m_workspace, this);
    m_runHere = new RunHereButton(m_workspace, this);
    m_stack->addWidget(emptyPage(m_empty, {m_baselineButton, m_runHere}, this));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    auto* noteRow = new QHBoxLayout;
    noteRow->setContentsMargins(Space::kWide, 0, Space::kWide, Space::kTight);
    noteRow->addWidget(m_note, 1);
    layout->addLayout(noteRow);
    layout->addLayout(m_stack, 1);

    connect(m_xCombo, &QComboBox::currentIndexChanged, this, &ChartsPage::refresh);
    connect(m_yCombo, &QComboBox::currentIndexChanged, this, &ChartsPage::refresh);
    connect(m_timeCombo, &QComboBox::currentIndexChanged, this, &ChartsPage::refresh);
    connect(m_band, &QCheckBox::clicked, this, &ChartsPage::refresh);
    connect(m_facetBox, &QCheckBox::clicked, this, &ChartsPage::refresh);
    connect(m_xLog, &QCheckBox::clicked, this, [this](bool checked) {
        m_xLogChoice = checked;
        applyScales();
    });
    connect(m_yLog, &QCheckBox::clicked, this, [this](bool checked) {
        m_yLogChoice = checked;
        applyScales();
    });
    connect(m_fitButton, &QPushButton::clicked, this, [this] {
        for (LatencyChart* chart : shownCharts()) {
            chart->resetZoom();
        }
    });
}

void ChartsPage::setAxis(const QString& axis) { m_xCombo->setCurrentIndex(std::max(0, m_xCombo->findData(axis))); }

void ChartsPage::setMeasure(ChartMeasure measure) { m_yCombo->setCurrentIndex(m_yCombo->findData(static_cast<int>(measure))); }

void ChartsPage::setAbscissa(ChartAbscissa abscissa) { m_xCombo->setCurrentIndex(std::max(0, m_xCombo->findData(dataOf(abscissa)))); }

void ChartsPage::setCallTime(CallTime time) { m_timeCombo->setCurrentIndex(m_timeCombo->findData(static_cast<int>(time))); }

void ChartsPage::setFacets(bool facets)
{
    m_facetBox->setChecked(facets);
    refresh();
}

void ChartsPage::rebuildAxes()
{
    const QString kept = m_xCombo->currentData().toString();
    const bool sameDefinition = m_definition == m_workspace->currentDefinition();
    m_definition = m_workspace->currentDefinition();
    const QSignalBlocker blocker(m_xCombo);
    m_xCombo->clear();
    const auto dataset = m_workspace->dataset();
    const Definition* definition = dataset->findDefinition(m_definition.toStdString());
    int widest = -1;
    std::size_t mostValues = 1;
    for (const std::string& axis : definition ? definition->varAxes() : std::vector<std::string>()) {
        const QString name = QString::fromStdString(axis);
        const QString shownName = shortened(visibleText(name), kLongestName);
        const std::size_t values = axisValuesOf(*dataset, definition->name, axis).size();
        m_xCombo->addItem(values == 1 ? tr("%1 (1 value)").arg(shownName) : tr("%1 (%2 values)").arg(shownName).arg(values), name);
        if (values > mostValues) {
            mostValues = values;
            widest = m_xCombo->count() - 1;
        }
    }
    m_xCombo->addItem(tr("workload, in file order"), QString());
    const int fileOrder = m_xCombo->count() - 1;
    m_xCombo->addItem(tr("bytes that must be moved"), dataOf(ChartAbscissa::Bytes));
    m_xCombo->addItem(tr("operations (FLOP)"), dataOf(ChartAbscissa::Operations));
    m_xCombo->addItem(tr("operations a byte"), dataOf(ChartAbscissa::Intensity));
    m_xCombo->addItem(tr("time of measurement"), dataOf(ChartAbscissa::Moment));
    const int same = m_xCombo->findData(kept);
    m_xCombo->setCurrentIndex(sameDefinition && same >= 0 ? same : (widest >= 0 ? widest : fileOrder));
    if (!sameDefinition) {
        m_xLogChoice.reset();
        m_yLogChoice.reset();
    }
}

void ChartsPage::refresh()
{
    ChartContent content;
    content.dataset = m_workspace->dataset();
    content.definition = m_definition;
    const QString abscissa = m_xCombo->currentData().toString();
    if (abscissa.startsWith(kOtherAbscissa)) {
        content.abscissa = chartAbscissaFromString(abscissa.mid(1).toStdString()).value_or(ChartAbscissa::Axis);
    } else {
        content.axis = abscissa;
    }
    content.time = static_cast<CallTime>(m_timeCombo->currentData().toInt());
    content.showsBand = m_band->isChecked();
    content.measure = static_cast<ChartMeasure>(m_yCombo->currentData().toInt());
    content.hardware = m_workspace->hardware();
    m_job->start<MadeChart>(
        [content, policy = m_workspace->policy(), author = m_workspace->baselineAuthor(), wantsFacets = m_facetBox->isChecked()](std::stop_token stop) {
            return makeChart(content, policy, author, wantsFacets, stop);
        },
        [this](MadeChart answer) { applyAnswer(std::move(answer)); });
}

void ChartsPage::applyAnswer(MadeChart answer)
{
    m_series = answer.content.series;
    m_shownHardware = answer.content.hardware;
    m_legend->setSeries(bySolution(m_series), answer.content.definition);
    m_facetBox->setEnabled(m_workspace->hardware().isEmpty() && answer.machines.size() > 1);
    updateNote(answer);
    showCharts(answer.facets.empty() ? std::vector{answer.content} : answer.facets);
    applyScales();
    showMarks();
    showNotes();
    for (QAction* action : m_exportActions) {
        action->setEnabled(!m_series.empty());
    }
    emit seriesShown(static_cast<int>(m_series.size()));
}

void ChartsPage::updateNote(const MadeChart& answer)
{
    QStringList notes;
    if (!answer.facets.empty()) {
        notes << tr("One chart a GPU, on the same scales.");
    } else if (answer.machineWasChosenHere) {
        QStringList others;
        for (const std::string& name : answer.machines) {
            if (QString::fromStdString(name) != answer.content.hardware) {
                others << QString::fromStdString(name);
            }
        }
        notes << tr("Showing %1, which has the most traces; choose the hardware to see %2.").arg(shortened(answer.content.hardware, kLongestName), shortened(others.join(tr(" or ")), kLongestName));
    } else if (!answer.content.hardware.isEmpty()) {
        notes << tr("Measured on %1.").arg(shortened(answer.content.hardware, kLongestName));
    }
    notes << policySentence(m_workspace->policy());
    if (const QString view = policyViewText(*m_workspace->dataset()); !view.isEmpty())
        notes << view;
    if (!answer.formula.isEmpty()) {
        notes << tr("Operations: %1.").arg(visibleText(answer.formula));
    }
    if (answer.isUpperEstimate) {
        notes << tr("Bytes count tensors that a kernel may read in part only.");
    }
    if (answer.withoutTime > 0) {
        notes << tr("%n trace(s) left out: no such time in their record.", nullptr, static_cast<int>(answer.withoutTime));
    }
    if (answer.withoutSize > 0) {
        notes << tr("%n trace(s) left out: the size of their workload is not known.", nullptr, static_cast<int>(answer.withoutSize));
    }
    if (answer.withoutError > 0) {
        notes << tr("%n trace(s) left out: no errors are stored.", nullptr, static_cast<int>(answer.withoutError));
    }
    if (answer.withoutCeiling > 0) {
        notes << tr("%n trace(s) left out: what their hardware can do is not known; name it in %1.", nullptr, static_cast<int>(answer.withoutCeiling)).arg(QString::fromStdString(ceilingsFile().string()));
    }
    for (const QString& problem : {answer.ceilingProblem, answer.formulaProblem}) {
        if (!problem.isEmpty()) {
            notes << visibleText(problem);
        }
    }
    if (answer.withoutMoment > 0) {
        notes << tr("%n trace(s) left out: their timestamp is no time.", nullptr, static_cast<int>(answer.withoutMoment));
    }
    m_note->setText(notes.join(QLatin1Char(' ')));
    m_note->setVisible(!m_series.empty());

    QString empty;
    const QString nothing = whyNothingIsMeasured(*m_workspace->dataset(), m_definition);
    if (!m_workspace->isOpen()) {
        empty = tr("No dataset is open.\nOpen a dataset folder from the File menu, or drop one onto the window.");
    } else if (m_definition.isEmpty() && m_workspace->dataset()->definitions().empty()) {
        empty = nothing;
    } else if (m_definition.isEmpty()) {
        empty = tr("Choose a definition in the tree to see its chart.");
    } else if (!nothing.isEmpty()) {
        empty = nothing;
    } else if (!answer.baselineProblem.empty()) {
        empty = tr("There is no ratio to show: %1\nChoose another baseline author, or another vertical axis.")
                    .arg(shortened(QString::fromStdString(answer.baselineProblem), 4 * kLongestName));
    } else if (answer.withoutTime > 0) {
        empty = tr("No trace of %1 has this time in its record.\nOnly Tracedeck's own measurements on a GPU have queued times and sums of kernels; choose the stored time.")
                    .arg(shortened(m_definition, kLongestName));
    } else if (answer.withoutSize > 0) {
        empty = tr("The size of %1's workloads is not known: there is no formula for its op type, or it depends on what the inputs hold.\nChoose another axis.")
                    .arg(shortened(m_definition, kLongestName));
    } else {
        empty = tr("No trace of %1 on %2 has this value.\nChoose another hardware or another axis.")
                    .arg(shortened(m_definition, kLongestName), answer.content.hardware.isEmpty() ? tr("any hardware") : shortened(answer.content.hardware, kLongestName));
    }
    m_empty->setText(empty);
    m_runHere->offer(m_series.empty() && !m_definition.isEmpty(), m_definition);
    m_baselineButton->offer(m_series.empty() && nothing.isEmpty() && !answer.baselineProblem.empty(), {.definition = m_definition.toStdString(), .hardware = answer.content.hardware.toStdString()});
    m_stack->setCurrentIndex(m_series.empty() ? 1 : 0);
}

void ChartsPage::applyScales()
{
    const bool canX = m_chart->canBeLogarithmicX();
    const bool x = canX && m_xLogChoice.value_or(spansWidely(m_series, true));
    const bool y = m_yLogChoice.value_or(spansWidely(m_series, false));
    m_xLog->setEnabled(canX);
    m_xLog->setChecked(x);
    m_yLog->setChecked(y);
    for (LatencyChart* chart : shownCharts()) {
        chart->setLogarithmic(x, y);
    }
}

void ChartsPage::showMarks()
{
    for (LatencyChart* chart : shownCharts()) {
        chart->setMarked(m_workspace->marks()->rows());
    }
}

ChartSpec ChartsPage::spec() const
{
    ChartSpec spec;
    spec.definition = m_definition;
    const QString abscissa = m_xCombo->currentData().toString();
    if (abscissa.startsWith(kOtherAbscissa)) {
        spec.abscissa = chartAbscissaFromString(abscissa.mid(1).toStdString()).value_or(ChartAbscissa::Workload);
    } else if (!abscissa.isEmpty()) {
        spec.abscissa = ChartAbscissa::Axis;
        spec.axis = abscissa;
    }
    spec.measure = static_cast<ChartMeasure>(m_yCombo->currentData().toInt());
    spec.time = static_cast<CallTime>(m_timeCombo->currentData().toInt());
    spec.hardware = m_shownHardware;
    const QSet<QString>& hidden = m_legend->hidden();
    for (const Series& series : bySolution(m_series)) {
        if (const QString name = QString::fromStdString(series.solution); hidden.contains(name)) {
            spec.hidden << name;
        }
    }
    spec.logX = m_xLog->isChecked();
    spec.logY = m_yLog->isChecked();
    spec.band = m_band->isChecked();
    return spec;
}

void ChartsPage::showSpec(const ChartSpec& spec)
{
    m_workspace->setCurrentDefinition(spec.definition);
    if (m_definition != spec.definition) {
        return;   // the dataset has no such definition any more
    }
    const QSignalBlocker blockX(m_xCombo);
    const QSignalBlocker blockY(m_yCombo);
    const QSignalBlocker blockTime(m_timeCombo);
    if (spec.abscissa == ChartAbscissa::Axis || spec.abscissa == ChartAbscissa::Workload) {
        setAxis(spec.axis);
    } else {
        setAbscissa(spec.abscissa);
    }
    setMeasure(spec.measure);
    setCallTime(spec.time);
    m_band->setChecked(spec.band);
    m_xLogChoice = spec.logX;
    m_yLogChoice = spec.logY;
    refresh();
}

void ChartsPage::showNotes()
{
    const QList<ChartNote> notes = m_workspace->board()->notes(spec().key());
    for (LatencyChart* chart : shownCharts()) {
        if (chart->notes() != notes) {
            chart->setNotes(notes);
        }
    }
}

void ChartsPage::addNote()
{
    const QPointF place = m_chart->pointedPlace();
    emit m_chart->noteWanted(place.x(), place.y());
}

void ChartsPage::pickTrace(quint32 row) { m_workspace->setCurrentTrace(static_cast<qint64>(row)); }

}  // namespace tracedeck::ui
