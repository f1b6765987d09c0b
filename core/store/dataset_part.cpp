// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/dataset_part.h"

#include "core/store/dataset_loader.h"

namespace tracedeck {

std::shared_ptr<const Dataset> DatasetLoader::part(const Dataset& whole, const std::vector<std::uint32_t>& rows)
{
    const TraceTable& traces = whole.m_traces;
    std::vector<TraceRowRange> ranges;
    for (const std::uint32_t row : rows) {
        const std::uint32_t file = TraceTable::fileOf(traces.row(row));
        TraceRowRange* last = ranges.empty() ? nullptr : &ranges.back();
        if (last != nullptr && last->file == file && last->first + last->count == row) ++last->count;
        else ranges.push_back({&traces, row, 1, file});
    }
    auto part = std::make_shared<Dataset>(whole);
    part->m_record.reset();
    part->m_loaded.reset();
    part->m_traces = TraceTable::assemble(ranges, 1);
    part->m_rowsByDefinition.clear();
    part->m_rowsBySolution.clear();
    part->indexTraces(0, 1);
    if (whole.m_view) {
        auto view = std::make_shared<PolicyView>();
        view->plain = DatasetLoader::part(*whole.m_view->plain, rows);
        view->pinnedRun = whole.m_view->pinnedRun;
        for (std::uint32_t row = 0; row < rows.size(); ++row) {
            if (const auto figure = whole.m_view->pooled.find(rows[row]); figure != whole.m_view->pooled.end()) view->pooled.emplace(row, figure->second);
            if (!whole.m_view->contributes.empty()) view->contributes.push_back(whole.m_view->contributes[rows[row]]);
        }
        part->m_view = std::move(view);
    }
    return part;
}

std::shared_ptr<const Dataset> onlyTraces(const Dataset& whole, const std::vector<std::uint32_t>& rows) { return DatasetLoader::part(whole, rows); }

}  // namespace tracedeck
