// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/policy_text.h"
#include "ui/pages/charts_page.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "core/score/ranking.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_legend.h"
#include "ui/charts/latency_chart.h"
#include "ui/models/growth_refresh.h"
#include "ui/models/workspace.h"
#include "ui/pages/export_files.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Values that span more than this are easier to read on a log scale.
constexpr double kWideSpan = 12;
constexpr QSize kSmallestPicture(960, 540);

/// The machine with the most traces of a definition; ties by name.
std::string busiestHardware(const Dataset& dataset, const std::string& definition, const std::vector<std::string>& names)
{
    std::map<std::string, std::size_t> counts;
    for (const std::uint32_t row : dataset.traceRowsOfDefinition(definition)) {
        ++counts[std::string(dataset.traces().hardwareName(dataset.traces().row(row)))];
    }
    std::string best;
    std::size_t most = 0;
    for (const std::string& name : names) {
        if (counts[name] > most) {
            most = counts[name];
            best = name;
        }
    }
    return best;
}

bool spansWidely(const std::vector<Series>& series, bool ofX)
{
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
    for (const Series& line : series) {
        for (const SeriesPoint& point : line.points) {
            if (ofX || !point.failed) {
                low = std::min(low, ofX ? point.x : point.y);
                high = std::max(high, ofX ? point.x : point.y);
            }
        }
    }
    return low > 0 && high / low >= kWideSpan;
}

}  // namespace

struct ChartsPage::Answer {
    ChartContent content;
    std::vector<std::string> machines;   ///< all that have traces of the definition
    bool machineWasChosenHere = false;
    std::string baselineProblem;         ///< why there is no ratio
    std::size_t traces = 0;
};

