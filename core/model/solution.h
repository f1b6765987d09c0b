// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/dialect.h"
#include "core/model/json.h"

namespace tracedeck {

enum class Language { Python, Triton, Cpp, Cuda, TileLang };
enum class Binding { TvmFfi, Torch };

[[nodiscard]] std::string_view toString(Language language);
[[nodiscard]] std::optional<Language> languageFromString(std::string_view name);
[[nodiscard]] std::string_view toString(Binding binding);
[[nodiscard]] std::optional<Binding> bindingFromString(std::string_view name);

/// The two families of SOL-ExecBench's languages: one solution never mixes them (dialect §6).
enum class LanguageFamily { Python, Cpp };
/// std::nullopt for a name that SOL-ExecBench does not know.
[[nodiscard]] std::optional<LanguageFamily> languageFamily(std::string_view name);
/// The FlashInfer-Trace language that such a list is shown and run as: triton when it is listed, else python; cuda for the
/// C++ family. std::nullopt for an unknown name or a mixture. An empty list is Python.
[[nodiscard]] std::optional<Language> languageOf(const std::vector<std::string>& languages);

struct SourceFile {
    std::string path;           ///< relative, no `..`, judged with both kinds of separator
    std::string content;
    bool isSeparateFile = false;   ///< the file has no content here: it is read from `path` beside it (SOL-ExecBench)
    Json unknownKeys = Json::object();
};

struct BuildSpec {
    Language language = Language::Python;       ///< what `languages` amounts to, where the file has that list
    std::vector<std::string> languages;         ///< as SOL-ExecBench names them; empty in FlashInfer-Trace
    std::vector<std::string> targetHardware;
    std::string entryPoint;                     ///< `file::symbol`
    std::vector<std::string> dependencies;
    bool destinationPassingStyle = true;        ///< outputs are trailing parameters
    bool destinationPassingStyleGiven = true;   ///< false when the file leaves the flag out (old files meant "returns its outputs")
    std::optional<Binding> binding;             ///< not set means tvm-ffi for cpp and cuda
    bool bindingGiven = true;                   ///< false: torch without the file saying so, as SOL-ExecBench has no other
    Json unknownKeys = Json::object();

    /// True when it is compiled ahead.
    [[nodiscard]] bool isCompiled() const { return language == Language::Cpp || language == Language::Cuda; }
    /// True when it is called through tvm-ffi, without Python; torch's binding makes a Python module.
    [[nodiscard]] bool isNative() const { return isCompiled() && binding.value_or(Binding::TvmFfi) == Binding::TvmFfi; }
    /// True for C++ that works on the CPU's memory, as its target_hardware says: on a GPU's it would crash.
    [[nodiscard]] bool isForCpuOnly() const;
    [[nodiscard]] std::string entryFile() const;
    [[nodiscard]] std::string entrySymbol() const;
};

/// Source code that computes a definition (data model §2.2).
struct Solution {
    Dialect dialect = Dialect::FlashInferTrace;   ///< SolExecBench: the file has `spec.languages`
    std::string name;
    std::string definition;
    std::string author;
    BuildSpec spec;
    std::vector<SourceFile> sources;
    std::optional<std::string> description;
    Json unknownKeys = Json::object();
    std::string sourceFile;

    /// Lower-case hex SHA-1 as the dialect's own program computes it (data model §2.2 "Content hash", dialect §6). Neither
    /// covers all that a build depends on.
    [[nodiscard]] std::string contentHash() const;
};

}  // namespace tracedeck
