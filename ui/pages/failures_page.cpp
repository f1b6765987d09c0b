// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/failures_page.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/failure_table_model.h"
#include "ui/models/growth_refresh.h"
#include "ui/models/latest_job.h"
#include "ui/models/nothing_measured.h"
#include "ui/models/number_format.h"
#include "ui/models/workspace.h"
#include "ui/pages/column_widths.h"
#include "ui/pages/run_here_button.h"
#include "ui/pages/scope_box.h"
#include "ui/pages/shown_refresh.h"
#include "ui/pages/table_tools.h"
#include "ui/pages/work_bar.h"
#include "ui/style/labels.h"
#include "ui/style/sort_header.h"
#include "ui/style/tables.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr int kFailuresPollMs = 33;

}  // namespace

struct FailuresPage::Answer {
    std::shared_ptr<const Dataset> dataset;
    std::shared_ptr<const FailureTableModel::Groups> groups;
};

FailuresPage::FailuresPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new FailureTableModel(this)), m_progressTimer(new QTimer(this)), m_job(new LatestJob(this)),
      m_growth(new GrowthRefresh(m_job, [this] { refresh(); }, this)), m_shown(new ShownRefresh(this, m_job, [this] { compute(); }))
{
    setObjectName(QStringLiteral("failuresPage"));
    buildControls();
    m_progressTimer->setInterval(kFailuresPollMs);
    connect(m_progressTimer, &QTimer::timeout, this, [this] {
        if (m_done)
            m_work->setProgress((*m_done)[0].load(), (*m_done)[1].load());
    });
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (onlyGrew) {
            m_growth->request();
            return;
        }
        m_scope->follow(*m_workspace);
        refresh();
    });
    connect(workspace, &Workspace::comparisonChanged, this, &FailuresPage::refresh);
    connect(workspace, &Workspace::currentDefinitionChanged, this, [this] {
        const bool wasOneDefinition = !m_scope->scope().definition.isEmpty();
        m_scope->follow(*m_workspace);
        if (wasOneDefinition)
            refresh();
    });
    m_scope->follow(*m_workspace);
    refresh();
}

FailuresPage::~FailuresPage() = default;

bool FailuresPage::isBusy() const { return m_job->isRunning() || m_growth->isPending() || m_shown->isPending(); }

void FailuresPage::buildControls()
{
    m_scope = new ScopeBox(tr("Whose failures are shown"), this);
    m_scope->setObjectName(QStringLiteral("failuresScope"));
    auto* label = new QLabel(tr("&Over"), this);
    label->setBuddy(m_scope);
    m_note = new WrappedLabel(this);
    m_note->setMuted(true);
    m_note->setObjectName(QStringLiteral("failuresNote"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kNormal);
    bar->setSpacing(Space::kNormal);
    bar->addWidget(label);
    bar->addWidget(m_scope);
    bar->addSpacing(Space::kWide);
    bar->addWidget(m_note, 1);
    m_work = new WorkBar(this);
    m_view = new QTableView(this);
    m_view->setObjectName(QStringLiteral("failuresTable"));
    m_view->setAccessibleName(tr("Groups of failures"));
    m_view->setHorizontalHeader(new SortHeader(m_view));
    m_view->setModel(m_model);
    setUpTable(m_view);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_tools = new TableTools(m_view, QStringLiteral("failures"), QStringLiteral("reason"), this);
    m_tools->setFileName([] { return QStringLiteral("failures"); });
    m_tools->showSortKeys({{FailureTableModel::Count, Qt::DescendingOrder}});
    m_model->sortBy(m_tools->sortKeys());
    connect(m_tools, &TableTools::sortRequested, m_model, &FailureTableModel::sortBy);
    constexpr int kWidestCell = 400;
    new ColumnSharing(m_view, {FailureTableModel::Reason, FailureTableModel::Pattern, FailureTableModel::FirstWorkload, FailureTableModel::Solutions, FailureTableModel::Definitions}, kWidestCell, FailureTableModel::Reason);
    m_empty = new WrappedLabel(this);
    m_empty->setObjectName(QStringLiteral("failuresEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(Space::kPage);
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_view);
    m_runHere = new RunHereButton(m_workspace, this);
    m_stack->addWidget(emptyPage(m_empty, {m_runHere}, this));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_work);
    layout->addLayout(m_stack, 1);
    setFocusProxy(m_view);
    connect(m_scope, &QComboBox::currentIndexChanged, this, &FailuresPage::refresh);
    connect(m_work, &WorkBar::cancelRequested, this, [this] {
        m_job->cancel();
        m_progressTimer->stop();
        m_work->stop();
    });
    const auto showFirst = [this](const QModelIndex& index) {
        if (index.isValid())
            m_workspace->setCurrentTrace(static_cast<qint64>(m_model->groupAt(index.row()).first()));
    };
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, showFirst);
    connect(m_view, &QTableView::activated, this, showFirst);
}

void FailuresPage::refresh() { m_shown->request(); }

void FailuresPage::compute()
{
    const TraceFilter filter = m_scope->filter(*m_workspace);
    m_done = std::make_shared<std::array<std::atomic<std::size_t>, 2>>();
    m_work->start(tr("Reading logs …"));
    m_progressTimer->start();
    m_job->start<Answer>(
        [dataset = m_workspace->dataset(), filter, policy = m_workspace->policy(), done = m_done](std::stop_token stop) {
            auto groups = failureGroups(*dataset, filter, policy, stop, [&done](std::size_t count, std::size_t total) {
                (*done)[0].store(count);
                (*done)[1].store(total);
            });
            return Answer{dataset, groups ? std::make_shared<const FailureTableModel::Groups>(std::move(*groups)) : std::make_shared<const FailureTableModel::Groups>()};
        },
        [this](const Answer& answer) { applyAnswer(answer); });
}

void FailuresPage::applyAnswer(const Answer& answer)
{
    m_progressTimer->stop();
    m_work->stop();
    m_model->show(answer.dataset, answer.groups);
    qint64 failures = 0;
    for (const FailureGroup& group : *answer.groups)
        failures += static_cast<qint64>(group.rows.size());
    m_note->setText(answer.groups->empty() ? QString() : tr("%1 failures in %n group(s), by status and by what their logs say.", nullptr, static_cast<int>(answer.groups->size())).arg(countText(failures)));
    const QString nothing = whyNothingIsMeasured(*m_workspace->dataset(), m_scope->scope().definition);
    QString empty;
    if (!m_workspace->isOpen())
        empty = tr("No dataset is open.\nOpen a dataset folder from the File menu, or drop one onto the window.");
    else if (!nothing.isEmpty())
        empty = nothing;
    else if (answer.groups->empty())
        empty = tr("Nothing failed here.");
    m_runHere->offer(!nothing.isEmpty(), m_scope->scope().definition);
    m_empty->setText(empty);
    m_stack->setCurrentIndex(empty.isEmpty() ? 0 : 1);
}

void FailuresPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if ((event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) && m_model)
        m_model->refreshLooks();
}

}  // namespace tracedeck::ui
