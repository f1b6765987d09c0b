// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <memory>

#include "core/model/result.h"
#include "core/score/history.h"

class QAction;
class QCheckBox;
class QStackedLayout;
class QTreeWidget;
class QTreeWidgetItem;

namespace tracedeck::ui {

class GrowthRefresh;
class HistoryChart;
class LatestJob;
class NameBox;
class RunHereButton;
class ScopeBox;
class ShownRefresh;
class Workspace;
class WrappedLabel;

/// Results in the order of time, and the best ones so far, of each author, solution or definition: the same figures as `report history`.
class HistoryPage : public QWidget {
    Q_OBJECT
public:
    explicit HistoryPage(Workspace* workspace, QWidget* parent = nullptr);
    ~HistoryPage() override;

    [[nodiscard]] HistoryChart* chart() const { return m_chart; }
    [[nodiscard]] QList<QAction*> exportActions() const { return m_exportActions; }
    /// Writes the chart as it is seen; the form follows the suffix: png, svg or pdf.
    [[nodiscard]] Result<void> exportPicture(const QString& path) const;
    /// Writes every point as `report history --csv`.
    [[nodiscard]] Result<void> exportCsv(const QString& path) const;
    [[nodiscard]] bool isBusy() const;

public slots:
    void setBy(tracedeck::HistoryBy by);

signals:
    /// The user wants to read the source behind this trace.
    void sourceWanted(qint64 traceRow);

private:
    struct Answer;
    void buildControls();
    void buildActions();
    /// What is shown is out of date.
    void refresh();
    void compute();
    void applyAnswer(const Answer& answer);
    void fillLegend();

    Workspace* m_workspace;
    NameBox* m_by = nullptr;
    ScopeBox* m_scope = nullptr;
    NameBox* m_measure = nullptr;
    QCheckBox* m_log = nullptr;
    QCheckBox* m_points = nullptr;
    WrappedLabel* m_note = nullptr;
    WrappedLabel* m_empty = nullptr;
    RunHereButton* m_runHere = nullptr;
    QStackedLayout* m_stack = nullptr;
    HistoryChart* m_chart = nullptr;
    QTreeWidget* m_legend = nullptr;
    bool m_fills = false;   ///< while the legend is being filled
    QList<QAction*> m_exportActions;
    std::shared_ptr<const Dataset> m_dataset;   ///< of what is shown
    LatestJob* m_job;
    GrowthRefresh* m_growth;
    ShownRefresh* m_shown;
};

}  // namespace tracedeck::ui
