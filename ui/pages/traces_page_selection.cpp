// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected in the table of traces is marked in charts, and the other way round.
#include <QItemSelectionModel>
#include <QTableView>
#include <algorithm>
#include <utility>

#include "ui/models/marked_traces.h"
#include "ui/models/trace_table_model.h"
#include "ui/models/workspace.h"
#include "ui/pages/traces_page.h"

namespace tracedeck::ui {
namespace {

/// Rows that are selected again by identity after a filter; beyond that only the current row is kept.
constexpr std::size_t kMaximumKeptSelection = 10'000;

}  // namespace

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

void TracesPage::showMarks()
{
    if (m_followsMarks || m_datasetReplaced) {
        return;
    }
    m_followsMarks = true;
    const RowIndex& marked = *m_workspace->marks()->rows();
    selectTraces({marked.begin(), marked.end()});
    m_followsMarks = false;
}

void TracesPage::markSelected()
{
    constexpr std::size_t kMostMarked = 100'000;   // more rings than that are no mark
    if (m_followsMarks || m_datasetReplaced) {
        return;
    }
    m_followsMarks = true;
    const std::vector<int> selected = selectedRows();
    RowIndex rows;
    for (const int row : selected.size() <= kMostMarked ? selected : std::vector<int>()) {
        rows.push_back(m_model->rows()[static_cast<std::size_t>(row)]);
    }
    m_workspace->marks()->mark(std::move(rows));
    m_followsMarks = false;
}

void TracesPage::restoreSelection(std::vector<quint32> traces, quint32 current)
{
    m_followsMarks = true;
    selectTraces(std::move(traces));
    if (const int row = m_model->findRow(current); row >= 0) {
        m_view->selectionModel()->setCurrentIndex(m_model->index(row, 0), QItemSelectionModel::NoUpdate);
        m_view->scrollTo(m_model->index(row, 0));
    }
    m_followsMarks = false;
}

void TracesPage::selectTraces(std::vector<quint32> traces)
{
    QItemSelection selection;
    const int last = m_model->columnCount() - 1;
    if (traces.size() <= kMaximumKeptSelection) {
        std::sort(traces.begin(), traces.end());
        for (std::size_t row = 0; !traces.empty() && row < m_model->rows().size(); ++row) {
            if (std::binary_search(traces.begin(), traces.end(), m_model->rows()[row])) {
                selection.select(m_model->index(static_cast<int>(row), 0), m_model->index(static_cast<int>(row), last));
            }
        }
    }
    m_view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

}  // namespace tracedeck::ui
