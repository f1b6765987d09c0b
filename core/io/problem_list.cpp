// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/problem_list.h"

namespace tracedeck {

namespace {

constexpr std::size_t kMaximumErrors = 1000;

}  // namespace

void ProblemList::add(Problem problem, std::size_t count)
{
    if (problem.severity == Severity::Error) {
        if (m_errors == kMaximumErrors) {
            m_errorsLeftOut += count;
            return;
        }
        ++m_errors;
    } else {
        const auto [known, isNew] =
            m_warnings.try_emplace(std::pair(problem.error.field, problem.error.reason), m_entries.size());
        if (!isNew) {
            m_entries[known->second].count += count;
            return;
        }
    }
    m_entries.push_back(Entry{std::move(problem), count});
}

void ProblemList::append(ProblemList next, std::int64_t linesBefore)
{
    for (Entry& entry : next.m_entries) {
        if (entry.problem.error.line > 0) entry.problem.error.line += linesBefore;
        add(std::move(entry.problem), entry.count);
    }
    m_errorsLeftOut += next.m_errorsLeftOut;
}

std::vector<Problem> ProblemList::take(const std::string& file) &&
{
    std::vector<Problem> problems;
    problems.reserve(m_entries.size() + 1);
    for (Entry& entry : m_entries) {
        if (entry.count > 1) entry.problem.error.reason += " (" + std::to_string(entry.count) + " times in this file)";
        if (entry.problem.error.file.empty()) entry.problem.error.file = file;
        entry.problem.occurrences = entry.count;
        problems.push_back(std::move(entry.problem));
    }
    if (m_errorsLeftOut > 0) {
        problems.push_back(Problem{Severity::Error,
                                   Error{ErrorCode::InvalidInput,
                                         std::to_string(m_errorsLeftOut) + " more lines of this file cannot be read", file, 0, {}},
                                   false, m_errorsLeftOut});
    }
    return problems;
}

}  // namespace tracedeck
