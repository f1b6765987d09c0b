// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_queue_model.h"

#include <QMimeData>
#include <algorithm>
#include <numeric>
#include <utility>

#include "core/model/failure_reason.h"
#include "ui/models/number_format.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

const QString kPairsMimeType = QStringLiteral("application/x-tracedeck-pairs");

bool isNumberColumn(int column)
{
    return column == RunQueueModel::Latency || column == RunQueueModel::Speedup || column == RunQueueModel::Seconds;
}

QString stageText(Stage stage)
{
    switch (stage) {
    case Stage::Build: return RunQueueModel::tr("build …");
    case Stage::Inputs: return RunQueueModel::tr("inputs …");
    case Stage::Reference: return RunQueueModel::tr("reference …");
    case Stage::Check: return RunQueueModel::tr("check …");
    case Stage::Time: return RunQueueModel::tr("time …");
    case Stage::Verify: return RunQueueModel::tr("verify …");
    }
    return {};
}

}  // namespace

RunQueueModel::RunQueueModel(QObject* parent) : QAbstractTableModel(parent) { refreshLooks(); }

RunQueueModel::~RunQueueModel() = default;

RunQueueModel::Row RunQueueModel::rowFor(const RunPair& pair) const
{
    Row row{.pair = pair};
    const auto& workloads = m_dataset->workloadsOf(pair.definition);
    if (pair.workload < workloads.size()) {
        row.axes = axesText(workloads[pair.workload].workload);
    }
    return row;
}

void RunQueueModel::show(std::shared_ptr<const Dataset> dataset, const RunPlan& plan)
{
    beginResetModel();
    m_dataset = std::move(dataset);
    m_rows.clear();
    m_rows.reserve(plan.pairs.size());
    for (const RunPair& pair : plan.pairs) {
        m_rows.push_back(rowFor(pair));
    }
    m_order.resize(m_rows.size());
    m_places.resize(m_rows.size());
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    std::iota(m_places.begin(), m_places.end(), 0);
    m_running.clear();
    m_counts = {};
    m_counts.total = m_rows.size();
    m_clock.start();
    endResetModel();
}

void RunQueueModel::apply(const std::vector<RunEvent>& batch)
{
    Touched touched;
    for (const RunEvent& event : batch) {
        applyEvent(event, touched);
    }
    tellOf(touched);
}

void RunQueueModel::tellOf(const Touched& touched)
{
    // Devices work at different places of the queue: a few stretches. Beyond that one signal costs a view less than many.
    constexpr std::size_t kMostSignals = 16;
    std::vector<std::pair<int, int>> stretches;
    for (const int row : touched) {
        if (!stretches.empty() && (row <= stretches.back().second + 1 || stretches.size() == kMostSignals)) {
            stretches.back().second = row;
        } else {
            stretches.emplace_back(row, row);
        }
    }
    for (const auto& [first, last] : stretches) {
        emit dataChanged(index(first, 0), index(last, ColumnCount - 1));
    }
}

void RunQueueModel::begin(std::size_t pair)
{
    Row& row = m_rows[pair];
    if (row.state == PairState::Queued) {
        ++m_counts.running;
    }
    row.state = PairState::Running;
    row.startedMs = m_clock.elapsed();
    m_running.insert(pair);
}

void RunQueueModel::applyEvent(const RunEvent& event, Touched& touched)
{
    if (const auto* start = std::get_if<StartEvent>(&event); start && start->pair < m_rows.size()) {
        begin(start->pair);
        m_rows[start->pair].device = QString::fromStdString(start->device);
        touched.insert(m_places[start->pair]);
    } else if (const auto* stage = std::get_if<StageEvent>(&event); stage && stage->pair < m_rows.size()) {
        Row& row = m_rows[stage->pair];
        row.stage = stage->stage;
        if (row.state == PairState::Queued) {
            begin(stage->pair);   // builds run ahead of their turn
        }
        if (!stage->device.empty()) {
            row.device = QString::fromStdString(stage->device);
        }
        touched.insert(m_places[stage->pair]);
    } else if (const auto* result = std::get_if<ResultEvent>(&event); result && result->pair < m_rows.size()) {
        Row& row = m_rows[result->pair];
        end(result->pair);
        row.state = PairState::Done;
        row.device = QString::fromStdString(result->device);
        row.note = QString::fromStdString(result->note);
        if (const auto& evaluation = result->trace.evaluation) {
            row.result = Outcome{.status = evaluation->status, .timestamp = evaluation->timestamp};
            if (evaluation->performance) {
                row.result->latencyMs = evaluation->performance->latencyMs;
                row.result->speedup = evaluation->performance->speedupFactor;
            }
            if (evaluation->status != Status::Passed) {
                const QString reason = QString::fromStdString(failureReason(*evaluation));
                row.note = row.note.isEmpty() ? reason : reason + QLatin1Char('\n') + row.note;
            }
        }
        const bool passed = row.result && row.result->status == Status::Passed;
        ++(passed ? m_counts.passed : m_counts.failed);
        touched.insert(m_places[result->pair]);
    } else if (const auto* problem = std::get_if<ProblemEvent>(&event)) {
        for (const std::size_t pair : problem->pairs) {
            endWithout(pair, PairState::Problem, QString::fromStdString(problem->error.toString()), touched);
            if (pair < m_rows.size() && m_rows[pair].state == PairState::Problem) {
                m_rows[pair].device = QString::fromStdString(problem->device);
            }
        }
    } else if (const auto* skipped = std::get_if<SkippedEvent>(&event)) {
        for (const std::size_t pair : skipped->pairs) {
            endWithout(pair, PairState::Skipped, QString::fromStdString(skipped->reason), touched);
        }
    } else if (const auto* added = std::get_if<AddedEvent>(&event)) {
        addRows(*added, touched);
    } else if (std::holds_alternative<DoneEvent>(event)) {
        for (std::size_t pair = 0; pair < m_rows.size(); ++pair) {
            if (m_rows[pair].state == PairState::Queued || m_rows[pair].state == PairState::Running) {
                end(pair);
                m_rows[pair].state = PairState::NotRun;
                touched.insert(m_places[pair]);
            }
        }
    }
}

