// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/commands.h"
#include "core/model/json.h"
#include "core/model/result.h"
#include "core/report/table_file.h"
#include "core/score/ceilings.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck::cli {

/// Adds the repeatable `--local DIR`.
void addLocalOption(CLI::App& command, std::vector<std::string>& roots);

/// Loads a dataset; an empty path means FIB_DATASET_PATH or the format's default folder. Error NotFound or Io when the
/// folder cannot be read.
[[nodiscard]] Result<std::shared_ptr<const Dataset>> openDataset(const std::string& local);

/// Loads the datasets of a command: all of `roots`, or the default folder when there are none. Problems found on the way
/// go to stderr. Stops at the first folder that cannot be read.
[[nodiscard]] Result<std::vector<std::shared_ptr<const Dataset>>> openDatasets(const std::vector<std::string>& roots);

/// The same for `--policy`: snapshots that its figures are made from (core/score/policy_view.h). A note on stderr says what was pooled or pinned.
[[nodiscard]] Result<std::vector<std::shared_ptr<const Dataset>>> openForPolicy(const std::vector<std::string>& roots, const std::string& policy);
/// Takes the name of a policy or a run to pin.
[[nodiscard]] CLI::Validator policyCheck();

/// Prints the first 20 problems found while loading to stderr, and how many more there are.
void printProblems(const Dataset& dataset);

/// In which form a report is wanted.
struct OutputForm {
    std::string format = "text";
    bool json = false;
    bool csv = false;

    [[nodiscard]] bool isJson() const { return json || format == "json"; }
    /// CSV, Markdown or LaTeX, where one of them is wanted.
    [[nodiscard]] std::optional<TableFormat> table() const;
    [[nodiscard]] bool isMarkdown() const { return format == "markdown"; }
};
/// Adds `--format text|json|csv|markdown|latex`, and `--json` and, with `hasCsv`, `--csv` as short forms of two of them.
void addFormOptions(CLI::App& command, OutputForm& form, bool hasCsv, const std::string& jsonHelp = "Print one JSON document");

/// Which traces a report is about.
struct ScopeOptions {
    std::string opType{};
    std::string definition{};
    std::string solution{};
    std::string hardware{};

    [[nodiscard]] TraceFilter filter() const;
};
/// Adds `--op-type`, `--definition`, `--solution` and `--hardware`.
void addScopeOptions(CLI::App& command, ScopeOptions& scope);

/// Notes on stderr about traces that the speed of light says nothing of; none for zeros.
void noteWithoutLight(std::size_t withoutCeiling, std::size_t withoutSize);
/// Adds `--ceilings FILE`.
void addCeilingsOption(CLI::App& command, std::string& file);
/// Of the option, or the user's own file, where there is one, over the data sheets. Error NotFound: the named file is not there; as
/// CeilingTable::read().
[[nodiscard]] Result<CeilingTable> ceilingsOf(const std::string& file);

/// Prints "tracedeck: note: …" to stderr.
void printNote(const std::string& text);

/// Writes the whole text to stdout and flushes it. Error ReaderGone when nobody reads it any more, Io when the disk is full.
[[nodiscard]] Result<void> writeStdout(std::string_view text);

/// Writes to `outFile` through a temporary sibling and a rename, or to stdout when `outFile` is empty.
[[nodiscard]] Result<void> writeOutput(std::string_view text, const std::string& outFile);

/// JSON document as text with a final newline; bytes that are no valid UTF-8 (in a path) become U+FFFD.
[[nodiscard]] std::string jsonText(const Json& document);
/// One document as it is; several as an array of them.
[[nodiscard]] std::string jsonText(std::vector<Json> documents);

/// Several texts, each under a line "Dataset N:"; a single one as it is.
[[nodiscard]] std::string joinDatasetTexts(const std::vector<std::string>& texts);

/// Prints "tracedeck: error: …" to stderr and says which exit code belongs to it: Usage 2, unreadable input 3, else 1.
ExitCode fail(const Error& error);
/// The same with a given exit code.
ExitCode fail(const Error& error, ExitCode code);
/// Done when everything was written; ReaderGone, without a word, when nobody reads it any more; otherwise prints why not and
/// returns Failed.
ExitCode finishOutput(const Result<void>& written);

}  // namespace tracedeck::cli
