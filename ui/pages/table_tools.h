// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <functional>
#include <memory>
#include <vector>

#include "core/report/table_file.h"
#include "ui/models/sort_keys.h"

class QAction;
class QMenu;
class QProgressDialog;
class QTableView;
class QTimer;

namespace tracedeck::ui {

class LatestJob;
class SortHeader;

/// What a big table offers beside its rows: choosing columns (kept over restarts), sorting by several of them, copying, and
/// exporting. Its model answers kColumnKeyRole and kCellRole. Made once the view has its model.
class TableTools : public QObject {
    Q_OBJECT
public:
    /// `name`: of the table, for settings and file names. `nameColumn`: key of the column that is always shown.
    TableTools(QTableView* view, const QString& name, const QString& nameColumn, QObject* parent);
    ~TableTools() override;

    /// Whether a column hides unless the user chose otherwise.
    void setHiddenByDefault(const QString& columnKey, bool hidden);
    void setHiddenByDefault(const QStringList& columnKeys);
    [[nodiscard]] const SortKeys& sortKeys() const { return m_keys; }
    /// Shows in the header what the model is sorted by at first; does not sort.
    void showSortKeys(const SortKeys& keys);
    /// Name in the settings.
    [[nodiscard]] const QString& name() const { return m_name; }
    /// The order by names that no language changes, the key that counts most first: `latency`, `-latency` for descending.
    [[nodiscard]] QStringList sortState() const;
    /// Sorts so; columns that are not there any more are left out.
    void restoreSort(const QStringList& state);
    /// Makes the table to write from the columns that are shown, on the GUI thread; it is written on another one, so it must own
    /// what it reads. Without this the model's cells are copied.
    void setTableSource(std::function<TableToWrite(const std::vector<int>& columns)> source);
    /// What the file is called unless the user says otherwise.
    void setFileName(std::function<QString()> fileName) { m_fileName = std::move(fileName); }

    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] QAction* copyAction() const { return m_copy; }
    [[nodiscard]] QAction* copyFullAction() const { return m_copyFull; }
    [[nodiscard]] QAction* exportAction() const { return m_export; }
    /// Columns that are shown, from left to right.
    [[nodiscard]] std::vector<int> shownColumns() const;
    [[nodiscard]] bool isExporting() const;

public slots:
    /// The selected rows as they are seen, tab-separated with a title line.
    void copyAsSeen();
    /// The same with every digit.
    void copyFullPrecision();
    /// The menu of the columns, below the header.
    void chooseColumns();
    /// Writes the rows shown to a file, in the format that its name asks for (CSV when it asks for none), off this thread.
    void exportTo(const QString& path);

signals:
    void sortRequested(const tracedeck::ui::SortKeys& keys);
    /// The table is in the file, or the export failed or was cancelled.
    void exportEnded(const QString& path, bool written);

private:
    QAction* addAction(const QString& name, const QString& text, const QKeySequence& keys, const QString& tip);
    void applyColumns();
    void showColumnMenu(const QPoint& globalPosition);
    void setShown(int column, bool shown);
    void copy(int role);
    [[nodiscard]] QString columnKey(int column) const;
    [[nodiscard]] std::vector<int> selectedRows() const;
    [[nodiscard]] TableToWrite tableOfModel(const std::vector<int>& columns) const;
    void askForFile();
    void updateExportAction();

    QTableView* m_view;
    SortHeader* m_header;
    QString m_name;
    QString m_nameColumn;
    QSet<QString> m_hiddenByDefault;
    SortKeys m_keys;
    std::function<TableToWrite(const std::vector<int>&)> m_source;
    std::function<QString()> m_fileName;
    QAction* m_copy;
    QAction* m_copyFull;
    QAction* m_export;
    QTimer* m_progressTimer;
    std::shared_ptr<std::atomic<std::size_t>> m_rowsDone;
    QProgressDialog* m_progress = nullptr;
    LatestJob* m_exportJob;
};

}  // namespace tracedeck::ui
