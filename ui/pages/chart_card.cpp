// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/chart_card.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/charts/chart_maker.h"
#include "ui/models/growth_refresh.h"
#include "ui/models/latest_job.h"
#include "ui/models/marked_traces.h"
#include "ui/models/workspace.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kLeastCardHeight = 300;

QString measureName(ChartMeasure measure)
{
    switch (measure) {
    case ChartMeasure::LatencyMs: return ChartCard::tr("latency");
    case ChartMeasure::SpeedupToReference: return ChartCard::tr("speedup over the reference");
    case ChartMeasure::RatioToBaseline: return ChartCard::tr("speedup over the baseline");
    case ChartMeasure::Bandwidth: return ChartCard::tr("bandwidth");
    case ChartMeasure::Throughput: return ChartCard::tr("throughput");
    case ChartMeasure::LightShare: return ChartCard::tr("share of the speed of light");
    case ChartMeasure::AbsoluteError: return ChartCard::tr("greatest absolute error");
    case ChartMeasure::RelativeError: break;
    }
    return ChartCard::tr("greatest relative error");
}

}  // namespace

ChartCard::ChartCard(Workspace* workspace, const ChartSpec& spec, QWidget* parent)
    : QFrame(parent), m_workspace(workspace), m_spec(spec), m_title(new ElidedLabel(this)), m_chart(new LatencyChart(this)), m_empty(new WrappedLabel(this)),
      m_left(new QToolButton(this)), m_right(new QToolButton(this)), m_job(new LatestJob(this)), m_growth(new GrowthRefresh(m_job, [this] { refresh(); }, this))
{
    setFrameShape(QFrame::StyledPanel);
    setMinimumHeight(kLeastCardHeight);
    m_title->setText(title());
    m_title->setElideMode(Qt::ElideMiddle);
    m_chart->setAccessibleName(title());
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->hide();
    auto* head = new QHBoxLayout;
    head->setContentsMargins(Space::kNormal, Space::kTight, Space::kTight, 0);
    head->setSpacing(0);
    head->addWidget(m_title, 1);
    const auto add = [this, head](QToolButton* button, const QString& iconName, const QString& text, const QString& tip) {
        button->setIcon(icon(iconName));
        button->setText(text);
        button->setAccessibleName(text);
        button->setToolTip(tip);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        head->addWidget(button);
    };
    add(m_left, QStringLiteral("back"), tr("Move left"), tr("Change places with the chart before this one"));
    add(m_right, QStringLiteral("forward"), tr("Move right"), tr("Change places with the chart behind this one"));
    auto* open = new QToolButton(this);
    auto* remove = new QToolButton(this);
    add(open, QStringLiteral("charts"), tr("Open in the workbench"), tr("Show this chart where its axes can be changed"));
    add(remove, QStringLiteral("close"), tr("Take it off the board"), tr("The chart can be added again from the workbench"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_chart, 1);
    layout->addWidget(m_empty, 1);
    connect(m_left, &QToolButton::clicked, this, [this] { emit moveRequested(-1); });
    connect(m_right, &QToolButton::clicked, this, [this] { emit moveRequested(1); });
    connect(open, &QToolButton::clicked, this, &ChartCard::openRequested);
    connect(remove, &QToolButton::clicked, this, &ChartCard::removeRequested);
    connect(m_chart, &LatencyChart::tracePicked, this, [this](quint32 row) { m_workspace->setCurrentTrace(static_cast<qint64>(row)); });
    connect(m_chart, &LatencyChart::tracesMarked, workspace->marks(), &MarkedTraces::mark);
    connect(m_chart, &LatencyChart::markToggled, workspace->marks(), &MarkedTraces::toggle);
    connect(m_chart, &LatencyChart::notesEdited, this, [this](const QList<ChartNote>& notes) { m_workspace->board()->setNotes(m_spec.key(), notes); });
    connect(m_chart, &LatencyChart::noteWanted, this, &ChartCard::openRequested);   // notes are written in the workbench
    connect(workspace->marks(), &MarkedTraces::changed, this, [this] { m_chart->setMarked(m_workspace->marks()->rows()); });
    connect(workspace->board(), &ChartBoard::notesChanged, this, &ChartCard::showNotes);
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (onlyGrew)
            m_growth->request();
        else
            refresh();
    });
    connect(workspace, &Workspace::comparisonChanged, this, &ChartCard::refresh);
    refresh();
    showNotes();
}

ChartCard::~ChartCard() = default;

bool ChartCard::isBusy() const { return m_job->isRunning() || m_growth->isPending(); }

QString ChartCard::title() const
{
    QString title = tr("%1: %2").arg(visibleText(m_spec.definition), measureName(m_spec.measure));
    if (!m_spec.axis.isEmpty())
        title = tr("%1 by %2").arg(title, visibleText(m_spec.axis));
    return m_spec.hardware.isEmpty() ? title : title + QStringLiteral(" · ") + visibleText(m_spec.hardware);
}

void ChartCard::setMovable(bool left, bool right)
{
    m_left->setEnabled(left);
    m_right->setEnabled(right);
}

void ChartCard::showNotes() { m_chart->setNotes(m_workspace->board()->notes(m_spec.key())); }

void ChartCard::refresh()
{
    ChartContent content;
    content.dataset = m_workspace->dataset();
    content.definition = m_spec.definition;
    content.abscissa = m_spec.abscissa == ChartAbscissa::Workload ? ChartAbscissa::Axis : m_spec.abscissa;   // as the workbench has it: an axis without a name
    content.axis = m_spec.axis;
    content.measure = m_spec.measure;
    content.time = m_spec.time;
    content.showsBand = m_spec.band;
    content.hardware = m_spec.hardware.isEmpty() ? m_workspace->hardware() : m_spec.hardware;
    m_job->start<MadeChart>(
        [content, policy = m_workspace->policy(), author = m_workspace->baselineAuthor()](std::stop_token stop) { return makeChart(content, policy, author, false, stop); },
        [this](const MadeChart& made) {
            const bool isEmpty = made.content.series.empty();
            m_chart->setContent(made.content);
            m_chart->setHidden(QSet<QString>(m_spec.hidden.begin(), m_spec.hidden.end()));
            m_chart->setLogarithmic(m_spec.logX, m_spec.logY);
            m_chart->setMarked(m_workspace->marks()->rows());
            m_chart->setVisible(!isEmpty);
            m_empty->setVisible(isEmpty);
            m_empty->setText(!made.baselineProblem.empty() ? QString::fromStdString(made.baselineProblem) : tr("There is nothing to show: no trace has these values.\nOpen the chart in the workbench to see why."));
        });
}

}  // namespace tracedeck::ui
