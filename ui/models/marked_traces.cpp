// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/marked_traces.h"

#include <algorithm>
#include <utility>

#include "ui/models/workspace.h"

namespace tracedeck::ui {

MarkedTraces::MarkedTraces(Workspace* workspace) : QObject(workspace)
{
    connect(workspace, &Workspace::datasetChanged, this, [this](bool onlyGrew) {
        if (!onlyGrew)
            clear();   // rows have other numbers now
    });
}

bool MarkedTraces::contains(std::uint32_t row) const { return std::binary_search(m_rows->begin(), m_rows->end(), row); }

void MarkedTraces::mark(RowIndex rows)
{
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows == *m_rows)
        return;
    m_rows = std::make_shared<const RowIndex>(std::move(rows));
    emit changed();
}

void MarkedTraces::toggle(quint32 row)
{
    RowIndex rows = *m_rows;
    if (contains(row))
        std::erase(rows, row);
    else
        rows.push_back(row);
    mark(std::move(rows));
}

}  // namespace tracedeck::ui
