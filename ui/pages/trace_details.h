// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "core/model/result.h"
#include "core/model/trace.h"
#include "core/run/run_request.h"
#include "ui/models/latest_job.h"

class QLabel;
class QPushButton;
class QStackedLayout;
class QTabWidget;
class QTableView;

namespace tracedeck::ui {

class LogPanel;
class SiblingTracesModel;
class TraceFacts;
class WorkloadTensorModel;
class WrappedLabel;
class Workspace;

/// Everything about the workspace's current trace; the full line is read back from disk on a worker thread.
class TraceDetails : public QWidget {
    Q_OBJECT
public:
    explicit TraceDetails(Workspace* workspace, QWidget* parent = nullptr);
    ~TraceDetails() override;

    /// The trace that is shown; nullopt while none is.
    [[nodiscard]] const std::optional<Trace>& trace() const { return m_trace; }
    /// Command line that measures the same pair again; empty while no trace is shown.
    [[nodiscard]] QString reproductionCommand() const;
    /// The trace or its tensors are being read.
    [[nodiscard]] bool isBusy() const { return m_job->isRunning() || m_tensorsJob->isRunning(); }
    [[nodiscard]] LogPanel* log() const { return m_log; }

public slots:
    /// Goes to the find field of the log.
    void showFind();

signals:
    /// The user asked to run this pair again.
    void rerunRequested(const tracedeck::Selection& selection);
    /// The user wants to look into a tensor of the trace's workload.
    void tensorActivated(const QString& name);
    /// A trace was read and is shown, or could not be read.
    void traceShown(qint64 row);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Answer;
    void buildHeader();
    void buildBody();
    void onCurrentTraceChanged(qint64 row);
    void showAnswer(qint64 row, const Answer& answer);
    void showSiblings();
    void buildTensors();
    void showTensors();
    void showMessage(const QString& text);
    [[nodiscard]] QTableView* makeSiblings(SiblingTracesModel* model, const QString& name, const QString& accessibleName, const QString& whenEmpty);
    void updateColors();
    [[nodiscard]] QString folder() const;

    Workspace* m_workspace;
    qint64 m_row = -1;
    std::optional<Trace> m_trace;
    QStackedLayout* m_stack = nullptr;
    QWidget* m_content = nullptr;
    WrappedLabel* m_message = nullptr;
    QLabel* m_statusLabel = nullptr;
    WrappedLabel* m_titleLabel = nullptr;
    WrappedLabel* m_headline = nullptr;
    TraceFacts* m_facts = nullptr;
    QTabWidget* m_parts = nullptr;
    LogPanel* m_log = nullptr;
    SiblingTracesModel* m_rivals = nullptr;
    SiblingTracesModel* m_runs = nullptr;
    WorkloadTensorModel* m_tensors = nullptr;
    QPushButton* m_rerunButton = nullptr;
    QPushButton* m_copyButton = nullptr;
    LatestJob* m_job;
    LatestJob* m_siblingsJob;
    LatestJob* m_tensorsJob;
};

}  // namespace tracedeck::ui
