// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done with the traces of the table: copying, exporting, menus.
#include <QAction>
#include <QItemSelectionModel>
#include <QMenu>
#include <QTableView>
#include <algorithm>
#include <numeric>

#include "core/model/timestamp.h"
#include "ui/models/pin_board.h"
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

TableToWrite TracesPage::tableOf(const std::vector<int>& columns) const
{
    TableToWrite table;
    for (const int column : columns) {
        const bool isNumber = column >= TraceTableModel::kLightColumn || TraceTableModel::isNumber(TraceTableModel::kColumns[static_cast<std::size_t>(column)]);
        table.columns.push_back({m_model->headerData(column, Qt::Horizontal).toString().toStdString(), isNumber});
    }
    table.rowCount = m_model->rows().size();
    table.cell = [dataset = m_model->dataset(), rows = std::make_shared<const RowIndex>(m_model->rows()), columns, light = m_model->light(),
                  pinned = m_model->pinned()](std::size_t index, std::size_t position) {
        constexpr double kCellPercent = 100;
        const TraceRow& row = dataset->traces().row((*rows)[index]);
        const int column = columns[position];
        if (column < TraceTableModel::kLightColumn) {
            return traceCell(*dataset, row, TraceTableModel::kColumns[static_cast<std::size_t>(column)]);
        }
        return column == TraceTableModel::kLightColumn ? finiteCell(kCellPercent * light->share(row))
                                                       : finiteCell(kCellPercent * pinned->change(static_cast<std::size_t>(column - TraceTableModel::kLightColumn - 1), row));
    };
    return table;
}

/// What can be pinned as a baseline with a trace in hand.
void TracesPage::addPinMenu(QMenu* menu, const TraceRow& row)
{
    const Dataset& dataset = *m_model->dataset();
    if (row.solution == StringPool::kNone) {
        return;
    }
    QMenu* pins = menu->addMenu(icon(QStringLiteral("pin")), tr("Pin as &baseline"));
    pins->setToolTipsVisible(true);
    const auto add = [this, pins](const QString& name, const QString& text, const QString& tip, const Pin& pin) {
        QAction* action = pins->addAction(text);
        action->setObjectName(name);
        action->setToolTip(tip);
        action->setEnabled(!m_workspace->pins()->isFull() && !m_workspace->pins()->isPinned(pin));
        connect(action, &QAction::triggered, this, [this, pin] { m_workspace->pins()->pin(pin); });
    };
    const std::string solution(dataset.traces().solutionName(row));
    add(QStringLiteral("pinThisTrace"), tr("This &trace"), tr("Its time on its workload and hardware"), pinOfTrace(dataset, row));
    add(QStringLiteral("pinThisSolution"), tr("Its &solution"), tr("The times of the solution, by the policy in the status bar"), {.kind = Pin::Kind::Solution, .name = solution});
    if (const Solution* known = dataset.findSolution(solution)) {
        add(QStringLiteral("pinThisAuthor"), tr("Its &author"), tr("The lowest times of the author's solutions"), {.kind = Pin::Kind::Author, .name = known->author});
    }
    if (const auto moment = timestampMicroseconds(dataset.traces().timestamp(row))) {
        add(QStringLiteral("pinThisRun"), tr("Its &run"), tr("Of each solution what it took in that run"), {.kind = Pin::Kind::Run, .moment = *moment});
    }
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
    addPinMenu(menu, row);
    QAction* go = menu->addAction(tr("Show the &definition"));
    const QString definition = QString::fromStdString(traces.definitionName(row));
    connect(go, &QAction::triggered, this, [this, definition] { m_workspace->setCurrentDefinition(definition); });
    menu->popup(m_view->viewport()->mapToGlobal(position));
}

}  // namespace tracedeck::ui
