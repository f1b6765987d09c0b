// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <filesystem>
#include <vector>

#include "core/score/ceilings.h"

class QPushButton;
class QTableWidget;

namespace tracedeck::ui {

class PrimaryButton;
class Workspace;
class WrappedLabel;

/// What GPUs can do at most: the data sheets' figures, and the user's own over them, which are kept in a file that `--ceilings` reads, too.
class CeilingsDialog : public QDialog {
    Q_OBJECT
public:
    /// `file`: of the user's own figures.
    CeilingsDialog(Workspace* workspace, const std::filesystem::path& file, QWidget* parent = nullptr);

    [[nodiscard]] QTableWidget* table() const { return m_table; }
    /// The user's own entries as the table has them. Error InvalidInput: a cell that is no figure.
    [[nodiscard]] Result<std::vector<Ceilings>> entries() const;

private:
    void build();
    void fill(const std::vector<Ceilings>& own);
    void addRow(const Ceilings& ceilings, bool isOwn);
    void addHardware();
    void removeCurrent();
    void makeOwn(int row);
    void check();
    void save();
    [[nodiscard]] bool isOwn(int row) const;

    Workspace* m_workspace;
    std::filesystem::path m_file;
    QTableWidget* m_table;
    WrappedLabel* m_failure;
    QPushButton* m_add;
    QPushButton* m_remove;
    PrimaryButton* m_save;
    bool m_fills = false;
};

}  // namespace tracedeck::ui
