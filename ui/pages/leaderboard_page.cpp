// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/nothing_measured.h"
#include "ui/models/policy_text.h"
#include "ui/pages/leaderboard_page.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>

#include "core/store/query.h"
#include "ui/charts/bar_delegate.h"
#include "ui/models/growth_refresh.h"
#include "ui/models/leaderboard_model.h"
#include "ui/models/pin_board.h"
#include "ui/models/sorted_by_keys.h"
#include "ui/models/timing_text.h"
#include "ui/models/workspace.h"
#include "ui/pages/baseline_button.h"
#include "ui/pages/export_files.h"
#include "ui/pages/run_here_button.h"
#include "ui/pages/shown_refresh.h"
#include "ui/pages/table_tools.h"
#include "ui/style/icons.h"
#include "ui/style/labels.h"
#include "ui/style/name_box.h"
#include "ui/style/sort_header.h"
#include "ui/style/tables.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

enum ScopeKind { Everything, OpType, ThisDefinition };
constexpr int kScopeKindRole = Qt::UserRole;
constexpr int kScopeNameRole = Qt::UserRole + 1;
constexpr int kNarrowestName = 120;
/// Pixels beside the title of a column, and for the arrow of the order.
constexpr int kHeaderAir = 24;
constexpr int kArrowWidth = 20;
constexpr int kChipWidth = 20;

TimingCounts timingOf(const Dataset& dataset, const RankingScope& scope, const CountedTraces& counted)
{
    TimingCounts timing;
    const TraceTable& traces = dataset.traces();
    for (const auto& definition : dataset.definitions()) {
        if ((!scope.definition.empty() && definition->name != scope.definition) || (!scope.opType.empty() && definition->opType != scope.opType)) {
            continue;
        }
        for (const std::uint32_t index : dataset.traceRowsOfDefinition(definition->name)) {
            if (counted.contains(index) && (scope.hardware.empty() || traces.hardwareName(traces.row(index)) == scope.hardware)) {
                timing.add(traces.row(index));
            }
        }
    }
    return timing;
}

}  // namespace

struct LeaderboardPage::Answer {
    Result<Ranking> ranking = Ranking();
    RankingScope scope;
    QString baselineAuthor;
    std::size_t machines = 0;
    TimingCounts timing;   ///< of the traces in the scope
    PinnedAuthors pinned;
};

LeaderboardPage::LeaderboardPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new LeaderboardModel(this)), m_job(new LatestJob(this)),
      m_growth(new GrowthRefresh(m_job, [this] { refresh(); }, this)), m_shown(new ShownRefresh(this, m_job, [this] { compute(); }))
{
    setObjectName(QStringLiteral("leaderboardPage"));
    buildControls();
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (onlyGrew) {   // no author and no definition is new
            m_growth->request();
            return;
        }
        rebuildScopes();
        rebuildBaselines();
        refresh();
    });
    connect(workspace, &Workspace::comparisonChanged, this, [this] {
        rebuildBaselines();
        refresh();
    });
    connect(workspace->pins(), &PinBoard::latenciesChanged, this, &LeaderboardPage::refresh);
    connect(workspace, &Workspace::currentDefinitionChanged, this, [this] {
        const bool wasDefinition = m_scopeCombo->currentData(kScopeKindRole).toInt() == ThisDefinition;
        rebuildScopes();
        if (wasDefinition) {
            refresh();
        }
    });
    rebuildScopes();
    rebuildBaselines();
    refresh();
}

LeaderboardPage::~LeaderboardPage() = default;

QList<QAction*> LeaderboardPage::exportActions() const { return {m_tools->exportAction(), m_exportCsv}; }

Result<void> LeaderboardPage::exportCsv(const QString& path) const { return writeTextFile(path, m_model->csv()); }

QString LeaderboardPage::currentAuthor() const { return m_view->currentIndex().data(LeaderboardModel::NameRole).toString(); }

bool LeaderboardPage::isBusy() const { return m_job->isRunning() || m_growth->isPending() || m_shown->isPending(); }

