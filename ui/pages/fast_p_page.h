// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <memory>

#include "core/model/result.h"
#include "core/score/fast_p.h"

class QAction;
class QCheckBox;
class QDoubleSpinBox;
class QStackedLayout;
class QTableView;

namespace tracedeck::ui {

class BaselineButton;
class FastPChart;
class FastPModel;
class GrowthRefresh;
class LatestJob;
class NameBox;
class RunHereButton;
class ScopeBox;
class ShownRefresh;
class TableTools;
class Workspace;
class WrappedLabel;

/// On which share of the workloads each author or solution is p times as fast as the baseline: curves and the ranking at one p. The same
/// figures as `report fastp`.
class FastPPage : public QWidget {
    Q_OBJECT
public:
    explicit FastPPage(Workspace* workspace, QWidget* parent = nullptr);
    ~FastPPage() override;

    [[nodiscard]] FastPChart* chart() const { return m_chart; }
    [[nodiscard]] FastPModel* model() const { return m_model; }
    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] TableTools* tools() const { return m_tools; }
    [[nodiscard]] QList<QAction*> exportActions() const;
    /// Writes the chart as it is seen; the form follows the suffix: png, svg or pdf.
    [[nodiscard]] Result<void> exportPicture(const QString& path) const;
    /// Writes the steps of all curves: name, p, share; of the win@p preset the script's own table.
    [[nodiscard]] Result<void> exportSteps(const QString& path) const;
    [[nodiscard]] bool isBusy() const;

public slots:
    void setPreset(tracedeck::FastPPreset preset);
    void setBy(tracedeck::RankBy by);
    void setPin(double p);

signals:
    /// Another report is shown.
    void reportShown(int curves);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Answer;
    void buildControls();
    void buildActions();
    /// What is shown is out of date.
    void refresh();
    void compute();
    void applyAnswer(const Answer& answer);
    void showRanks();

    Workspace* m_workspace;
    NameBox* m_preset = nullptr;
    NameBox* m_by = nullptr;
    ScopeBox* m_scope = nullptr;
    QDoubleSpinBox* m_pin = nullptr;
    QCheckBox* m_sampled = nullptr;
    WrappedLabel* m_rule = nullptr;
    FastPChart* m_chart = nullptr;
    FastPModel* m_model;
    QTableView* m_view = nullptr;
    TableTools* m_tools = nullptr;
    WrappedLabel* m_empty = nullptr;
    RunHereButton* m_runHere = nullptr;
    BaselineButton* m_emptyBaseline = nullptr;
    BaselineButton* m_ruleBaseline = nullptr;
    QStackedLayout* m_stack = nullptr;
    QList<QAction*> m_exportActions;
    std::shared_ptr<const FastPReport> m_report;
    LatestJob* m_job;
    GrowthRefresh* m_growth;
    ShownRefresh* m_shown;
};

}  // namespace tracedeck::ui
