// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/history_page.h"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/io/trace_writer.h"
#include "core/report/history_report.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/history_chart.h"
#include "ui/models/growth_refresh.h"
#include "ui/models/latest_job.h"
#include "ui/models/marked_traces.h"
#include "ui/models/nothing_measured.h"
#include "ui/models/number_format.h"
#include "ui/models/workspace.h"
#include "ui/pages/export_files.h"
#include "ui/pages/run_here_button.h"
#include "ui/pages/scope_box.h"
#include "ui/pages/shown_refresh.h"
#include "ui/style/icons.h"
#include "ui/style/flow_layout.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/style/turning_splitter.h"

namespace tracedeck::ui {
namespace {

constexpr QSize kSmallestHistory(960, 540);
constexpr int kSeriesKeyRole = Qt::UserRole;
constexpr int kMachineWidth = 90;

}  // namespace

struct HistoryPage::Answer {
    std::shared_ptr<const Dataset> dataset;
    std::shared_ptr<const History> history;
    std::set<std::string> machines;
};

HistoryPage::HistoryPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_dataset(workspace->dataset()), m_job(new LatestJob(this)), m_growth(new GrowthRefresh(m_job, [this] { refresh(); }, this)), m_shown(new ShownRefresh(this, m_job, [this] { compute(); }))
{
    setObjectName(QStringLiteral("historyPage"));
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
    connect(workspace, &Workspace::comparisonChanged, this, &HistoryPage::refresh);
    connect(workspace, &Workspace::currentDefinitionChanged, this, [this] {
        const bool wasOneDefinition = !m_scope->scope().definition.isEmpty();
        m_scope->follow(*m_workspace);
        if (wasOneDefinition)
            refresh();
    });
    m_scope->follow(*m_workspace);
    if (m_scope->count() > 1 && !workspace->currentDefinition().isEmpty())
        m_scope->setCurrentIndex(1);
    refresh();
}

HistoryPage::~HistoryPage() = default;

bool HistoryPage::isBusy() const { return m_job->isRunning() || m_growth->isPending() || m_shown->isPending(); }

void HistoryPage::setBy(HistoryBy by) { m_by->setCurrentIndex(m_by->findData(static_cast<int>(by))); }

void HistoryPage::buildControls()
{
    m_by = new NameBox(tr("One series an author, a solution or a definition"), this);
    m_by->setObjectName(QStringLiteral("historyBy"));
    m_by->addItem(tr("solutions"), static_cast<int>(HistoryBy::Solution));
    m_by->addItem(tr("authors"), static_cast<int>(HistoryBy::Author));
    m_by->addItem(tr("definitions"), static_cast<int>(HistoryBy::Definition));
    m_scope = new ScopeBox(tr("Whose results are shown"), this);
    m_scope->setObjectName(QStringLiteral("historyScope"));
    m_measure = new NameBox(tr("What lies on the vertical axis"), this);
    m_measure->setObjectName(QStringLiteral("historyMeasure"));
    m_measure->addItem(tr("speedup over the reference"), static_cast<int>(HistoryMeasure::Speedup));
    m_measure->addItem(tr("latency"), static_cast<int>(HistoryMeasure::LatencyMs));
    m_log = new QCheckBox(tr("log &y"), this);
    m_log->setToolTip(tr("Logarithmic vertical axis"));
    m_log->setChecked(true);
    m_points = new QCheckBox(tr("&all results"), this);
    m_points->setObjectName(QStringLiteral("historyPoints"));
    m_points->setToolTip(tr("Every result as a point; without them only the best ones so far"));
    m_points->setChecked(true);
    m_note = new WrappedLabel(this);
    m_note->setMuted(true);
    m_note->setObjectName(QStringLiteral("historyNote"));
    auto* bar = new FlowLayout;
    bar->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kTight);
    for (const auto& [text, box] : std::initializer_list<std::pair<QString, NameBox*>>{{tr("&Series"), m_by}, {tr("&Over"), m_scope}, {tr("&Vertical"), m_measure}})
        bar->addField(text, box, this);
    bar->addWidget(m_log);
    bar->addWidget(m_points);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(Space::kWide, 0, Space::kWide, Space::kTight);
    second->addWidget(m_note, 1);
    m_chart = new HistoryChart(this);
    m_chart->setLogarithmic(true);
    m_legend = new QTreeWidget(this);
    m_legend->setObjectName(QStringLiteral("historyLegend"));
    m_legend->setAccessibleName(tr("Series"));
    m_legend->setHeaderLabels({tr("Series"), tr("GPU"), tr("Results"), tr("Best")});
    m_legend->setRootIsDecorated(false);
    m_legend->setFrameShape(QFrame::NoFrame);
    m_legend->setTextElideMode(Qt::ElideMiddle);
    m_legend->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_legend->header()->setStretchLastSection(false);
    for (const int column : {1, 2, 3})
        m_legend->header()->setSectionResizeMode(column, column == 1 ? QHeaderView::Interactive : QHeaderView::ResizeToContents);
    m_legend->setColumnWidth(1, kMachineWidth);
    auto* splitter = new TurningSplitter(kLeastSideBySide, 620, 380, this);
    splitter->addWidget(m_chart);
    splitter->addWidget(m_legend);
    splitter->setStretchFactor(0, 1);
    m_empty = new WrappedLabel(this);
    m_empty->setObjectName(QStringLiteral("historyEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(Space::kPage);
    m_stack = new QStackedLayout;
    m_stack->addWidget(splitter);
    m_runHere = new RunHereButton(m_workspace, this);
    m_stack->addWidget(emptyPage(m_empty, {m_runHere}, this));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addLayout(second);
    layout->addLayout(m_stack, 1);
    for (NameBox* box : std::initializer_list<NameBox*>{m_by, m_scope, m_measure})
        connect(box, &QComboBox::currentIndexChanged, this, &HistoryPage::refresh);
    connect(m_log, &QCheckBox::toggled, m_chart, &HistoryChart::setLogarithmic);
    connect(m_points, &QCheckBox::toggled, m_chart, &HistoryChart::setPointsShown);
    connect(m_chart, &HistoryChart::tracePicked, this, [this](quint32 row) {
        if (m_dataset == m_workspace->dataset() || m_dataset->root() == m_workspace->dataset()->root())
            m_workspace->setCurrentTrace(static_cast<qint64>(row));
    });
    connect(m_chart, &HistoryChart::sourceWanted, this, [this](quint32 row) {
        if (m_dataset->root() == m_workspace->dataset()->root())
            emit sourceWanted(static_cast<qint64>(row));
    });
    connect(m_chart, &HistoryChart::tracesMarked, m_workspace->marks(), &MarkedTraces::mark);
    connect(m_workspace->marks(), &MarkedTraces::changed, this, [this] { m_chart->setMarked(m_workspace->marks()->rows()); });
    connect(m_legend, &QTreeWidget::itemChanged, this, [this] {
        if (m_fills)
            return;
        QSet<QString> hidden;
        for (int i = 0; i < m_legend->topLevelItemCount(); ++i)
            if (const QTreeWidgetItem* item = m_legend->topLevelItem(i); item->checkState(0) != Qt::Checked)
                hidden.insert(item->data(0, kSeriesKeyRole).toString());
        m_chart->setHidden(hidden);
    });
    connect(m_legend, &QTreeWidget::currentItemChanged, this,
            [this](const QTreeWidgetItem* item) { m_chart->setEmphasis(item ? item->data(0, kSeriesKeyRole).toString() : QString()); });
}

void HistoryPage::buildActions()
{
    const auto add = [this](const QString& suffix, const QString& text, const QString& tip, auto write) {
        m_exportActions << makeExportAction(this, {QStringLiteral("exportHistory_") + suffix, text, tip, tr("Export history"), [] { return QStringLiteral("history"); }, suffix, write});
    };
    for (const QString& suffix : pictureSuffixes())
        add(suffix, tr("Export history as %1…").arg(suffix.toUpper()), tr("Write the chart as it is seen, with title and legend"), [this](const QString& path) { return exportPicture(path); });
    add(QStringLiteral("csv"), tr("Export history as CSV…"), tr("Write every result in the order of time"), [this](const QString& path) { return exportCsv(path); });
}

Result<void> HistoryPage::exportPicture(const QString& path) const
{
    HistoryChart copy;
    const QSize size = m_chart->size().expandedTo(kSmallestHistory);
    copy.resize(size);
    copy.setHistory(m_chart->history(), static_cast<HistoryMeasure>(m_measure->currentData().toInt()));
    copy.setLogarithmic(m_log->isChecked());
    copy.setPointsShown(m_points->isChecked());
    copy.setHidden(m_chart->hidden());
    copy.xAxis->setRange(m_chart->xAxis->range());
    copy.yAxis->setRange(m_chart->yAxis->range());
    const QString title = QStringLiteral("%1 · %2").arg(m_scope->currentText(), m_by->currentText());
    copy.addTitleAndLegend(title);
    return writePlotPicture(copy, title, size, path);
}

Result<void> HistoryPage::exportCsv(const QString& path) const
{
    return writeFileAtomically(path.toStdString(), tableText(historyTable(*m_dataset, *m_chart->history()), TableFormat::Csv));
}

void HistoryPage::refresh() { m_shown->request(); }

void HistoryPage::compute()
{
    const TraceFilter filter = m_scope->filter(*m_workspace);
    m_job->start<Answer>(
        [dataset = m_workspace->dataset(), filter, by = static_cast<HistoryBy>(m_by->currentData().toInt()),
         measure = static_cast<HistoryMeasure>(m_measure->currentData().toInt())](std::stop_token stop) {
            Answer answer{dataset, std::make_shared<const History>(), {}};
            if (auto found = history(*dataset, filter, by, measure, stop)) {
                for (const HistorySeries& series : found->series)
                    answer.machines.insert(series.hardware);
                answer.history = std::make_shared<const History>(std::move(*found));
            }
            return answer;
        },
        [this](const Answer& answer) { applyAnswer(answer); });
}

void HistoryPage::applyAnswer(const Answer& answer)
{
    m_dataset = answer.dataset;
    m_chart->setHistory(answer.history, static_cast<HistoryMeasure>(m_measure->currentData().toInt()));
    m_chart->setMarked(m_workspace->marks()->rows());
    fillLegend();
    QStringList notes{tr("Steps: the geometric mean, over the workloads passed up to then, of the best result on each.")};
    if (answer.machines.size() > 1)
        notes << tr("Results of %1 GPUs, each a series of its own; choose one above.").arg(answer.machines.size());
    if (answer.history->withoutMoment > 0)
        notes << tr("%n trace(s) left out: their timestamp is no time.", nullptr, static_cast<int>(answer.history->withoutMoment));
    m_note->setText(notes.join(QLatin1Char(' ')));
    const QString nothing = whyNothingIsMeasured(*m_workspace->dataset(), m_scope->scope().definition);
    QString empty;
    if (!m_workspace->isOpen())
        empty = tr("No dataset is open.\nOpen a dataset folder from the File menu, or drop one onto the window.");
    else if (!nothing.isEmpty())
        empty = nothing;
    else if (answer.history->series.empty())
        empty = tr("There are no results with a time here.\nChoose other definitions or another GPU, or run something.");
    m_runHere->offer(!nothing.isEmpty(), m_scope->scope().definition);
    m_empty->setText(empty);
    m_note->setVisible(empty.isEmpty());
    m_stack->setCurrentIndex(empty.isEmpty() ? 0 : 1);
    for (QAction* action : std::as_const(m_exportActions))
        action->setEnabled(empty.isEmpty());
}

void HistoryPage::fillLegend()
{
    m_fills = true;
    m_legend->clear();
    std::set<std::string> machines;
    const bool isSpeedup = static_cast<HistoryMeasure>(m_measure->currentData().toInt()) == HistoryMeasure::Speedup;
    for (const HistorySeries& series : m_chart->history()->series) {
        const QString name = QString::fromStdString(series.name);
        auto* item = new QTreeWidgetItem(m_legend);
        item->setText(0, visibleText(nameWithoutDefinition(name, m_workspace->currentDefinition())));
        item->setIcon(0, seriesChip(name));
        const QString key = QString::fromStdString(series.key());
        item->setData(0, kSeriesKeyRole, key);
        item->setSizeHint(0, QSize(0, kRowHeight));
        item->setText(1, visibleText(QString::fromStdString(series.hardware)));
        item->setToolTip(1, plainToolTip(QString::fromStdString(series.hardware)));
        machines.insert(series.hardware);
        item->setCheckState(0, m_chart->hidden().contains(key) ? Qt::Unchecked : Qt::Checked);
        item->setToolTip(0, plainToolTip(name + QLatin1Char('\n') + QString::fromStdString(series.hardware)));
        item->setText(2, countText(static_cast<qint64>(series.points.size())));
        const double best = series.points.back().best;
        item->setText(3, !std::isfinite(best) ? QStringLiteral("–") : isSpeedup ? ratioText(best) : durationText(best));
        for (const int column : {2, 3})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_legend->setColumnHidden(1, machines.size() < 2);
    m_fills = false;
}

}  // namespace tracedeck::ui
