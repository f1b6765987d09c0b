// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/solution_table_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/models/number_format.h"
#include "ui/models/table_roles.h"
#include "ui/models/workspace.h"
#include "ui/style/status_look.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

constexpr double kSharePercent = 100;

bool isNumber(int column)
{
    return column == SolutionTableModel::PassedColumn || column == SolutionTableModel::SpeedupColumn ||
           column == SolutionTableModel::LatencyColumn || column == SolutionTableModel::LightColumn || column == SolutionTableModel::BestColumn;
}

double passRate(const SolutionSummary& solution)
{
    return solution.attempted == 0 ? -1.0 : static_cast<double>(solution.passed) / static_cast<double>(solution.attempted);
}

}  // namespace

SolutionTableModel::SolutionTableModel(Workspace* workspace, QObject* parent) : OrderedTableModel(parent), m_workspace(workspace)
{
    m_keys = {{SpeedupColumn, Qt::DescendingOrder}};
    refreshLooks();
    connect(workspace, &Workspace::selectionChanged, this, [this] {
        m_choice = RunChoice(m_workspace->dataset(), m_workspace->selection());
        if (rowCount() > 0)
            emit dataChanged(index(0, NameColumn), index(rowCount() - 1, NameColumn), {Qt::CheckStateRole});
    });
}

void SolutionTableModel::refreshLooks()
{
    m_numberFont = monospacedFont();
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DecorationRole, Qt::FontRole, Qt::ForegroundRole});
}

void SolutionTableModel::show(std::shared_ptr<const DefinitionSummary> summary)
{
    m_choice = RunChoice(m_workspace->dataset(), m_workspace->selection());
    const auto sameNames = [&] {
        return m_summary && summary && m_summary->definition == summary->definition &&
               std::equal(m_summary->solutions.begin(), m_summary->solutions.end(), summary->solutions.begin(), summary->solutions.end(),
                          [](const SolutionSummary& a, const SolutionSummary& b) { return a.name == b.name; });
    };
    if (sameNames()) {
        replacePinned(summary->pinned, [&] { m_summary = std::move(summary); });
        sortAgain();
        if (rowCount() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_summary = std::move(summary);
    setPinsWithin(m_summary ? QString::fromStdString(m_summary->definition) : QString());
    resetPinned(m_summary ? m_summary->pinned : std::make_shared<const PinnedLatencies>());
    showElements(m_summary ? m_summary->solutions.size() : 0);
    endResetModel();
}

int SolutionTableModel::rowOf(const QString& solution) const
{
    const std::string name = solution.toStdString();
    for (int row = 0; row < rowCount(); ++row)
        if (at(row).name == name)
            return row;
    return -1;
}

int SolutionTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_order.size()); }
int SolutionTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int{ColumnCount} + pinCount(); }

QString SolutionTableModel::text(const SolutionSummary& solution, int column) const
{
    switch (column) {
    case NameColumn: return QString::fromStdString(solution.name);
    case AuthorColumn: return solution.solution ? QString::fromStdString(solution.solution->author) : tr("no source file");
    case LanguageColumn: return solution.solution ? fromView(toString(solution.solution->spec.language)) : QString();
    case PassedColumn:
        return solution.attempted == 0 ? tr("not run") : QStringLiteral("%1 / %2").arg(solution.passed).arg(solution.attempted);
    case SpeedupColumn: return std::isnan(solution.speedup) ? QString() : significantText(solution.speedup);
    case LatencyColumn: return std::isnan(solution.latencyMs) ? QString() : microsecondsText(solution.latencyMs);
    case LightColumn: return std::isnan(solution.lightShare) ? QString() : QString::number(kSharePercent * solution.lightShare, 'f', 1);
    case BestColumn: return solution.best == 0 ? QString() : QString::number(solution.best);
    case HardwareColumn: {
        QStringList hardware;
        if (solution.solution)
            for (const std::string& target : solution.solution->spec.targetHardware)
                hardware << QString::fromStdString(target);
        return hardware.join(QStringLiteral(", "));
    }
    default: return {};
    }
}

