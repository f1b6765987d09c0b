// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/search.h"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <string_view>

#include "core/io/json_codec.h"
#include "core/io/read_file.h"
#include "core/store/row_order.h"

namespace tracedeck {

namespace {

/// Longest part of a line that a hit repeats.
constexpr std::size_t kLongestDetail = 300;

char folded(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string foldedText(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), folded);
    return result;
}

/// Finds a text whatever the case of its ASCII letters.
class FoldedFinder {
public:
    explicit FoldedFinder(const std::string& text) : m_text(foldedText(text)), m_searcher(m_text.begin(), m_text.end(), Hash{}, Equal{}) {}
    /// Where it begins; npos when it is not there.
    [[nodiscard]] std::size_t find(std::string_view where, std::size_t from = 0) const
    {
        const auto begin = where.begin() + static_cast<std::ptrdiff_t>(from);
        const auto found = std::search(begin, where.end(), m_searcher);
        return found == where.end() ? std::string_view::npos : static_cast<std::size_t>(found - where.begin());
    }
    [[nodiscard]] std::size_t size() const { return m_text.size(); }

private:
    struct Hash {
        std::size_t operator()(char c) const { return std::hash<char>{}(folded(c)); }
    };
    struct Equal {
        bool operator()(char a, char b) const { return folded(a) == folded(b); }
    };
    std::string m_text;
    std::boyer_moore_horspool_searcher<std::string::const_iterator, Hash, Equal> m_searcher;
};

std::vector<std::string> foldedWords(const std::string& text)
{
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \t\n", begin), text.size());
        if (end > begin) words.push_back(foldedText(std::string_view(text).substr(begin, end - begin)));
        begin = end + 1;
    }
    return words;
}

/// Collects names that hold all words, best first.
class NameSearch {
public:
    explicit NameSearch(const std::string& text) : m_words(foldedWords(text)), m_whole(foldedText(text)) {}
    [[nodiscard]] bool isEmpty() const { return m_words.empty(); }

