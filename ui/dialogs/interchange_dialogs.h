// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/interchange/interchange.h"
#include "ui/dialogs/work_dialog.h"

namespace tracedeck::ui {

class Workspace;

/// Makes a dataset from results of other programs: what `tracedeck import` does.
class ImportDialog : public WorkDialog {
    Q_OBJECT
public:
    explicit ImportDialog(QWidget* parent);

signals:
    void openWanted(const QString& folder);

protected:
    [[nodiscard]] Result<Work> work() override;
    void openFolder(const QString& path) override { emit openWanted(path); }

private:
    QLineEdit* m_files;
    QComboBox* m_format;
    QLineEdit* m_author;
    QLineEdit* m_target;
};

/// Writes the results that are shown for other programs: what `tracedeck export` does. The window's GPU, choice of traces and baseline count.
class ExportDialog : public WorkDialog {
    Q_OBJECT
public:
    ExportDialog(Workspace* workspace, QWidget* parent);
    /// What would be asked for.
    [[nodiscard]] ExportRequest request() const;

protected:
    [[nodiscard]] Result<Work> work() override;
    void openFolder(const QString& path) override { Q_UNUSED(path) }

private:
    [[nodiscard]] InterchangeFormat format() const;
    void updateFields();

    Workspace* m_workspace;
    QComboBox* m_format;
    QComboBox* m_scope;
    QLineEdit* m_folder;
    QLineEdit* m_file;
};

}  // namespace tracedeck::ui
