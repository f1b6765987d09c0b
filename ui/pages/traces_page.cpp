// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/policy_text.h"
#include "ui/pages/traces_page.h"

#include <QAction>
#include <QEvent>
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

#include "core/run/run_settings.h"
#include "core/score/light_times.h"
#include "ui/models/growth_refresh.h"
#include "ui/models/marked_traces.h"
#include "ui/models/nothing_measured.h"
#include "ui/models/pin_board.h"
#include "ui/models/trace_table_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/column_widths.h"
#include "ui/pages/export_files.h"
#include "ui/pages/number_delegate.h"
#include "ui/pages/run_here_button.h"
#include "ui/pages/shown_refresh.h"
#include "ui/pages/solution_name_delegate.h"
#include "ui/pages/table_tools.h"
#include "ui/pages/trace_filter_bar.h"
#include "ui/style/icons.h"
#include "ui/style/sort_header.h"
#include "ui/style/tables.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

/// Quick answers show no progress line.
constexpr int kBusyDelayMilliseconds = 150;
/// Fewer are sorted in no time.
constexpr std::size_t kManyRows = 20'000;

/// Where there is no room for a whole moment its day is left, not its ends.
class MomentDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
    }
};

/// The orders that header clicks ask for.
std::vector<TraceSort> sortsOf(const SortKeys& keys, const std::shared_ptr<const PinnedLatencies>& pinned, const std::shared_ptr<const LightTimes>& light)
{
    std::vector<TraceSort> sorts;
    for (const SortKey& key : keys) {
        TraceSort sort{.descending = key.order == Qt::DescendingOrder};
        const int pin = key.column - TraceTableModel::kLightColumn - 1;
        if (key.column < TraceTableModel::kLightColumn) {
            sort.column = TraceTableModel::kColumns[static_cast<std::size_t>(key.column)];
        } else if (key.column == TraceTableModel::kLightColumn) {
            sort.figure = [light](const TraceRow& row) { return light->share(row); };
        } else {
            sort.figure = [pinned, pin = static_cast<std::size_t>(pin)](const TraceRow& row) { return pinned->change(pin, row); };
        }
        sorts.push_back(std::move(sort));
    }
    return sorts;
}

}  // namespace

/// Rows in the order that the user chose, kept for the next filter.
struct TracesPage::SortedRows {
    std::shared_ptr<const Dataset> dataset;
    SortKeys keys;
    RowIndex rows;
};

struct TracesPage::Answer {
    enum class Kind { NewRows, NewOrder, Grown } kind = Kind::NewRows;
    std::shared_ptr<const Dataset> dataset;
    RowIndex rows;
    std::shared_ptr<const SortedRows> sorted;   ///< `rows` once more where that was sorted anew
    std::optional<StatusCounts> statuses;       ///< of a dataset that is shown for the first time
    std::shared_ptr<const LightTimes> light;
};

TracesPage::TracesPage(Workspace* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new TraceTableModel(this)),
      m_queryJob(new LatestJob(this)), m_exportJob(new LatestJob(this)),
      m_growth(new GrowthRefresh(m_queryJob, [this] { showGrowth(); }, this)), m_countedJob(new LatestJob(this)),
      m_countedShown(new ShownRefresh(this, m_countedJob, [this] { findCounted(); })),
      m_countedGrowth(new GrowthRefresh(m_countedJob, [this] { m_countedShown->request(); }, this))
{
    setObjectName(QStringLiteral("tracesPage"));
    buildTable();
    buildLayout();
    buildActions();

    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (onlyGrew) {
            m_growth->request();
            m_countedGrowth->request();
            return;
        }
        m_countedShown->request();
        m_keepPosition = false;
        m_columnsSized = false;
        m_datasetReplaced = true;
        m_filterBar->rebuildChoices();
        startQuery();
    });
    connect(workspace, &Workspace::comparisonChanged, m_countedShown, &ShownRefresh::request);
    connect(workspace, &Workspace::currentDefinitionChanged, this, [this] {
        m_filterBar->rebuildChoices();
        startQuery();
    });
    connect(workspace, &Workspace::currentSolutionChanged, this, [this] {
        if (m_filterBar->filter() != m_filter) {
            startQuery();
        }
    });
    connect(workspace, &Workspace::comparisonChanged, this, [this] {
        if (!m_view->isColumnHidden(TraceTableModel::kLightColumn)) {
            startQuery();   // formulas or ceilings may be other ones
        }
    });
    connect(workspace->pins(), &PinBoard::latenciesChanged, this, [this] {
        const bool sortsByPin = std::any_of(m_sort.begin(), m_sort.end(), [](const SortKey& key) { return key.column > TraceTableModel::kLightColumn; });
        if (sortsByPin || m_datasetReplaced || m_queryJob->isRunning()) {
            startQuery();   // rows of another dataset get their times with the answer
        } else {
            m_model->setPinned(m_workspace->pins()->latencies());
        }
    });
    connect(workspace->marks(), &MarkedTraces::changed, this, &TracesPage::showMarks);
    connect(workspace, &Workspace::currentTraceChanged, this, [this](qint64 row) {
        const int position = row < 0 || m_datasetReplaced ? -1 : m_model->findRow(static_cast<quint32>(row));
        if (position >= 0 && m_view->currentIndex().row() != position) {
            m_view->setCurrentIndex(m_model->index(position, 0));
        }
    });
    startQuery();
}

