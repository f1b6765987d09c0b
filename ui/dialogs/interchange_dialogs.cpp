// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/interchange_dialogs.h"

#include <QComboBox>
#include <QLineEdit>

#include "ui/models/workspace.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

Error missingField(const QString& text) { return {ErrorCode::Usage, text.toStdString(), {}, 0, {}}; }

}  // namespace

ImportDialog::ImportDialog(QWidget* parent) : WorkDialog(tr("Import results"), tr("&Import"), tr("&Open the dataset"), parent)
{
    setObjectName(QStringLiteral("importDialog"));
    setIntroduction(tr("Makes a new dataset from results of other programs. Implementations become solutions; workloads and the times of single calls are kept."));
    m_files = addPath("importFiles", tr("&Files"), tr("Files of kernels-benchmarks records (JSONL) or of nvbench (JSON)"), PathKind::ExistingFiles,
                      {tr("Results (*.jsonl *.json)"), tr("All files (*)")});
    m_format = addChoice("importFormat", tr("&What they are"), tr("The form of the files"),
                         {{QStringLiteral("auto"), tr("By what is in them")}, {QStringLiteral("hf"), tr("kernels-benchmarks records")}, {QStringLiteral("nvbench"), tr("nvbench")}});
    m_author = addText("importAuthor", tr("&Author"), tr("Author of all solutions"), tr("From the records, or the file's name"));
    m_target = addPath("importTarget", tr("&New dataset"), tr("A new or empty folder for the dataset"), PathKind::Folder);
}

Result<WorkDialog::Work> ImportDialog::work()
{
    ImportRequest request;
    for (const QString& file : m_files->text().split(QLatin1Char(';'), Qt::SkipEmptyParts))
        request.files.emplace_back(file.trimmed().toStdString());
    if (request.files.empty())
        return missingField(tr("Choose the files to import."));
    if (m_target->text().trimmed().isEmpty())
        return missingField(tr("Choose a new or empty folder for the dataset."));
    request.format = interchangeFormatFromString(m_format->currentData().toString().toStdString());
    request.author = m_author->text().trimmed().toStdString();
    request.target = m_target->text().trimmed().toStdString();
    return Work([request](const std::stop_token& stop) -> Result<Outcome> {
        const auto report = importResults(request, stop);
        if (!report)
            return report.error();
        return Outcome{QString::fromStdString(importText(*report)), QString::fromStdString(report->target.string())};
    });
}

ExportDialog::ExportDialog(Workspace* workspace, QWidget* parent) : WorkDialog(tr("Export results"), tr("&Export"), {}, parent), m_workspace(workspace)
{
    setObjectName(QStringLiteral("exportDialog"));
    setIntroduction(tr("Writes results in the form of other programs. The GPU, the choice of traces and the baseline of the window count."));
    m_format = addChoice("exportFormat", tr("&Form"), tr("Whose form the files have"),
                         {{QStringLiteral("hf"), tr("kernels-benchmarks records")}, {QStringLiteral("nvbench"), tr("nvbench")}, {QStringLiteral("winp"), tr("Table of the win@p script")}});
    m_scope = addChoice("exportScope", tr("&What"), tr("Which results are written"), {{QString(), tr("The whole dataset")}});
    if (const QString definition = workspace->currentDefinition(); workspace->dataset()->findDefinition(definition.toStdString()) != nullptr) {
        m_scope->addItem(definition, definition);
        m_scope->setCurrentIndex(1);
    }
    m_folder = addPath("exportFolder", tr("&Into folder"), tr("A folder that gets a file for each kind of kernel; files of these names are replaced"), PathKind::Folder);
    m_file = addPath("exportFile", tr("&Into file"), tr("The file to write; it is replaced"), PathKind::NewFile);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::updateFields);
    updateFields();
}

InterchangeFormat ExportDialog::format() const
{
    return interchangeFormatFromString(m_format->currentData().toString().toStdString()).value_or(InterchangeFormat::KernelsBenchmarks);   // the items name what there is
}

void ExportDialog::updateFields()
{
    const bool intoFolder = format() == InterchangeFormat::KernelsBenchmarks;
    setFieldVisible(m_folder, intoFolder);
    setFieldVisible(m_file, !intoFolder);
}

ExportRequest ExportDialog::request() const
{
    ExportRequest request;
    request.format = format();
    request.out = (request.format == InterchangeFormat::KernelsBenchmarks ? m_folder : m_file)->text().trimmed().toStdString();
    request.definition = m_scope->currentData().toString().toStdString();
    request.hardware = m_workspace->hardware().toStdString();
    request.baseline = m_workspace->baselineAuthor().toStdString();
    request.policy = m_workspace->policy();
    return request;
}

Result<WorkDialog::Work> ExportDialog::work()
{
    ExportRequest request = this->request();
    if (request.out.empty())
        return missingField(request.format == InterchangeFormat::KernelsBenchmarks ? tr("Choose a folder to write to.") : tr("Choose a file to write."));
    if (request.policy == SelectionPolicy::Pooled)
        return missingField(tr("Pooled figures are of no single run: choose other traces in the status bar."));
    return Work([request, dataset = m_workspace->dataset()](const std::stop_token& stop) -> Result<Outcome> {
        const auto report = exportResults(*dataset, request, stop);
        if (!report)
            return report.error();
        return Outcome{QString::fromStdString(exportText(*report, request.format)), {}};
    });
}

}  // namespace tracedeck::ui
