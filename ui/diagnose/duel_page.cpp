// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnose/duel_page.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/store/joined_dataset.h"
#include "ui/diagnose/diagnose_page.h"
#include "ui/diagnose/plain_table_model.h"
#include "ui/models/latest_job.h"
#include "ui/models/number_format.h"
#include "ui/models/workspace.h"
#include "ui/pages/column_widths.h"
#include "ui/style/empty_hint.h"
#include "ui/style/flow_layout.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"
#include "ui/style/series_colors.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kDuelPollMs = 100;
constexpr int kSolutionsHeight = 130;
constexpr int kChartRow = 26;
constexpr int kChartNames = 220;
constexpr int kWidestDuelist = 360;

QString verdictWord(const DuelReport& report, std::size_t side)
{
    const DuelSide& one = report.sides[side];
    if (!one.failure.empty())
        return DuelPage::tr("out");
    if (side == report.leader)
        return DuelPage::tr("leader");
    switch (one.toLeader.verdict) {
    case LatencyVerdict::Slower: return DuelPage::tr("slower");
    case LatencyVerdict::Faster: return DuelPage::tr("faster");
    case LatencyVerdict::Same: return DuelPage::tr("the same");
    case LatencyVerdict::CannotTell: break;
    }
    return DuelPage::tr("can't tell yet");
}

QString endText(DuelReport::End end)
{
    switch (end) {
    case DuelReport::End::Running: return DuelPage::tr("running");
    case DuelReport::End::Clear: return DuelPage::tr("the verdict is clear");
    case DuelReport::End::TimeIsOver: return DuelPage::tr("the time is over");
    case DuelReport::End::RoundsAreOver: return DuelPage::tr("so many rounds were wanted");
    case DuelReport::End::Failed: return DuelPage::tr("fewer than two solutions are left");
    case DuelReport::End::Cancelled: return DuelPage::tr("stopped");
    }
    return {};
}

QString introduction()
{
    return DuelPage::tr("Tick two solutions or more and start. A round is one evaluation of each, right after the other, on the same inputs; only ratios within a round are compared. Nothing is stored.");
}


}  // namespace

DuelPage::DuelPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_title(new ElidedLabel(this)), m_solutions(new QListWidget(this)), m_workloads(new NameBox(tr("The workload on which all are called"), this)), m_minutes(new QSpinBox(this)),
      m_margin(new QDoubleSpinBox(this)), m_start(new QPushButton(icon(QStringLiteral("run")), tr("&Start the duel"), this)), m_stop(new QPushButton(icon(QStringLiteral("stop")), tr("S&top"), this)),
      m_bar(new QProgressBar(this)), m_verdict(new WrappedLabel(this)), m_state(new WrappedLabel(this)), m_table(new PlainTableModel(this)), m_chart(new DuelChart(this)), m_timer(new QTimer(this)),
      m_inbox(std::make_shared<Inbox>()), m_job(new LatestJob(this))
{
    setObjectName(QStringLiteral("duelPage"));
    buildTop();
    m_verdict->setObjectName(QStringLiteral("duelVerdict"));
    m_verdict->setMuted(false);
    m_verdict->setText(introduction());
    m_state->setObjectName(QStringLiteral("duelState"));
    m_table->setColumns({{tr("Solution")}, {tr("Median (µs)"), true}, {tr("÷ leader"), true}, {tr("from"), true}, {tr("to"), true}, {tr("Verdict")}, {tr("Why")}});
    auto* table = makePlainTable(m_table, QStringLiteral("duelTable"), tr("Solutions of the duel"), this);
    new ColumnSharing(table, {0}, kWidestDuelist, 0);
    new EmptyHint(table, tr("No round has been measured yet."));
    new EmptyHint(m_solutions, tr("This definition has no solutions."));
    auto* below = new QVBoxLayout;
    below->setContentsMargins(Space::kPage, Space::kNormal, Space::kPage, Space::kWide);
    below->setSpacing(Space::kNormal);
    below->addWidget(m_verdict);
    below->addWidget(m_state);
    below->addWidget(m_chart);
    below->addWidget(table, 1);
    static_cast<QVBoxLayout*>(layout())->addLayout(below, 1);
    m_timer->setInterval(kDuelPollMs);
    connect(m_timer, &QTimer::timeout, this, &DuelPage::look);
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (!onlyGrew)
            fill();
    });
    setTarget(workspace->currentDefinition(), {}, {});
}

