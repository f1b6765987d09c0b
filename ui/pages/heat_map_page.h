// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <memory>
#include <optional>

#include "core/model/result.h"
#include "core/report/heat_map_report.h"

class QAction;
class QStackedLayout;

namespace tracedeck::ui {

class BaselineButton;
class GrowthRefresh;
class HeatMapScale;
class HeatMapView;
class LatestJob;
class NameBox;
class RunHereButton;
class WrappedLabel;
class Workspace;

/// The ratios of all solutions of the current definition on all its workloads, on one GPU: the same figures as `report heatmap`.
class HeatMapPage : public QWidget {
    Q_OBJECT
public:
    explicit HeatMapPage(Workspace* workspace, QWidget* parent = nullptr);
    ~HeatMapPage() override;

    [[nodiscard]] HeatMapView* view() const { return m_view; }
    [[nodiscard]] QList<QAction*> exportActions() const { return m_exportActions; }
    /// Writes the whole map; the form follows the suffix: png, svg or pdf.
    [[nodiscard]] Result<void> exportPicture(const QString& path) const;
    /// Writes the map as `report heatmap --csv`, in the order that is seen.
    [[nodiscard]] Result<void> exportCsv(const QString& path) const;
    [[nodiscard]] bool isBusy() const;

signals:
    /// Another map is shown: how many cells it has.
    void mapShown(int cells);

private:
    struct Answer;
    enum WorkloadOrder { kFileOrder, kByAxes, kByOneSolution };
    enum SolutionOrder { kLoadOrder, kByName, kByMean, kByOneWorkload };
    void buildControls();
    void buildActions();
    void refresh();
    void applyAnswer(const Answer& answer);
    void applyOrder();
    void sortBySolution(std::size_t solution);
    void sortByWorkload(std::size_t workload);

    Workspace* m_workspace;
    HeatMapView* m_view;
    HeatMapScale* m_scale;
    NameBox* m_measure;
    NameBox* m_workloadOrder;
    NameBox* m_solutionOrder;
    WrappedLabel* m_note;
    WrappedLabel* m_empty;
    BaselineButton* m_emptyBaseline;
    BaselineButton* m_noteBaseline;
    RunHereButton* m_runHere;
    QStackedLayout* m_stack = nullptr;
    QList<QAction*> m_exportActions;
    std::string m_sortSolution;      ///< whose ratios the workloads are sorted by
    std::string m_sortWorkload;      ///< uuid of the one that the solutions are sorted by
    bool m_measureChosen = false;    ///< by the user; else the baseline, or the fastest where there is none
    bool m_solutionDescends = true;
    bool m_workloadDescends = true;
    LatestJob* m_job;
    GrowthRefresh* m_growth;
};

}  // namespace tracedeck::ui
