// SPDX-License-Identifier: GPL-3.0-or-later
// What a comparison of results is made of: boxes, table, scatter, actions.
#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/comparison_scatter.h"
#include "ui/models/comparison_model.h"
#include "ui/models/latest_job.h"
#include "ui/pages/check_list_button.h"
#include "ui/pages/column_widths.h"
#include "ui/pages/export_files.h"
#include "ui/pages/number_delegate.h"
#include "ui/pages/run_here_button.h"
#include "ui/pages/results_page.h"
#include "ui/pages/scope_box.h"
#include "ui/pages/side_chooser.h"
#include "ui/pages/table_tools.h"
#include "ui/pages/verdict_delegate.h"
#include "ui/pages/work_bar.h"
#include "ui/style/empty_hint.h"
#include "ui/style/icon_button.h"
#include "ui/style/icons.h"
#include "ui/style/flow_layout.h"
#include "ui/style/labels.h"
#include "ui/style/sort_header.h"
#include "ui/style/tables.h"
#include "ui/style/theme.h"
#include "ui/style/turning_splitter.h"

namespace tracedeck::ui {

void ResultsPage::buildTable()
{
    m_view = new QTableView(this);
    m_view->setObjectName(QStringLiteral("resultsTable"));
    m_view->setAccessibleName(tr("Results of A and B"));
    m_view->setHorizontalHeader(new SortHeader(m_view));
    m_view->setModel(m_model);
    setUpTable(m_view);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_view->horizontalHeader()->setStretchLastSection(false);
    m_view->setItemDelegateForColumn(ComparisonModel::Verdict, new VerdictDelegate(this));
    for (const int column : {ComparisonModel::LatencyA, ComparisonModel::LatencyB, ComparisonModel::Difference})
        m_view->setItemDelegateForColumn(column, new NumberDelegate(3, this));
    m_tools = new TableTools(m_view, QStringLiteral("comparison"), QStringLiteral("verdict"), this);
    m_tools->setFileName([] { return QStringLiteral("comparison"); });
    m_tools->setHiddenByDefault({QStringLiteral("op_type"), QStringLiteral("noise_a"), QStringLiteral("noise_b"), QStringLiteral("difference"),
                                 QStringLiteral("workload"), QStringLiteral("reason")});
    m_sort = {{ComparisonModel::Verdict, Qt::AscendingOrder}, {ComparisonModel::Change, Qt::DescendingOrder}};
    m_tools->showSortKeys(m_sort);
    connect(m_tools, &TableTools::sortRequested, this, [this](const SortKeys& keys) {
        m_sort = keys;
        applyFilter();   // sorting is part of that job
    });
    new EmptyHint(m_view, tr("No result passes the filter.\nClear the text or show all verdicts."));

    m_showA = new QAction(tr("Show trace of &A"), m_view);
    m_showA->setToolTip(tr("Show A's trace in the Details pane, or in the viewer where its dataset is not open"));
    m_showB = new QAction(tr("Show trace of &B"), m_view);
    m_showB->setToolTip(tr("Show B's trace in the Details pane, or in the viewer where its dataset is not open"));
    m_view->addActions({m_showA, m_showB});
    const auto current = [this]() -> std::optional<std::size_t> {
        const QModelIndex index = m_view->currentIndex();
        return index.isValid() ? std::optional(m_model->elementAt(index.row())) : std::nullopt;
    };
    for (const auto& [action, ofA] : {std::pair{m_showA, true}, std::pair{m_showB, false}})
        connect(action, &QAction::triggered, this, [this, current, ofA = ofA] {
            if (const auto element = current())
                openElement(*element, ofA);
        });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid())
            pickElement(m_model->elementAt(index.row()));
    });
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex& index) {
        const std::size_t element = m_model->elementAt(index.row());
        openElement(element, !m_model->comparison()->rows[element].b.has_value());
    });
}

