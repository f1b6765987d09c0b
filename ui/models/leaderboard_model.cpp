// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/leaderboard_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/report/report.h"
#include "ui/models/number_format.h"
#include "ui/models/table_roles.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

namespace tracedeck::ui {
namespace {

bool isNumberColumn(int column) { return column != LeaderboardModel::Author && column != LeaderboardModel::BestSolution; }

}  // namespace

LeaderboardModel::LeaderboardModel(QObject* parent) : PinnedTableModel(parent), m_numberFont(monospacedFont()) {}

LeaderboardModel::~LeaderboardModel() = default;

void LeaderboardModel::show(const Ranking& ranking, const QString& baselineAuthor, const RankingScope& scope, const PinnedAuthors& pinned)
{
    beginResetModel();
    resetPinned(pinned.latencies);
    m_rows.clear();
    m_bestSpeedup = 1;
    const auto& authors = ranking.authors;
    bool baselinePlaced = authors.empty();
    const auto placeBaseline = [this, &baselineAuthor] {
        Row row;
        row.author = baselineAuthor;
        row.metrics.averageSpeedup = 1;
        m_rows.push_back(row);
    };
    for (std::size_t i = 0; i < authors.size(); ++i) {
        const double score = authors[i].second.averageSpeedup;
        if (!baselinePlaced && score <= 1) {
            placeBaseline();
            baselinePlaced = true;
        }
        Row row;
        row.author = QString::fromStdString(authors[i].first);
        row.metrics = authors[i].second;
        const bool likePrevious = i > 0 && authors[i - 1].second.averageSpeedup == score;
        const bool likeNext = i + 1 < authors.size() && authors[i + 1].second.averageSpeedup == score;
        row.tied = likePrevious || likeNext;
        row.rank = static_cast<int>(i) + 1;
        if (likePrevious) {
            const auto previous = std::find_if(m_rows.rbegin(), m_rows.rend(), [](const Row& other) { return other.rank > 0; });
            row.rank = previous->rank;
        }
        if (!scope.definition.empty()) {
            const auto best = row.metrics.bestSolutions.find(scope.definition);
            row.bestSolution = best == row.metrics.bestSolutions.end() ? QString() : QString::fromStdString(best->second);
        }
        m_bestSpeedup = std::max(m_bestSpeedup, score);
        m_rows.push_back(std::move(row));
    }
    if (!baselinePlaced) {
        placeBaseline();
    }
    for (Row& row : m_rows) {
        const auto found = pinned.changes.find(row.author.toStdString());
        row.changes = found == pinned.changes.end() ? std::vector<PinnedChange>(pinned.latencies->size()) : found->second;
    }
    endResetModel();
}

QString LeaderboardModel::csv() const
{
    std::string text = "rank,author,avg_speedup,success_rate,win_rate,workloads,definitions,best_solution\n";
    for (const Row& row : m_rows) {
        if (row.rank == 0) {
            continue;
        }
        text += std::to_string(row.rank) + ',' + csvCell(row.author.toStdString()) + ',' + shortestNumber(row.metrics.averageSpeedup) + ',' +
                shortestNumber(row.metrics.successRate) + ',' + shortestNumber(row.metrics.winRate) + ',' +
                std::to_string(row.metrics.workloads) + ',' + std::to_string(row.metrics.definitions) + ',' +
                csvCell(row.bestSolution.toStdString()) + '\n';
    }
    return QString::fromStdString(text);
}

void LeaderboardModel::refreshLooks()
{
    m_numberFont = monospacedFont();
    if (!m_rows.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DecorationRole, Qt::ForegroundRole, Qt::FontRole});
    }
}

int LeaderboardModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int LeaderboardModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount + pinCount(); }

QString LeaderboardModel::displayText(const Row& row, int column) const
{
    const bool baseline = row.rank == 0;
    switch (column) {
    case Rank: return baseline ? QStringLiteral("–") : QString::number(row.rank) + (row.tied ? QStringLiteral("=") : QString());
    case Author: return baseline ? tr("%1 (baseline)").arg(row.author) : row.author;
    case Speedup: return significantText(row.metrics.averageSpeedup);
    case Success: return baseline ? QString() : QString::number(row.metrics.successRate * 100, 'f', 1);
    case Win: return baseline ? QString() : QString::number(row.metrics.winRate * 100, 'f', 1);
    case Workloads: return baseline ? QString() : QString::number(row.metrics.workloads);
    case Definitions: return baseline ? QString() : QString::number(row.metrics.definitions);
    case BestSolution: return row.bestSolution;
    default: return {};
    }
}

