// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/run/run_request.h"
#include "ui/models/definition_summary.h"

class QAction;
class QHBoxLayout;
class QTableView;
class QTabWidget;

namespace tracedeck::ui {

class ChartsPage;
class CodeView;
class ColumnSharing;
class DefinitionHeader;
class EmptyHint;
class ErrorsPage;
class GrowthRefresh;
class HeatMapPage;
class LatestJob;
class NumberDelegate;
class SolutionTableModel;
class TableTools;
class TracesPage;
class Workspace;
class WorkloadTableModel;

/// Everything about the workspace's current definition.
class DefinitionPage : public QWidget {
    Q_OBJECT
public:
    enum class Tab { Charts, HeatMap, Errors, Solutions, Workloads, Traces, Reference };
    Q_ENUM(Tab)

    explicit DefinitionPage(Workspace* workspace, QWidget* parent = nullptr);
    ~DefinitionPage() override;

    [[nodiscard]] Tab currentTab() const;
    [[nodiscard]] ChartsPage* chartsPage() const { return m_charts; }
    [[nodiscard]] HeatMapPage* heatMapPage() const { return m_heatMap; }
    [[nodiscard]] ErrorsPage* errorsPage() const { return m_errors; }
    [[nodiscard]] TracesPage* tracesPage() const { return m_traces; }
    [[nodiscard]] CodeView* referenceView() const { return m_reference; }
    [[nodiscard]] QTableView* solutionTable() const { return m_solutionTable; }
    [[nodiscard]] QTableView* workloadTable() const { return m_workloadTable; }
    /// Of the table that is shown; null when there is none.
    [[nodiscard]] TableTools* currentTools() const;
    /// The workload chosen in the table, else the first one; null when there is none.
    [[nodiscard]] const Workload* currentWorkload() const;
    /// Offered by a right click on a workload, too.
    void offerForWorkloads(QAction* action);
    [[nodiscard]] DefinitionHeader* header() const { return m_header; }
    /// How the times behind the numbers shown were taken.
    [[nodiscard]] const TimingCounts& timing() const { return m_timing; }
    /// True while figures are being made.
    [[nodiscard]] bool isBusy() const;

    /// What a dataset without definitions offers to do instead, as buttons.
    void offerWhenEmpty(const QList<QAction*>& actions);

public slots:
    void showTab(Tab tab);
    /// Shows the workloads with this one selected.
    void showWorkload(const QString& uuid);
    void copyJson();

signals:
    void tabChanged();
    /// Other figures are shown.
    void summaryShown();
    /// The user wants to read this solution.
    void solutionActivated(const QString& name);
    void runRequested(const tracedeck::Selection& selection);
    /// The user wants to look into this workload.
    void workloadActivated(const QString& uuid);

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildTables();
    void buildEmptyState();
    void sizeWorkloadColumns();
    void refreshDefinition();
    void refreshSummary();
    void applySummary(std::shared_ptr<const DefinitionSummary> summary);
    void updateTabTitles();
    void selectCurrentSolution();

    Workspace* m_workspace;
    DefinitionHeader* m_header;
    QTabWidget* m_tabs;
    ChartsPage* m_charts;
    HeatMapPage* m_heatMap;
    ErrorsPage* m_errors;
    TracesPage* m_traces;
    CodeView* m_reference;
    SolutionTableModel* m_solutionModel;
    WorkloadTableModel* m_workloadModel;
    QTableView* m_solutionTable = nullptr;
    QTableView* m_workloadTable = nullptr;
    TableTools* m_solutionTools = nullptr;
    TableTools* m_workloadTools = nullptr;
    ColumnSharing* m_workloadColumns = nullptr;
    NumberDelegate* m_latencyDelegate = nullptr;
    int m_numberColumn = -1;   ///< of the workloads' table; moves with the axes
    QWidget* m_emptyState = nullptr;
    QHBoxLayout* m_emptyButtons = nullptr;
    EmptyHint* m_referenceHint = nullptr;
    QString m_shownDefinition;
    TimingCounts m_timing;
    bool m_followsTable = true;   ///< false while the table's selection follows the workspace
    LatestJob* m_job;
    GrowthRefresh* m_growth;
};

}  // namespace tracedeck::ui