DuelPage::~DuelPage() = default;

void DuelPage::buildTop()
{
    m_title->setFont(headingFont());
    m_title->setElideMode(Qt::ElideMiddle);
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_solutions->setObjectName(QStringLiteral("duelSolutions"));
    m_solutions->setAccessibleName(tr("Solutions of the duel"));
    m_solutions->setMaximumHeight(kSolutionsHeight);
    m_workloads->setObjectName(QStringLiteral("duelWorkload"));
    m_workloads->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_minutes->setRange(1, 24 * 60);
    m_minutes->setValue(10);
    m_minutes->setSuffix(tr(" min"));
    m_minutes->setToolTip(tr("No round begins after this"));
    m_margin->setRange(0.1, 50);
    m_margin->setDecimals(1);
    m_margin->setValue(1);
    m_margin->setSuffix(tr(" %"));
    m_margin->setToolTip(tr("A difference below this does not count: such solutions are the same"));
    m_start->setObjectName(QStringLiteral("startDuel"));
    m_start->setToolTip(tr("Set the ticked solutions against each other"));
    m_stop->setObjectName(QStringLiteral("stopDuel"));
    m_stop->setToolTip(tr("End the duel; what is known so far stays"));
    m_stop->hide();
    m_bar->setRange(0, 0);
    m_bar->setTextVisible(false);
    m_bar->setMaximumWidth(120);
    m_bar->setAccessibleName(tr("At work"));
    m_bar->hide();
    auto* row = new FlowLayout;
    row->addField(tr("Wor&kload"), m_workloads, this);
    row->addField(tr("Time &limit"), m_minutes, this);
    row->addField(tr("&Margin"), m_margin, this);
    row->addWidget(m_start);
    row->addWidget(m_stop);
    row->addWidget(m_bar);
    auto* top = new QVBoxLayout;
    top->setContentsMargins(Space::kPage, Space::kWide, Space::kPage, 0);
    top->setSpacing(Space::kNormal);
    top->addWidget(m_title);
    top->addWidget(m_solutions);
    top->addLayout(row);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    connect(m_start, &QPushButton::clicked, this, &DuelPage::start);
    connect(m_stop, &QPushButton::clicked, this, &DuelPage::stop);
}

void DuelPage::setTarget(const QString& definition, const QStringList& solutions, const QString& workload)
{
    if (isBusy())
        return;   // it is about what runs
    if (!definition.isEmpty())
        m_definition = definition;
    fill();
    if (!solutions.isEmpty())
        for (int i = 0; i < m_solutions->count(); ++i)
            m_solutions->item(i)->setCheckState(solutions.contains(m_solutions->item(i)->text()) ? Qt::Checked : Qt::Unchecked);
    if (const int index = m_workloads->findData(workload); index >= 0)
        m_workloads->setCurrentIndex(index);
}

void DuelPage::fill()
{
    m_title->setText(m_definition.isEmpty() ? tr("Open a dataset and choose a definition first.") : tr("Duel on %1").arg(m_definition));
    const QStringList before = ticked();
    m_solutions->clear();
    for (const Solution* solution : m_workspace->dataset()->solutionsOf(m_definition.toStdString())) {
        const QString name = QString::fromStdString(solution->name);
        auto* item = new QListWidgetItem(seriesChip(name), visibleText(name), m_solutions);
        item->setData(Qt::UserRole, name);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(before.contains(name) ? Qt::Checked : Qt::Unchecked);
        item->setToolTip(plainToolTip(name));
    }
    fillWorkloads(m_workloads, *m_workspace, m_definition);
    m_start->setEnabled(m_solutions->count() > 1 && m_workloads->count() > 0);
    if (isBusy() || m_report)
        return;
    if (m_solutions->count() < 2)
        m_verdict->setText(m_definition.isEmpty() ? QString() : tr("A duel needs two solutions or more of one definition; %1 has %2. Choose another definition, or put more solutions into the dataset's solutions/ folder and reload (F5).")
                                                                  .arg(shortened(visibleText(m_definition), kLongestName)).arg(m_solutions->count()));
    else
        m_verdict->setText(introduction());
}

QStringList DuelPage::ticked() const
{
    QStringList names;
    for (int i = 0; i < m_solutions->count(); ++i)
        if (m_solutions->item(i)->checkState() == Qt::Checked)
            names << m_solutions->item(i)->data(Qt::UserRole).toString();
    return names;
}

