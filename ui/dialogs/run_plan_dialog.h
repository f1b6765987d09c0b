// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>

#include "core/run/run_request.h"

class QBoxLayout;
class QCheckBox;
class QComboBox;
class QPlainTextEdit;
class QPushButton;
class QTableView;
class QTimer;

namespace tracedeck::ui {

class LatestJob;
class MutedLabel;
class PlainTableModel;
class PlanSettings;
class PrimaryButton;
class RunController;
class WorkBar;
class WrappedLabel;
struct PlanPreview;

/// What would be run, how long it may take, the memory it needs, and every setting, before it is run. Not modal: the window stays usable.
class RunPlanDialog : public QDialog {
    Q_OBJECT
public:
    /// `request`: the panel's settings, with the pairs that are selected.
    RunPlanDialog(const RunRequest& request, RunController* controller, QWidget* parent = nullptr);
    ~RunPlanDialog() override;

    [[nodiscard]] PlanSettings* settings() const { return m_settings; }
    /// What is chosen now, before the traces choose among its pairs. Error Usage: something typed is no value.
    [[nodiscard]] Result<RunRequest> request() const;
    /// Null while it is being made, or when it could not be.
    [[nodiscard]] std::shared_ptr<const PlanPreview> preview() const { return m_preview; }
    [[nodiscard]] bool isBusy() const;

signals:
    /// Run this: its pairs are named one by one.
    void runRequested(const tracedeck::RunRequest& request);

private:
    void buildChoice(QBoxLayout* right);
    void buildPreview(QBoxLayout* right);
    void buildButtons(QBoxLayout* below);
    void requestPreview();
    void startPreview();
    void showPreview(const Result<std::shared_ptr<PlanPreview>>& preview);
    void showFailure(const QString& reason);
    void copyCommand();
    void run();
    void updateButtons();

    RunRequest m_base;
    RunController* m_controller;
    PlanSettings* m_settings;
    QComboBox* m_source = nullptr;
    QCheckBox* m_failed = nullptr;
    QCheckBox* m_neverRun = nullptr;
    QCheckBox* m_outdated = nullptr;
    QCheckBox* m_resume = nullptr;
    WorkBar* m_work = nullptr;
    PlainTableModel* m_model;
    QTableView* m_view = nullptr;
    WrappedLabel* m_summary = nullptr;
    WrappedLabel* m_memory = nullptr;
    QPlainTextEdit* m_problems = nullptr;
    WrappedLabel* m_note = nullptr;
    QPushButton* m_copy = nullptr;
    PrimaryButton* m_run = nullptr;
    QTimer* m_debounce;
    LatestJob* m_job;
    LatestJob* m_devicesJob;
    std::shared_ptr<const PlanPreview> m_preview;
    RunRequest m_previewed;   ///< of m_preview
};

}  // namespace tracedeck::ui
