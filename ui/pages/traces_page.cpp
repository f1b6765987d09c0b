// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/traces_page.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedLayout>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <numeric>
#include <utility>

#include "ui/models/trace_table_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/export_files.h"
#include "ui/pages/number_delegate.h"
#include "ui/pages/solution_name_delegate.h"
#include "ui/pages/trace_filter_bar.h"
#include "ui/style/icons.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Quick answers show no progress line.
constexpr int kBusyDelayMilliseconds = 150;
/// Rows that are selected again by identity after a filter; beyond that only the current row is kept.
constexpr std::size_t kMaximumKeptSelection = 10'000;

}  // namespace

struct TracesPage::Answer {
    enum class Kind { NewRows, NewOrder, Grown } kind = Kind::NewRows;
    std::shared_ptr<const Dataset> dataset;
    RowIndex rows;
};

TracesPage::TracesPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new TraceTableModel(this)),
      m_queryJob(new LatestJob(this)), m_exportJob(new LatestJob(this))
{
    setObjectName(QStringLiteral("tracesPage"));
    buildTable();
    buildLayout();
    buildActions();

    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        // A query of the user's that is still on its way must not turn into "rows were added only".
        m_keepPosition = onlyGrew && (m_keepPosition || !isBusy());
        if (!onlyGrew) {
            m_columnsSized = false;
            m_datasetReplaced = true;
        }
        m_filterBar->rebuildChoices();
        startQuery();
    });
    connect(workspace, &Workspace::currentDefinitionChanged, this, [this] {
        m_filterBar->rebuildChoices();
        startQuery();
    });
    connect(workspace, &Workspace::currentSolutionChanged, this, [this] {
        if (m_filterBar->filter() != m_filter) {
            startQuery();
        }
    });
    connect(workspace, &Workspace::currentTraceChanged, this, [this](qint64 row) {
        const int position = row < 0 || m_datasetReplaced ? -1 : m_model->findRow(static_cast<quint32>(row));
        if (position >= 0 && m_view->currentIndex().row() != position) {
            m_view->setCurrentIndex(m_model->index(position, 0));
        }
    });
    startQuery();
}

TracesPage::~TracesPage() = default;

QList<QAction*> TracesPage::exportActions() const { return {m_exportShown, m_exportWhole}; }

Result<void> TracesPage::exportShownCsv(const QString& path) const
{
    return writeTraceCsv(*m_model->dataset(), m_model->rows(), path);
}

Result<void> TracesPage::exportWholeCsv(const QString& path) const
{
    const auto dataset = m_workspace->dataset();
    RowIndex rows(dataset->traces().size());
    std::iota(rows.begin(), rows.end(), 0U);
    return writeTraceCsv(*dataset, rows, path);
}

bool TracesPage::isBusy() const { return m_filterBar->isPending() || m_queryJob->isRunning(); }

void TracesPage::setFilterText(const QString& text) { m_filterBar->setText(text); }

void TracesPage::setSolutions(const QStringList& solutions) { m_filterBar->setSolutions(solutions); }

void TracesPage::setStatuses(const std::set<Status>& statuses) { m_filterBar->setStatuses(statuses); }

void TracesPage::resetFilters() { m_filterBar->reset(); }

void TracesPage::buildTable()
{
    m_view = new QTableView(this);
    m_view->setObjectName(QStringLiteral("traceTable"));
    m_view->setAccessibleName(tr("Traces"));
    m_view->setModel(m_model);
    m_view->setWordWrap(false);
    m_view->setTextElideMode(Qt::ElideMiddle);   // names differ at their ends
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setShowGrid(false);
    m_view->setAlternatingRowColors(true);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setTabKeyNavigation(false);
    m_view->setIconSize(QSize(16, 16));
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setDefaultSectionSize(std::max(kRowHeight, fontMetrics().height() + 8));
    m_view->verticalHeader()->setMinimumSectionSize(1);
    QHeaderView* header = m_view->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsMovable(true);
    header->setSectionsClickable(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    header->setResizeContentsPrecision(50);
    for (const TraceColumn column : {TraceColumn::Latency, TraceColumn::ReferenceLatency}) {
        m_view->setItemDelegateForColumn(TraceTableModel::columnOf(column), new NumberDelegate(3, this));
    }
    m_view->setItemDelegateForColumn(TraceTableModel::columnOf(TraceColumn::Speedup), new NumberDelegate(4, this));
    m_view->setItemDelegateForColumn(TraceTableModel::columnOf(TraceColumn::Solution),
                                     new SolutionNameDelegate(TraceTableModel::columnOf(TraceColumn::Definition), this));
    for (const TraceColumn hidden : {TraceColumn::Workload, TraceColumn::OpType, TraceColumn::Language}) {
        m_view->setColumnHidden(TraceTableModel::columnOf(hidden), true);
    }
    connect(header, &QHeaderView::sectionClicked, this, [this, header](int section) {
        // The header has turned its indicator already.
        const bool additional = QApplication::keyboardModifiers() & Qt::ControlModifier;
        onSortRequested(section, header->sortIndicatorOrder() == Qt::DescendingOrder, additional);
    });
    connect(header, &QHeaderView::customContextMenuRequested, this, &TracesPage::showHeaderMenu);
    connect(m_view, &QWidget::customContextMenuRequested, this, &TracesPage::showRowMenu);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TracesPage::onCurrentRowChanged);
}