QVariant SolutionTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const SolutionSummary& solution = at(index.row());
    const int column = index.column();
    if (isPinColumn(column))
        return pinCell(column, solution.changes[pinOf(column)], role);
    switch (role) {
    case Qt::DisplayRole: return visibleText(text(solution, column));
    case NameRole: return QString::fromStdString(solution.name);
    case HasSourceRole: return solution.solution != nullptr;
    case kCellRole: return cell(solution, column);
    case Qt::DecorationRole: return column == NameColumn ? QVariant(seriesChip(QString::fromStdString(solution.name))) : QVariant();
    case Qt::CheckStateRole:
        if (column != NameColumn || !solution.solution)
            return {};
        return m_choice.hasSolution(m_summary->definition, solution.name) ? Qt::Checked : Qt::Unchecked;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::FontRole: return isNumber(column) ? QVariant(m_numberFont) : QVariant();
    case Qt::ForegroundRole:
        if (column == PassedColumn && solution.attempted > 0)
            return statusColor(solution.passed == solution.attempted ? Status::Passed
                               : solution.passed == 0                ? Status::RuntimeError
                                                                     : Status::IncorrectNumerical,
                               isDarkTheme());
        if ((column == PassedColumn && solution.attempted == 0) || (column == AuthorColumn && !solution.solution) ||
            column == HardwareColumn)
            return themeColors().muted;
        return {};
    case Qt::ToolTipRole:
        if (column == PassedColumn && solution.attempted > 0)
            return plainToolTip(tr("%1 of %2 workload and hardware pairs passed").arg(solution.passed).arg(solution.attempted));
        return plainToolTip(text(solution, column));
    default: return {};
    }
}

bool SolutionTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid() || !checkIndex(index) || index.column() != NameColumn)
        return false;
    const SolutionSummary& solution = at(index.row());
    if (!solution.solution)
        return false;
    m_workspace->setSelection(m_choice.withSolutions(m_summary->definition, {solution.name}, value.toInt() == Qt::Checked));
    return true;
}

QVariant SolutionTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (isPinColumn(section))
        return pinHeader(section, role);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case PassedColumn: return tr("Workload and hardware pairs that passed, of those that were run");
        case SpeedupColumn: return tr("Geometric mean of the speedup over the reference, over everything that passed");
        case LatencyColumn: return tr("Geometric mean of the latency, over everything that passed");
        case LightColumn: return tr("Share of the speed of light, the shortest time that bytes and operations can take: geometric mean over everything that passed");
        case BestColumn: return tr("Workload and hardware pairs on which it is the fastest");
        default: return {};
        }
    }
    static constexpr std::array kKeys{"solution", "author", "language", "passed", "speedup", "latency", "light", "best", "hardware"};
    static_assert(kKeys.size() == ColumnCount);
    if (role == kColumnKeyRole && section >= 0 && section < ColumnCount)
        return QString::fromLatin1(kKeys[static_cast<std::size_t>(section)]);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn: return tr("Solution");
    case AuthorColumn: return tr("Author");
    case LanguageColumn: return tr("Language");
    case PassedColumn: return tr("Passed");
    case SpeedupColumn: return tr("Speedup (×)");
    case LatencyColumn: return tr("Latency (µs)");
    case LightColumn: return tr("Of light (%)");
    case BestColumn: return tr("Fastest on");
    case HardwareColumn: return tr("Made for");
    default: return {};
    }
}

Qt::ItemFlags SolutionTableModel::flags(const QModelIndex& index) const
{
    if (!index.isValid() || !checkIndex(index))
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    if (index.column() == NameColumn && at(index.row()).solution)
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

QVariant SolutionTableModel::cell(const SolutionSummary& solution, int column) const
{
    constexpr double kMicrosecondsPerMillisecond = 1000;
    const auto number = [](double value) { return std::isnan(value) ? QVariant() : QVariant(value); };
    switch (column) {
    case SpeedupColumn: return number(solution.speedup);
    case LatencyColumn: return number(solution.latencyMs * kMicrosecondsPerMillisecond);
    case LightColumn: return number(solution.lightShare * kSharePercent);
    case BestColumn: return static_cast<qlonglong>(solution.best);
    default: {
        const QString shown = text(solution, column);
        return shown.isEmpty() ? QVariant() : QVariant(shown);
    }
    }
}

bool SolutionTableModel::isLess(std::size_t a, std::size_t b, const SortKey& key) const
{
    const SolutionSummary& left = m_summary->solutions[a];
    const SolutionSummary& right = m_summary->solutions[b];
    const bool ascending = key.order == Qt::AscendingOrder;
    const auto number = [ascending](double x, double y) {
        if (std::isnan(x) || std::isnan(y))
            return !std::isnan(x) && std::isnan(y);
        return ascending ? x < y : x > y;
    };
    const auto words = [ascending](const std::string& x, const std::string& y) { return ascending ? naturallyLess(x, y) : naturallyLess(y, x); };
    const double none = std::numeric_limits<double>::quiet_NaN();
    if (isPinColumn(key.column))
        return number(left.changes[pinOf(key.column)].change, right.changes[pinOf(key.column)].change);
    switch (key.column) {
    case LightColumn: return number(left.lightShare, right.lightShare);
    case PassedColumn: return number(left.attempted ? passRate(left) : none, right.attempted ? passRate(right) : none);
    case SpeedupColumn: return number(left.speedup, right.speedup);
    case LatencyColumn: return number(left.latencyMs, right.latencyMs);
    case BestColumn: return number(static_cast<double>(left.best), static_cast<double>(right.best));
    default: return words(text(left, key.column).toStdString(), text(right, key.column).toStdString());
    }
}

}  // namespace tracedeck::ui
