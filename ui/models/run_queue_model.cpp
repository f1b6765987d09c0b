// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_queue_model.h"

#include <algorithm>

#include "core/model/failure_reason.h"
#include "ui/models/number_format.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

bool isNumberColumn(int column)
{
    return column == RunQueueModel::Latency || column == RunQueueModel::Speedup || column == RunQueueModel::Seconds;
}

/// A latency was measured. A check without a timing (Triton's interpreter) carries a performance of zeros.
bool isTimed(const Evaluation& evaluation) { return evaluation.performance && evaluation.performance->latencyMs > 0; }

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

void RunQueueModel::Touched::add(std::size_t row)
{
    const int index = static_cast<int>(row);
    first = first < 0 ? index : std::min(first, index);
    last = std::max(last, index);
}

RunQueueModel::RunQueueModel(QObject* parent) : QAbstractTableModel(parent) { refreshLooks(); }

RunQueueModel::~RunQueueModel() = default;

void RunQueueModel::show(std::shared_ptr<const Dataset> dataset, const RunPlan& plan)
{
    beginResetModel();
    m_rows.clear();
    m_rows.reserve(plan.pairs.size());
    for (const RunPair& pair : plan.pairs) {
        Row row;
        row.pair = pair;
        const auto& workloads = dataset->workloadsOf(pair.definition);
        if (pair.workload < workloads.size()) {
            row.axes = axesText(workloads[pair.workload].workload);
        }
        m_rows.push_back(std::move(row));
    }
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
    if (touched.first >= 0) {
        emit dataChanged(index(touched.first, 0), index(touched.last, ColumnCount - 1));
    }
}

void RunQueueModel::applyEvent(const RunEvent& event, Touched& touched)
{
    if (const auto* start = std::get_if<StartEvent>(&event); start && start->pair < m_rows.size()) {
        Row& row = m_rows[start->pair];
        if (row.state == PairState::Queued) {
            ++m_counts.running;
        }
        row.state = PairState::Running;
        row.device = QString::fromStdString(start->device);
        row.startedMs = m_clock.elapsed();
        touched.add(start->pair);
    } else if (const auto* stage = std::get_if<StageEvent>(&event); stage && stage->pair < m_rows.size()) {
        Row& row = m_rows[stage->pair];
        row.stage = stage->stage;
        if (row.state == PairState::Queued) {
            // Builds run ahead of their turn.
            row.state = PairState::Running;
            row.startedMs = m_clock.elapsed();
            ++m_counts.running;
        }
        if (!stage->device.empty()) {
            row.device = QString::fromStdString(stage->device);
        }
        touched.add(stage->pair);
    } else if (const auto* result = std::get_if<ResultEvent>(&event); result && result->pair < m_rows.size()) {
        Row& row = m_rows[result->pair];
        end(row);
        row.state = PairState::Done;
        row.device = QString::fromStdString(result->device);
        row.evaluation = result->trace.evaluation;
        row.note = QString::fromStdString(result->note);
        const bool passed = row.evaluation && row.evaluation->status == Status::Passed;
        ++(passed ? m_counts.passed : m_counts.failed);
        touched.add(result->pair);
    } else if (const auto* problem = std::get_if<ProblemEvent>(&event)) {
        for (const std::size_t pair : problem->pairs) {
            if (pair >= m_rows.size() || m_rows[pair].state == PairState::Done || m_rows[pair].state == PairState::Problem) {
                continue;
            }
            Row& row = m_rows[pair];
            end(row);
            row.state = PairState::Problem;
            row.device = QString::fromStdString(problem->device);
            row.note = QString::fromStdString(problem->error.toString());
            ++m_counts.problems;
            touched.add(pair);
        }
    } else if (std::holds_alternative<DoneEvent>(event)) {
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (m_rows[i].state == PairState::Queued || m_rows[i].state == PairState::Running) {
                end(m_rows[i]);
                m_rows[i].state = PairState::NotRun;
                touched.add(i);
            }
        }
    }
}

void RunQueueModel::end(Row& row)
{
    if (row.state == PairState::Running) {
        --m_counts.running;
    }
    if (row.startedMs >= 0) {
        row.seconds = static_cast<double>(m_clock.elapsed() - row.startedMs) / 1000;
    }
}

RunQueueModel::PairState RunQueueModel::stateOf(int row) const { return m_rows[static_cast<std::size_t>(row)].state; }

const RunPair& RunQueueModel::pairOf(int row) const { return m_rows[static_cast<std::size_t>(row)].pair; }

const std::optional<Evaluation>& RunQueueModel::evaluationOf(int row) const { return m_rows[static_cast<std::size_t>(row)].evaluation; }

int RunQueueModel::runningRow() const
{
    int latest = -1;
    qint64 latestMs = -1;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (m_rows[i].state == PairState::Running && m_rows[i].startedMs >= latestMs) {
            latestMs = m_rows[i].startedMs;
            latest = static_cast<int>(i);
        }
    }
    return latest;
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
    case PairState::NotRun: return tr("not run");
    case PairState::Done:
        if (!row.evaluation) {
            return tr("done");
        }
        return row.evaluation->status == Status::Passed && !isTimed(*row.evaluation)
                   ? tr("correct, not timed")
                   : m_looks[static_cast<std::size_t>(row.evaluation->status)].word;
    }
    return {};
}

const StatusLook* RunQueueModel::lookOf(const Row& row) const
{
    switch (row.state) {
    case PairState::Done: return row.evaluation ? &m_looks[static_cast<std::size_t>(row.evaluation->status)] : nullptr;
    case PairState::Problem: return &m_looks[static_cast<std::size_t>(Status::RuntimeError)];
    case PairState::NotRun:
    case PairState::Queued: return &m_notRunLook;
    case PairState::Running: return nullptr;
    }
    return nullptr;
}

QString RunQueueModel::displayText(const Row& row, int column) const
{
    const bool measured = row.evaluation && isTimed(*row.evaluation);
    switch (column) {
    case Definition: return QString::fromStdString(row.pair.definition);
    case Solution: return QString::fromStdString(row.pair.solution);
    case Axes: return row.axes;
    case Device: return row.device;
    case State: return stateText(row);
    case Latency: return measured ? microsecondsText(row.evaluation->performance->latencyMs) : QString();
    case Speedup: return measured ? significantText(row.evaluation->performance->speedupFactor) : QString();
    case Seconds: return row.seconds > 0 ? QString::number(row.seconds, 'f', 1) : QString();
    default: return {};
    }
}

QString RunQueueModel::toolTip(const Row& row, int column) const
{
    if (column == State) {
        QStringList lines{stateText(row)};
        if (row.evaluation && row.evaluation->status != Status::Passed) {
            lines << QString::fromStdString(failureReason(*row.evaluation));
        }
        lines << row.note;
        lines.removeAll(QString());
        return lines.join(QLatin1Char('\n'));
    }
    return displayText(row, column);
}

QVariant RunQueueModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
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
        return row.state == PairState::Queued || row.state == PairState::NotRun ? QVariant(themeColors().muted) : QVariant();
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
