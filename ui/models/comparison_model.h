// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include "core/score/comparison.h"
#include "ui/models/ordered_table_model.h"

namespace tracedeck::ui {

/// What is pinned, and the dataset that the rows of side B are of.
struct PinnedSide {
    std::shared_ptr<const PinnedLatencies> latencies = std::make_shared<const PinnedLatencies>();   ///< never null
    std::shared_ptr<const Dataset> dataset{};

    /// How B's time differs from a pin's.
    [[nodiscard]] PinnedChange change(const ComparisonRow& row, std::size_t pin) const;
};

/// The rows of an A/B comparison that pass a filter, sorted elsewhere: a comparison may have a row for each of a million workloads. Times in
/// microseconds.
class ComparisonModel : public OrderedTableModel {
    Q_OBJECT
public:
    enum Column {
        Verdict, Definition, OpType, Axes, SolutionA, SolutionB, HardwareA, HardwareB, LatencyA, NoiseA, LatencyB, NoiseB, Difference, Change,
        IntervalLow, IntervalHigh, Workload, Reason, ColumnCount
    };
    enum Role {
        VerdictRole = Qt::UserRole,   ///< int: a ComparisonVerdict
        ElementRole                   ///< qulonglong: number of the row in the comparison
    };

    explicit ComparisonModel(QObject* parent = nullptr);
    ~ComparisonModel() override;

    /// Puts rows of a comparison in order; for any thread. Ends early, in no order, when the token is set.
    static void sortRows(const Comparison& comparison, std::vector<std::size_t>& rows, const SortKeys& keys, const std::stop_token& stop = {},
                         const PinnedSide& pinned = {});
    /// Shows these rows of it in this order; a mere change of order is a layout change. True when other rows are shown now.
    bool show(std::shared_ptr<const Comparison> comparison, std::vector<std::size_t> rows);
    /// Columns that set B's times against what is pinned.
    void setPinned(const PinnedSide& pinned);
    [[nodiscard]] int firstPinColumn() const override { return ColumnCount; }
    [[nodiscard]] const std::shared_ptr<const Comparison>& comparison() const { return m_comparison; }
    /// Row of the table that shows a row of the comparison; -1: none.
    [[nodiscard]] int rowOf(std::size_t element) const;
    [[nodiscard]] std::size_t elementAt(int row) const { return m_order[static_cast<std::size_t>(row)]; }
    /// Fonts and colours depend on the theme.
    void refreshLooks();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

protected:
    [[nodiscard]] bool isLess(std::size_t a, std::size_t b, const SortKey& key) const override { return isLess(m_comparison->rows[a], m_comparison->rows[b], key, m_pinnedSide); }

private:
    [[nodiscard]] static bool isLess(const ComparisonRow& left, const ComparisonRow& right, const SortKey& key, const PinnedSide& pinned);
    [[nodiscard]] bool isShown(const std::vector<std::size_t>& rows) const;
    [[nodiscard]] static double number(const ComparisonRow& row, int column);
    [[nodiscard]] static std::string_view words(const ComparisonRow& row, int column);
    [[nodiscard]] static QString shownText(const ComparisonRow& row, int column);
    [[nodiscard]] static QVariant cell(const ComparisonRow& row, int column);

    std::shared_ptr<const Comparison> m_comparison;
    PinnedSide m_pinnedSide;
    QFont m_numberFont;
};

}  // namespace tracedeck::ui