void RunQueueModel::addRows(const AddedEvent& event, Touched& touched)
{
    if (event.pairs.empty() || event.first != m_rows.size()) {
        return;   // pairs that are shown already
    }
    // What changed before has its row numbers from before.
    tellOf(std::exchange(touched, {}));
    const auto first = static_cast<int>(m_rows.size());
    beginInsertRows({}, first, first + static_cast<int>(event.pairs.size()) - 1);
    for (const RunPair& pair : event.pairs) {
        m_places.push_back(static_cast<int>(m_order.size()));
        m_order.push_back(m_rows.size());
        m_rows.push_back(rowFor(pair));
    }
    m_counts.total = m_rows.size();
    endInsertRows();
}

void RunQueueModel::endWithout(std::size_t pair, PairState state, const QString& note, Touched& touched)
{
    if (pair >= m_rows.size() || (m_rows[pair].state != PairState::Queued && m_rows[pair].state != PairState::Running)) {
        return;   // a pair has one end
    }
    end(pair);
    m_rows[pair].state = state;
    m_rows[pair].note = note;
    ++(state == PairState::Problem ? m_counts.problems : m_counts.skipped);
    touched.insert(m_places[pair]);
}

void RunQueueModel::end(std::size_t pair)
{
    Row& row = m_rows[pair];
    if (row.state == PairState::Running) {
        --m_counts.running;
        m_running.erase(pair);
    }
    if (row.startedMs >= 0) {
        row.seconds = static_cast<double>(m_clock.elapsed() - row.startedMs) / 1000;
    }
}

void RunQueueModel::setQueueOrder(const std::vector<std::size_t>& queued)
{
    std::vector<int> places;
    std::vector<std::size_t> waiting;
    for (const std::size_t pair : queued) {
        if (pair < m_rows.size() && m_rows[pair].state == PairState::Queued) {
            waiting.push_back(pair);
            places.push_back(m_places[pair]);
        }
    }
    std::ranges::sort(places);
    bool isSame = true;
    for (std::size_t i = 0; i < waiting.size() && isSame; ++i) {
        isSame = m_order[static_cast<std::size_t>(places[i])] == waiting[i];
    }
    if (isSame) {
        return;
    }
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> pairs;
    for (const QModelIndex& persistent : before) {
        pairs.push_back(indexOf(persistent.row()));
    }
    for (std::size_t i = 0; i < waiting.size(); ++i) {
        m_order[static_cast<std::size_t>(places[i])] = waiting[i];
        m_places[waiting[i]] = places[i];
    }
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        after << index(m_places[pairs[static_cast<std::size_t>(i)]], before[i].column());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

int RunQueueModel::rowOf(std::size_t pair) const { return pair < m_places.size() ? m_places[pair] : -1; }

int RunQueueModel::runningRow() const
{
    const auto latest = std::ranges::max_element(m_running, {}, [this](std::size_t pair) { return m_rows[pair].startedMs; });
    return latest == m_running.end() ? -1 : m_places[*latest];
}

Qt::ItemFlags RunQueueModel::flags(const QModelIndex& index) const
{
    if (!index.isValid()) {
        return Qt::ItemIsDropEnabled;   // between rows
    }
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return stateOf(index.row()) == PairState::Queued ? flags | Qt::ItemIsDragEnabled : flags;
}

QStringList RunQueueModel::mimeTypes() const { return {kPairsMimeType}; }

QMimeData* RunQueueModel::mimeData(const QModelIndexList& indexes) const
{
    std::set<int> rows;
    for (const QModelIndex& index : indexes) {
        rows.insert(index.row());
    }
    QStringList pairs;
    for (const int row : rows) {
        pairs << QString::number(indexOf(row));
    }
    auto* data = new QMimeData;
    data->setData(kPairsMimeType, pairs.join(QLatin1Char(' ')).toLatin1());
    return data;
}

bool RunQueueModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent)
{
    if (action != Qt::MoveAction || !data->hasFormat(kPairsMimeType)) {
        return false;
    }
    std::vector<std::size_t> pairs;
    for (const QString& word : QString::fromLatin1(data->data(kPairsMimeType)).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        pairs.push_back(word.toULongLong());
    }
    int place = row >= 0 ? row : parent.isValid() ? parent.row() : rowCount();
    // What has begun can't be got ahead of: the next one that waits and stays is the place.
    while (place < rowCount() && (stateOf(place) != PairState::Queued || std::ranges::find(pairs, indexOf(place)) != pairs.end())) {
        ++place;
    }
    emit moveRequested(pairs, place < rowCount() ? std::optional(indexOf(place)) : std::nullopt);
    return false;   // else the view would take the rows out
}

