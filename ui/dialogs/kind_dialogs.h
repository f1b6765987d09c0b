// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/interchange/kind_dataset.h"
#include "ui/dialogs/work_dialog.h"

namespace tracedeck::ui {

class Workspace;

/// Makes a dataset of one kind of kernel: what `tracedeck new` does.
class NewDatasetDialog : public WorkDialog {
    Q_OBJECT
public:
    explicit NewDatasetDialog(QWidget* parent);

signals:
    void openWanted(const QString& folder);

protected:
    [[nodiscard]] Result<Work> work() override;
    void openFolder(const QString& path) override { emit openWanted(path); }

private:
    QComboBox* m_kind;
    QComboBox* m_dtype;
    QComboBox* m_sizes;
    QLineEdit* m_target;
};

/// Adds an implementation to the dataset that is open: what `tracedeck add` does.
class AddImplementationDialog : public WorkDialog {
    Q_OBJECT
public:
    AddImplementationDialog(Workspace* workspace, QWidget* parent);

signals:
    /// The dataset has one more solution on disk.
    void added();

protected:
    [[nodiscard]] Result<Work> work() override;
    void openFolder(const QString& path) override { Q_UNUSED(path) }

private:
    void updateFields();

    Workspace* m_workspace;
    QComboBox* m_definition;
    QComboBox* m_source;
    QLineEdit* m_file;
    QLineEdit* m_function;
    QLineEdit* m_repository;
    QLineEdit* m_revision;
    QLineEdit* m_call;
    QLineEdit* m_name;
    QLineEdit* m_author;
};

}  // namespace tracedeck::ui
