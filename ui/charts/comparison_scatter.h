// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/score/comparison.h"
#include "ui/charts/zoom_chart.h"

namespace tracedeck::ui {

class MeasureTicker;

/// Each result's time under A against its time under B, on logarithmic scales: above the diagonal B is slower, below it faster. What has a
/// time on one side only lies at the edge of the other one. Symbols and colours are those of the verdicts.
class ComparisonScatter : public ZoomChart {
    Q_OBJECT
public:
    explicit ComparisonScatter(QWidget* parent = nullptr);
    ~ComparisonScatter() override;

    /// Shows these rows of the comparison.
    void setContent(std::shared_ptr<const Comparison> comparison, std::vector<std::size_t> rows);
    [[nodiscard]] const std::shared_ptr<const Comparison>& comparison() const { return m_comparison; }
    [[nodiscard]] const std::vector<std::size_t>& rows() const { return m_rows; }
    /// Puts a ring around a row of the comparison; nothing: none.
    void setCurrent(std::optional<std::size_t> row);
    /// Title above the picture and a legend, for export.
    void addTitleAndLegend(const QString& title);

    /// Row of the comparison nearest to a position of the widget, at most `radius` pixels away.
    [[nodiscard]] std::optional<std::size_t> rowAt(const QPointF& position, double radius = 12) const;
    /// Where a row of the comparison is drawn; nothing when it has no time at all.
    [[nodiscard]] std::optional<QPointF> positionOf(std::size_t row) const;

signals:
    /// A point was clicked: row of the comparison.
    void rowPicked(std::size_t row);

protected:
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void rebuild();
    void applyTheme();
    void updateRanges();
    /// Moves what lies at the edges there.
    void placeEdges();

    struct Group {
        ComparisonVerdict verdict;
        QCPGraph* inside = nullptr;
        QCPGraph* atTop = nullptr;     ///< times of A alone
        QCPGraph* atRight = nullptr;   ///< times of B alone
    };
    std::shared_ptr<const Comparison> m_comparison;
    std::vector<std::size_t> m_rows;
    std::vector<Group> m_groups;
    std::optional<std::size_t> m_current;
    QSharedPointer<MeasureTicker> m_xTicker;
    QSharedPointer<MeasureTicker> m_yTicker;
    QCPItemStraightLine* m_diagonal = nullptr;
    QCPItemText* m_above = nullptr;
    QCPItemText* m_below = nullptr;
    QCPItemEllipse* m_ring = nullptr;
};

}  // namespace tracedeck::ui
