// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/errors_page.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QStackedLayout>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/io/trace_writer.h"
#include "core/report/error_report.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/latency_chart.h"
#include "ui/models/growth_refresh.h"
#include "ui/models/latest_job.h"
#include "ui/models/marked_traces.h"
#include "ui/models/nothing_measured.h"
#include "ui/models/number_format.h"
#include "ui/models/policy_text.h"
#include "ui/models/workspace.h"
#include "ui/pages/export_files.h"
#include "ui/pages/run_here_button.h"
#include "ui/style/flow_layout.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/style/turning_splitter.h"

namespace tracedeck::ui {
namespace {

constexpr QSize kSmallestErrors(960, 540);
constexpr int kSolutionRole = Qt::UserRole;
enum ErrorColumn { kErrorSolution, kErrorWithin, kErrorAbsolute, kErrorRelative, kErrorMatched };
/// A slider goes from 10^-9 to 10 in tenths of a decade.
constexpr int kStepsInDecade = 10;
constexpr int kLeastDecade = -9;
constexpr int kGreatestDecade = 1;

double toleranceAt(int step)
{
    // Two digits: 0.01, not 0.0100000001.
    return QString::number(std::pow(10.0, static_cast<double>(step) / kStepsInDecade), 'g', 2).toDouble();
}
int stepOf(double tolerance) { return tolerance > 0 ? static_cast<int>(std::lround(std::log10(tolerance) * kStepsInDecade)) : kLeastDecade * kStepsInDecade; }

}  // namespace

struct ErrorsPage::Answer {
    ChartContent content;
    std::shared_ptr<const ErrorTable> table;
    std::size_t machines = 0;
};

ErrorsPage::ErrorsPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_dataset(workspace->dataset()), m_job(new LatestJob(this)), m_toleranceJob(new LatestJob(this)),
      m_growth(new GrowthRefresh(m_job, [this] { refresh(); }, this))
{
    setObjectName(QStringLiteral("errorsPage"));
    buildControls();
    buildActions();
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (onlyGrew)
            m_growth->request();
        else
            refresh();
    });
    connect(workspace, &Workspace::comparisonChanged, this, &ErrorsPage::refresh);
    connect(workspace, &Workspace::currentDefinitionChanged, this, &ErrorsPage::refresh);
    connect(workspace->marks(), &MarkedTraces::changed, this, [this] { m_chart->setMarked(m_workspace->marks()->rows()); });
    refresh();
}

ErrorsPage::~ErrorsPage() = default;

bool ErrorsPage::isBusy() const { return m_job->isRunning() || m_toleranceJob->isRunning() || m_growth->isPending(); }

QSlider* ErrorsPage::addSlider(const QString& name, const QString& label, const QString& tip, QLabel** value, FlowLayout* bar)
{
    auto* field = new QWidget(this);
    auto* slider = new QSlider(Qt::Horizontal, field);
    slider->setObjectName(name);
    slider->setRange(kLeastDecade * kStepsInDecade, kGreatestDecade * kStepsInDecade);
    slider->setPageStep(kStepsInDecade);
    slider->setFixedWidth(130);
    slider->setToolTip(tip);
    slider->setAccessibleName(tip);
    *value = new QLabel(field);
    (*value)->setFont(monospacedFont());
    (*value)->setMinimumWidth((*value)->fontMetrics().horizontalAdvance(QStringLiteral("1.3e-09")));
    auto* row = new QHBoxLayout(field);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Space::kNormal);
    row->addWidget(slider);
    row->addWidget(*value);
    field->setFocusProxy(slider);
    field->setAccessibleName(tip);
    bar->addField(label, field, this);
    connect(slider, &QSlider::valueChanged, this, &ErrorsPage::sliderMoved);
    return slider;
}

