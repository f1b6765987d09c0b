// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

#include "core/model/result.h"
#include "core/store/query.h"

class QAction;
class QWidget;

namespace tracedeck::ui {

/// Writes the rows as `report csv` (core/report/report.h). The file is replaced as a whole or not at all.
[[nodiscard]] Result<void> writeTraceCsv(const Dataset& dataset, const RowIndex& rows, const QString& path);
/// Writes a text file as a whole or not at all.
[[nodiscard]] Result<void> writeTextFile(const QString& path, const QString& text);
/// Asks for a file to write, without blocking the caller, and calls `onChosen` with its path. `suffixes`, without the dot:
/// what can be written; the first one is suggested, and the filter that is chosen decides for a name without one.
void chooseExportFile(QWidget* parent, const QString& title, const QString& suggestedName, const QStringList& suffixes,
                      std::function<void(const QString& path)> onChosen);
/// Shows, without blocking, that an export failed: which file, why, and what to do.
void showExportError(QWidget* parent, const QString& path, const Error& error);
/// Suffixes of the kinds of pictures that charts are written as.
[[nodiscard]] QStringList pictureSuffixes();
/// An action of a page that writes one file.
struct ExportTask {
    QString name;                                            ///< of the action, for tests
    QString text;
    QString tip;
    QString title;                                           ///< of the dialog that asks where to
    std::function<QString()> fileName;                       ///< suggested, without suffix; asked when the action is triggered
    QString suffix;
    std::function<Result<void>(const QString& path)> write;  ///< on this thread; a failure is shown
};
[[nodiscard]] QAction* makeExportAction(QWidget* page, ExportTask task);
/// A name that can be a file name: letters, digits, `.`, `-` and `_`; anything else becomes `_`.
[[nodiscard]] QString fileNameFrom(const QString& name);

}  // namespace tracedeck::ui
