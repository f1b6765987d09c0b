// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <QElapsedTimer>
#include <vector>

#include "core/run/python_environment.h"
#include "core/run/run_event.h"
#include "core/run/run_request.h"
#include "core/store/dataset.h"

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTableView;
class QTimer;

namespace tracedeck::ui {

class RunController;
class RunQueueModel;
class RunSettings;
class Workspace;

/// Settings of a run, its queue with the state of every pair, progress, and what went wrong. `runSelected` is the one
/// path from a menu, toolbar or button to the controller.
class RunPanel : public QWidget {
    Q_OBJECT
public:
    RunPanel(Workspace* workspace, RunController* controller, QWidget* parent = nullptr);
    ~RunPanel() override;

    /// The request that the settings and the given selection amount to.
    [[nodiscard]] RunRequest requestFor(const Selection& selection) const;
    [[nodiscard]] RunQueueModel* queue() const { return m_queue; }
    [[nodiscard]] RunSettings* settings() const { return m_settings; }
    /// Goes on with the predecessor's queue, problems and settings; the predecessor hears of the run no more.
    void takeOver(RunPanel& predecessor);
    /// One line for a status bar, for example "cpu · 41 of 96 · 3 min left"; empty when nothing runs.
    [[nodiscard]] QString progressText() const;

public slots:
    /// Runs what is selected in the workspace; says why when nothing can run.
    void runSelected();
    /// Runs exactly this, whatever is selected.
    void run(const tracedeck::Selection& selection);
    void cancel();
    /// Pauses the run in progress, or resumes it.
    void togglePause();
    /// Python interpreter for references and Python solutions, from the settings; empty: choose as usual.
    void setPythonSetting(const QString& interpreter);

signals:
    /// The line of progressText changed.
    void progressTextChanged(const QString& text);
    /// The fraction done, 0…1.
    void progressChanged(double fraction);

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildLayout();
    void onStarted();
    void onFailedToStart(const QString& reason);
    void onEvents(const std::vector<tracedeck::RunEvent>& batch);
    void onFinished(const tracedeck::DoneEvent& done);
    [[nodiscard]] PythonChoice pythonChoice() const;
    void updateRunButton();
    void updateProgress();
    void appendProblem(const QString& text);
    void showTraceOf(int row);
    void announce(const QString& text);

    Workspace* m_workspace;
    RunController* m_controller;
    RunQueueModel* m_queue = nullptr;
    QTableView* m_view = nullptr;
    RunSettings* m_settings = nullptr;
    QPushButton* m_runButton = nullptr;
    QPushButton* m_pauseButton = nullptr;
    QPushButton* m_cancelButton = nullptr;
    QProgressBar* m_bar = nullptr;
    QLabel* m_state = nullptr;
    QLabel* m_counts = nullptr;
    QPlainTextEdit* m_problems = nullptr;
    QTimer* m_clock;
    QElapsedTimer m_elapsed;
    QString m_pythonSetting;
    QString m_progressText;
    QString m_stateText;               ///< of the run in progress or the last one
    bool m_runWhenDevicesKnown = false;
    Selection m_waiting;               ///< to run once the devices are known
};

}  // namespace tracedeck::ui
