// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/build/build_walls.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/build/build_support.h"
#include "core/confine/abilities.h"
#include "core/confine/confined_program.h"

extern char** environ;

namespace tracedeck::building {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kBuildProcesses = 1024;
/// All that a compiler may know of the user's environment.
constexpr std::string_view kKeptVariables[] = {"PATH", "LD_LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH",
                                               "GCC_EXEC_PREFIX", "CUDA_HOME", "CUDA_PATH", "CUDAHOSTCXX", "NVCC_CCBIN", "NVCC_PREPEND_FLAGS",
                                               "NVCC_APPEND_FLAGS", "CONDA_PREFIX", "CONDA_BUILD_SYSROOT", "SOURCE_DATE_EPOCH", "TZ"};

bool holds(const fs::path& folder, const fs::path& inside)
{
    return std::mismatch(folder.begin(), folder.end(), inside.begin(), inside.end()).first == folder.end();
}

/// A program, and the folder that it was installed into, unless that holds the user's own files or the whole system.
void addProgram(const std::string& program, std::vector<std::string>& readable)
{
    std::error_code failure;
    const char* home = std::getenv("HOME");
    for (const fs::path& path : {fs::path(program), fs::canonical(program, failure)}) {
        if (path.empty()) {
            continue;
        }
        const fs::path prefix = path.parent_path().parent_path();
        const bool isOwnPrefix = prefix.has_relative_path() && (home == nullptr || !holds(prefix, home));
        readable.push_back(isOwnPrefix ? prefix.string() : path.string());
    }
}

/// The paths in compilers' flags.
void addFlags(const std::vector<std::string>& flags, std::vector<std::string>& readable)
{
    for (const std::string& flag : flags) {
        const std::size_t slash = flag.find('/');
        const std::string_view before = std::string_view(flag).substr(0, std::min(slash, flag.size()));
        if (slash != std::string::npos && (before.empty() || before == "-I" || before == "-L")) {
            readable.push_back(flag.substr(slash));
        }
    }
}

}  // namespace

BuildWalls::BuildWalls(const BuildOptions& options, const BuildRecipe& recipe, const fs::path& folder) : m_worker(options.worker)
{
    const auto wish = confine::wishFromString(options.confinement);
    if (!wish) {
        fail(ErrorCode::Unsupported, wish.error().reason);
    }
    if (m_worker.empty() || *wish == confine::Wish::None) {
        return;
    }
    auto abilities = confine::askAbilities(m_worker, folder, {});
    if (abilities) {
        abilities = confine::restrictTo(std::move(*abilities), *wish);
    }
    if (!abilities) {
        fail(ErrorCode::Unsupported, abilities.error().toString());
    }
    confine::Plan plan;
    plan.namespaces = abilities->namespaces;
    plan.landlock = abilities->landlock;
    plan.filtersCalls = abilities->filtersCalls;
    plan.viewFolder = (folder / "view").string();
    for (const auto* compiler : {&recipe.compiler, &recipe.cCompiler, &recipe.cudaCompiler}) {
        if (!compiler->empty()) {
            addProgram(compiler->front(), plan.readable);
        }
    }
    for (const auto* flags : {&recipe.cppFlags, &recipe.cFlags, &recipe.cudaFlags, &recipe.linkFlags}) {
        addFlags(*flags, plan.readable);
    }
    for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH"}) {
        const std::string list = variable(name);
        for (std::size_t begin = 0; begin < list.size();) {
            const std::size_t end = std::min(list.find(':', begin), list.size());
            if (end > begin && list[begin] == '/') {
                plan.readable.push_back(list.substr(begin, end - begin));
            }
            begin = end + 1;
        }
    }
    plan.writable = {folder.string()};
    // Counted for the user as a whole where there is no user namespace.
    plan.processLimit = plan.namespaces != confine::Namespaces::None ? kBuildProcesses : 0;
    std::error_code failure;
    fs::create_directory(plan.viewFolder, failure);
    m_plan = std::move(plan);
}

void BuildWalls::surround(ChildSpec& spec, std::uint64_t memoryBytes) const
{
    if (!m_plan) {
        spec.memoryBytesLimit = memoryBytes;
        return;
    }
    confine::Plan plan = *m_plan;
    plan.dataBytes = memoryBytes;
    const std::vector<std::string> walls{m_worker.string(), "confined", confine::encodePlan(plan)};
    spec.command.insert(spec.command.begin(), walls.begin(), walls.end());
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string_view name = text.substr(0, text.find('='));
        const bool isSet = std::ranges::any_of(spec.environment, [name](const auto& variable) { return variable.first == name; });
        if (!isSet && std::ranges::find(kKeptVariables, name) == std::end(kKeptVariables)) {
            spec.environment.emplace_back(std::string(name), std::nullopt);
        }
    }
    spec.environment.emplace_back("HOME", spec.workingFolder.string());
    spec.environment.emplace_back("CCACHE_DISABLE", "1");   // its cache is out of reach
}

void BuildWalls::check(const CapturedRun& run)
{
    if (run.exit.exitCode == confine::kUnconfinedExitCode) {
        fail(ErrorCode::Unsupported, run.output);
    }
}

}  // namespace tracedeck::building