QVariant LeaderboardModel::cell(const Row& row, int column) const
{
    const bool baseline = row.rank == 0;
    switch (column) {
    case Rank: return baseline ? QVariant() : QVariant(row.rank);
    case Author: return row.author;
    case Speedup: return row.metrics.averageSpeedup;
    case Success: return baseline ? QVariant() : QVariant(row.metrics.successRate * 100);
    case Win: return baseline ? QVariant() : QVariant(row.metrics.winRate * 100);
    case Workloads: return baseline ? QVariant() : QVariant(static_cast<qlonglong>(row.metrics.workloads));
    case Definitions: return baseline ? QVariant() : QVariant(static_cast<qlonglong>(row.metrics.definitions));
    default: return row.bestSolution.isEmpty() ? QVariant() : QVariant(row.bestSolution);
    }
}

QVariant LeaderboardModel::sortValue(const Row& row, int column) const
{
    switch (column) {
    case Rank: return row.rank == 0 ? static_cast<int>(m_rows.size()) + 1 : row.rank;
    case Speedup: return row.metrics.averageSpeedup;
    case Success: return row.metrics.successRate;
    case Win: return row.metrics.winRate;
    case Workloads: return row.metrics.workloads;
    case Definitions: return row.metrics.definitions;
    default: return displayText(row, column);
    }
}

QVariant LeaderboardModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (isPinColumn(column)) {
        const PinnedChange& change = row.changes[pinOf(column)];
        if (role == SortRole) {
            return std::isnan(change.change) ? std::numeric_limits<double>::infinity() : change.change;
        }
        return pinCell(column, change, role);
    }
    switch (role) {
    case Qt::DisplayRole: return visibleText(displayText(row, column));
    case NameRole: return row.author;
    case SolutionRole: return row.bestSolution;
    case kCellRole: return cell(row, column);
    case SortRole: return sortValue(row, column);
    case ShareRole: return column == Speedup ? QVariant(row.metrics.averageSpeedup / m_bestSpeedup) : QVariant();
    case Qt::DecorationRole: return column == Author ? QVariant(seriesChip(row.author)) : QVariant();
    case Qt::ForegroundRole: return row.rank == 0 ? QVariant(themeColors().muted) : QVariant();
    case Qt::FontRole: return isNumberColumn(column) ? QVariant(m_numberFont) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (isNumberColumn(column) ? Qt::AlignRight : Qt::AlignLeft)));
    case Qt::ToolTipRole:
        if (column == Speedup) {
            return exactText(row.metrics.averageSpeedup);
        }
        return plainToolTip(displayText(row, column));
    case Qt::AccessibleTextRole:
        switch (column) {
        case Speedup: return tr("%1 times").arg(displayText(row, column));
        case Success:
        case Win: return row.rank == 0 ? tr("none") : tr("%1 percent").arg(displayText(row, column));
        default: return visibleText(displayText(row, column));
        }
    default: return {};
    }
}

QVariant LeaderboardModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    if (isPinColumn(section)) {
        return pinHeader(section, role);
    }
    if (role == Qt::TextAlignmentRole) {
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (isNumberColumn(section) ? Qt::AlignRight : Qt::AlignLeft)));
    }
    static constexpr std::array kKeys{"rank", "author", "speedup", "success", "wins", "workloads", "definitions", "best_solution"};
    static_assert(kKeys.size() == ColumnCount);
    if (role == kColumnKeyRole) {
        return QString::fromLatin1(kKeys[static_cast<std::size_t>(section)]);
    }
    if (role == Qt::DisplayRole) {
        switch (section) {
        case Rank: return tr("Rank");
        case Author: return tr("Author");
        case Speedup: return tr("Speedup (×)");
        case Success: return tr("Success (%)");
        case Win: return tr("Wins (%)");
        case Workloads: return tr("Workloads");
        case Definitions: return tr("Definitions");
        case BestSolution: return tr("Best solution");
        default: return {};
        }
    }
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Rank: return tr("Place by average speedup; equal scores share a place (=)");
        case Speedup: return tr("Mean over definitions of the mean over workloads of baseline latency ÷ the author's best latency");
        case Success: return tr("Share of the definitions in which the best solution never failed");
        case Win: return tr("Share of the workloads on which the author is faster than the baseline, averaged over definitions");
        case Workloads: return tr("Workloads that both the author and the baseline have traces of");
        case Definitions: return tr("Definitions that give the author a score");
        case BestSolution: return tr("The author's solution with the best score for this definition");
        default: return tr("The one who wrote the solutions");
        }
    }
    return {};
}

}  // namespace tracedeck::ui
