// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/report_exporter.h"

#include <QAction>
#include <QProgressDialog>
#include <QTimer>
#include <algorithm>

#include "core/io/trace_writer.h"
#include "core/report/html_report.h"
#include "core/report/markdown_report.h"
#include "core/store/joined_dataset.h"
#include "ui/models/latest_job.h"
#include "ui/models/workspace.h"
#include "ui/pages/export_files.h"
#include "ui/pages/report_pdf.h"
#include "ui/style/icons.h"

namespace tracedeck::ui {
namespace {

constexpr int kPerMille = 1000;
constexpr int kReportProgressMs = 100;
constexpr int kPatienceMs = 500;

Result<void> writeReportIn(const DatasetReport& report, const QString& path)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("pdf"))
        return writeReportPdf(htmlReport(report, HtmlForm::Paper), path);
    return writeFileAtomically(path.toStdString(), suffix == QLatin1String("md") ? markdownReport(report) : htmlReport(report).html);
}

}  // namespace

ReportExporter::ReportExporter(Workspace* workspace, QWidget* window)
    : QObject(window), m_workspace(workspace), m_window(window), m_datasetAction(new QAction(icon(QStringLiteral("export")), tr("&Report on the dataset…"), window)),
      m_definitionAction(new QAction(icon(QStringLiteral("export")), tr("Report on the &definition…"), window)), m_job(new LatestJob(this)), m_timer(new QTimer(this))
{
    m_datasetAction->setObjectName(QStringLiteral("reportDatasetAction"));
    m_datasetAction->setToolTip(tr("Write rankings, charts, failures and sources as one HTML page, a PDF or Markdown"));
    m_definitionAction->setObjectName(QStringLiteral("reportDefinitionAction"));
    m_definitionAction->setToolTip(tr("Write the same about the definition that is looked at"));
    connect(m_datasetAction, &QAction::triggered, this, [this] { ask({}); });
    connect(m_definitionAction, &QAction::triggered, this, [this] { ask(m_workspace->currentDefinition()); });
    connect(m_workspace, &Workspace::datasetChanged, this, &ReportExporter::updateActions);
    connect(m_workspace, &Workspace::currentDefinitionChanged, this, &ReportExporter::updateActions);
    connect(m_timer, &QTimer::timeout, this, &ReportExporter::showProgress);
    updateActions();
}

ReportQuestion ReportExporter::question(const QString& definition) const
{
    ReportQuestion question;
    question.definition = definition.toStdString();
    question.hardware = m_workspace->hardware().toStdString();
    question.baselineAuthor = m_workspace->baselineAuthor().toStdString();
    question.policy = m_workspace->policy();
    return question;
}

void ReportExporter::ask(const QString& definition)
{
    const QString name = definition.isEmpty() ? QString::fromStdString(displayName(*m_workspace->dataset())) : definition;
    chooseExportFile(m_window, tr("Write a report"), fileNameFrom(name) + QStringLiteral("-report"), {QStringLiteral("html"), QStringLiteral("pdf"), QStringLiteral("md")},
                     [this, definition](const QString& path) { write(definition, path); });
}

void ReportExporter::write(const QString& definition, const QString& path)
{
    delete m_dialog;
    m_dialog = new QProgressDialog(tr("Writing the report…"), tr("Cancel"), 0, kPerMille, m_window);
    m_dialog->setWindowTitle(tr("Write a report"));
    m_dialog->setMinimumDuration(kPatienceMs);
    m_dialog->setAutoClose(false);
    m_dialog->setValue(0);
    connect(m_dialog, &QProgressDialog::canceled, this, [this, path] {
        m_job->cancel();
        end(path, Error{ErrorCode::Cancelled, "the report was cancelled", {}, 0, {}});
    });
    *m_perMille = 0;
    m_timer->start(kReportProgressMs);
    m_job->start<Result<void>>(
        [dataset = m_workspace->dataset(), question = question(definition), perMille = m_perMille, path](const std::stop_token& stop) -> Result<void> {
            const auto report = datasetReport(dataset, question, [&perMille](double share) { *perMille = static_cast<int>(share * kPerMille); }, stop);
            if (!report)
                return report.error();
            return writeReportIn(*report, path);
        },
        [this, path](Result<void> written) { end(path, written); });
}

bool ReportExporter::isRunning() const { return m_job->isRunning(); }

void ReportExporter::updateActions()
{
    m_datasetAction->setEnabled(m_workspace->isOpen());
    m_definitionAction->setEnabled(m_workspace->isOpen() && m_workspace->dataset()->findDefinition(m_workspace->currentDefinition().toStdString()) != nullptr);
}

void ReportExporter::showProgress()
{
    if (m_dialog != nullptr)
        m_dialog->setValue(std::min(kPerMille - 1, m_perMille->load()));
}

void ReportExporter::end(const QString& path, const Result<void>& written)
{
    m_timer->stop();
    if (m_dialog != nullptr) {
        m_dialog->disconnect(this);
        m_dialog->hide();
        m_dialog->deleteLater();
        m_dialog = nullptr;
    }
    if (!written && written.error().code != ErrorCode::Cancelled)
        showExportError(m_window, path, written.error());
    emit finished(path, written.has_value());
}

}  // namespace tracedeck::ui
