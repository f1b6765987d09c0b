// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/light_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "core/score/ranking.h"
#include "core/score/workload_sizes.h"

namespace tracedeck {

namespace {

class LightTableMaker {
public:
    LightTableMaker(const Dataset& dataset, const LightQuestion& question)
        : m_dataset(dataset), m_question(question), m_ceilings(question.ceilings != nullptr ? *question.ceilings : CeilingTable::dataSheets())
    {
    }

    Result<LightTable> make(const std::stop_token& stop)
    {
        const RowIndex rows = selectTraces(m_dataset, filterTraces(m_dataset, m_question.filter, stop), m_question.policy, stop);
        for (const std::uint32_t index : rows) {
            if (stop.stop_requested()) break;
            const TraceRow& row = traces().row(index);
            constexpr auto kResult = TraceFlag::kHasEvaluation | TraceFlag::kHasSolution;
            if ((row.flags & kResult) == kResult) add(index, row);
        }
        if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the table was stopped", {}, 0, {}};
        for (auto& [definition, known] : m_definitions) {
            if (!known.sizes->problem().empty()) m_table.problems.push_back(known.sizes->problem());
        }
        finishSummaries();
        return std::move(m_table);
    }

private:
    struct Known {
        std::unique_ptr<WorkloadSizes> sizes;
        BaselineLatencies baselines;
    };
    struct Sums {
        double logarithms = 0;
        double scores = 0;
        std::size_t scored = 0;
    };
    [[nodiscard]] const TraceTable& traces() const { return m_dataset.traces(); }

    Known& knownOf(const std::string& definition)
    {
        Known& known = m_definitions[definition];
        if (known.sizes) return known;
        known.sizes = std::make_unique<WorkloadSizes>(m_dataset, definition);
        const auto baseline = m_question.baselineAuthor.empty() ? Result<const Solution*>(nullptr) : baselineOf(m_dataset, definition, m_question.baselineAuthor);
        if (!baseline || *baseline == nullptr) return known;
        known.baselines = baselineLatencies(m_dataset, m_dataset.traceRowsOfSolution((*baseline)->name), (*baseline)->name, m_question.policy);
        return known;
    }

    void add(std::uint32_t index, const TraceRow& row)
    {
        const Ceilings* ceilings = m_ceilings.find(traces().hardwareName(row));
        if (ceilings == nullptr) {
            ++m_table.withoutCeiling;
            return;
        }
        const std::string definition(traces().definitionName(row));
        const std::string solution(traces().solutionName(row));
        Known& known = knownOf(definition);
        const auto& work = known.sizes->of(row);
        const auto light = work ? speedOfLight(*work, *ceilings) : std::nullopt;
        if (!light) {
            ++m_table.withoutSize;
            return;
        }
        const auto key = std::tuple(definition, solution, row.hardware);
        const auto [place, isNew] = m_places.try_emplace(key, m_table.summaries.size());
        if (isNew) {
            m_table.summaries.push_back({definition, solution, authorOf(m_dataset, row), std::string(traces().hardwareName(row))});
            m_sums.emplace_back();
        }
        LightSummary& summary = m_table.summaries[place->second];
        Sums& sums = m_sums[place->second];
        if (!isTimed(row)) {
            ++summary.failed;
            return;
        }
        LightRow made{.row = index, .latencyMs = row.latencyMs, .lightMs = light->ms, .bound = light->bound, .bytes = work->inputBytes + work->outputBytes};
        made.operations = work->operations.value_or(LightRow::kNone);
        made.isUpperEstimate = work->isUpperEstimate;
        if (const auto baseline = known.baselines.find({traces().workloadKeys()[row.workload].uuid, row.hardware}); baseline != known.baselines.end()) {
            made.baselineMs = baseline->second;
            made.score = speedOfLightScore(made.latencyMs, made.baselineMs, made.lightMs);
            sums.scores += made.score;
            ++sums.scored;
        }
        ++summary.workloads;
        summary.tooFast += made.isTooFast() ? 1U : 0U;
        sums.logarithms += std::log(std::min(1.0, made.share()));
        m_table.rows.push_back(made);
    }

    void finishSummaries()
    {
        for (std::size_t i = 0; i < m_table.summaries.size(); ++i) {
            LightSummary& summary = m_table.summaries[i];
            if (summary.workloads > 0) summary.share = std::exp(m_sums[i].logarithms / static_cast<double>(summary.workloads));
            if (m_sums[i].scored > 0) summary.score = m_sums[i].scores / static_cast<double>(m_sums[i].scored + summary.failed);
        }
        std::sort(m_table.summaries.begin(), m_table.summaries.end(), [](const LightSummary& a, const LightSummary& b) {
            const double shareOfA = std::isnan(a.share) ? 0 : a.share;
            const double shareOfB = std::isnan(b.share) ? 0 : b.share;
            return std::tie(a.definition, a.hardware, shareOfB, a.solution) < std::tie(b.definition, b.hardware, shareOfA, b.solution);
        });
    }

    const Dataset& m_dataset;
    const LightQuestion& m_question;
    const CeilingTable& m_ceilings;
    LightTable m_table;
    std::map<std::string, Known> m_definitions;
    std::map<std::tuple<std::string, std::string, std::uint16_t>, std::size_t> m_places;   ///< of summaries
    std::vector<Sums> m_sums;
};

}  // namespace

Result<LightTable> lightTable(const Dataset& dataset, const LightQuestion& question, const std::stop_token& stop)
{
    return LightTableMaker(dataset, question).make(stop);
}

}  // namespace tracedeck