void ErrorsPage::buildControls()
{
    m_measure = new NameBox(tr("Which error lies on the vertical axis"), this);
    m_measure->setObjectName(QStringLiteral("errorMeasure"));
    m_measure->setAccessibleName(tr("Error"));
    m_measure->addItem(tr("greatest absolute"), static_cast<int>(ChartMeasure::AbsoluteError));
    m_measure->addItem(tr("greatest relative"), static_cast<int>(ChartMeasure::RelativeError));
    auto* bar = new FlowLayout;
    bar->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kTight);
    bar->addField(tr("&Error"), m_measure, this);
    m_atol = addSlider(QStringLiteral("errorAtol"), tr("&atol"), tr("Absolute tolerance: what would be within it"), &m_atolText, bar);
    m_rtol = addSlider(QStringLiteral("errorRtol"), tr("&rtol"), tr("Relative tolerance: what would be within it"), &m_rtolText, bar);
    m_usual = new QPushButton(tr("&Usual"), this);
    m_usual->setObjectName(QStringLiteral("errorUsual"));
    m_usual->setToolTip(tr("Each workload's own tolerance, else 0.01 for both"));
    bar->addWidget(m_usual);
    m_note = new WrappedLabel(this);
    m_note->setMuted(true);
    m_note->setObjectName(QStringLiteral("errorNote"));
    m_note->setContentsMargins(Space::kWide, 0, Space::kWide, Space::kTight);
    m_chart = new LatencyChart(this);
    m_chart->setObjectName(QStringLiteral("errorChart"));
    constexpr int kLowestChart = 110;   // above the list it must leave room for both
    m_chart->setMinimumHeight(kLowestChart);
    m_list = new QTreeWidget(this);
    m_list->setObjectName(QStringLiteral("errorList"));
    m_list->setAccessibleName(tr("Errors of the solutions"));
    m_list->setHeaderLabels({tr("Solution"), tr("Within"), tr("Max abs."), tr("Max rel."), tr("Matched")});
    m_list->headerItem()->setToolTip(kErrorWithin, tr("Traces whose greatest absolute or greatest relative error is within its tolerance: every element is right for certain"));
    m_list->headerItem()->setToolTip(kErrorMatched, tr("Least share of right elements by the evaluator's own tolerance, where traces say so"));
    m_list->setRootIsDecorated(false);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(kErrorSolution, QHeaderView::Stretch);
    auto* splitter = new TurningSplitter(kLeastSideBySide, 620, 400, this);
    splitter->addWidget(m_chart);
    splitter->addWidget(m_list);
    m_empty = new WrappedLabel(this);
    m_empty->setObjectName(QStringLiteral("errorEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(Space::kPage);
    m_runHere = new RunHereButton(m_workspace, this);
    m_stack = new QStackedLayout;
    m_stack->addWidget(splitter);
    m_stack->addWidget(emptyPage(m_empty, {m_runHere}, this));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_note);
    layout->addLayout(m_stack, 1);
    connect(m_measure, &QComboBox::currentIndexChanged, this, &ErrorsPage::refresh);
    connect(m_usual, &QPushButton::clicked, this, [this] { setTolerance(std::nullopt); });
    connect(m_chart, &LatencyChart::tracePicked, this, [this](quint32 traceRow) { m_workspace->setCurrentTrace(static_cast<qint64>(traceRow)); });
    connect(m_chart, &LatencyChart::tracesMarked, m_workspace->marks(), &MarkedTraces::mark);
    connect(m_chart, &LatencyChart::markToggled, m_workspace->marks(), &MarkedTraces::toggle);
    connect(m_list, &QTreeWidget::itemChanged, this, [this] {
        if (m_fills)
            return;
        QSet<QString> hidden;
        for (int i = 0; i < m_list->topLevelItemCount(); ++i)
            if (const QTreeWidgetItem* item = m_list->topLevelItem(i); item->checkState(kErrorSolution) != Qt::Checked)
                hidden.insert(item->data(kErrorSolution, kSolutionRole).toString());
        m_chart->setHidden(hidden);
    });
    connect(m_list, &QTreeWidget::currentItemChanged, this,
            [this](const QTreeWidgetItem* item) { m_chart->setEmphasis(item ? item->data(kErrorSolution, kSolutionRole).toString() : QString()); });
}

void ErrorsPage::buildActions()
{
    const auto add = [this](const QString& suffix, const QString& text, const QString& tip, auto write) {
        m_exportActions << makeExportAction(this, {QStringLiteral("exportErrors_") + suffix, text, tip, tr("Export errors"), [this] { return m_workspace->currentDefinition() + QStringLiteral("_errors"); }, suffix, write});
    };
    for (const QString& suffix : pictureSuffixes())
        add(suffix, tr("Export errors as %1…").arg(suffix.toUpper()), tr("Write the chart as it is seen, with title and legend"), [this](const QString& path) { return exportPicture(path); });
    add(QStringLiteral("csv"), tr("Export errors as CSV…"), tr("Write the errors of each trace with every digit"), [this](const QString& path) { return exportCsv(path); });
}

