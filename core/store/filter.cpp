// SPDX-License-Identifier: GPL-3.0-or-later
// Filtering a trace table: every distinct text is tested once, then rows compare small numbers.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <utility>

#include "core/store/parallel.h"
#include "core/store/query.h"

namespace tracedeck {

namespace {

/// Bit i is set when word i occurs.
using WordMask = std::uint64_t;
constexpr std::size_t kWordsPerPass = 64;
constexpr std::size_t kRowsPerStopCheck = 4096;
/// Fewer rows are tested faster than a thread starts.
constexpr std::size_t kRowsToFilterOnAThread = 100'000;

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower(std::string_view text)
{
    std::string folded(text);
    for (char& c : folded) c = lower(c);
    return folded;
}

struct Word {
    std::string text;                     ///< lower case
    std::string axis;                     ///< lower case; empty: not of the form axis=integer
    std::int64_t axisValue = 0;
};

Word makeWord(std::string_view text)
{
    Word word{lower(text), {}, 0};
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) return word;
    const std::string_view value = text.substr(equals + 1);
    std::int64_t number = 0;
    const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
    if (parsed.ec != std::errc{} || parsed.ptr != value.data() + value.size()) return word;
    word.axis = lower(text.substr(0, equals));
    word.axisValue = number;
    return word;
}

std::vector<Word> splitWords(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    std::vector<Word> words;
    while (true) {
        const auto begin = text.find_first_not_of(blanks);
        if (begin == std::string_view::npos) return words;
        const auto end = std::min(text.find_first_of(blanks, begin), text.size());
        words.push_back(makeWord(text.substr(begin, end - begin)));
        text.remove_prefix(end);
    }
}

/// The number that a range restricts; NaN when the row has none.
double valueOf(const TraceTable& traces, const TraceRow& row, TraceColumn column)
{
    if (column != TraceColumn::Timestamp) return numberOf(row, column);
    const auto time = timestampMicroseconds(traces.timestamp(row));
    return time ? static_cast<double>(*time) : std::numeric_limits<double>::quiet_NaN();
}

/// What the rows of one snapshot are tested with, computed for each distinct name, workload and machine when it is first met.
class RowTest {
public:
    RowTest(const Dataset& dataset, const TraceFilter& filter, std::vector<Word> words)
        : m_dataset(dataset), m_traces(dataset.traces()), m_filter(filter), m_words(std::move(words)),
          m_all(m_words.size() == kWordsPerPass ? ~WordMask{0} : (WordMask{1} << m_words.size()) - 1),
          m_workloads(m_traces.workloadKeys().size()), m_nameMasks(m_words.empty() ? 0 : m_traces.names().size()),
          m_solutions(m_traces.names().size()), m_hardware(m_traces.hardwareNames().size())
    {
        for (int index = 0; index < kStatusCount; ++index) {
            const auto status = static_cast<Status>(index);
            auto& verdict = m_statuses[static_cast<std::size_t>(index)];
            verdict.allowed = filter.statuses.empty() || filter.statuses.contains(status);
            verdict.words = wordsIn(toString(status));
        }
        for (const JoinedFolder& folder : dataset.folders()) m_folders.push_back({wordsIn(folder.name), true, filter.folders.empty() || filter.folders.contains(folder.name)});
        m_noSolution.allowed = filter.solutions.empty() && filter.authors.empty() && filter.languages.empty();
        m_noHardware.allowed = filter.hardware.empty();
        m_notEvaluated.allowed = filter.statuses.empty();
    }

    [[nodiscard]] bool passes(const TraceRow& row)
    {
        const bool evaluated = (row.flags & TraceFlag::kHasEvaluation) != 0;
        const Verdict& status = evaluated ? m_statuses[static_cast<std::size_t>(row.status)] : m_notEvaluated;
        if (!status.allowed) return false;
        const Verdict& solution = solutionVerdict(row.solution);
        if (!solution.allowed) return false;
        const Verdict& hardware = hardwareVerdict(row.hardware);
        if (!hardware.allowed) return false;
        const Verdict& workload = workloadVerdict(row.workload);
        if (!workload.allowed) return false;
        const Verdict& folder = m_folders.empty() ? m_onlyFolder : m_folders[m_dataset.folderIndexOf(row)];
        if (!folder.allowed) return false;
        return (status.words | solution.words | hardware.words | workload.words | folder.words) == m_all && isInRanges(row);
    }

private:
    struct Verdict {
        WordMask words = 0;
        bool known = false;
        bool allowed = false;
    };
    struct NameMask {
        WordMask words = 0;
        bool known = false;
    };