void LeaderboardPage::buildControls()
{
    m_scopeCombo = new NameBox(tr("Which definitions count"), this);
    m_scopeCombo->setObjectName(QStringLiteral("leaderboardScope"));
    m_baselineCombo = new NameBox(tr("Whose solutions count as 1×"), this);
    m_baselineCombo->setObjectName(QStringLiteral("leaderboardBaseline"));
    m_baselineCombo->setPlaceholderText(tr("none"));   // a dataset may have nobody of the usual name
    auto* scopeLabel = new QLabel(tr("&Rank over"), this);
    scopeLabel->setBuddy(m_scopeCombo);
    auto* baselineLabel = new QLabel(tr("&Baseline author"), this);
    baselineLabel->setBuddy(m_baselineCombo);

    m_rule = new WrappedLabel(this);
    m_rule->setMuted(true);
    m_rule->setObjectName(QStringLiteral("leaderboardRule"));

    m_view = new QTableView(this);
    m_view->setObjectName(QStringLiteral("leaderboardTable"));
    m_view->setAccessibleName(tr("Leaderboard"));
    auto* sorted = new SortedByKeys(this);
    sorted->setSourceModel(m_model);
    sorted->setSortRole(LeaderboardModel::SortRole);
    m_view->setHorizontalHeader(new SortHeader(m_view));
    m_view->setModel(sorted);
    setUpTable(m_view);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->horizontalHeader()->setResizeContentsPrecision(200);
    m_view->horizontalHeader()->setStretchLastSection(false);
    m_view->setItemDelegateForColumn(LeaderboardModel::Speedup, new BarDelegate(LeaderboardModel::ShareRole, 4, this));
    m_tools = new TableTools(m_view, QStringLiteral("leaderboard"), QStringLiteral("author"), this);
    m_tools->setFileName([] { return QStringLiteral("leaderboard"); });
    m_tools->showSortKeys({{LeaderboardModel::Rank, Qt::AscendingOrder}});
    sorted->sortBy(m_tools->sortKeys());
    connect(m_tools, &TableTools::sortRequested, sorted, &SortedByKeys::sortBy);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_view->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &LeaderboardPage::sizeColumns);
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex& index) {
        const QString solution = index.data(LeaderboardModel::SolutionRole).toString();
        if (!solution.isEmpty()) {
            m_workspace->setCurrentSolution(solution);
        }
    });

    m_unscoredButton = new QToolButton(this);
    m_unscoredButton->setObjectName(QStringLiteral("leaderboardUnscoredButton"));
    m_unscoredButton->setCheckable(true);
    m_unscoredButton->setAutoRaise(true);
    m_unscoredButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_unscoredButton->setFocusPolicy(Qt::TabFocus);
    m_unscored = new QPlainTextEdit(this);
    m_unscored->setObjectName(QStringLiteral("leaderboardUnscored"));
    m_unscored->setAccessibleName(tr("What is not ranked, and why"));
    m_unscored->setReadOnly(true);
    m_unscored->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_unscored->setFrameShape(QFrame::NoFrame);
    m_unscored->setMaximumHeight(160);
    m_unscored->hide();
    const auto updateArrow = [this](bool open) { m_unscoredButton->setArrowType(open ? Qt::DownArrow : Qt::RightArrow); };
    updateArrow(false);
    connect(m_unscoredButton, &QToolButton::toggled, this, [this, updateArrow](bool open) {
        updateArrow(open);
        m_unscored->setVisible(open);
    });

    m_empty = new WrappedLabel(this);
    m_empty->setObjectName(QStringLiteral("leaderboardEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(Space::kPage);
    m_stack = new QStackedLayout;
    m_stack->addWidget(m_view);
    m_emptyBaseline = new BaselineButton(m_workspace, this);
    m_runHere = new RunHereButton(m_workspace, this);
    m_stack->addWidget(emptyPage(m_empty, {m_emptyBaseline, m_runHere}, this));

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kTight);
    bar->setSpacing(Space::kNormal);
    bar->addWidget(scopeLabel);
    bar->addWidget(m_scopeCombo);
    bar->addSpacing(Space::kWide);
    bar->addWidget(baselineLabel);
    bar->addWidget(m_baselineCombo);
    bar->addStretch(1);
    auto* rule = new QHBoxLayout;
    rule->setContentsMargins(Space::kWide, 0, Space::kWide, Space::kNormal);
    rule->addWidget(m_rule, 1);
    auto* unscored = new QVBoxLayout;
    unscored->setContentsMargins(Space::kNormal, Space::kTight, Space::kNormal, Space::kTight);
    m_unscoredBaseline = new BaselineButton(m_workspace, this);
    auto* why = new QHBoxLayout;
    why->addWidget(m_unscoredButton);
    why->addWidget(m_unscoredBaseline);
    why->addStretch(1);
    unscored->addLayout(why);
    unscored->addWidget(m_unscored);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addLayout(rule);
    layout->addLayout(m_stack, 1);
    layout->addLayout(unscored);

    connect(m_scopeCombo, &QComboBox::currentIndexChanged, this, &LeaderboardPage::refresh);
    connect(m_baselineCombo, &QComboBox::currentIndexChanged, this,
            [this] { m_workspace->setBaselineAuthor(m_baselineCombo->currentData().toString()); });
    m_exportCsv = makeExportAction(this, {QStringLiteral("exportLeaderboardCsv"), tr("Export &leaderboard as CSV…"), tr("Write the ranking with every digit"), tr("Export leaderboard"),
                                          [] { return QStringLiteral("leaderboard"); }, QStringLiteral("csv"), [this](const QString& path) { return exportCsv(path); }});
}

