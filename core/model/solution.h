// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/json.h"

namespace tracedeck {

enum class Language { Python, Triton, Cpp, Cuda, TileLang };
enum class Binding { TvmFfi, Torch };

[[nodiscard]] std::string_view toString(Language language);
[[nodiscard]] std::optional<Language> languageFromString(std::string_view name);
[[nodiscard]] std::string_view toString(Binding binding);
[[nodiscard]] std::optional<Binding> bindingFromString(std::string_view name);

struct SourceFile {
    std::string path;      ///< relative, no `..`, judged with both kinds of separator
    std::string content;
    Json unknownKeys = Json::object();
};

struct BuildSpec {
    Language language = Language::Python;
    std::vector<std::string> targetHardware;
    std::string entryPoint;                     ///< `file::symbol`
    std::vector<std::string> dependencies;
    bool destinationPassingStyle = true;        ///< outputs are trailing parameters
    bool destinationPassingStyleGiven = true;   ///< false when the file leaves the flag out (old files meant "returns its outputs")
    std::optional<Binding> binding;             ///< not set means tvm-ffi for cpp and cuda
    Json unknownKeys = Json::object();

    [[nodiscard]] std::string entryFile() const;
    [[nodiscard]] std::string entrySymbol() const;
};

/// Source code that computes a definition (data model §2.2).
struct Solution {
    std::string name;
    std::string definition;
    std::string author;
    BuildSpec spec;
    std::vector<SourceFile> sources;
    std::optional<std::string> description;
    Json unknownKeys = Json::object();
    std::string sourceFile;

    /// Lower-case hex SHA-1 as flashinfer-bench computes it (data model §2.2 "Content hash").
    [[nodiscard]] std::string contentHash() const;
};

}  // namespace tracedeck