    [[nodiscard]] bool isInRanges(const TraceRow& row) const
    {
        return std::all_of(m_filter.ranges.begin(), m_filter.ranges.end(), [&](const auto& wanted) {
            const double value = valueOf(m_traces, row, wanted.first);
            return value >= wanted.second.least && value <= wanted.second.greatest;
        });
    }
    [[nodiscard]] WordMask wordsIn(std::string_view text)
    {
        if (m_words.empty()) return 0;
        m_folded.assign(text);
        for (char& c : m_folded) c = lower(c);
        WordMask mask = 0;
        for (std::size_t i = 0; i < m_words.size(); ++i) {
            if (m_folded.find(m_words[i].text) != std::string::npos) mask |= WordMask{1} << i;
        }
        return mask;
    }
    [[nodiscard]] WordMask wordsInName(std::uint32_t id)
    {
        if (m_words.empty()) return 0;
        NameMask& mask = m_nameMasks[id];
        if (!mask.known) mask = {wordsIn(m_traces.names().text(id)), true};
        return mask.words;
    }
    [[nodiscard]] WordMask wordsInAxes(const WorkloadKey& key)
    {
        if (m_words.empty()) return 0;
        std::string text;   // as in TraceTable::axesText, lower case
        WordMask mask = 0;
        for (const auto& [axis, value] : key.axes) {
            const std::string name = lower(m_traces.names().text(axis));
            for (std::size_t i = 0; i < m_words.size(); ++i) {
                if (m_words[i].axisValue == value && m_words[i].axis == name) mask |= WordMask{1} << i;
            }
            text += (text.empty() ? "" : ";") + name + "=" + std::to_string(value);
        }
        for (std::size_t i = 0; i < m_words.size(); ++i) {
            if (m_words[i].axis.empty() && text.find(m_words[i].text) != std::string::npos) mask |= WordMask{1} << i;
        }
        return mask;
    }

    [[nodiscard]] const Verdict& solutionVerdict(std::uint32_t id)
    {
        if (id == StringPool::kNone) return m_noSolution;
        Verdict& verdict = m_solutions[id];
        if (verdict.known) return verdict;
        verdict.known = true;
        const std::string& name = m_traces.names().text(id);
        const Solution* solution = m_dataset.findSolution(name);
        const std::string_view author = solution == nullptr ? std::string_view{} : std::string_view(solution->author);
        verdict.allowed = (m_filter.solutions.empty() || m_filter.solutions.contains(name)) &&
                          (m_filter.authors.empty() || (solution != nullptr && m_filter.authors.contains(solution->author))) &&
                          (m_filter.languages.empty() || (solution != nullptr && m_filter.languages.contains(std::string(toString(solution->spec.language)))));
        if (verdict.allowed) verdict.words = wordsInName(id) | wordsIn(author);
        return verdict;
    }
    [[nodiscard]] const Verdict& hardwareVerdict(std::uint16_t index)
    {
        if (index >= m_hardware.size()) return m_noHardware;
        Verdict& verdict = m_hardware[index];
        if (verdict.known) return verdict;
        const std::string& name = m_traces.hardwareNames()[index];
        verdict.known = true;
        verdict.allowed = m_filter.hardware.empty() || m_filter.hardware.contains(name);
        if (verdict.allowed) verdict.words = wordsIn(name);
        return verdict;
    }
    [[nodiscard]] const Verdict& workloadVerdict(std::uint32_t index)
    {
        Verdict& verdict = m_workloads[index];
        if (verdict.known) return verdict;
        verdict.known = true;
        const WorkloadKey& key = m_traces.workloadKeys()[index];
        const StringPool& names = m_traces.names();
        verdict.allowed = (m_filter.definitions.empty() || m_filter.definitions.contains(names.text(key.definition))) &&
                          (m_filter.workloadUuids.empty() || m_filter.workloadUuids.contains(names.text(key.uuid))) && hasAxes(key) &&
                          hasOpType(names.text(key.definition));
        if (verdict.allowed) verdict.words = wordsInName(key.definition) | wordsInName(key.uuid) | wordsInAxes(key);
        return verdict;
    }
    [[nodiscard]] bool hasOpType(const std::string& name) const
    {
        if (m_filter.opTypes.empty()) return true;
        const Definition* definition = m_dataset.findDefinition(name);
        return definition != nullptr && m_filter.opTypes.contains(definition->opType);
    }
    [[nodiscard]] bool hasAxes(const WorkloadKey& key) const
    {
        return std::all_of(m_filter.axes.begin(), m_filter.axes.end(), [&](const auto& wanted) {
            return std::any_of(key.axes.begin(), key.axes.end(), [&](const auto& axis) {
                return axis.second == wanted.second && m_traces.names().text(axis.first) == wanted.first;
            });
        });
    }

