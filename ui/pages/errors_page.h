// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <memory>
#include <optional>

#include "core/model/result.h"
#include "core/score/error_table.h"
#include "core/score/workbench.h"

class QAction;
class QLabel;
class QPushButton;
class QSlider;
class QStackedLayout;
class QTreeWidget;

namespace tracedeck::ui {

class FlowLayout;
class GrowthRefresh;
class LatencyChart;
class LatestJob;
class NameBox;
class RunHereButton;
class WrappedLabel;
class Workspace;

/// How far the outputs of the current definition's solutions are from the expected ones, on each workload, and what other tolerances would say: the same
/// figures as `report errors`.
class ErrorsPage : public QWidget {
    Q_OBJECT
public:
    explicit ErrorsPage(Workspace* workspace, QWidget* parent = nullptr);
    ~ErrorsPage() override;

    [[nodiscard]] LatencyChart* chart() const { return m_chart; }
    [[nodiscard]] QTreeWidget* list() const { return m_list; }
    [[nodiscard]] const ErrorTable& table() const { return *m_table; }
    /// Nothing: each workload's own.
    [[nodiscard]] const std::optional<ErrorTolerance>& tolerance() const { return m_tolerance; }
    [[nodiscard]] QList<QAction*> exportActions() const { return m_exportActions; }
    /// Writes the chart as it is seen; the form follows the suffix: png, svg or pdf.
    [[nodiscard]] Result<void> exportPicture(const QString& path) const;
    /// Writes a line a trace as `report errors --csv`.
    [[nodiscard]] Result<void> exportCsv(const QString& path) const;
    [[nodiscard]] bool isBusy() const;

public slots:
    void setTolerance(const std::optional<tracedeck::ErrorTolerance>& tolerance);

signals:
    /// The figures are shown.
    void tableShown();

private:
    struct Answer;
    void buildControls();
    void buildActions();
    QSlider* addSlider(const QString& name, const QString& label, const QString& tip, QLabel** value, FlowLayout* bar);
    void sliderMoved();
    void refresh();
    void applyAnswer(const Answer& answer);
    void showTable(std::shared_ptr<const ErrorTable> table);
    void showTolerance();
    void fillList();
    void updateEmpty(const QString& hardware);

    Workspace* m_workspace;
    NameBox* m_measure = nullptr;
    QSlider* m_atol = nullptr;
    QSlider* m_rtol = nullptr;
    QLabel* m_atolText = nullptr;
    QLabel* m_rtolText = nullptr;
    QPushButton* m_usual = nullptr;
    LatencyChart* m_chart = nullptr;
    QTreeWidget* m_list = nullptr;
    WrappedLabel* m_note = nullptr;
    WrappedLabel* m_empty = nullptr;
    RunHereButton* m_runHere = nullptr;
    QStackedLayout* m_stack = nullptr;
    QList<QAction*> m_exportActions;
    std::optional<ErrorTolerance> m_tolerance;
    std::shared_ptr<const Dataset> m_dataset;   ///< of what is shown
    std::shared_ptr<const ErrorTable> m_table = std::make_shared<const ErrorTable>();
    bool m_fills = false;                       ///< controls follow the figures, not the other way round
    LatestJob* m_job;
    LatestJob* m_toleranceJob;
    GrowthRefresh* m_growth;
};

}  // namespace tracedeck::ui