Result<void> ErrorsPage::exportPicture(const QString& path) const
{
    const QString hardware = m_chart->content().hardware;
    const QString title = hardware.isEmpty() ? m_workspace->currentDefinition() : m_workspace->currentDefinition() + QStringLiteral(" · ") + hardware;
    return writeChartPictures({{m_chart, title}}, m_chart->size().expandedTo(kSmallestErrors), path);
}

Result<void> ErrorsPage::exportCsv(const QString& path) const
{
    return writeFileAtomically(path.toStdString(), tableText(errorTraceTable(*m_dataset, *m_table), TableFormat::Csv));
}

void ErrorsPage::sliderMoved()
{
    if (!m_fills)
        setTolerance(ErrorTolerance{toleranceAt(m_atol->value()), toleranceAt(m_rtol->value())});
}

void ErrorsPage::setTolerance(const std::optional<ErrorTolerance>& tolerance)
{
    if (tolerance == m_tolerance)
        return;
    m_tolerance = tolerance;
    showTolerance();
    if (!tolerance || m_job->isRunning()) {
        refresh();
        return;
    }
    using Table = std::shared_ptr<const ErrorTable>;
    m_toleranceJob->start<Table>(
        [table = m_table, dataset = m_dataset, tolerance = *tolerance](std::stop_token) -> Table {
            auto other = std::make_shared<ErrorTable>(*table);
            applyTolerance(*other, *dataset, tolerance);
            return other;
        },
        [this](Table table) { showTable(std::move(table)); });
}

void ErrorsPage::refresh()
{
    m_toleranceJob->cancel();
    ChartContent content;
    content.dataset = m_workspace->dataset();
    content.definition = m_workspace->currentDefinition();
    content.abscissa = ChartAbscissa::Workload;
    content.measure = static_cast<ChartMeasure>(m_measure->currentData().toInt());
    content.hardware = m_workspace->hardware();
    content.showsBand = false;
    m_job->start<Answer>(
        [content, policy = m_workspace->policy(), tolerance = m_tolerance](std::stop_token stop) {
            Answer answer{content, std::make_shared<const ErrorTable>()};
            const std::string definition = content.definition.toStdString();
            const Dataset& dataset = *content.dataset;
            if (definition.empty())
                return answer;
            answer.machines = hardwareOf(dataset, definition).size();
            if (content.hardware.isEmpty())
                answer.content.hardware = QString::fromStdString(busiestHardware(dataset, definition));
            ChartQuestion chart{definition};
            chart.measure = content.measure;
            chart.hardware = answer.content.hardware.toStdString();
            chart.policy = policy;
            chart.wantsBand = false;
            if (auto found = chartAnswer(dataset, chart, stop))
                answer.content.series = std::move(found->series);
            ErrorQuestion question;
            question.filter.definitions = {definition};
            if (!chart.hardware.empty())
                question.filter.hardware = {chart.hardware};
            question.policy = policy;
            question.tolerance = tolerance;
            if (auto found = errorTable(dataset, question, stop))
                answer.table = std::make_shared<const ErrorTable>(std::move(*found));
            return answer;
        },
        [this](const Answer& answer) { applyAnswer(answer); });
}

void ErrorsPage::applyAnswer(const Answer& answer)
{
    m_dataset = answer.content.dataset;
    m_chart->setContent(answer.content);
    m_chart->setLogarithmic(false, true);
    m_chart->setMarked(m_workspace->marks()->rows());
    QStringList notes;
    if (!answer.content.hardware.isEmpty())
        notes << (answer.machines > 1 && m_workspace->hardware().isEmpty() ? tr("Measured on %1, which has the most traces.") : tr("Measured on %1.")).arg(shortened(answer.content.hardware, kLongestName));
    notes << tr("Within: the greatest absolute or the greatest relative error is within its tolerance, so every element is right for certain. Below the others: no error at all.");
    notes << policySentence(m_workspace->policy());
    m_note->setText(notes.join(QLatin1Char(' ')));
    showTable(answer.table);
    updateEmpty(answer.content.hardware);
}

void ErrorsPage::showTable(std::shared_ptr<const ErrorTable> table)
{
    m_table = std::move(table);
    fillList();
    showTolerance();
    emit tableShown();
}

