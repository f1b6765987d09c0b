// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/comparison_choice.h"

#include <utility>

#include "core/score/ranking.h"

namespace tracedeck::ui {

bool SideChoice::operator==(const SideChoice& other) const
{
    const auto span = [](const std::optional<MeasurementRun>& of) { return of ? std::pair(of->start, of->end) : std::pair<std::int64_t, std::int64_t>(); };
    return folder == other.folder && solution == other.solution && author == other.author && hardware == other.hardware && span(run) == span(other.run);
}

SideFacts sideFactsOf(std::shared_ptr<const Dataset> dataset, const std::stop_token& stop)
{
    SideFacts facts;
    for (const std::string& author : authorsOf(*dataset))
        facts.authors << QString::fromStdString(author);
    for (const std::string& hardware : hardwareOf(*dataset))
        facts.hardware << QString::fromStdString(hardware);
    facts.runs = measurementRuns(*dataset, kPauseBetweenRuns, stop);
    facts.dataset = std::move(dataset);
    return facts;
}

ComparisonSide comparisonSide(std::shared_ptr<const Dataset> dataset, const SideChoice& choice, const ComparisonScope& scope)
{
    ComparisonSide side{std::move(dataset), {}};
    const auto insert = [](std::set<std::string>& names, const QString& name) {
        if (!name.isEmpty())
            names.insert(name.toStdString());
    };
    insert(side.filter.definitions, scope.definition);
    insert(side.filter.opTypes, scope.opType);
    insert(side.filter.solutions, choice.solution);
    insert(side.filter.authors, choice.author);
    insert(side.filter.hardware, choice.hardware);
    if (choice.run)
        limitToRun(side, *choice.run);
    return side;
}

ComparisonChoice likelyChoice(const SideFacts& facts, const QString& definition, const QString& solution, const QString& baselineAuthor, const QString& hardware)
{
    ComparisonChoice choice;
    choice.a.hardware = hardware;
    choice.b.hardware = hardware;
    std::vector<const Solution*> measured;
    for (const Solution* one : facts.dataset->solutionsOf(definition.toStdString()))
        if (!facts.dataset->traceRowsOfSolution(one->name).empty())
            measured.push_back(one);
    if (measured.size() >= 2) {
        const Solution* a = measured.front();
        for (const Solution* one : measured)
            if (one->author == baselineAuthor.toStdString())
                a = one;
        const Solution* b = nullptr;
        for (const Solution* one : measured)
            if (one != a && (!b || one->name == solution.toStdString()))
                b = one;
        choice.scope.definition = definition;
        choice.a.solution = QString::fromStdString(a->name);
        choice.b.solution = QString::fromStdString(b->name);
    } else if (facts.runs.size() >= 2) {
        choice.a.run = facts.runs[facts.runs.size() - 2];
        choice.b.run = facts.runs.back();
    }
    return choice;
}

}  // namespace tracedeck::ui