void TracesPage::buildLayout()
{
    m_filterBar = new TraceFilterBar(m_workspace, this);
    m_busyBar = new QProgressBar(this);
    m_busyBar->setTextVisible(false);
    m_busyBar->setRange(0, 0);
    m_busyBar->setFixedHeight(2);
    m_busyBar->setAccessibleName(tr("Filtering"));
    QSizePolicy keepRoom = m_busyBar->sizePolicy();
    keepRoom.setRetainSizeWhenHidden(true);
    m_busyBar->setSizePolicy(keepRoom);
    m_busyBar->hide();
    m_busyDelay = new QTimer(this);
    m_busyDelay->setSingleShot(true);
    m_busyDelay->setInterval(kBusyDelayMilliseconds);
    connect(m_busyDelay, &QTimer::timeout, m_busyBar, &QWidget::show);

    auto* empty = new QWidget(this);
    auto* emptyLayout = new QVBoxLayout(empty);
    m_emptyLabel = new QLabel(empty);
    m_emptyLabel->setObjectName(QStringLiteral("tracesEmpty"));
    m_emptyLabel->setAlignment(Qt::AlignCenter);
    m_emptyLabel->setWordWrap(true);
    m_emptyButton = new QPushButton(tr("Reset filters"), empty);
    emptyLayout->addStretch(2);
    emptyLayout->addWidget(m_emptyLabel);
    emptyLayout->addWidget(m_emptyButton, 0, Qt::AlignHCenter);
    emptyLayout->addStretch(3);

    m_stack = new QStackedLayout;
    m_stack->addWidget(m_view);
    m_stack->addWidget(empty);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_filterBar);
    layout->addWidget(m_busyBar);
    layout->addLayout(m_stack, 1);

    connect(m_filterBar, &TraceFilterBar::filterChanged, this, &TracesPage::startQuery);
    connect(m_filterBar, &TraceFilterBar::tableWanted, this, [this] { m_view->setFocus(); });
    connect(m_emptyButton, &QPushButton::clicked, this, &TracesPage::resetFilters);
}

void TracesPage::buildActions()
{
    const auto add = [this](QWidget* owner, const QString& text, const QKeySequence& keys, auto slot) {
        auto* action = new QAction(text, this);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, slot);
        owner->addAction(action);
        return action;
    };
    add(m_view, tr("&Copy"), QKeySequence(QKeySequence::Copy), &TracesPage::copyAsSeen)->setObjectName(QStringLiteral("copyAsSeen"));
    add(m_view, tr("Copy with &full precision"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), &TracesPage::copyFullPrecision)
        ->setObjectName(QStringLiteral("copyFullPrecision"));
    add(this, tr("&Filter traces"), QKeySequence(QKeySequence::Find), [this] { m_filterBar->focusText(); });
    m_exportShown = new QAction(icon(QStringLiteral("export")), tr("Export &shown rows as CSV…"), this);
    m_exportShown->setObjectName(QStringLiteral("exportShownCsv"));
    m_exportShown->setToolTip(tr("Write the traces in the table, in its order, as a CSV report"));
    connect(m_exportShown, &QAction::triggered, this, [this] {
        const QString name = m_workspace->currentDefinition().isEmpty() ? tr("traces") : m_workspace->currentDefinition();
        chooseExportFile(this, tr("Export shown rows"), fileNameFrom(name), QStringLiteral("csv"),
                         [this](const QString& path) { exportInBackground(false, path); });
    });
    m_exportWhole = new QAction(icon(QStringLiteral("export")), tr("Export &all traces as CSV…"), this);
    m_exportWhole->setObjectName(QStringLiteral("exportWholeCsv"));
    m_exportWhole->setToolTip(tr("Write every trace of the dataset as a CSV report"));
    connect(m_exportWhole, &QAction::triggered, this, [this] {
        chooseExportFile(this, tr("Export all traces"), QStringLiteral("report"), QStringLiteral("csv"),
                         [this](const QString& path) { exportInBackground(true, path); });
    });
}