ChartsPage::ChartsPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_chart(new LatencyChart(this)), m_legend(new ChartLegend(this)), m_job(new LatestJob(this)),
      m_growth(new GrowthRefresh(m_job, [this] { refresh(); }, this))
{
    setObjectName(QStringLiteral("chartsPage"));
    buildControls();
    buildActions();
    connect(m_chart, &LatencyChart::tracePicked, this, &ChartsPage::pickTrace);
    connect(m_chart, &ZoomChart::zoomedChanged, m_fitButton, &QWidget::setEnabled);
    connect(m_legend, &ChartLegend::hiddenChanged, m_chart, &LatencyChart::setHidden);
    connect(m_legend, &ChartLegend::emphasisChanged, m_chart, &LatencyChart::setEmphasis);
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (onlyGrew) {
            m_growth->request();
            return;
        }
        rebuildAxes();
        refresh();
    });
    connect(workspace, &Workspace::comparisonChanged, this, &ChartsPage::refresh);
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

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kTight);
    bar->setSpacing(Space::kNormal);
    const auto addLabelled = [this, bar](const QString& text, QWidget* field) {
        auto* label = new QLabel(text, this);
        label->setBuddy(field);
        bar->addWidget(label);
        bar->addWidget(field);
    };
    addLabelled(tr("&Horizontal"), m_xCombo);
    bar->addWidget(m_xLog);
    bar->addSpacing(Space::kWide);
    addLabelled(tr("&Vertical"), m_yCombo);
    bar->addWidget(m_yLog);
    bar->addStretch(1);
    bar->addWidget(m_fitButton);

    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(1);
    splitter->addWidget(m_chart);
    splitter->addWidget(m_legend);
    splitter->setStretchFactor(0, 1);
    splitter->setSizes({900, 240});

    m_empty = new WrappedLabel(this);
    m_empty->setObjectName(QStringLiteral("chartEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(Space::kPage);
    m_stack = new QStackedLayout;
    m_stack->addWidget(splitter);
    m_stack->addWidget(m_empty);

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
    connect(m_xLog, &QCheckBox::clicked, this, [this](bool checked) {
        m_xLogChoice = checked;
        applyScales();
    });
    connect(m_yLog, &QCheckBox::clicked, this, [this](bool checked) {
        m_yLogChoice = checked;
        applyScales();
    });
    connect(m_fitButton, &QPushButton::clicked, m_chart, &ZoomChart::resetZoom);
}

void ChartsPage::buildActions()
{
    for (const QString& suffix : {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")}) {
        auto* action = new QAction(icon(QStringLiteral("export")), tr("Export chart as %1…").arg(suffix.toUpper()), this);
        action->setObjectName(QStringLiteral("exportChart_") + suffix);
        action->setToolTip(tr("Write the chart as it is seen, with title and legend"));
        connect(action, &QAction::triggered, this, [this, suffix] { savePicture(suffix); });
        m_exportActions << action;
    }
    auto* csv = new QAction(icon(QStringLiteral("export")), tr("Export chart data as CSV…"), this);
    csv->setObjectName(QStringLiteral("exportChart_csv"));
    csv->setToolTip(tr("Write the traces behind the lines that are switched on as a CSV report"));
    connect(csv, &QAction::triggered, this, [this] {
        chooseExportFile(this, tr("Export chart data"), fileNameFrom(m_definition), {QStringLiteral("csv")}, [this](const QString& path) {
            if (const auto written = exportCsv(path); !written) {
                showExportError(this, path, written.error());
            }
        });
    });
    m_exportActions << csv;
}

void ChartsPage::savePicture(const QString& suffix)
{
    chooseExportFile(this, tr("Export chart"), fileNameFrom(m_definition), {suffix}, [this](const QString& path) {
        if (const auto written = exportPicture(path); !written) {
            showExportError(this, path, written.error());
        }
    });
}

Result<void> ChartsPage::exportPicture(const QString& path) const
{
    QString title = m_definition;
    if (!m_shownHardware.isEmpty()) {
        title += QStringLiteral(" · ") + m_shownHardware;
    }
    return writeChartPicture(*m_chart, title, m_chart->size().expandedTo(kSmallestPicture), path);
}

Result<void> ChartsPage::exportCsv(const QString& path) const
{
    RowIndex rows;
    for (const Series& series : m_series) {
        if (!m_legend->hidden().contains(QString::fromStdString(series.solution))) {
            for (const SeriesPoint& point : series.points) {
                rows.push_back(point.row);
            }
        }
    }
    return writeTraceCsv(*m_chart->content().dataset, rows, path);
}

void ChartsPage::setAxis(const QString& axis) { m_xCombo->setCurrentIndex(std::max(0, m_xCombo->findData(axis))); }

void ChartsPage::setMeasure(ChartMeasure measure) { m_yCombo->setCurrentIndex(m_yCombo->findData(static_cast<int>(measure))); }

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
    const int same = m_xCombo->findData(kept);
    m_xCombo->setCurrentIndex(sameDefinition && same >= 0 ? same : (widest >= 0 ? widest : m_xCombo->count() - 1));
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
    content.axis = m_xCombo->currentData().toString();
    content.measure = static_cast<ChartMeasure>(m_yCombo->currentData().toInt());
    content.hardware = m_workspace->hardware();
    m_job->start<Answer>(
        [content, policy = m_workspace->policy(), author = m_workspace->baselineAuthor()](std::stop_token) {
            Answer answer;
            answer.content = content;
            const std::string definition = content.definition.toStdString();
            const Dataset& dataset = *content.dataset;
            if (definition.empty()) {
                return answer;
            }
            answer.traces = dataset.traceRowsOfDefinition(definition).size();
            answer.machines = hardwareOf(dataset, definition);
            if (content.hardware.isEmpty() && !answer.machines.empty()) {
                answer.machineWasChosenHere = answer.machines.size() > 1;
                answer.content.hardware = QString::fromStdString(busiestHardware(dataset, definition, answer.machines));
            }
            std::string baseline;
            if (content.measure == ChartMeasure::RatioToBaseline) {
                const auto found = baselineOf(dataset, definition, author.toStdString());
                if (!found) {
                    answer.baselineProblem = found.error().reason;
                    return answer;
                }
                baseline = (*found)->name;
                answer.content.baseline = QString::fromStdString(baseline);
            }
            answer.content.series = chartSeries(dataset, definition, content.axis.toStdString(), content.measure,
                                                answer.content.hardware.toStdString(), baseline, policy);
            std::erase_if(answer.content.series, [](const Series& series) { return series.points.empty(); });
            return answer;
        },
        [this](Answer answer) { applyAnswer(std::move(answer)); });
}

void ChartsPage::applyAnswer(Answer answer)
{
    m_series = answer.content.series;
    m_shownHardware = answer.content.hardware;
    m_legend->setSeries(m_series, answer.content.definition);
    updateNote(answer);
    m_chart->setContent(std::move(answer.content));
    m_chart->setHidden(m_legend->hidden());
    applyScales();
    for (QAction* action : m_exportActions) {
        action->setEnabled(!m_series.empty());
    }
    emit seriesShown(static_cast<int>(m_series.size()));
}

void ChartsPage::updateNote(const Answer& answer)
{
    QStringList notes;
    if (answer.machineWasChosenHere) {
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
    m_note->setText(notes.join(QLatin1Char(' ')));
    m_note->setVisible(!m_series.empty());

    QString empty;
    if (!m_workspace->isOpen()) {
        empty = tr("No dataset is open.\nOpen a dataset folder from the File menu, or drop one onto the window.");
    } else if (m_definition.isEmpty() && m_workspace->dataset()->definitions().empty()) {
        empty = tr("This dataset has no definitions, so there is nothing to chart.");
    } else if (m_definition.isEmpty()) {
        empty = tr("Choose a definition in the tree to see its chart.");
    } else if (!answer.baselineProblem.empty()) {
        empty = tr("There is no ratio to show: %1\nChoose another baseline author, or another vertical axis.")
                    .arg(shortened(QString::fromStdString(answer.baselineProblem), 4 * kLongestName));
    } else if (answer.traces == 0) {
        empty = tr("%1 has no traces yet.\nSelect its solutions in the tree and choose Run selected.").arg(shortened(m_definition, kLongestName));
    } else {
        empty = tr("No trace of %1 on %2 has this value.\nChoose another hardware or another axis.")
                    .arg(shortened(m_definition, kLongestName), answer.content.hardware.isEmpty() ? tr("any hardware") : shortened(answer.content.hardware, kLongestName));
    }
    m_empty->setText(empty);
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
    m_chart->setLogarithmic(x, y);
}

void ChartsPage::pickTrace(quint32 row) { m_workspace->setCurrentTrace(static_cast<qint64>(row)); }

}  // namespace tracedeck::ui
