// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with the traces of the table: copying, exporting, menus.
#include <QAction>
#include <QItemSelectionModel>
#include <QMenu>
#include <QTableView>
#include <algorithm>
#include <numeric>

#include "core/model/timestamp.h"
#include "ui/models/trace_table_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/export_files.h"
#include "ui/pages/trace_filter_bar.h"
#include "ui/pages/table_tools.h"
#include "ui/pages/traces_page.h"
#include "ui/style/icons.h"

namespace tracedeck::ui {

void TracesPage::buildActions()
{
    const auto add = [this](QWidget* owner, const QString& text, const QKeySequence& keys, const QString& tip, auto slot) {
        auto* action = new QAction(text, this);
        action->setToolTip(tip);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, slot);
        owner->addAction(action);
        return action;
    };
    add(this, tr("&Filter traces"), QKeySequence(QKeySequence::Find), tr("Go to the filter of the traces"), [this] { m_filterBar->focusText(); });
    m_exportShown = new QAction(icon(QStringLiteral("export")), tr("Export &shown rows as CSV…"), this);
    m_exportShown->setObjectName(QStringLiteral("exportShownCsv"));
    m_exportShown->setToolTip(tr("Write the traces in the table, in its order, as a CSV report"));
    connect(m_exportShown, &QAction::triggered, this, [this] {
        const QString name = m_workspace->currentDefinition().isEmpty() ? tr("traces") : m_workspace->currentDefinition();
        chooseExportFile(this, tr("Export shown rows"), fileNameFrom(name), {QStringLiteral("csv")},
                         [this](const QString& path) { exportInBackground(ExportedRows::Shown, path); });
    });
    m_exportCounted = new QAction(icon(QStringLiteral("export")), tr("Export what &counts as CSV…"), this);
    m_exportCounted->setObjectName(QStringLiteral("exportCountedCsv"));
    m_exportCounted->setToolTip(tr("Write the traces of the dataset that count, by the policy and the GPU in the status bar, as a CSV report"));
    connect(m_exportCounted, &QAction::triggered, this, [this] {
        chooseExportFile(this, tr("Export what counts"), QStringLiteral("report"), {QStringLiteral("csv")},
                         [this](const QString& path) { exportInBackground(ExportedRows::Counted, path); });
    });
    m_exportWhole = new QAction(icon(QStringLiteral("export")), tr("Export &all traces as CSV…"), this);
    m_exportWhole->setObjectName(QStringLiteral("exportWholeCsv"));
    m_exportWhole->setToolTip(tr("Write every trace of the dataset as a CSV report"));
    connect(m_exportWhole, &QAction::triggered, this, [this] {
        chooseExportFile(this, tr("Export all traces"), QStringLiteral("report"), {QStringLiteral("csv")},
                         [this](const QString& path) { exportInBackground(ExportedRows::Whole, path); });
    });
}

void TracesPage::exportInBackground(ExportedRows what, const QString& path)
{
    auto dataset = what == ExportedRows::Shown ? m_model->dataset() : m_workspace->dataset();
    RowIndex rows = m_model->rows();
    m_exportJob->start<Result<void>>(
        [dataset = std::move(dataset), rows = std::move(rows), what, path, policy = m_workspace->policy(),
         hardware = m_workspace->hardware().toStdString()](std::stop_token stop) mutable {
            if (what == ExportedRows::Whole) {
                rows.resize(dataset->traces().size());
                std::iota(rows.begin(), rows.end(), 0U);
            } else if (what == ExportedRows::Counted) {
                rows = countedRows(*dataset, policy, hardware, stop);
            }
            return writeTraceCsv(*dataset, rows, path);
        },
        [this, path](const Result<void>& written) {
            if (!written) {
                showExportError(this, path, written.error());
            }
        });
}

std::vector<int> TracesPage::selectedRows() const
{
    std::vector<int> rows;
    for (const QItemSelectionRange& range : m_view->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            rows.push_back(row);
        }
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

TableToWrite TracesPage::tableOf(const std::vector<int>& columns) const
{
    TableToWrite table;
    std::vector<TraceColumn> kinds;
    for (const int column : columns) {
        kinds.push_back(TraceTableModel::kColumns[static_cast<std::size_t>(column)]);
        table.columns.push_back({TraceTableModel::title(kinds.back()).toStdString(), TraceTableModel::isNumber(kinds.back())});
    }
    table.rowCount = m_model->rows().size();
    table.cell = [dataset = m_model->dataset(), rows = std::make_shared<const RowIndex>(m_model->rows()), kinds](std::size_t row, std::size_t column) {
        return traceCell(*dataset, dataset->traces().row((*rows)[row]), kinds[column]);
    };
    return table;
}

void TracesPage::showRowMenu(const QPoint& position)
{
    const QModelIndex index = m_view->indexAt(position);
    if (!index.isValid()) {
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(m_view->actions());
    menu->addSeparator();
    const TraceRow row = m_model->dataset()->traces().row(m_model->rows()[static_cast<std::size_t>(index.row())]);
    const TraceTable& traces = m_model->dataset()->traces();
    const std::string solution(traces.solutionName(row));
    QAction* rerun = menu->addAction(icon(QStringLiteral("run")), tr("&Run this pair again"));
    rerun->setEnabled(m_model->dataset()->findSolution(solution) != nullptr);
    Selection selection;
    selection.solutions.insert(solution);
    selection.workloads.insert(traces.workloadUuid(row));
    connect(rerun, &QAction::triggered, this, [this, selection] { emit rerunRequested(selection); });
    if (const auto moment = timestampMicroseconds(traces.timestamp(row))) {
        QAction* pin = menu->addAction(tr("&Pin the run of this trace"));
        pin->setObjectName(QStringLiteral("pinRun"));
        pin->setToolTip(tr("Every figure is of the traces that were measured with this one"));
        connect(pin, &QAction::triggered, this, [this, moment = *moment] { m_workspace->pinRun(moment); });
    }
    QAction* go = menu->addAction(tr("Show the &definition"));
    const QString definition = QString::fromStdString(traces.definitionName(row));
    connect(go, &QAction::triggered, this, [this, definition] { m_workspace->setCurrentDefinition(definition); });
    menu->popup(m_view->viewport()->mapToGlobal(position));
}

}  // namespace tracedeck::ui