void TracesPage::exportInBackground(bool wholeReport, const QString& path)
{
    auto dataset = wholeReport ? m_workspace->dataset() : m_model->dataset();
    RowIndex rows = m_model->rows();
    m_exportJob->start<Result<void>>(
        [dataset = std::move(dataset), rows = std::move(rows), wholeReport, path](std::stop_token) mutable {
            if (wholeReport) {
                rows.resize(dataset->traces().size());
                std::iota(rows.begin(), rows.end(), 0U);
            }
            return writeTraceCsv(*dataset, rows, path);
        },
        [this, path](const Result<void>& written) {
            if (!written) {
                showExportError(this, path, written.error());
            }
        });
}

void TracesPage::startQuery()
{
    TraceFilter filter = m_filterBar->filter();
    const auto dataset = m_workspace->dataset();
    const bool sameRows = filter == m_filter && dataset == m_model->dataset() && !m_queryJob->isRunning();
    const auto kind = m_keepPosition && filter == m_filter ? Answer::Kind::Grown
                      : sameRows                           ? Answer::Kind::NewOrder
                                                           : Answer::Kind::NewRows;
    m_keepPosition = kind == Answer::Kind::Grown;
    m_filter = filter;
    m_busyDelay->start();
    m_queryJob->start<Answer>(
        [dataset, filter, sort = m_sort, kind](std::stop_token stop) {
            Answer answer{kind, dataset, filterTraces(*dataset, filter, stop)};
            if (!stop.stop_requested() && !sort.empty()) {
                sortTraces(*dataset, answer.rows, sort);
            }
            return answer;
        },
        [this](Answer answer) { applyAnswer(std::move(answer)); });
}

void TracesPage::applyAnswer(Answer answer)
{
    m_keepPosition = false;
    m_busyDelay->stop();
    m_busyBar->hide();
    const auto oldCount = static_cast<std::uint32_t>(m_model->dataset()->traces().size());
    const auto newCount = static_cast<std::uint32_t>(answer.dataset->traces().size());

    // What is selected, by trace: kept over a filter although the rows move.
    std::vector<quint32> selected;
    for (const int row : selectedRows()) {
        selected.push_back(m_model->rows()[static_cast<std::size_t>(row)]);
    }
    const QModelIndex current = m_view->currentIndex();
    auto currentTrace = current.isValid() ? std::optional(m_model->rows()[static_cast<std::size_t>(current.row())]) : std::nullopt;
    if (std::exchange(m_datasetReplaced, false)) {   // rows have other numbers now; the workspace knows the current one's
        const qint64 same = m_workspace->currentTrace();
        currentTrace = same < 0 ? std::nullopt : std::optional(static_cast<quint32>(same));
        selected.assign(currentTrace ? 1 : 0, currentTrace.value_or(0));
    }

    bool restore = false;
    switch (answer.kind) {
    case Answer::Kind::Grown: {
        const int top = m_view->rowAt(0);
        const auto topTrace = top >= 0 ? std::optional(m_model->rows()[static_cast<std::size_t>(top)]) : std::nullopt;
        restore = !m_model->grow(answer.dataset, std::move(answer.rows));
        if (newCount > oldCount) {
            m_model->flash(oldCount);
        }
        if (topTrace && top > 0) {
            if (const int position = m_model->findRow(*topTrace); position >= 0) {
                m_view->verticalScrollBar()->setValue(position);   // per-item scrolling: the value is the top row
            }
        }
        break;
    }
    case Answer::Kind::NewOrder:
        if (answer.rows.size() == m_model->rows().size()) {
            m_model->reorder(std::move(answer.rows));
            break;
        }
        [[fallthrough]];
    case Answer::Kind::NewRows:
        m_model->show(answer.dataset, std::move(answer.rows));
        restore = true;
        break;
    }
    if (restore && currentTrace) {
        restoreSelection(std::move(selected), *currentTrace);
    }
    if (!m_columnsChosen) {   // one definition in each row says nothing
        m_view->setColumnHidden(TraceTableModel::columnOf(TraceColumn::Definition), m_filter.definitions.size() == 1);
    }
    QMetaObject::invokeMethod(this, &TracesPage::sizeColumns, Qt::QueuedConnection);
    updateState();
    emit rowsShown(m_model->rowCount());
}