void ErrorsPage::showTolerance()
{
    // Without a choice the one that all workloads share, if they do.
    std::optional<ErrorTolerance> shown = m_tolerance;
    if (!shown) {
        const auto& rows = m_table->rows;
        shown = rows.empty() ? ErrorTolerance{} : rows.front().tolerance;
        if (std::any_of(rows.begin(), rows.end(), [&shown](const ErrorRow& row) { return !(row.tolerance == *shown); }))
            shown.reset();
    }
    m_fills = true;
    const ErrorTolerance at = shown.value_or(ErrorTolerance{});
    m_atol->setValue(stepOf(at.atol));
    m_rtol->setValue(stepOf(at.rtol));
    m_fills = false;
    m_atolText->setText(shown ? toleranceText(at.atol) : tr("various"));
    m_rtolText->setText(shown ? toleranceText(at.rtol) : tr("various"));
    m_usual->setEnabled(m_tolerance.has_value());
    const bool isAbsolute = static_cast<ChartMeasure>(m_measure->currentData().toInt()) == ChartMeasure::AbsoluteError;
    m_chart->setTolerance(shown ? std::optional(isAbsolute ? at.atol : at.rtol) : std::nullopt);
}

void ErrorsPage::fillList()
{
    m_fills = true;
    const QString chosen = m_list->currentItem() ? m_list->currentItem()->data(kErrorSolution, kSolutionRole).toString() : QString();
    m_list->clear();
    const auto greatest = [](double error) { return std::isnan(error) ? QStringLiteral("–") : error == 0 ? tr("exact") : errorText(error); };
    for (const ErrorSummary& sum : m_table->summaries) {
        const QString name = QString::fromStdString(sum.solution);
        auto* item = new QTreeWidgetItem(m_list);
        item->setText(kErrorSolution, visibleText(nameWithoutDefinition(name, m_workspace->currentDefinition())));
        item->setIcon(kErrorSolution, seriesChip(name));
        item->setData(kErrorSolution, kSolutionRole, name);
        item->setSizeHint(kErrorSolution, QSize(0, kRowHeight));
        item->setCheckState(kErrorSolution, m_chart->hidden().contains(name) ? Qt::Unchecked : Qt::Checked);
        item->setToolTip(kErrorSolution, plainToolTip(name));
        item->setText(kErrorWithin, QStringLiteral("%1 / %2").arg(sum.within).arg(sum.traces));
        QStringList lines{tr("%1 of %2 traces are within the tolerance for certain; %3 passed.").arg(sum.within).arg(sum.traces).arg(sum.passed)};
        if (sum.exact > 0)
            lines << tr("%n have no error at all.", nullptr, static_cast<int>(sum.exact));
        if (sum.unknown > 0)
            lines << tr("%n never came to a comparison.", nullptr, static_cast<int>(sum.unknown));
        item->setToolTip(kErrorWithin, plainToolTip(lines.join(QLatin1Char('\n'))));
        item->setText(kErrorAbsolute, greatest(sum.greatestAbsolute));
        item->setText(kErrorRelative, greatest(sum.greatestRelative));
        item->setText(kErrorMatched, std::isnan(sum.leastMatchedRatio) ? QString() : percentText(sum.leastMatchedRatio));
        for (const int column : {kErrorWithin, kErrorAbsolute, kErrorRelative, kErrorMatched}) {
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
            item->setFont(column, monospacedFont());
        }
        if (name == chosen)
            m_list->setCurrentItem(item);
    }
    m_list->setColumnHidden(kErrorMatched, !m_table->hasMatchedRatios);
    m_fills = false;
}

void ErrorsPage::updateEmpty(const QString& hardware)
{
    const QString definition = m_workspace->currentDefinition();
    const QString nothing = whyNothingIsMeasured(*m_workspace->dataset(), definition);
    QString empty;
    if (!m_workspace->isOpen())
        empty = tr("No dataset is open.\nOpen a dataset folder from the File menu, or drop one onto the window.");
    else if (!nothing.isEmpty())
        empty = nothing;
    else if (definition.isEmpty())
        empty = tr("Choose a definition in the tree to see the errors of its solutions.");
    else if (m_chart->content().series.empty())
        empty = tr("No trace of %1 on %2 has errors stored.\nChoose another hardware, or run something.").arg(shortened(definition, kLongestName), hardware.isEmpty() ? tr("any hardware") : shortened(hardware, kLongestName));
    m_empty->setText(empty);
    m_runHere->offer(!empty.isEmpty() && !definition.isEmpty(), definition);
    m_note->setVisible(empty.isEmpty());
    m_stack->setCurrentIndex(empty.isEmpty() ? 0 : 1);
    for (QAction* action : std::as_const(m_exportActions))
        action->setEnabled(empty.isEmpty());
}

}  // namespace tracedeck::ui
