// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/dialect.h"
#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck {

/// What a JSON value is in our formats.
enum class DocumentKind {
    Definition,
    Solution,
    Workload,    ///< a workload line, or a bare workload of SOL-ExecBench
    Trace,       ///< with a solution or an evaluation
    HubRecord,   ///< a line of Hugging Face's kernels-benchmarks
    OtherJson,   ///< JSON that is none of these
    NoJson
};
/// By the keys of the value.
[[nodiscard]] DocumentKind documentKindOf(const Json& value);

/// What is to be known about a text that may be any of our files.
struct DocumentCheck {
    DocumentKind kind = DocumentKind::NoJson;             ///< of most of its records
    Dialect dialect = Dialect::FlashInferTrace;
    bool isLines = false;                                 ///< a record a line
    std::size_t records = 0;
    std::map<DocumentKind, std::size_t> recordsOfKind;
    std::string name;                                     ///< of a single definition or solution
    /// In the order of the text. An Error says what a strict reader refuses; a Warning what is tolerated. Without a file.
    std::vector<Problem> problems;
    std::size_t problemsLeftOut = 0;                      ///< beyond kMostProblems
    static constexpr std::size_t kMostProblems = 1000;
};

/// Checks a text that may be JSON, JSON with comments and trailing commas, one record a line, or none of them. Every problem has
/// its line where one can be told. `isLines`: the name of the file says that it has a record a line. Error Cancelled: the stop
/// token was set.
[[nodiscard]] Result<DocumentCheck> checkDocument(std::string_view text, bool isLines = false, const std::stop_token& stop = {});

/// A record of Hugging Face's kernels-benchmarks: what its fields must be. Problems have no line.
[[nodiscard]] std::vector<Problem> checkHubRecord(const Json& record);

}  // namespace tracedeck