void TracesPage::sizeColumns()
{
    if (m_columnsSized || m_model->rowCount() == 0 || !isVisible()) {
        return;
    }
    m_columnsSized = true;
    m_view->resizeColumnsToContents();
    int measures = 0;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        m_view->setColumnWidth(column, std::min(m_view->columnWidth(column) + Space::kNormal, 320));
    }
    for (const TraceColumn column : {TraceColumn::Status, TraceColumn::Latency, TraceColumn::Speedup}) {
        measures += m_view->columnWidth(TraceTableModel::columnOf(column));
    }
    // What was measured is in sight without scrolling: names and axes, which can be elided, share what is left.
    std::vector<int> texts;
    for (const TraceColumn column : {TraceColumn::Definition, TraceColumn::Solution, TraceColumn::Axes}) {
        if (const int index = TraceTableModel::columnOf(column); !m_view->isColumnHidden(index)) {
            texts.push_back(index);
        }
    }
    std::sort(texts.begin(), texts.end(), [this](int a, int b) { return m_view->columnWidth(a) < m_view->columnWidth(b); });
    constexpr int kNarrowest = 110;
    int left = m_view->viewport()->width() - measures;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const int share = std::max(left / static_cast<int>(texts.size() - i), kNarrowest);
        const int width = std::min(m_view->columnWidth(texts[i]), share);
        m_view->setColumnWidth(texts[i], width);
        left -= width;
    }
}

void TracesPage::restoreSelection(std::vector<quint32> traces, quint32 current)
{
    QItemSelection selection;
    const int last = m_model->columnCount() - 1;
    if (traces.size() <= kMaximumKeptSelection) {
        std::sort(traces.begin(), traces.end());
        for (std::size_t row = 0; !traces.empty() && row < m_model->rows().size(); ++row) {
            if (std::binary_search(traces.begin(), traces.end(), m_model->rows()[row])) {
                selection.select(m_model->index(static_cast<int>(row), 0), m_model->index(static_cast<int>(row), last));
            }
        }
    }
    m_view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (const int row = m_model->findRow(current); row >= 0) {
        m_view->selectionModel()->setCurrentIndex(m_model->index(row, 0), QItemSelectionModel::NoUpdate);
        m_view->scrollTo(m_model->index(row, 0));
    }
}

void TracesPage::updateState()
{
    const auto total = static_cast<qint64>(m_model->dataset()->traces().size());
    const qint64 shown = m_model->rowCount();
    const bool filtering = m_filterBar->isFiltering();
    m_filterBar->setCount(shown, total);
    m_exportShown->setEnabled(shown > 0);
    m_exportWhole->setEnabled(total > 0);
    m_stack->setCurrentIndex(shown == 0 ? 1 : 0);
    m_emptyButton->setVisible(filtering && total > 0);
    if (!m_workspace->isOpen()) {
        m_emptyLabel->setText(tr("No dataset is open.\nOpen a dataset folder from the File menu, or drop one onto the window."));
    } else if (total == 0) {
        m_emptyLabel->setText(tr("This dataset has no traces yet.\nSelect solutions in the tree and choose Run selected."));
    } else if (filtering) {
        m_emptyLabel->setText(tr("No trace matches the filters."));
    } else {
        m_emptyLabel->setText(
            tr("There are no traces here yet.\nSelect solutions in the tree and choose Run selected, or show the whole dataset."));
    }
}

void TracesPage::onCurrentRowChanged()
{
    const QModelIndex current = m_view->currentIndex();
    if (current.isValid()) {
        m_workspace->setCurrentTrace(static_cast<qint64>(current.data(TraceTableModel::TraceRowRole).toUInt()));
    }
}