TracesPage::~TracesPage() = default;

void TracesPage::showGrowth()
{
    // A query of the user's that is still waiting must not turn into "rows were added only".
    m_keepPosition = !m_filterBar->isPending();
    m_filterBar->rebuildChoices();
    startQuery();
}

/// Which traces count is shown by the table, never decided by it: an answer that comes late only changes shades.
void TracesPage::findCounted()
{
    m_countedJob->start<CountedTraces>(
        [dataset = m_workspace->dataset(), policy = m_workspace->policy()](std::stop_token stop) { return CountedTraces::contributing(*dataset, policy, stop); },
        [this, policy = m_workspace->policy(), hardware = m_workspace->hardware()](CountedTraces counted) {
            m_model->setCounted(std::move(counted), policy, hardware);
        });
}

QList<QAction*> TracesPage::exportActions() const { return {m_tools->exportAction(), m_exportShown, m_exportCounted, m_exportWhole}; }

Result<void> TracesPage::exportShownCsv(const QString& path) const
{
    return writeTraceCsv(*m_model->dataset(), m_model->rows(), path);
}

Result<void> TracesPage::exportWholeCsv(const QString& path) const
{
    const auto dataset = m_workspace->plainDataset();
    RowIndex rows(dataset->traces().size());
    std::iota(rows.begin(), rows.end(), 0U);
    return writeTraceCsv(*dataset, rows, path);
}

Result<void> TracesPage::exportCountedCsv(const QString& path) const
{
    const auto dataset = m_workspace->dataset();
    return writeTraceCsv(*dataset, countedRows(*dataset, m_workspace->policy(), m_workspace->hardware().toStdString()), path);
}

bool TracesPage::isBusy() const { return m_filterBar->isPending() || m_queryJob->isRunning() || m_growth->isPending() || m_countedJob->isRunning() || m_countedShown->isPending() || m_countedGrowth->isPending(); }

void TracesPage::setFilterText(const QString& text) { m_filterBar->setText(text); }

void TracesPage::setSolutions(const QStringList& solutions) { m_filterBar->setSolutions(solutions); }

void TracesPage::setStatuses(const std::set<Status>& statuses) { m_filterBar->setStatuses(statuses); }

void TracesPage::showTimes(const ValueRange& times, const QString& title)
{
    m_filterBar->setScope(TraceFilterBar::Scope::WholeDataset);
    m_filterBar->reset();
    m_filterBar->setTimes(times, title);
    startQuery();
}

void TracesPage::resetFilters() { m_filterBar->reset(); }