void ResultsPage::buildControls()
{
    auto* grid = new QGridLayout;
    grid->setContentsMargins(Space::kWide, Space::kNormal, Space::kWide, Space::kTight);
    grid->setSpacing(Space::kNormal);
    for (std::size_t i = 0; i < m_sides.size(); ++i) {
        Side& side = m_sides[i];
        side.chooser = new SideChooser(i == 0 ? QStringLiteral("A") : QStringLiteral("B"), grid, static_cast<int>(i), this);
        side.job = new LatestJob(this);
        connect(side.chooser, &SideChooser::choiceChanged, this, &ResultsPage::compare);
        connect(side.chooser, &SideChooser::browseRequested, this, [this, i] { browse(i); });
        connect(side.chooser, &SideChooser::folderChosen, this, [this, i](const QString& folder) {
            SideChoice choice = m_sides[i].chooser->choice();
            choice.run.reset();   // times of one folder mean nothing in another one
            lookAt(i, folder, choice);
        });
    }
    for (const auto& [column, stretch] : {std::pair{1, 3}, std::pair{2, 5}, std::pair{3, 4}, std::pair{4, 4}})
        grid->setColumnStretch(column, stretch);
    auto* swap = iconButton(QStringLiteral("swap"), tr("Swap A and B"), this);
    swap->setObjectName(QStringLiteral("swapResults"));
    grid->addWidget(swap, 0, 5, 2, 1);
    connect(swap, &QToolButton::clicked, this, &ResultsPage::swapSides);

    m_scope = new ScopeBox(tr("Which definitions are compared"), this);
    m_scope->setObjectName(QStringLiteral("resultsScope"));
    m_verdicts = new CheckListButton(tr("Verdict"), this);
    m_verdicts->setObjectName(QStringLiteral("resultsVerdicts"));
    m_opTypes = new CheckListButton(tr("Op type"), this);
    m_opTypes->setObjectName(QStringLiteral("resultsOpTypes"));
    m_text = new QLineEdit(this);
    m_text->setObjectName(QStringLiteral("resultsFilter"));
    m_text->setAccessibleName(tr("Filter results"));
    m_text->setPlaceholderText(tr("Filter: words, or an axis such as M=16"));
    m_text->setToolTip(tr("All words must occur in definition, op type, axes, solutions, GPUs, workloads, statuses or verdict (Ctrl+F)"));
    m_text->setClearButtonEnabled(true);
    m_text->addAction(icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
    auto* bar = new FlowLayout;
    bar->setContentsMargins(Space::kWide, 0, Space::kWide, Space::kNormal);
    bar->addField(tr("&Over"), m_scope, this);
    bar->addFilter(m_text);
    bar->addWidget(m_verdicts);
    bar->addWidget(m_opTypes);

    m_work = new WorkBar(this);
    m_caution = new CautionBar(this);
    m_scatter = new ComparisonScatter(this);
    auto* splitter = m_splitter = new TurningSplitter(kLeastSideBySide, 600, 400, this);
    connect(splitter, &QSplitter::splitterMoved, this, [this] {
        m_isSplitByHand = true;
        shareRoom();
    });
    splitter->setObjectName(QStringLiteral("resultsSplitter"));
    splitter->setChildrenCollapsible(true);
    splitter->addWidget(m_view);
    splitter->addWidget(m_scatter);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    m_footer = new WrappedLabel(this);
    m_footer->setObjectName(QStringLiteral("resultsFooter"));
    m_footer->setMuted(false);
    m_footer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_footer->setContentsMargins(Space::kWide, Space::kTight, Space::kWide, Space::kTight);
    auto* results = new QWidget(this);
    auto* resultsLayout = new QVBoxLayout(results);
    resultsLayout->setContentsMargins(0, 0, 0, 0);
    resultsLayout->setSpacing(0);
    resultsLayout->addWidget(splitter, 1);
    resultsLayout->addWidget(m_footer);
    m_empty = new WrappedLabel(this);
    m_empty->setObjectName(QStringLiteral("resultsEmpty"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setMargin(Space::kPage);
    m_stack = new QStackedLayout;
    m_stack->addWidget(results);
    m_runHere = new RunHereButton(m_workspace, this);
    m_stack->addWidget(emptyPage(m_empty, {m_runHere}, this));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(grid);
    layout->addLayout(bar);
    layout->addWidget(m_work);
    layout->addWidget(m_caution);
    layout->addLayout(m_stack, 1);
    setFocusProxy(m_view);

    connect(m_scope, &QComboBox::activated, this, [this] {
        for (Side& side : m_sides)
            side.chooser->setFacts(side.facts, scope());
        compare();
    });
    connect(m_text, &QLineEdit::textChanged, m_filterTimer, qOverload<>(&QTimer::start));
    for (const CheckListButton* button : {m_verdicts, m_opTypes})
        connect(button, &CheckListButton::checkedChanged, this, &ResultsPage::applyFilter);
    connect(m_work, &WorkBar::cancelRequested, this, &ResultsPage::cancel);
    connect(m_scatter, &ComparisonScatter::rowPicked, this, [this](std::size_t element) {
        if (const int row = m_model->rowOf(element); row >= 0) {
            m_view->setCurrentIndex(m_model->index(row, 0));
            m_view->scrollTo(m_model->index(row, 0));
        }
    });
}

void ResultsPage::buildActions()
{
    for (const QString& suffix : pictureSuffixes())
        m_pictureActions << makeExportAction(this, {QStringLiteral("exportScatter_") + suffix, tr("Export scatter as %1…").arg(suffix.toUpper()),
                                                    tr("Write the picture of A against B as it is seen, with title and legend"), tr("Export scatter"), [] { return QStringLiteral("comparison"); },
                                                    suffix, [this](const QString& path) { return exportPicture(path); }});
}

void ResultsPage::sizeResultColumns()
{
    constexpr int kWidest = 220;
    m_view->horizontalHeader()->setResizeContentsPrecision(100);
    m_wantedWidths = wantedColumnWidths(m_view, kWidest);
    QMetaObject::invokeMethod(this, &ResultsPage::shareRoom, Qt::QueuedConnection);   // when the layout has given the table its width
}

/// Figures and their intervals are in sight without scrolling; the scatter takes what they leave, and names what is left in the table.
void ResultsPage::shareRoom()
{
    if (m_wantedWidths.empty() || !isVisible())
        return;
    constexpr int kNameRoom = 120;
    constexpr int kScatterRoom = 260;
    const std::vector<int> names{ComparisonModel::Definition, ComparisonModel::OpType, ComparisonModel::Axes, ComparisonModel::SolutionA, ComparisonModel::SolutionB,
                                 ComparisonModel::HardwareA, ComparisonModel::HardwareB, ComparisonModel::Workload, ComparisonModel::Reason};
    if (!m_isSplitByHand && m_splitter->orientation() == Qt::Horizontal) {
        int needed = 2 * m_view->frameWidth() + m_view->verticalScrollBar()->sizeHint().width();
        for (int column = 0; column < static_cast<int>(m_wantedWidths.size()); ++column) {
            const bool isName = std::find(names.begin(), names.end(), column) != names.end();
            const int wanted = m_wantedWidths[static_cast<std::size_t>(column)];
            if (!m_view->isColumnHidden(column))
                needed += isName ? std::min(wanted, kNameRoom) : wanted;
        }
        const int room = m_splitter->width() - m_splitter->handleWidth();
        const int table = std::clamp(needed, std::min(room * 3 / 5, room - kScatterRoom), std::max(room - kScatterRoom, 0));
        m_splitter->setSizes({table, room - table});
    }
    shareColumnWidths(m_view, m_wantedWidths, names);
}

void ResultsPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    QMetaObject::invokeMethod(this, &ResultsPage::shareRoom, Qt::QueuedConnection);
}

void ResultsPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    QMetaObject::invokeMethod(this, &ResultsPage::shareRoom, Qt::QueuedConnection);
}

}  // namespace tracedeck::ui