void LeaderboardPage::rebuildScopes()
{
    const QVariant keptKind = m_scopeCombo->currentData(kScopeKindRole);
    const QVariant keptName = m_scopeCombo->currentData(kScopeNameRole);
    const QSignalBlocker blocker(m_scopeCombo);
    m_scopeCombo->clear();
    const auto add = [this](const QString& text, ScopeKind kind, const QString& name) {
        m_scopeCombo->addItem(shortened(visibleText(text), kLongestName));
        m_scopeCombo->setItemData(m_scopeCombo->count() - 1, static_cast<int>(kind), kScopeKindRole);
        m_scopeCombo->setItemData(m_scopeCombo->count() - 1, name, kScopeNameRole);
    };
    add(tr("all definitions"), Everything, {});
    if (!m_workspace->currentDefinition().isEmpty()) {
        add(tr("this definition: %1").arg(m_workspace->currentDefinition()), ThisDefinition, m_workspace->currentDefinition());
    }
    for (const auto& [opType, count] : m_workspace->dataset()->opTypes()) {
        const QString name = QString::fromStdString(opType);
        add(tr("op type: %1 (%2)").arg(name).arg(count), OpType, name);
    }
    for (int i = 0; i < m_scopeCombo->count(); ++i) {
        const bool sameKind = m_scopeCombo->itemData(i, kScopeKindRole) == keptKind;
        const bool sameName = keptKind.toInt() == ThisDefinition || m_scopeCombo->itemData(i, kScopeNameRole) == keptName;
        if (sameKind && sameName) {
            m_scopeCombo->setCurrentIndex(i);
        }
    }
}

void LeaderboardPage::rebuildBaselines()
{
    const QSignalBlocker blocker(m_baselineCombo);
    m_baselineCombo->clear();
    for (const std::string& author : authorsOf(*m_workspace->dataset())) {
        m_baselineCombo->addName(QString::fromStdString(author));
    }
    m_baselineCombo->setCurrentIndex(m_baselineCombo->findData(m_workspace->baselineAuthor()));
}

RankingScope LeaderboardPage::scope() const
{
    RankingScope scope;
    const std::string name = m_scopeCombo->currentData(kScopeNameRole).toString().toStdString();
    switch (m_scopeCombo->currentData(kScopeKindRole).toInt()) {
    case OpType: scope.opType = name; break;
    case ThisDefinition: scope.definition = name; break;
    default: break;
    }
    scope.hardware = m_workspace->hardware().toStdString();
    scope.policy = m_workspace->policy();
    return scope;
}

void LeaderboardPage::refresh() { m_shown->request(); }

void LeaderboardPage::compute()
{
    m_job->start<Answer>(
        [dataset = m_workspace->dataset(), baseline = m_workspace->baselineAuthor(), scope = scope(), pinned = m_workspace->pins()->latencies()](std::stop_token stop) {
            Answer answer;
            answer.pinned.latencies = pinned;
            answer.scope = scope;
            answer.baselineAuthor = baseline;
            answer.machines = hardwareOf(*dataset, scope.definition).size();
            if (dataset->traces().size() > 0) {
                const CountedTraces counted(*dataset, scope.policy, stop);
                answer.timing = timingOf(*dataset, scope, counted);
                answer.ranking = rankAuthors(*dataset, baseline.toStdString(), scope, RankingRule::Format, counted);
                if (pinned->size() > 0) {
                    answer.pinned.changes = pinnedChanges(*dataset, rowsInScope(*dataset, scope, stop), RankBy::Author, *pinned);
                }
            }
            return answer;
        },
        [this](const Answer& answer) { applyAnswer(answer); });
}

