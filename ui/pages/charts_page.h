// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/model/result.h"
#include "core/store/query.h"
#include "ui/models/latest_job.h"

class QAction;
class QCheckBox;
class QComboBox;
class QPushButton;
class QStackedLayout;

namespace tracedeck::ui {

class GrowthRefresh;
class LatencyChart;
class ChartLegend;
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
    [[nodiscard]] ChartLegend* legend() const { return m_legend; }
    /// Series that are shown, hidden ones included.
    [[nodiscard]] const std::vector<Series>& series() const { return m_series; }
    /// Hardware that the chart shows; differs from the workspace's when that one shows all.
    [[nodiscard]] QString shownHardware() const { return m_shownHardware; }
    [[nodiscard]] bool isBusy() const;

public slots:
    /// Axis name, or empty for workloads in file order.
    void setAxis(const QString& axis);
    void setMeasure(tracedeck::ChartMeasure measure);

signals:
    /// New series are on the chart (or it became empty).
    void seriesShown(int count);

private:
    struct Answer;
    void buildControls();
    void buildActions();
    void rebuildAxes();
    void refresh();
    void applyAnswer(Answer answer);
    void updateNote(const Answer& answer);
    void applyScales();
    void pickTrace(quint32 row);
    void savePicture(const QString& suffix);

    Workspace* m_workspace;
    LatencyChart* m_chart = nullptr;
    ChartLegend* m_legend = nullptr;
    QComboBox* m_xCombo = nullptr;
    QComboBox* m_yCombo = nullptr;
    QCheckBox* m_xLog = nullptr;
    QCheckBox* m_yLog = nullptr;
    QPushButton* m_fitButton = nullptr;
    WrappedLabel* m_note = nullptr;
    WrappedLabel* m_empty = nullptr;
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