bool DuelPage::isBusy() const { return m_job->isRunning(); }
QString DuelPage::verdictText() const { return m_verdict->text(); }

void DuelPage::setLimits(double seconds, int rounds)
{
    m_secondsLimit = seconds;
    m_mostRounds = rounds;
}

void DuelPage::start()
{
    const QStringList names = ticked();
    const QString workload = m_workloads->currentData().toString();
    if (names.size() < 2 || workload.isEmpty()) {
        m_verdict->setText(workload.isEmpty() ? tr("There is no workload to measure on.") : tr("Tick two solutions or more first."));
        return;
    }
    DuelRequest request;
    if (m_requestSource)
        request.target.request = m_requestSource();
    std::vector<WantedEvaluation> wanted;
    for (const QString& name : names)
        wanted.push_back({m_definition.toStdString(), name.toStdString(), workload.toStdString()});
    const auto folder = folderToRunIn(m_workspace->plainDataset(), wanted);
    if (!folder) {
        m_verdict->setText(QString::fromStdString(folder.error().toString()));
        return;
    }
    request.target.request.dataset = *folder;
    if (request.target.request.python.empty()) {
        m_verdict->setText(tr("There is no Python to run references with: see Help ▸ What this machine can run."));
        return;
    }
    request.target.definition = m_definition.toStdString();
    request.target.workload = workload.toStdString();
    for (const QString& name : names)
        request.solutions.push_back(name.toStdString());
    request.secondsLimit = m_secondsLimit > 0 ? m_secondsLimit : 60.0 * m_minutes->value();
    request.mostRounds = static_cast<std::size_t>(m_mostRounds);
    request.margin = m_margin->value() / 100;
    m_report.reset();
    m_table->setRows({});
    m_verdict->setText(tr("The judge is starting …"));
    m_state->setText({});
    for (QWidget* field : {static_cast<QWidget*>(m_solutions), static_cast<QWidget*>(m_workloads), static_cast<QWidget*>(m_minutes), static_cast<QWidget*>(m_margin)})
        field->setEnabled(false);
    m_start->hide();
    m_stop->show();
    m_bar->show();
    m_timer->start();
    m_inbox = std::make_shared<Inbox>();
    m_job->start<Result<DuelReport>>(
        [request, inbox = m_inbox](std::stop_token stop) {
            return runDuel(request, [&inbox](const DuelReport& report) {
                const std::scoped_lock lock(inbox->mutex);
                inbox->report = report;
            }, stop);
        },
        [this](const Result<DuelReport>& ending) {
            ended();
            if (ending)
                show(*ending);
            else
                m_verdict->setText(QString::fromStdString(ending.error().toString()));
        });
}

void DuelPage::ended()
{
    m_timer->stop();
    m_stop->hide();
    m_bar->hide();
    m_start->show();
    for (QWidget* field : {static_cast<QWidget*>(m_solutions), static_cast<QWidget*>(m_workloads), static_cast<QWidget*>(m_minutes), static_cast<QWidget*>(m_margin)})
        field->setEnabled(true);
}

void DuelPage::stop()
{
    if (!m_job->isRunning())
        return;
    m_job->cancel();
    ended();
    look();
    if (m_report)
        m_report->end = DuelReport::End::Cancelled;
    m_state->setText(tr("Stopped."));
}

/// Shows what the thread has left.
void DuelPage::look()
{
    std::optional<DuelReport> report;
    {
        const std::scoped_lock lock(m_inbox->mutex);
        report = std::move(m_inbox->report);
        m_inbox->report.reset();
    }
    if (report)
        show(*report);
}