void TracesPage::buildTable()
{
    m_view = new QTableView(this);
    m_view->setObjectName(QStringLiteral("traceTable"));
    m_view->setAccessibleName(tr("Traces"));
    m_view->setHorizontalHeader(new SortHeader(m_view));
    m_view->setModel(m_model);
    setUpTable(m_view);
    m_view->setTextElideMode(Qt::ElideMiddle);   // names differ at their ends
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setIconSize(QSize(16, 16));
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    QHeaderView* header = m_view->horizontalHeader();
    header->setStretchLastSection(false);
    header->setSectionsMovable(true);
    header->setResizeContentsPrecision(50);
    connect(m_model, &QAbstractItemModel::columnsInserted, this, &TracesPage::placePinColumns);
    for (const auto signal : {&QAbstractItemModel::columnsInserted, &QAbstractItemModel::columnsRemoved}) {
        connect(m_model, signal, this, [this] {
            m_tools->setHiddenByDefault(TraceTableModel::key(TraceColumn::Timestamp), m_model->pinCount() > 0);   // room for them
            m_columnsSized = m_columnsSized && m_sizedByHand;
            QMetaObject::invokeMethod(this, &TracesPage::sizeColumns, Qt::QueuedConnection);
        });
    }
    for (const TraceColumn column : {TraceColumn::Latency, TraceColumn::ReferenceLatency}) {
        m_view->setItemDelegateForColumn(TraceTableModel::columnOf(column), new NumberDelegate(3, this));
    }
    m_view->setItemDelegateForColumn(TraceTableModel::columnOf(TraceColumn::Speedup), new NumberDelegate(4, this));
    m_view->setItemDelegateForColumn(TraceTableModel::columnOf(TraceColumn::Timestamp), new MomentDelegate(this));
    header->setStretchLastSection(false);   // its changes would look like the user's
    m_view->setItemDelegateForColumn(TraceTableModel::columnOf(TraceColumn::Solution),
                                     new SolutionNameDelegate(TraceTableModel::columnOf(TraceColumn::Definition), this));
    m_tools = new TableTools(m_view, QStringLiteral("traces"), TraceTableModel::key(TraceColumn::Solution), this);
    m_tools->showSortKeys({});
    // What matters is in sight without scrolling at 1280 × 800; the rest is a click away.
    for (const TraceColumn hidden : {TraceColumn::ReferenceLatency, TraceColumn::Author, TraceColumn::MaxAbsoluteError, TraceColumn::MaxRelativeError,
                                     TraceColumn::Workload, TraceColumn::OpType, TraceColumn::Language, TraceColumn::Folder}) {
        m_tools->setHiddenByDefault(TraceTableModel::key(hidden), true);
    }
    m_tools->setHiddenByDefault(QStringLiteral("light"), true);
    header->moveSection(header->visualIndex(TraceTableModel::kLightColumn), header->visualIndex(TraceTableModel::columnOf(TraceColumn::Speedup)) + 1);
    m_tools->setFileName([this] { return m_workspace->currentDefinition().isEmpty() ? tr("traces") : m_workspace->currentDefinition(); });
    m_tools->setTableSource([this](const std::vector<int>& columns) { return tableOf(columns); });
    connect(m_tools, &TableTools::sortRequested, this, [this](const SortKeys& keys) {
        m_sort = keys;
        startQuery();   // sorting is a job
    });
    connect(header, &QHeaderView::sectionResized, this, [this](int column, int before, int now) {
        m_sizedByHand = m_sizedByHand || (!m_sizing && before > 0 && now > 0);   // to or from 0: hidden or shown
        if (!m_sizing && (before == 0 || now == 0)) {
            QMetaObject::invokeMethod(this, &TracesPage::shareWidth, Qt::QueuedConnection);
        }
        if (column == TraceTableModel::kLightColumn && before == 0) {
            startQuery();   // its figures are made for those who look at them
        }
    });
    connect(m_view, &QWidget::customContextMenuRequested, this, &TracesPage::showRowMenu);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TracesPage::onCurrentRowChanged);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TracesPage::markSelected);
}