    void offer(HitKind kind, const std::string& name, const std::string& detail)
    {
        const std::string plain = foldedText(name);
        if (!std::all_of(m_words.begin(), m_words.end(), [&plain](const std::string& word) { return plain.find(word) != std::string::npos; })) return;
        m_found.push_back({rankOf(plain), {kind, name, detail}});
    }
    std::vector<SearchHit> take(std::size_t limit)
    {
        std::stable_sort(m_found.begin(), m_found.end(), [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
        std::vector<SearchHit> hits;
        for (std::size_t i = 0; i < std::min(limit, m_found.size()); ++i) hits.push_back(std::move(m_found[i].hit));
        return hits;
    }

private:
    struct Ranked {
        int rank = 0;
        SearchHit hit;
    };
    [[nodiscard]] int rankOf(const std::string& plain) const
    {
        if (plain == m_whole) return 0;
        if (plain.starts_with(m_words.front())) return 1;
        for (std::size_t at = plain.find(m_words.front()); at != std::string::npos; at = plain.find(m_words.front(), at + 1)) {
            const char before = at > 0 ? plain[at - 1] : ' ';
            const bool isWordByte = (before >= 'a' && before <= 'z') || (before >= '0' && before <= '9');
            if (!isWordByte) return 2;
        }
        return 3;
    }

    std::vector<std::string> m_words;
    std::string m_whole;
    std::vector<Ranked> m_found;
};

/// The line around a place, without what would fill a window.
struct FoundLine {
    std::string text;
    std::size_t number = 1;
};

FoundLine lineAround(std::string_view text, std::size_t place)
{
    const std::size_t before = text.rfind('\n', place);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    std::string_view line = text.substr(begin, text.find('\n', place) - begin);
    const std::size_t inLine = place - begin;
    // Of a long line the part with what was looked for.
    if (line.size() > kLongestDetail) line = line.substr(inLine > kLongestDetail / 2 ? inLine - kLongestDetail / 2 : 0, kLongestDetail);
    FoundLine found;
    found.text = std::string(line.substr(std::min(line.find_first_not_of(" \t"), line.size())));
    found.number = 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    return found;
}

void searchText(std::string_view text, const FoldedFinder& finder, const SearchHit& hit, std::size_t limit, std::vector<SearchHit>& hits)
{
    for (std::size_t place = finder.find(text); place != std::string_view::npos && hits.size() < limit;) {
        const FoundLine line = lineAround(text, place);
        SearchHit found = hit;
        found.detail = line.text;
        found.line = line.number;
        hits.push_back(std::move(found));
        const std::size_t end = text.find('\n', place);
        place = end == std::string_view::npos ? end : finder.find(text, end);
    }
}

/// Looks through one trace file; `rows`, by their place in it, are its traces.
class LogFileSearch {
public:
    /// `inFile` finds the text as JSON writes it, `inLog` as it is.
    LogFileSearch(const Dataset& dataset, const FoldedFinder& inFile, const FoldedFinder& inLog, std::span<const KeyedRow> rows)
        : m_dataset(dataset), m_inFile(inFile), m_inLog(inLog), m_rows(rows)
    {
    }

    void run(std::size_t limit, std::vector<SearchHit>& hits, const std::stop_token& stop)
    {
        const std::filesystem::path path = m_dataset.root() / m_dataset.traceFile(m_rows.front().row);
        auto file = openForReading(path);
        if (!file) return;
        std::string block;
        for (std::uint64_t offset = 0; offset < file->size && hits.size() < limit && !stop.stop_requested();) {
            block.resize(kBlock);
            const auto got = readAt(file->descriptor, path, block.data(), block.size(), offset);
            if (!got || *got == 0) return;
            block.resize(*got);
            searchBlock(block, offset, limit, hits, stop);
            // What lies across the border is found in the next block.
            offset += *got < kBlock ? *got : *got - std::min(*got - 1, m_inFile.size());
        }
    }

private:
    static constexpr std::size_t kBlock = std::size_t{4} << 20U;

    void searchBlock(std::string_view block, std::uint64_t offset, std::size_t limit, std::vector<SearchHit>& hits, const std::stop_token& stop)
    {
        for (std::size_t place = m_inFile.find(block); place != std::string_view::npos && hits.size() < limit && !stop.stop_requested();) {
            const auto after = std::upper_bound(m_rows.begin(), m_rows.end(), offset + place,
                                                [](std::uint64_t at, const KeyedRow& row) { return at < offsetOf(row); });
            if (after != m_rows.begin() && (after - 1)->row != m_last) {
                m_last = (after - 1)->row;
                checkLog(m_last, hits);
            }
            // The rest of this line says nothing new.
            const std::size_t next = after == m_rows.end() ? std::string_view::npos : static_cast<std::size_t>(offsetOf(*after) - offset);
            place = next >= block.size() ? std::string_view::npos : m_inFile.find(block, next);
        }
    }
    static std::uint64_t offsetOf(const KeyedRow& row) { return row.key & ((std::uint64_t{1} << 44U) - 1); }

    /// The text may stand elsewhere in the line, or be escaped there.
    void checkLog(std::uint32_t row, std::vector<SearchHit>& hits)
    {
        const auto trace = m_dataset.readTrace(row);
        if (!trace || !trace->evaluation) return;
        const std::string& log = trace->evaluation->log;
        const std::size_t place = m_inLog.find(log);
        if (place == std::string::npos) return;
        const FoundLine line = lineAround(log, place);
        hits.push_back({HitKind::Log, trace->solution.value_or(std::string()), line.text, {}, line.number, row});
    }

    const Dataset& m_dataset;
    const FoldedFinder& m_inFile;
    const FoldedFinder& m_inLog;
    std::span<const KeyedRow> m_rows;
    std::uint32_t m_last = ~std::uint32_t{0};
};

}  // namespace

std::vector<SearchHit> searchNames(const Dataset& dataset, const std::string& text, std::size_t limit)
{
    NameSearch search(text);
    if (search.isEmpty()) return {};
    std::set<std::string> authors;
    std::set<std::string> tags;
    for (const auto& definition : dataset.definitions()) {
        search.offer(HitKind::Definition, definition->name, definition->opType);
        tags.insert(definition->tags.begin(), definition->tags.end());
    }
    for (const auto& solution : dataset.solutions()) {
        search.offer(HitKind::Solution, solution->name, solution->definition);
        authors.insert(solution->author);
    }
    for (const auto& [opType, count] : dataset.opTypes()) search.offer(HitKind::OpType, opType, {});
    for (const std::string& author : authors) search.offer(HitKind::Author, author, {});
    for (const std::string& tag : tags) search.offer(HitKind::Tag, tag, {});
    for (const auto& [definition, workloads] : dataset.workloads()) {
        for (const Trace& workload : workloads) search.offer(HitKind::Workload, workload.workload.uuid, definition);
    }
    return search.take(limit);
}

std::vector<SearchHit> searchSources(const Dataset& dataset, const std::string& text, std::size_t limit, std::stop_token stop)
{
    std::vector<SearchHit> hits;
    if (text.empty()) return hits;
    const FoldedFinder finder(text);
    for (const auto& definition : dataset.definitions()) {
        if (hits.size() >= limit || stop.stop_requested()) return hits;
        searchText(definition->reference, finder, {HitKind::Source, definition->name, {}}, limit, hits);
    }
    for (const auto& solution : dataset.solutions()) {
        for (const SourceFile& source : solution->sources) {
            if (hits.size() >= limit || stop.stop_requested()) return hits;
            searchText(source.content, finder, {HitKind::Source, solution->name, {}, source.path}, limit, hits);
        }
    }
    return hits;
}

std::vector<SearchHit> searchLogs(const Dataset& dataset, const std::string& text, std::size_t limit, std::stop_token stop)
{
    std::vector<SearchHit> hits;
    const TraceTable& traces = dataset.traces();
    if (text.empty() || text.find('\n') != std::string::npos || traces.size() == 0) return hits;
    const std::string escaped = writeLine(text);
    const FoldedFinder inFile(escaped.substr(1, escaped.size() - 2));
    const FoldedFinder inLog(text);
    std::vector<KeyedRow> rows(traces.size());
    for (std::uint32_t row = 0; row < rows.size(); ++row) rows[row] = {traces.row(row).location, row};
    sortByKey(rows, stop);
    for (std::size_t begin = 0; begin < rows.size() && hits.size() < limit && !stop.stop_requested();) {
        const std::uint32_t file = TraceTable::fileOf(traces.row(rows[begin].row));
        std::size_t end = begin + 1;
        while (end < rows.size() && TraceTable::fileOf(traces.row(rows[end].row)) == file) ++end;
        LogFileSearch(dataset, inFile, inLog, std::span(rows).subspan(begin, end - begin)).run(limit, hits, stop);
        begin = end;
    }
    return hits;
}

}  // namespace tracedeck