    const Dataset& m_dataset;
    const TraceTable& m_traces;
    const TraceFilter& m_filter;
    std::vector<Word> m_words;
    WordMask m_all;
    std::string m_folded;   ///< scratch
    std::array<Verdict, kStatusCount> m_statuses;
    Verdict m_noSolution;
    Verdict m_noHardware;
    Verdict m_notEvaluated;
    std::vector<Verdict> m_workloads;
    std::vector<NameMask> m_nameMasks;
    std::vector<Verdict> m_solutions;
    std::vector<Verdict> m_hardware;
    std::vector<Verdict> m_folders;   ///< of joined ones
    Verdict m_onlyFolder{0, true, true};
};

/// The rows worth looking at, when an index knows them.
const std::vector<std::uint32_t>* indexedRows(const Dataset& dataset, const TraceFilter& filter)
{
    if (filter.solutions.size() == 1) return &dataset.traceRowsOfSolution(*filter.solutions.begin());
    if (filter.definitions.size() == 1) return &dataset.traceRowsOfDefinition(*filter.definitions.begin());
    return nullptr;
}

}  // namespace

double numberOf(const TraceRow& row, TraceColumn column)
{
    switch (column) {
    case TraceColumn::Latency: return row.latencyMs;
    case TraceColumn::ReferenceLatency: return row.referenceLatencyMs;
    case TraceColumn::Speedup: return row.speedupFactor;
    case TraceColumn::MaxAbsoluteError: return row.maxAbsoluteError;
    case TraceColumn::MaxRelativeError: return row.maxRelativeError;
    case TraceColumn::Definition:
    case TraceColumn::OpType:
    case TraceColumn::Solution:
    case TraceColumn::Language:
    case TraceColumn::Author:
    case TraceColumn::Workload:
    case TraceColumn::Axes:
    case TraceColumn::Status:
    case TraceColumn::Hardware:
    case TraceColumn::Timestamp:
    case TraceColumn::Folder: break;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

RowIndex filterTraces(const Dataset& dataset, const TraceFilter& filter, std::stop_token stop)
{
    const auto rows = dataset.traces().rows();
    const auto* indexed = indexedRows(dataset, filter);
    const std::vector<Word> words = splitWords(filter.text);
    RowIndex candidates;   // what the earlier words left
    RowIndex result;
    std::size_t firstWord = 0;
    do {
        const std::size_t lastWord = std::min(words.size(), firstWord + kWordsPerPass);
        const bool first = firstWord == 0;
        candidates.swap(result);
        const std::size_t count = first ? (indexed != nullptr ? indexed->size() : rows.size()) : candidates.size();
        // Each part with tests of its own: what they learn of names is soon learned again, and nobody waits for anybody.
        const std::size_t parts = std::clamp<std::size_t>(count / kRowsToFilterOnAThread, 1, defaultThreads());
        std::vector<RowIndex> found(parts);
        parallelFor(parts, static_cast<unsigned>(parts), [&](std::size_t part) {
            RowTest test(dataset, filter,
                         {words.begin() + static_cast<std::ptrdiff_t>(firstWord), words.begin() + static_cast<std::ptrdiff_t>(lastWord)});
            const std::size_t begin = count * part / parts;
            const std::size_t end = count * (part + 1) / parts;
            for (std::size_t position = begin; position < end; ++position) {
                if ((position - begin) % kRowsPerStopCheck == 0 && stop.stop_requested()) return;
                const std::uint32_t row = !first              ? candidates[position]
                                          : indexed != nullptr ? (*indexed)[position]
                                                               : static_cast<std::uint32_t>(position);
                if (test.passes(rows[row])) found[part].push_back(row);
            }
        });
        result = std::move(found.front());
        for (std::size_t part = 1; part < parts; ++part) result.insert(result.end(), found[part].begin(), found[part].end());
        if (stop.stop_requested()) return result;
        firstWord = lastWord;
    } while (firstWord < words.size());
    return result;
}

}  // namespace tracedeck