void TracesPage::onSortRequested(int column, bool descending, bool additional)
{
    const TraceSort key{TraceTableModel::kColumns[static_cast<std::size_t>(column)], descending};
    // A plain click makes this the first key and keeps the others as tie-breakers; Ctrl+click adds it as the last one.
    std::erase_if(m_sort, [&](const TraceSort& other) { return other.column == key.column; });
    m_sort.insert(additional ? m_sort.end() : m_sort.begin(), key);
    constexpr std::size_t kMaximumKeys = 4;
    if (m_sort.size() > kMaximumKeys) {
        m_sort.resize(kMaximumKeys);
    }
    m_view->horizontalHeader()->setSortIndicatorShown(true);
    startQuery();
}

std::vector<int> TracesPage::selectedRows() const
{
    std::vector<int> rows;
    for (const QItemSelectionRange& range : m_view->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            rows.push_back(row);
        }
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

void TracesPage::copyAsSeen() { copySelection(false); }

void TracesPage::copyFullPrecision() { copySelection(true); }

void TracesPage::copySelection(bool fullPrecision)
{
    const QHeaderView* header = m_view->horizontalHeader();
    std::vector<int> columns;
    for (int visual = 0; visual < header->count(); ++visual) {
        if (const int logical = header->logicalIndex(visual); !header->isSectionHidden(logical)) {
            columns.push_back(logical);
        }
    }
    QStringList lines;
    QStringList cells;
    for (const int column : columns) {
        cells << m_model->headerData(column, Qt::Horizontal).toString();
    }
    lines << cells.join(QLatin1Char('\t'));
    for (const int row : selectedRows()) {
        cells.clear();
        for (const int column : columns) {
            const int role = fullPrecision ? static_cast<int>(TraceTableModel::FullTextRole) : static_cast<int>(Qt::DisplayRole);
            cells << m_model->index(row, column).data(role).toString().simplified();
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    if (lines.size() > 1) {
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
    }
}

void TracesPage::showHeaderMenu(const QPoint& position)
{
    QHeaderView* header = m_view->horizontalHeader();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* unsorted = menu->addAction(tr("&Load order"));
    unsorted->setEnabled(!m_sort.empty());
    connect(unsorted, &QAction::triggered, this, [this, header] {
        m_sort.clear();
        header->setSortIndicator(-1, Qt::AscendingOrder);
        header->setSortIndicatorShown(false);
        startQuery();
    });
    menu->addSeparator();
    for (int column = 0; column < m_model->columnCount(); ++column) {
        QAction* action = menu->addAction(m_model->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(column));
        action->setEnabled(header->isSectionHidden(column) || header->count() - header->hiddenSectionCount() > 1);
        connect(action, &QAction::toggled, this, [this, header, column](bool shown) {
            m_columnsChosen = true;
            header->setSectionHidden(column, !shown);
        });
    }
    menu->popup(header->viewport()->mapToGlobal(position));
}

void TracesPage::showRowMenu(const QPoint& position)
{
    const QModelIndex index = m_view->indexAt(position);
    if (!index.isValid()) {
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(m_view->actions());
    menu->addSeparator();
    const TraceRow row = m_model->dataset()->traces().row(m_model->rows()[static_cast<std::size_t>(index.row())]);
    const TraceTable& traces = m_model->dataset()->traces();
    const std::string solution(traces.solutionName(row));
    QAction* rerun = menu->addAction(icon(QStringLiteral("run")), tr("&Run this pair again"));
    rerun->setEnabled(m_model->dataset()->findSolution(solution) != nullptr);
    Selection selection;
    selection.solutions.insert(solution);
    selection.workloads.insert(traces.workloadUuid(row));
    connect(rerun, &QAction::triggered, this, [this, selection] { emit rerunRequested(selection); });
    QAction* go = menu->addAction(tr("Show the &definition"));
    const QString definition = QString::fromStdString(traces.definitionName(row));
    connect(go, &QAction::triggered, this, [this, definition] { m_workspace->setCurrentDefinition(definition); });
    menu->popup(m_view->viewport()->mapToGlobal(position));
}

void TracesPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    QMetaObject::invokeMethod(this, &TracesPage::sizeColumns, Qt::QueuedConnection);   // when the layout has given its width
}

void TracesPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_model) {
        m_model->refreshLooks();
        m_filterBar->rebuildChoices();
    }
}

}  // namespace tracedeck::ui
