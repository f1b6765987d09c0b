// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/export_files.h"

#include <QAction>
#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QSettings>
#include <QStandardPaths>

#include "core/io/trace_writer.h"
#include "core/report/report.h"
#include "ui/style/icons.h"
#include "ui/style/text.h"

namespace tracedeck::ui {
namespace {

const QString kFolderKey = QStringLiteral("export/folder");

QString exportFolder()
{
    const QString folder = QSettings().value(kFolderKey).toString();
    if (!folder.isEmpty() && QDir(folder).exists()) {
        return folder;
    }
    return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}

QString filterOf(const QString& suffix)
{
    const QString kind = suffix == QLatin1String("md")    ? QStringLiteral("Markdown")
                         : suffix == QLatin1String("tex") ? QStringLiteral("LaTeX")
                                                          : suffix.toUpper();
    return QCoreApplication::translate("Export", "%1 files (*.%2)").arg(kind, suffix);
}

}  // namespace

Result<void> writeTraceCsv(const Dataset& dataset, const RowIndex& rows, const QString& path)
{
    return writeFileAtomically(path.toStdString(), csvReport(dataset, rows));
}

Result<void> writeTextFile(const QString& path, const QString& text)
{
    return writeFileAtomically(path.toStdString(), text.toStdString());
}

void chooseExportFile(QWidget* parent, const QString& title, const QString& suggestedName, const QStringList& suffixes,
                      std::function<void(const QString&)> onChosen)
{
    auto* dialog = new QFileDialog(parent, title, exportFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    QStringList filters;
    for (const QString& suffix : suffixes) {
        filters << filterOf(suffix);
    }
    dialog->setNameFilters(filters + QStringList{QCoreApplication::translate("Export", "All files (*)")});
    dialog->setDefaultSuffix(suffixes.front());
    dialog->selectFile(suggestedName + QLatin1Char('.') + suffixes.front());
    // Another filter gives the name that stands there its ending.
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, suffixes](const QString& filter) {
        for (const QString& suffix : suffixes) {
            if (filterOf(suffix) == filter) {
                dialog->setDefaultSuffix(suffix);
                const QStringList files = dialog->selectedFiles();
                if (!files.isEmpty()) {
                    dialog->selectFile(QFileInfo(files.front()).completeBaseName() + QLatin1Char('.') + suffix);
                }
            }
        }
    });
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, [onChosen = std::move(onChosen)](const QString& path) {
        QSettings().setValue(kFolderKey, QFileInfo(path).absolutePath());
        onChosen(path);
    });
    dialog->open();
}

QStringList pictureSuffixes() { return {QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")}; }

QAction* makeExportAction(QWidget* page, ExportTask task)
{
    auto* action = new QAction(icon(QStringLiteral("export")), task.text, page);
    action->setObjectName(task.name);
    action->setToolTip(task.tip);
    QObject::connect(action, &QAction::triggered, page, [page, task = std::move(task)] {
        chooseExportFile(page, task.title, fileNameFrom(task.fileName()), {task.suffix}, [page, write = task.write](const QString& path) {
            if (const Result<void> written = write(path); !written)
                showExportError(page, path, written.error());
        });
    });
    return action;
}

void showExportError(QWidget* parent, const QString& path, const Error& error)
{
    auto* box = new QMessageBox(QMessageBox::Warning, QCoreApplication::translate("Export", "Export failed"),
                                QCoreApplication::translate("Export", "“%1” could not be written.").arg(breakable(visibleText(QDir::toNativeSeparators(path)))), QMessageBox::Ok, parent);
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(QCoreApplication::translate("Export", "%1\nNothing was changed on disk. Choose another folder, or free some space, and export again.")
                                .arg(breakable(visibleLines(QString::fromStdString(error.reason)))));
    box->open();
}

QString fileNameFrom(const QString& name)
{
    QString safe;
    safe.reserve(name.size());
    for (const QChar c : name) {
        const bool kept = (c.unicode() < 128 && c.isLetterOrNumber()) || c == QLatin1Char('.') || c == QLatin1Char('-') || c == QLatin1Char('_');
        safe += kept ? c : QLatin1Char('_');
    }
    while (safe.startsWith(QLatin1Char('.'))) {
        safe.remove(0, 1);
    }
    return safe.isEmpty() ? QStringLiteral("export") : safe.left(120);
}

}  // namespace tracedeck::ui