void LeaderboardPage::applyAnswer(const Answer& answer)
{
    const Ranking ranking = answer.ranking ? *answer.ranking : Ranking();
    m_model->show(ranking, answer.baselineAuthor, answer.scope, answer.pinned);
    m_tools->setHiddenByDefault(QStringLiteral("best_solution"), answer.scope.definition.empty());
    m_tools->setHiddenByDefault(QStringLiteral("definitions"), !answer.scope.definition.empty());
    sizeColumns();
    m_exportCsv->setEnabled(!ranking.authors.empty());

    QString rule = tr("Ranked by the format's score: the mean over definitions of the mean speedup over %1 on the workloads both have, by "
                      "each author's best solution. A solution that failed anywhere scores 0.")
                       .arg(shortened(answer.baselineAuthor, kLongestName));
    rule += QLatin1Char(' ') + policySentence(answer.scope.policy);
    if (const QString view = policyViewText(*m_workspace->dataset()); !view.isEmpty()) {
        rule += QLatin1Char(' ') + view;
    }
    if (!answer.scope.hardware.empty()) {
        rule += QLatin1Char(' ') + tr("Only traces measured on %1 count.").arg(shortened(QString::fromStdString(answer.scope.hardware), kLongestName));
    } else if (answer.machines > 1) {
        rule += QLatin1Char(' ') + tr("Attention: traces of %1 machines are mixed; choose the hardware to rank on one.").arg(answer.machines);
    }
    if (answer.timing.isMixed()) {
        rule += QLatin1Char(' ') + tr("Attention: times taken by several methods are mixed.");
    }
    m_rule->setText(rule);
    m_rule->setToolTip(plainToolTip(timingLines(answer.timing)));

    QStringList reasons;
    for (const Problem& problem : ranking.unscored) {
        reasons << visibleText(QString::fromStdString(problem.error.toString()));
    }
    m_unscored->setPlainText(reasons.join(QLatin1Char('\n')));
    m_unscoredButton->setText(tr("%1 not ranked: why").arg(reasons.size()));
    m_unscoredButton->setVisible(!reasons.isEmpty());
    m_unscored->setVisible(!reasons.isEmpty() && m_unscoredButton->isChecked());

    QString empty;
    QString nothing;
    if (!m_workspace->isOpen()) {
        empty = tr("No dataset is open.\nOpen a dataset folder from the File menu, or drop one onto the window.");
    } else if (nothing = whyNothingIsMeasured(*m_workspace->dataset(), QString::fromStdString(answer.scope.definition)); !nothing.isEmpty()) {
        empty = nothing;
    } else if (!answer.ranking) {
        empty = tr("There is no ranking: %1").arg(QString::fromStdString(answer.ranking.error().reason));
    } else if (ranking.authors.empty() && (empty = whyThereIsNoBaseline(*m_workspace->dataset(), answer.baselineAuthor)).isEmpty()) {
        empty = tr("No author has a score against %1 here.\nChoose another baseline author, or rank over other definitions.")
                    .arg(shortened(answer.baselineAuthor, kLongestName));
    }
    m_empty->setText(empty);
    const bool lacksBaseline = m_workspace->isOpen() && nothing.isEmpty() && answer.ranking && ranking.authors.empty();
    m_runHere->offer(!nothing.isEmpty(), QString::fromStdString(answer.scope.definition));
    m_emptyBaseline->offer(lacksBaseline, answer.scope);
    m_unscoredBaseline->offer(!lacksBaseline && !reasons.isEmpty(), answer.scope);
    m_rule->setVisible(empty.isEmpty());
    m_stack->setCurrentIndex(empty.isEmpty() ? 0 : 1);
    emit rankingShown(static_cast<int>(ranking.authors.size()));
}

void LeaderboardPage::sizeColumns()
{
    // Names and numbers take what they need; the bars of the score share what is left, so that all is in sight.
    QHeaderView* header = m_view->horizontalHeader();
    const QAbstractItemView* view = m_view;   // a table view hides its hint
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (column == LeaderboardModel::Speedup) {
            header->setSectionResizeMode(column, QHeaderView::Stretch);
            continue;
        }
        header->setSectionResizeMode(column, QHeaderView::Interactive);
        const int title = header->fontMetrics().horizontalAdvance(m_model->headerData(column, Qt::Horizontal).toString()) + kHeaderAir +
                          (column == header->sortIndicatorSection() ? kArrowWidth : 0) + (m_model->isPinColumn(column) ? kChipWidth : 0);
        const int widest = std::max(m_view->viewport()->width() / 4, kNarrowestName);
        m_view->setColumnWidth(column, std::max(title, std::min(view->sizeHintForColumn(column), widest)));
    }
}

void LeaderboardPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    QMetaObject::invokeMethod(this, &LeaderboardPage::sizeColumns, Qt::QueuedConnection);   // when the layout has given the table its width
}

void LeaderboardPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_model) {
        m_model->refreshLooks();
    }
}

}  // namespace tracedeck::ui
