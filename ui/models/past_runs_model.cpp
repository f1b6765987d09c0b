// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/past_runs_model.h"

#include <QFileInfo>
#include <algorithm>
#include <array>

#include "ui/models/number_format.h"
#include "ui/models/policy_text.h"
#include "ui/models/table_roles.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

bool isAmount(int column)
{
    return column >= PastRunsModel::Pairs && column <= PastRunsModel::Took;
}

StatusLook lookOfRun(const ListedRun& run)
{
    switch (run.state) {
    case RunState::Done: return run.counts.failed + run.counts.notRun == 0 ? statusLook(Status::Passed) : statusLook(Status::IncorrectNumerical);
    case RunState::Broken: return statusLook(Status::RuntimeError);
    case RunState::Running: return statusLook(Status::Timeout);
    case RunState::Cancelled: break;
    }
    return notRunLook();
}

}  // namespace

QString runStateText(const ListedRun& run)
{
    QString text;
    switch (run.state) {
    case RunState::Running: text = PastRunsModel::tr("running"); break;
    case RunState::Done: text = PastRunsModel::tr("done"); break;
    case RunState::Cancelled: text = PastRunsModel::tr("cancelled"); break;
    case RunState::Broken: text = PastRunsModel::tr("ended by a crash"); break;
    }
    if (!run.record.continuedBy.empty())
        text = PastRunsModel::tr("%1, continued").arg(text);
    return run.record.hasRemovedTraces ? PastRunsModel::tr("%1, traces removed").arg(text) : text;
}

QString runFacts(const ListedRun& run)
{
    const RunRecord& record = run.record;
    QStringList lines;
    const auto add = [&lines](const QString& title, const QString& text) {
        if (!text.isEmpty())
            lines << QStringLiteral("%1: %2").arg(title, text);
    };
    add(PastRunsModel::tr("Run"), QString::fromStdString(record.id));
    add(PastRunsModel::tr("State"), runStateText(run));
    add(PastRunsModel::tr("Dataset"), QString::fromStdString(record.root));
    add(PastRunsModel::tr("Started"), runTitle(record.started, true));
    add(PastRunsModel::tr("Ended"), runTitle(record.ended, true));
    add(PastRunsModel::tr("Outcome"), PastRunsModel::tr("%1 passed · %2 failed · %3 not run, of %4").arg(countText(static_cast<qint64>(run.counts.passed)), countText(static_cast<qint64>(run.counts.failed)), countText(static_cast<qint64>(run.counts.notRun)), countText(static_cast<qint64>(run.counts.total))));
    if (record.skippedByResume > 0)
        add(PastRunsModel::tr("Skipped, as measured before"), countText(static_cast<qint64>(record.skippedByResume)));
    add(PastRunsModel::tr("Run by"), QStringLiteral("%1 %2").arg(QString::fromStdString(record.program), QString::fromStdString(record.version)));
    for (const std::string& device : record.devices) {
        const auto hardware = record.hardware.find(device);
        add(QString::fromStdString(device), hardware == record.hardware.end() ? QStringLiteral("–") : QString::fromStdString(hardware->second));
    }
    add(PastRunsModel::tr("Seed"), record.seed.empty() ? PastRunsModel::tr("told when the run has ended") : QString::fromStdString(record.seed));
    add(PastRunsModel::tr("Goes on with"), QString::fromStdString(record.continues));
    add(PastRunsModel::tr("Continued by"), QString::fromStdString(record.continuedBy));
    lines << QString() << PastRunsModel::tr("Environment");
    for (const auto& [name, version] : record.libs)
        lines << QStringLiteral("  %1: %2").arg(QString::fromStdString(name), QString::fromStdString(version));
    lines << QString() << PastRunsModel::tr("Settings");
    for (const auto& [name, value] : record.settings.items())
        if (!value.is_null() && !(value.is_object() && value.empty()))
            lines << QStringLiteral("  %1: %2").arg(QString::fromStdString(name), value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString::fromStdString(value.dump(-1, ' ', false, Json::error_handler_t::replace)));
    return lines.join(QLatin1Char('\n'));
}

PastRunsModel::PastRunsModel(QObject* parent) : OrderedTableModel(parent), m_numberFont(monospacedFont()) {}

PastRunsModel::~PastRunsModel() = default;

