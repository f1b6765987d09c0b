// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/store/dataset.h"

namespace tracedeck {

/// What a search can find.
enum class HitKind { Definition, Solution, OpType, Author, Tag, Workload, Source, Log };

struct SearchHit {
    HitKind kind = HitKind::Definition;
    std::string name;              ///< of what was found; of a source its solution, of a log the solution of its trace
    std::string detail;            ///< more about it: the definition of a solution or workload, the line of a source or log
    std::string file{};            ///< of a source: its path in the solution
    std::size_t line = 0;          ///< of a source or log, from 1
    std::optional<std::uint32_t> row{};   ///< of a log: its trace

    bool operator==(const SearchHit&) const = default;
};

/// Definitions, solutions, op_types, authors, tags and workloads (by uuid) with all words in their names, whatever the case of ASCII
/// letters. Names that are the text come first, then those that begin with its first word, those in which a word of theirs does, and
/// the rest; among equals definitions before solutions and so on, in load order. Authors and tags come once. At most `limit`.
[[nodiscard]] std::vector<SearchHit> searchNames(const Dataset& dataset, const std::string& text, std::size_t limit);

/// Lines of solutions' sources and definitions' references (whose `name` is the definition's, `file` empty) that hold the text as a whole,
/// whatever the case of ASCII letters.
[[nodiscard]] std::vector<SearchHit> searchSources(const Dataset& dataset, const std::string& text, std::size_t limit, std::stop_token stop = {});

/// Traces whose log holds the text, in the order of the files; the first line that does. Reads the files again: some seconds for
/// gigabytes of logs. Files that can't be read any more are passed over.
[[nodiscard]] std::vector<SearchHit> searchLogs(const Dataset& dataset, const std::string& text, std::size_t limit, std::stop_token stop = {});

}  // namespace tracedeck
