// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/model/result.h"
#include "core/score/workbench.h"
#include "ui/models/chart_board.h"
#include "ui/models/latest_job.h"

class QAction;
class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QStackedLayout;

namespace tracedeck::ui {

class BaselineButton;
class GrowthRefresh;
class LatencyChart;
struct ChartContent;
struct MadeChart;
class ChartLegend;
class RunHereButton;
class Workspace;
class WrappedLabel;

/// Latency, speedup or ratio of the current definition's solutions across a workload axis.
class ChartsPage : public QWidget {
    Q_OBJECT
public:
    explicit ChartsPage(Workspace* workspace, QWidget* parent = nullptr);
    ~ChartsPage() override;

    [[nodiscard]] QList<QAction*> exportActions() const;
    /// Writes the chart as it is seen; the form follows the suffix: png, svg or pdf.
    [[nodiscard]] Result<void> exportPicture(const QString& path) const;
    /// Writes the traces behind the lines that are switched on as `report csv`.
    [[nodiscard]] Result<void> exportCsv(const QString& path) const;

    [[nodiscard]] LatencyChart* chart() const { return m_chart; }
    /// All charts that are shown: one, or one a GPU.
    [[nodiscard]] std::vector<LatencyChart*> shownCharts() const;
    /// Writes the points of all lines that are switched on: the table of `report chart`.
    [[nodiscard]] Result<void> exportPoints(const QString& path) const;
    [[nodiscard]] ChartLegend* legend() const { return m_legend; }
    /// Series that are shown, hidden ones included.
    [[nodiscard]] const std::vector<Series>& series() const { return m_series; }
    /// Hardware that the chart shows; differs from the workspace's when that one shows all.
    [[nodiscard]] QString shownHardware() const { return m_shownHardware; }
    [[nodiscard]] bool isBusy() const;
    /// What is shown, to be shown again: here, or on the board.
    [[nodiscard]] ChartSpec spec() const;
    /// Goes to its definition, too.
    void showSpec(const ChartSpec& spec);
    /// Asks for a text at the point that is pointed at, else in the middle of the chart.
    void addNote();

public slots:
    /// Axis name, or empty for workloads in file order.
    void setAxis(const QString& axis);
    /// Another abscissa than an axis or the order of the workloads.
    void setAbscissa(tracedeck::ChartAbscissa abscissa);
    void setMeasure(tracedeck::ChartMeasure measure);
    void setCallTime(tracedeck::CallTime time);
    /// One chart a GPU, all on the same scales, where there are several.
    void setFacets(bool facets);

signals:
    /// New series are on the chart (or it became empty).
    void seriesShown(int count);

private:
    void buildControls();
    void buildActions();
    void rebuildAxes();
    void refresh();
    void applyAnswer(MadeChart answer);
    void updateNote(const MadeChart& answer);
    void applyScales();
    void showMarks();
    void showNotes();
    void showCharts(const std::vector<ChartContent>& contents);
    [[nodiscard]] std::vector<Series> seriesSwitchedOn() const;
    /// A chart of the grid with its heading, made when it is not there.
    [[nodiscard]] LatencyChart* facetChart(std::size_t number);
    void connectChart(LatencyChart* chart);
    [[nodiscard]] QString pictureTitle(const LatencyChart& chart) const;
    void pickTrace(quint32 row);

    Workspace* m_workspace;
    LatencyChart* m_chart = nullptr;
    ChartLegend* m_legend = nullptr;
    QComboBox* m_xCombo = nullptr;
    QComboBox* m_yCombo = nullptr;
    QCheckBox* m_xLog = nullptr;
    QCheckBox* m_yLog = nullptr;
    QComboBox* m_timeCombo = nullptr;
    QCheckBox* m_band = nullptr;
    QCheckBox* m_facetBox = nullptr;
    QPushButton* m_fitButton = nullptr;
    QGridLayout* m_grid = nullptr;
    std::vector<LatencyChart*> m_charts;   ///< m_chart first
    std::vector<QLabel*> m_headings;       ///< of m_charts
    std::size_t m_shownCharts = 1;
    WrappedLabel* m_note = nullptr;
    WrappedLabel* m_empty = nullptr;
    RunHereButton* m_runHere = nullptr;
    BaselineButton* m_baselineButton = nullptr;
    QStackedLayout* m_stack = nullptr;
    QList<QAction*> m_exportActions;
    std::vector<Series> m_series;
    QString m_shownHardware;
    QString m_definition;
    std::optional<bool> m_xLogChoice;   ///< not set: by the data
    std::optional<bool> m_yLogChoice;
    LatestJob* m_job;
    GrowthRefresh* m_growth;
};

}  // namespace tracedeck::ui
