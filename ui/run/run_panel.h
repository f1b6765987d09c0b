// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <QElapsedTimer>
#include <vector>

#include "core/run/python_environment.h"
#include "core/run/run_event.h"
#include "core/run/run_request.h"
#include "core/store/dataset.h"
#include "ui/models/device_progress.h"

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTabWidget;
class QTableView;
class QTimer;
class QToolButton;

namespace tracedeck::ui {

class DeviceCards;
class LogPanel;
class MutedLabel;
class QueueActions;
class RunController;
class RunQueueModel;
class RunSettings;
class Workspace;

/// Settings of a run, its queue with the state of every pair, progress, its devices, what went wrong and the last log. `start` is the one
/// path from a menu, toolbar, button or dialog to the controller; while a run is on, it adds to that.
class RunPanel : public QWidget {
    Q_OBJECT
public:
    RunPanel(Workspace* workspace, RunController* controller, QWidget* parent = nullptr);
    ~RunPanel() override;

    /// The request that the settings and the given selection amount to.
    [[nodiscard]] RunRequest requestFor(const Selection& selection) const;
    [[nodiscard]] RunQueueModel* queue() const { return m_queue; }
    [[nodiscard]] RunSettings* settings() const { return m_settings; }
    [[nodiscard]] DeviceCards* cards() const { return m_cards; }
    /// How many pairs are selected in the workspace.
    [[nodiscard]] std::size_t selectedPairs() const { return m_selectedPairs; }
    /// Goes on with the predecessor's queue, problems and settings; the predecessor hears of the run no more.
    void takeOver(RunPanel& predecessor);
    /// One line for a status bar, for example "cpu · 41 of 96 · 3 min left"; empty when nothing runs.
    [[nodiscard]] QString progressText() const;

public slots:
    /// Runs what is selected in the workspace; says why when nothing can run.
    void runSelected();
    /// Runs exactly this, whatever is selected.
    void run(const tracedeck::Selection& selection);
    /// Runs this request, whose pairs are named one by one; while a run of the same dataset is on, adds them to it.
    void start(const tracedeck::RunRequest& request);
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
    /// The user wants to look at what would be run, and how, before it is.
    void planRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    enum SideTab : int { kDevicesTab, kProblemsTab, kLogTab };

    // run_panel_layout.cpp
    void buildLayout();
    void buildQueue();
    QWidget* buildSide();

    void onStarted();
    void onFailedToStart(const QString& reason);
    void onEvents(const std::vector<tracedeck::RunEvent>& batch);
    void onAdded(qulonglong count, const QString& failure);
    void onFinished(const tracedeck::DoneEvent& done);
    [[nodiscard]] PythonChoice pythonChoice() const;
    void addToRun(const RunRequest& request);
    void countSelected();
    void updateRunButton();
    void updateProgress();
    void showDevices();
    void showLog();
    void clearProblems();
    void appendProblem(const QString& text);
    void showTraceOf(int row);
    void announce(const QString& text);
    /// A pair of the run in a few words.
    [[nodiscard]] QString pairText(std::size_t pair) const;

    Workspace* m_workspace;
    RunController* m_controller;
    RunQueueModel* m_queue = nullptr;
    QTableView* m_view = nullptr;
    QueueActions* m_actions = nullptr;
    RunSettings* m_settings = nullptr;
    QPushButton* m_runButton = nullptr;
    QToolButton* m_planButton = nullptr;
    QPushButton* m_pauseButton = nullptr;
    QPushButton* m_cancelButton = nullptr;
    QProgressBar* m_bar = nullptr;
    QLabel* m_state = nullptr;
    QLabel* m_counts = nullptr;
    QTabWidget* m_side = nullptr;
    DeviceCards* m_cards = nullptr;
    QPlainTextEdit* m_problems = nullptr;
    MutedLabel* m_logTitle = nullptr;
    LogPanel* m_log = nullptr;
    DeviceProgressList m_devices;
    std::string m_lastLog;             ///< of the evaluation that ended last
    QString m_lastLogTitle;
    bool m_isLogShown = true;          ///< the last log is in its tab
    int m_problemCount = 0;
    std::size_t m_selectedPairs = 0;
    QTimer* m_clock;
    QElapsedTimer m_elapsed;
    QString m_pythonSetting;
    QString m_progressText;
    QString m_stateText;               ///< of the run in progress or the last one
    bool m_runWhenDevicesKnown = false;
    Selection m_waiting;               ///< to run once the devices are known
};

}  // namespace tracedeck::ui
