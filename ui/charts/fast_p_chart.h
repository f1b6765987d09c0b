// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <memory>

#include "core/score/fast_p.h"
#include "ui/charts/zoom_chart.h"

namespace tracedeck::ui {

class DenseGraph;
class DenseLayer;
class MeasureTicker;

/// Share of workloads on which each author or solution is at least p times as fast as the baseline, against p: exact steps, never smoothed.
/// A click pins p.
class FastPChart : public ZoomChart {
    Q_OBJECT
public:
    explicit FastPChart(QWidget* parent = nullptr);
    ~FastPChart() override;

    /// Keeps the zoom while the question stays the same.
    void setReport(std::shared_ptr<const FastPReport> report);
    [[nodiscard]] const std::shared_ptr<const FastPReport>& report() const { return m_report; }
    void setHidden(const QSet<QString>& names);
    [[nodiscard]] const QSet<QString>& hidden() const { return m_hidden; }
    /// Draws one curve strong and the others faint; empty: all strong.
    void setEmphasis(const QString& name);
    void setPin(double p);
    [[nodiscard]] double pin() const { return m_pin; }
    /// The points of a curve as they are drawn: (p, percent), and whether a share holds from its point on (else up to it).
    [[nodiscard]] QVector<QCPGraphData> drawnPoints(std::size_t curve) const;
    /// Title above the picture and a legend beside it, for export.
    void addTitleAndLegend(const QString& title);

signals:
    void pinned(double p);

protected:
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void rebuild();
    void applyTheme();
    void updateRanges();
    [[nodiscard]] double greatestP() const;

    std::shared_ptr<const FastPReport> m_report;
    DenseLayer* m_dense = nullptr;   ///< of many steps
    std::vector<DenseGraph*> m_curves;
    QSet<QString> m_hidden;
    QString m_emphasis;
    double m_pin = 0.95;
    QSharedPointer<MeasureTicker> m_xTicker;
    QCPItemStraightLine* m_pinLine = nullptr;
    QCPItemText* m_pinText = nullptr;
};

}  // namespace tracedeck::ui