void RunQueueModel::refreshLooks()
{
    m_numberFont = monospacedFont();
    for (int status = 0; status < kStatusCount; ++status) {
        m_looks[static_cast<std::size_t>(status)] = statusLook(static_cast<Status>(status));
    }
    m_notRunLook = notRunLook();
    if (!m_rows.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::DecorationRole, Qt::ForegroundRole, Qt::FontRole});
    }
}

int RunQueueModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int RunQueueModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString RunQueueModel::stateText(const Row& row) const
{
    switch (row.state) {
    case PairState::Queued: return tr("queued");
    case PairState::Running: return stageText(row.stage);
    case PairState::Problem: return tr("could not be measured");
    case PairState::Skipped: return tr("left out");
    case PairState::NotRun: return tr("not run");
    case PairState::Done:
        if (!row.result) {
            return tr("done");
        }
        return row.result->status == Status::Passed && !(row.result->latencyMs > 0) ? tr("correct, not timed")
                                                                                  : m_looks[static_cast<std::size_t>(row.result->status)].word;
    }
    return {};
}

const StatusLook* RunQueueModel::lookOf(const Row& row) const
{
    switch (row.state) {
    case PairState::Done: return row.result ? &m_looks[static_cast<std::size_t>(row.result->status)] : nullptr;
    case PairState::Problem: return &m_looks[static_cast<std::size_t>(Status::RuntimeError)];
    case PairState::NotRun:
    case PairState::Skipped:
    case PairState::Queued: return &m_notRunLook;
    case PairState::Running: return nullptr;
    }
    return nullptr;
}

QString RunQueueModel::displayText(const Row& row, int column) const
{
    // A check without a timing (Triton's interpreter) carries a performance of zeros.
    const bool measured = row.result && row.result->latencyMs > 0;
    switch (column) {
    case Definition: return QString::fromStdString(row.pair.definition);
    case Solution: return QString::fromStdString(row.pair.solution);
    case Axes: return row.axes;
    case Device: return row.device;
    case State: return stateText(row);
    case Latency: return measured ? microsecondsText(row.result->latencyMs) : QString();
    case Speedup: return measured ? significantText(row.result->speedup) : QString();
    case Seconds: return row.seconds > 0 ? QString::number(row.seconds, 'f', 1) : QString();
    default: return {};
    }
}

QString RunQueueModel::toolTip(const Row& row, int column) const
{
    if (column != State) {
        return displayText(row, column);
    }
    return row.note.isEmpty() ? stateText(row) : stateText(row) + QLatin1Char('\n') + row.note;
}

QVariant RunQueueModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Row& row = rowAt(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: return visibleText(displayText(row, column));
    case Qt::ToolTipRole: return plainToolTip(toolTip(row, column));
    case Qt::DecorationRole:
        if (column == Solution) {
            return seriesChip(QString::fromStdString(row.pair.solution));
        }
        if (column == State) {
            const StatusLook* look = lookOf(row);
            return look ? QVariant(look->icon) : QVariant();
        }
        return {};
    case Qt::ForegroundRole:
        if (column == State) {
            const StatusLook* look = lookOf(row);
            return look ? look->color : themeColors().accent;
        }
        return row.state == PairState::Queued || row.state == PairState::Skipped || row.state == PairState::NotRun ? QVariant(themeColors().muted) : QVariant();
    case Qt::FontRole: return isNumberColumn(column) || column == Axes ? QVariant(m_numberFont) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (isNumberColumn(column) ? Qt::AlignRight : Qt::AlignLeft)));
    default: return {};
    }
}

QVariant RunQueueModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (isNumberColumn(section) ? Qt::AlignRight : Qt::AlignLeft)));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case Definition: return tr("Definition");
    case Solution: return tr("Solution");
    case Axes: return tr("Axes");
    case Device: return tr("Device");
    case State: return tr("State");
    case Latency: return tr("Latency (µs)");
    case Speedup: return tr("Speedup (×)");
    case Seconds: return tr("Took (s)");
    default: return {};
    }
}

}  // namespace tracedeck::ui