void TracesPage::placePinColumns()
{
    placeColumnsBehind(m_view, TraceTableModel::columnOf(TraceColumn::Latency), m_model->firstPinColumn(), m_model->pinCount());
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
    m_runHere = new RunHereButton(m_workspace, empty);
    emptyLayout->addWidget(m_runHere, 0, Qt::AlignHCenter);
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

void TracesPage::startQuery()
{
    TraceFilter filter = m_filterBar->filter();
    const auto dataset = m_workspace->plainDataset();   // a table of single traces
    const bool sameRows = filter == m_filter && dataset == m_model->dataset() && !m_queryJob->isRunning();
    const auto kind = m_keepPosition && filter == m_filter ? Answer::Kind::Grown
                      : sameRows                           ? Answer::Kind::NewOrder
                                                           : Answer::Kind::NewRows;
    m_keepPosition = kind == Answer::Kind::Grown;
    m_filter = filter;
    m_busyDelay->start();
    const bool wantsLight = !m_view->isColumnHidden(TraceTableModel::kLightColumn);
    // The order by a figure depends on more than the dataset: it is not kept.
    const bool isKept = std::all_of(m_sort.begin(), m_sort.end(), [](const SortKey& key) { return key.column < TraceTableModel::kLightColumn; });
    const auto sorted = isKept && m_sorted && m_sorted->dataset == dataset && m_sorted->keys == m_sort ? m_sorted : nullptr;
    m_queryJob->start<Answer>(
        [dataset, filter, keys = m_sort, kind, isKept, sorted, wantsLight, pinned = m_workspace->pins()->latencies(), isNew = dataset != m_model->dataset()](std::stop_token stop) {
            Answer answer{kind, dataset, filterTraces(*dataset, filter, stop), nullptr, std::nullopt, std::make_shared<const LightTimes>()};
            if (wantsLight) {
                const auto ceilings = CeilingTable::read(ceilingsFile());
                answer.light = std::make_shared<const LightTimes>(*dataset, answer.rows, ceilings ? *ceilings : CeilingTable::dataSheets(), stop);
            }
            // A letter more or less in the filter of a sorted table leaves the order as it is.
            if (auto picked = sorted ? inOrderOf(sorted->rows, answer.rows, dataset->traces().size()) : std::nullopt) {
                answer.rows = std::move(*picked);
            } else {
                sortTraces(*dataset, answer.rows, sortsOf(keys, pinned, answer.light), stop);
                if (isKept && !keys.empty() && answer.rows.size() >= kManyRows && !stop.stop_requested()) {
                    answer.sorted = std::make_shared<const SortedRows>(SortedRows{dataset, keys, answer.rows});
                }
            }
            if (isNew) {
                answer.statuses = countStatuses(*dataset);
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
    if (answer.sorted) {
        m_sorted = answer.sorted;
    } else if (m_sorted && m_sorted->dataset != answer.dataset) {
        m_sorted.reset();   // it would keep the old dataset
    }
    if (answer.statuses) {
        m_filterBar->offerStatuses(*answer.statuses);
    }
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
    if (const RowIndex& marked = *m_workspace->marks()->rows(); selected.empty()) {
        selected.assign(marked.begin(), marked.end());   // those that the last filter hid
    }
    if (restore && (currentTrace || !selected.empty())) {
        restoreSelection(std::move(selected), currentTrace.value_or(StringPool::kNone));
    }
    m_model->setLight(answer.light);
    m_model->setPinsWithin(m_filter.definitions.size() == 1 ? QString::fromStdString(*m_filter.definitions.begin()) : QString());
    m_model->setPinned(m_workspace->pins()->latencies());
    // One definition in each row says nothing.
    m_tools->setHiddenByDefault(TraceTableModel::key(TraceColumn::Definition), m_filter.definitions.size() == 1);
    m_tools->setHiddenByDefault(TraceTableModel::key(TraceColumn::Folder), !m_model->dataset()->isJoined());
    QMetaObject::invokeMethod(this, &TracesPage::sizeColumns, Qt::QueuedConnection);
    updateState();
    emit rowsShown(m_model->rowCount());
}

void TracesPage::sizeColumns()
{
    if (m_columnsSized || m_model->rowCount() == 0 || !isVisible()) {
        return;
    }
    constexpr int kWidest = 320;
    m_columnsSized = true;
    m_sizedByHand = false;
    m_wanted = wantedColumnWidths(m_view, kWidest);
    shareWidth();
}

/// What was measured is in sight without scrolling: names and axes, which can be elided, share what is left.
void TracesPage::shareWidth()
{
    if (m_sizedByHand || m_wanted.empty() || !isVisible()) {
        return;
    }
    std::vector<int> texts;
    for (const TraceColumn column : {TraceColumn::Definition, TraceColumn::Solution, TraceColumn::Axes, TraceColumn::Author, TraceColumn::Folder, TraceColumn::Hardware, TraceColumn::Timestamp}) {
        texts.push_back(TraceTableModel::columnOf(column));
    }
    m_sizing = true;
    shareColumnWidths(m_view, m_wanted, texts, TraceTableModel::columnOf(TraceColumn::Solution));
    m_sizing = false;
}

void TracesPage::updateState()
{
    const auto total = static_cast<qint64>(m_model->dataset()->traces().size());
    const qint64 shown = m_model->rowCount();
    const bool filtering = m_filterBar->isFiltering();
    m_filterBar->setCount(shown, total);
    m_exportShown->setEnabled(shown > 0);
    m_exportCounted->setEnabled(total > 0);
    m_exportWhole->setEnabled(total > 0);
    m_stack->setCurrentIndex(shown == 0 ? 1 : 0);
    m_emptyButton->setVisible(filtering && total > 0);
    const QString definition = total > 0 && m_filter.definitions.size() == 1 ? QString::fromStdString(*m_filter.definitions.begin()) : QString();
    const QString nothing = filtering && total > 0 ? QString() : whyNothingIsMeasured(*m_workspace->dataset(), definition);
    m_runHere->offer(shown == 0 && !nothing.isEmpty(), definition);
    if (!m_workspace->isOpen()) {
        m_emptyLabel->setText(tr("No dataset is open.\nOpen a dataset folder from the File menu, or drop one onto the window."));
    } else if (!nothing.isEmpty()) {
        m_emptyLabel->setText(nothing);
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

void TracesPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    QMetaObject::invokeMethod(this, &TracesPage::sizeColumns, Qt::QueuedConnection);   // when the layout has given its width
}

void TracesPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    QMetaObject::invokeMethod(this, &TracesPage::shareWidth, Qt::QueuedConnection);   // when the layout has given the table its width
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
