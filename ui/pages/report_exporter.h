// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <atomic>
#include <memory>

#include "core/report/dataset_report.h"

class QAction;
class QProgressDialog;
class QTimer;
class QWidget;

namespace tracedeck::ui {

class LatestJob;
class Workspace;

/// Writes a report on the dataset, or on the definition that is looked at, as a page, a PDF or Markdown: gathered and written on another thread, with a progress
/// dialog that cancels. The window's baseline, GPU and choice of traces count.
class ReportExporter : public QObject {
    Q_OBJECT
public:
    ReportExporter(Workspace* workspace, QWidget* window);

    [[nodiscard]] QAction* datasetAction() const { return m_datasetAction; }
    [[nodiscard]] QAction* definitionAction() const { return m_definitionAction; }
    /// What a report on this definition (empty: on the dataset) is asked for.
    [[nodiscard]] ReportQuestion question(const QString& definition) const;
    /// Begins; finished() tells. The suffix of `path` says the form: html, pdf or md.
    void write(const QString& definition, const QString& path);
    [[nodiscard]] bool isRunning() const;

signals:
    void finished(const QString& path, bool written);

private:
    void ask(const QString& definition);
    void updateActions();
    void showProgress();
    void end(const QString& path, const Result<void>& written);

    Workspace* m_workspace;
    QWidget* m_window;
    QAction* m_datasetAction;
    QAction* m_definitionAction;
    LatestJob* m_job;
    QTimer* m_timer;
    QProgressDialog* m_dialog = nullptr;
    std::shared_ptr<std::atomic<int>> m_perMille = std::make_shared<std::atomic<int>>(0);
};

}  // namespace tracedeck::ui
