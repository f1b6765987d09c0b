// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <memory>
#include <set>
#include <vector>

#include "core/model/result.h"
#include "core/report/table_file.h"
#include "core/run/run_request.h"
#include "core/store/query.h"
#include "ui/models/latest_job.h"
#include "ui/models/sort_keys.h"

class QAction;
class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QStackedLayout;
class QTableView;
class QTimer;

namespace tracedeck::ui {

class GrowthRefresh;
class RunHereButton;
class ShownRefresh;
class TableTools;
class TraceFilterBar;
class TraceTableModel;
class Workspace;

/// The table of traces with its filters. Filters and sorts on a worker thread; the rows shown follow the workspace's
/// snapshot and current definition, and rows that land during a run appear without moving what is selected.
class TracesPage : public QWidget {
    Q_OBJECT
public:
    explicit TracesPage(Workspace* workspace, QWidget* parent = nullptr);
    ~TracesPage() override;

    /// Actions for the File > Export menu; they ask for a file with a dialog that does not block.
    [[nodiscard]] QList<QAction*> exportActions() const;
    /// Writes the rows shown, in the order shown, as `report csv`.
    [[nodiscard]] Result<void> exportShownCsv(const QString& path) const;
    /// Writes every trace of the dataset as `report csv`.
    [[nodiscard]] Result<void> exportWholeCsv(const QString& path) const;
    /// Those of the dataset that the workspace's policy and hardware let count, in load order.
    [[nodiscard]] Result<void> exportCountedCsv(const QString& path) const;

    [[nodiscard]] TraceTableModel* model() const { return m_model; }
    [[nodiscard]] QTableView* view() const { return m_view; }
    /// Columns, copying and exporting.
    [[nodiscard]] TableTools* tools() const { return m_tools; }
    [[nodiscard]] TraceFilterBar* filterBar() const { return m_filterBar; }
    [[nodiscard]] const TraceFilter& filter() const { return m_filter; }
    /// True while a filter or sort is pending or running.
    [[nodiscard]] bool isBusy() const;

public slots:
    /// Sets the text of the filter box; the query starts after the usual pause.
    void setFilterText(const QString& text);
    /// Shows the traces of these solutions only; empty: all.
    void setSolutions(const QStringList& solutions);
    void setStatuses(const std::set<tracedeck::Status>& statuses);
    /// Every trace of the dataset that was measured then and nothing else; see TraceFilterBar::setTimes.
    void showTimes(const tracedeck::ValueRange& times, const QString& title);
    void resetFilters();

signals:
    /// A new set of rows is in the table.
    void rowsShown(qlonglong count);
    /// The user asked to run these pairs again (menu of a row).
    void rerunRequested(const tracedeck::Selection& selection);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    struct Answer;
    struct SortedRows;
    void buildTable();
    void buildLayout();
    void buildActions();
    void findCounted();
    void startQuery();
    void showGrowth();
    void applyAnswer(Answer answer);
    /// Widths from the contents, so that all columns are in sight, until the user changes one.
    void sizeColumns();
    void shareWidth();
    /// The marked traces are selected, those that the filter lets through.
    void showMarks();
    /// And the selected ones are marked.
    void markSelected();
    void selectTraces(std::vector<quint32> traces);
    void restoreSelection(std::vector<quint32> traces, quint32 current);
    void updateState();
    void onCurrentRowChanged();
    enum class ExportedRows { Shown, Counted, Whole };
    void exportInBackground(ExportedRows what, const QString& path);
    void showRowMenu(const QPoint& position);
    void addPinMenu(QMenu* menu, const TraceRow& row);
    /// Pins stand beside the latency, whatever their number.
    void placePinColumns();
    [[nodiscard]] std::vector<int> selectedRows() const;
    /// The rows shown as a table to write, which another thread may read.
    [[nodiscard]] TableToWrite tableOf(const std::vector<int>& columns) const;

    Workspace* m_workspace;
    TraceTableModel* m_model = nullptr;
    QTableView* m_view = nullptr;
    TableTools* m_tools = nullptr;
    TraceFilterBar* m_filterBar = nullptr;
    QLabel* m_emptyLabel = nullptr;
    RunHereButton* m_runHere = nullptr;
    QPushButton* m_emptyButton = nullptr;
    QProgressBar* m_busyBar = nullptr;
    QTimer* m_busyDelay = nullptr;
    QStackedLayout* m_stack = nullptr;
    QAction* m_exportShown = nullptr;
    QAction* m_exportCounted = nullptr;
    QAction* m_exportWhole = nullptr;
    TraceFilter m_filter;
    SortKeys m_sort;
    std::shared_ptr<const SortedRows> m_sorted;   ///< null: nothing worth keeping
    bool m_keepPosition = false;   ///< the pending query only brings new rows
    bool m_followsMarks = false;   ///< the selection is being made from the marks, not the other way round
    bool m_columnsSized = false;
    bool m_sizing = false;            ///< widths change, and not by the user's hand
    bool m_sizedByHand = false;
    std::vector<int> m_wanted;        ///< widths that the contents ask for
    bool m_datasetReplaced = false;   ///< since the rows shown were made
    LatestJob* m_queryJob;
    LatestJob* m_exportJob;
    GrowthRefresh* m_growth;
    LatestJob* m_countedJob;
    ShownRefresh* m_countedShown;
    GrowthRefresh* m_countedGrowth;
};

}  // namespace tracedeck::ui
