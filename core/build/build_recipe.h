// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of core/build: which compiler gets which source with which flags (benchmark §6.5).
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/build/native_builder.h"
#include "core/model/json.h"

namespace tracedeck::building {

enum class SourceKind { Cpp, C, Cuda };

struct CompiledSource {
    std::string path;
    SourceKind kind = SourceKind::Cpp;
};

/// How the sources of one solution become a library.
struct BuildRecipe {
    std::vector<CompiledSource> sources;   ///< sorted by path; whatever is not here is only written
    std::vector<std::string> compiler;     ///< of C++; it links, too
    std::vector<std::string> cCompiler;    ///< empty where there is no C
    std::vector<std::string> cudaCompiler; ///< empty where there is no CUDA code
    std::vector<std::string> cppFlags;
    std::vector<std::string> cFlags;
    std::vector<std::string> cudaFlags;
    std::vector<std::string> linkFlags;
    Json identity = Json::object();        ///< what else decides what comes out: versions, variables that compilers read
    bool isPythonModule = false;           ///< the module's name is made from the cache key

    [[nodiscard]] const std::vector<std::string>& compilerOf(SourceKind kind) const;
    [[nodiscard]] const std::vector<std::string>& flagsOf(SourceKind kind) const;
};

/// Fails where the solution breaks a rule or this machine lacks something.
[[nodiscard]] BuildRecipe makeRecipe(const Solution& solution, const BuildOptions& options, const std::stop_token& stop);

}  // namespace tracedeck::building