void PastRunsModel::show(std::vector<ListedRun> runs)
{
    const bool isSame = std::ranges::equal(runs, m_runs, {}, [](const ListedRun& run) { return run.record.id; }, [](const ListedRun& run) { return run.record.id; });
    if (isSame) {
        m_runs = std::move(runs);
        if (!m_runs.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_runs = std::move(runs);
    showElements(m_runs.size());
    endResetModel();
}

int PastRunsModel::rowOf(const std::string& id) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (runAt(row).record.id == id)
            return row;
    return -1;
}

void PastRunsModel::refreshLooks()
{
    m_numberFont = monospacedFont();
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::FontRole, Qt::DecorationRole, Qt::ForegroundRole});
}

int PastRunsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_order.size()); }
int PastRunsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

double PastRunsModel::number(const ListedRun& run, int column)
{
    switch (column) {
    case Pairs: return static_cast<double>(run.counts.total);
    case Passed: return static_cast<double>(run.counts.passed);
    case Failed: return static_cast<double>(run.counts.failed);
    case NotRun: return static_cast<double>(run.counts.notRun);
    default: return run.record.outcome ? run.counts.seconds : -1;
    }
}

QString PastRunsModel::text(const ListedRun& run, int column) const
{
    switch (column) {
    case Started: return runTitle(run.record.started, true);
    case State: return runStateText(run);
    case Took: return run.record.outcome ? spanText(run.counts.seconds) : QStringLiteral("–");
    case Devices: return joinedNames(run.record.devices);
    case Dataset: return QFileInfo(QString::fromStdString(run.record.root)).fileName();
    case Program: return QString::fromStdString(run.record.program);
    case Id: return QString::fromStdString(run.record.id);
    default: return countText(static_cast<qint64>(number(run, column)));
    }
}

QVariant PastRunsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ListedRun& run = runAt(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return visibleText(text(run, column));
    case kCellRole:
        if (column == Took)
            return run.record.outcome ? QVariant(run.counts.seconds) : QVariant();
        return isAmount(column) ? QVariant(static_cast<qlonglong>(number(run, column))) : QVariant(column == Dataset ? QString::fromStdString(run.record.root) : text(run, column));
    case Qt::DecorationRole: return column == State ? QVariant(lookOfRun(run).icon) : QVariant();
    case Qt::ForegroundRole: return column == State ? QVariant(lookOfRun(run).color) : QVariant();
    case Qt::FontRole: return isAmount(column) || column == Started || column == Id ? QVariant(m_numberFont) : QVariant();
    case Qt::TextAlignmentRole: return static_cast<int>(Qt::AlignVCenter | (isAmount(column) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ToolTipRole: return plainToolTip(column == Dataset ? QString::fromStdString(run.record.root) : text(run, column));
    default: return {};
    }
}

QVariant PastRunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    static constexpr std::array kKeys{"started", "state", "pairs", "passed", "failed", "not_run", "took", "devices", "dataset", "program", "id"};
    static_assert(kKeys.size() == ColumnCount);
    if (role == kColumnKeyRole)
        return QString::fromLatin1(kKeys[static_cast<std::size_t>(section)]);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (isAmount(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ToolTipRole && section == NotRun)
        return tr("Pairs that could not be measured, were left out, or that the run did not get to");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Started: return tr("Started");
    case State: return tr("State");
    case Pairs: return tr("Pairs");
    case Passed: return tr("Passed");
    case Failed: return tr("Failed");
    case NotRun: return tr("Not run");
    case Took: return tr("Took");
    case Devices: return tr("Devices");
    case Dataset: return tr("Dataset");
    case Program: return tr("Run by");
    case Id: return tr("Id");
    default: return {};
    }
}

bool PastRunsModel::isLess(std::size_t a, std::size_t b, const SortKey& key) const
{
    const bool ascending = key.order == Qt::AscendingOrder;
    if (isAmount(key.column)) {
        const double x = number(m_runs[a], key.column);
        const double y = number(m_runs[b], key.column);
        if (x < 0 || y < 0)
            return x >= 0 && y < 0;
        return ascending ? x < y : x > y;
    }
    const std::string x = text(m_runs[a], key.column).toStdString();
    const std::string y = text(m_runs[b], key.column).toStdString();
    return ascending ? naturallyLess(x, y) : naturallyLess(y, x);
}

}  // namespace tracedeck::ui
