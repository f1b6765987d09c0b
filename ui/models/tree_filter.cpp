// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tree_filter.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <sstream>
#include <string_view>

namespace tracedeck::ui {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lowered(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), lower);
    return text;
}

/// `needle` is lower case.
bool containsWord(std::string_view text, std::string_view needle)
{
    return std::search(text.begin(), text.end(), needle.begin(), needle.end(), [](char a, char b) { return lower(a) == b; }) !=
           text.end();
}

/// True when `typed` is the axis or begins one of its words.
bool namesAxis(std::string_view typed, const std::string& axis)
{
    const std::string name = lowered(axis);
    for (std::size_t start = 0; start < name.size();) {
        if (std::string_view(name).substr(start).starts_with(typed))
            return true;
        const std::size_t end = name.find('_', start);
        if (end == std::string::npos)
            break;
        start = end + 1;
    }
    return false;
}

}  // namespace

TreeFilter::TreeFilter(const std::string& text)
{
    std::istringstream words(lowered(text));
    for (std::string typed; words >> typed;) {
        Word word{typed, {}, {}};
        const std::size_t equals = typed.find('=');
        if (equals != std::string::npos && equals > 0) {
            std::int64_t value = 0;
            const char* const end = typed.data() + typed.size();
            const auto [stop, error] = std::from_chars(typed.data() + equals + 1, end, value);
            if (error == std::errc() && stop == end) {
                word.axis = typed.substr(0, equals);
                word.value = value;
            }
        }
        m_words.push_back(std::move(word));
    }
}

bool TreeFilter::matchesDefinition(const Word& word, const std::string& name, const Definition* definition)
{
    if (!definition)
        return !word.value && containsWord(name, word.text);
    if (word.value)
        return std::any_of(definition->axes.begin(), definition->axes.end(), [&word](const Axis& axis) {
            return axis.value == word.value && namesAxis(word.axis, axis.name);
        });
    return containsWord(name, word.text) || containsWord(definition->opType, word.text) ||
           std::any_of(definition->tags.begin(), definition->tags.end(),
                       [&word](const std::string& tag) { return containsWord(tag, word.text); });
}

FilteredDefinition TreeFilter::apply(const Dataset& dataset, const std::string& definition) const
{
    const auto& workloads = dataset.workloadsOf(definition);
    FilteredDefinition left;
    left.solutions = dataset.solutionsOf(definition);
    left.workloads.resize(workloads.size());
    std::iota(left.workloads.begin(), left.workloads.end(), 0U);

    const Definition* found = dataset.findDefinition(definition);
    for (const Word& word : m_words) {
        if (matchesDefinition(word, definition, found))
            continue;
        const auto solutionHas = [&word](const Solution* solution) {
            return !word.value && (containsWord(solution->name, word.text) || containsWord(solution->author, word.text) ||
                                   containsWord(toString(solution->spec.language), word.text));
        };
        const auto workloadHas = [&word, &workloads](std::uint32_t index) {
            const Workload& workload = workloads[index].workload;
            if (!word.value)
                return containsWord(workload.uuid, word.text);
            return std::any_of(workload.axes.begin(), workload.axes.end(), [&word](const auto& axis) {
                return axis.second == *word.value && namesAxis(word.axis, axis.first);
            });
        };
        const bool anySolution = std::any_of(left.solutions.begin(), left.solutions.end(), solutionHas);
        const bool anyWorkload = std::any_of(left.workloads.begin(), left.workloads.end(), workloadHas);
        if (!anySolution && !anyWorkload) {
            left.shown = false;
            return left;
        }
        if (anySolution)
            std::erase_if(left.solutions, [&](const Solution* solution) { return !solutionHas(solution); });
        if (anyWorkload)
            std::erase_if(left.workloads, [&](std::uint32_t index) { return !workloadHas(index); });
    }
    return left;
}

}  // namespace tracedeck::ui
