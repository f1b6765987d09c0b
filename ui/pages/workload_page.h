// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <string>

#include "core/model/trace.h"
#include "core/run/run_request.h"

class QPushButton;
class QTableView;

namespace tracedeck::ui {

class Chips;
class ElidedLabel;
class LatestJob;
class TensorSummaryPanel;
class WorkloadTensorModel;
class Workspace;

/// The tensors of one workload: shape, dtype, where their values come from, and what the values in files are like.
class WorkloadPage : public QWidget {
    Q_OBJECT
public:
    /// `workload`: as a line of the dataset or a trace has it.
    WorkloadPage(Workspace* workspace, QString definition, Workload workload, QWidget* parent = nullptr);
    ~WorkloadPage() override;

    [[nodiscard]] QString definitionName() const { return m_definition; }
    [[nodiscard]] QString uuid() const;
    /// "M=16;N=4096 of gemm_n4096": for the tab.
    [[nodiscard]] QString title() const;
    [[nodiscard]] bool isBusy() const;
    [[nodiscard]] QTableView* table() const { return m_table; }

public slots:
    /// Chooses a tensor as soon as it is known.
    void selectTensor(const QString& name);

signals:
    void runRequested(const tracedeck::Selection& selection);
    void definitionActivated(const QString& name);

private:
    void buildHeader();
    void refresh();
    void showCurrent();

    Workspace* m_workspace;
    QString m_definition;
    Workload m_workload;
    QString m_wanted;
    ElidedLabel* m_title;
    Chips* m_chips;
    ElidedLabel* m_subtitle;
    QPushButton* m_goToDefinition;
    QPushButton* m_run;
    WorkloadTensorModel* m_model;
    QTableView* m_table;
    TensorSummaryPanel* m_summary;
    LatestJob* m_job;
};

}  // namespace tracedeck::ui
