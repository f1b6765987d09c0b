// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <memory>
#include <optional>

#include "core/score/history.h"
#include "ui/charts/zoom_chart.h"

namespace tracedeck::ui {

class MeasureTicker;

/// Results against the time they were measured: every one as a point, what failed as a cross at the lower edge, and the best ones so far as
/// steps.
class HistoryChart : public ZoomChart {
    Q_OBJECT
public:
    explicit HistoryChart(QWidget* parent = nullptr);
    ~HistoryChart() override;

    void setHistory(std::shared_ptr<const History> history, HistoryMeasure measure);
    [[nodiscard]] const std::shared_ptr<const History>& history() const { return m_history; }
    /// Keys of series that are not drawn.
    void setHidden(const QSet<QString>& keys);
    [[nodiscard]] const QSet<QString>& hidden() const { return m_hidden; }
    /// Draws the series with this key strong and the others faint; empty: all strong.
    void setEmphasis(const QString& key);
    /// Without the points only the best ones so far are drawn.
    void setPointsShown(bool shown);
    void setLogarithmic(bool logarithmic);
    /// Rings around the results of these traces; ascending rows.
    void setMarked(std::shared_ptr<const RowIndex> rows);
    void addTitleAndLegend(const QString& title);

    struct Hit {
        std::size_t series = 0;
        std::size_t point = 0;
    };
    [[nodiscard]] std::optional<Hit> hitAt(const QPointF& position, double radius = 14) const;
    [[nodiscard]] QPointF positionOf(const Hit& hit) const;

signals:
    void tracePicked(quint32 row);
    /// The user wants to read the source that this trace is of.
    void sourceWanted(quint32 row);
    /// A box was drawn around these.
    void tracesMarked(const tracedeck::RowIndex& rows);

protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    void rebuild();
    void applyTheme();
    void updateRanges();
    void placeFailures();
    void placeMarks();
    template <class Use> void forShownPoints(const Use& use) const;
    [[nodiscard]] bool isShown(std::size_t series) const { return !m_hidden.contains(QString::fromStdString(m_history->series[series].key())); }
    [[nodiscard]] QString valueText(double value) const;

    struct Drawn {
        QCPGraph* best = nullptr;
        QCPGraph* points = nullptr;
        QCPGraph* failures = nullptr;
    };
    std::shared_ptr<const History> m_history;
    HistoryMeasure m_measure = HistoryMeasure::Speedup;
    std::vector<Drawn> m_drawn;
    QCPGraph* m_rings = nullptr;   ///< around what is marked
    std::shared_ptr<const RowIndex> m_marked = std::make_shared<const RowIndex>();
    QStringList m_machines;   ///< of the series: each has a dash pattern
    QSet<QString> m_hidden;
    QString m_emphasis;
    bool m_pointsShown = true;
    QSharedPointer<MeasureTicker> m_xTicker;
    QSharedPointer<MeasureTicker> m_yTicker;
};

}  // namespace tracedeck::ui