void DuelPage::show(const DuelReport& report)
{
    m_report = report;
    if (report.rounds > 0)
        m_verdict->setText(visibleText(QString::fromStdString(report.verdict())));
    QStringList state{tr("%1 rounds in %2").arg(report.rounds).arg(spanText(report.seconds)), endText(report.end)};
    if (!report.busyWith.empty())
        state << QString::fromStdString(report.busyWith);
    if (!report.hardware.empty())
        state << QString::fromStdString(report.hardware);
    m_state->setText(state.join(QStringLiteral(" · ")));
    std::vector<std::vector<PlainCell>> rows;
    for (std::size_t i = 0; i < report.sides.size(); ++i) {
        const DuelSide& side = report.sides[i];
        const bool hasRatio = side.toLeader.rounds > 0;
        const bool isKnown = side.toLeader.interval.isKnown() && i != report.leader;
        const auto ratio = [](bool there, double value) { return PlainCell{.text = there ? QString::number(value, 'f', 4) : QString(), .exact = there ? exactText(value) : QString()}; };
        rows.push_back({{.text = QString::fromStdString(side.solution)},
                        {.text = side.latenciesMs.empty() ? QStringLiteral("–") : microsecondsText(side.medianMs), .exact = exactText(side.medianMs * 1000)},
                        ratio(hasRatio, side.toLeader.ratio),
                        ratio(isKnown, side.toLeader.interval.low),
                        ratio(isKnown, side.toLeader.interval.high),
                        {.text = report.rounds == 0 ? QString() : verdictWord(report, i)},
                        {.text = QString::fromStdString(side.failure)}});
    }
    m_table->setRows(std::move(rows));
    m_chart->setReport(report);
}

void DuelPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_chart->update();
}

DuelChart::DuelChart(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Times ÷ the leader's, with intervals"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void DuelChart::setReport(const DuelReport& report)
{
    m_report = report;
    setAccessibleDescription(QString::fromStdString(report.verdict()));
    updateGeometry();
    update();
}

QSize DuelChart::sizeHint() const
{
    const int rows = m_report.rounds == 0 ? 0 : static_cast<int>(m_report.sides.size()) + 1;
    return {400, rows * kChartRow};
}

void DuelChart::paintEvent(QPaintEvent*)
{
    if (m_report.rounds == 0)
        return;
    const ThemeColors& colors = themeColors();
    double least = 1 - 2 * m_report.margin;
    double most = 1 + 2 * m_report.margin;
    for (const DuelSide& side : m_report.sides) {
        if (side.toLeader.rounds == 0)
            continue;
        // An interval of few rounds can be as wide as it likes: the ratio itself decides what is seen.
        const bool isKnown = side.toLeader.interval.isKnown();
        const double reach = std::max(std::abs(side.toLeader.ratio - 1), 4 * m_report.margin);
        least = std::min({least, side.toLeader.ratio, isKnown ? std::max(side.toLeader.interval.low, side.toLeader.ratio - reach) : least});
        most = std::max({most, side.toLeader.ratio, isKnown ? std::min(side.toLeader.interval.high, side.toLeader.ratio + reach) : most});
    }
    const double room = std::max(20, width() - kChartNames - Space::kNormal);
    const auto x = [&](double ratio) { return kChartNames + Space::kNormal + std::clamp((ratio - least) / (most - least), 0.0, 1.0) * room; };
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double bottom = static_cast<double>(m_report.sides.size()) * kChartRow;
    painter.fillRect(QRectF(x(1 - m_report.margin), 0, x(1 + m_report.margin) - x(1 - m_report.margin), bottom), colors.chip);
    painter.setPen(colors.line);
    painter.drawLine(QPointF(x(1), 0), QPointF(x(1), bottom));
    painter.setPen(colors.muted);
    painter.drawText(QRectF(x(1) - 60, bottom, 120, kChartRow), Qt::AlignHCenter | Qt::AlignVCenter, tr("leader = 1"));
    for (std::size_t i = 0; i < m_report.sides.size(); ++i) {
        const DuelSide& side = m_report.sides[i];
        const double middle = (static_cast<double>(i) + 0.5) * kChartRow;
        painter.setPen(colors.text);
        const QString name = visibleText(QString::fromStdString(side.solution));
        painter.drawText(QRectF(0, middle - kChartRow / 2.0, kChartNames, kChartRow), Qt::AlignRight | Qt::AlignVCenter, fontMetrics().elidedText(name, Qt::ElideMiddle, kChartNames));
        if (side.toLeader.rounds == 0 || !side.failure.empty())
            continue;
        const QColor color = seriesColor(QString::fromStdString(side.solution));
        if (side.toLeader.interval.isKnown() && i != m_report.leader) {
            painter.setPen(QPen(color, 3, Qt::SolidLine, Qt::RoundCap));
            painter.drawLine(QPointF(x(side.toLeader.interval.low), middle), QPointF(x(side.toLeader.interval.high), middle));
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(QPointF(x(side.toLeader.ratio), middle), 5, 5);
    }
}

}  // namespace tracedeck::ui
