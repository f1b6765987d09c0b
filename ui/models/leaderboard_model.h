// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/score/ranking.h"
#include "ui/models/pinned_table_model.h"

namespace tracedeck::ui {

/// What is pinned, and what authors come to against it.
struct PinnedAuthors {
    std::shared_ptr<const PinnedLatencies> latencies = std::make_shared<const PinnedLatencies>();   ///< never null
    std::map<std::string, std::vector<PinnedChange>> changes{};
};

/// A ranking as a table. Ranks are fixed when it is made: sorting the view does not change them, equal scores share one.
class LeaderboardModel : public PinnedTableModel {
    Q_OBJECT
public:
    enum Column { Rank, Author, Speedup, Success, Win, Workloads, Definitions, BestSolution, ColumnCount };
    enum Role {
        SortRole = Qt::UserRole,   ///< number or text to sort by
        ShareRole,                 ///< double 0…1: length of the bar, by the best score
        NameRole,                  ///< the author's name as it is
        SolutionRole               ///< name of the best solution, of a ranking of one definition
    };

    struct Row {
        int rank = 0;              ///< 0: the baseline itself, which is not ranked
        bool tied = false;
        QString author;
        SpeedupMetrics metrics;
        QString bestSolution;      ///< of a ranking of one definition
        std::vector<PinnedChange> changes;   ///< one for each pin
    };

    explicit LeaderboardModel(QObject* parent = nullptr);
    ~LeaderboardModel() override;

    /// The baseline author is shown at a speedup of 1, without a rank.
    void show(const Ranking& ranking, const QString& baselineAuthor, const RankingScope& scope, const PinnedAuthors& pinned = {});
    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }
    /// Header and one line a ranked author, in rank order, numbers with every digit.
    [[nodiscard]] QString csv() const;
    [[nodiscard]] int firstPinColumn() const override { return ColumnCount; }
    /// Fonts and chips depend on the theme.
    void refreshLooks();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString displayText(const Row& row, int column) const;
    [[nodiscard]] QVariant cell(const Row& row, int column) const;
    [[nodiscard]] QVariant sortValue(const Row& row, int column) const;

    std::vector<Row> m_rows;
    double m_bestSpeedup = 1;
    QFont m_numberFont;
};

}  // namespace tracedeck::ui
