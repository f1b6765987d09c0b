// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/build/native_builder.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "core/build/build_recipe.h"
#include "core/build/build_support.h"
#include "core/build/build_walls.h"
#include "core/build/elf_symbols.h"
#include "core/io/child_process.h"
#include "core/io/json_codec.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using namespace building;

/// Part of the cache key: raise it when the way of building changes in a manner that the flags don't show.
constexpr int kBuilderVersion = 2;
constexpr std::size_t kLogBytes = std::size_t{1} << 20U;
constexpr std::uint64_t kCompilerMemoryBytes = std::uint64_t{8} << 30U;
constexpr std::uint64_t kCudaCompilerMemoryBytes = std::uint64_t{32} << 30U;   // address space: ptxas takes a lot for large templates
constexpr std::uint64_t kCompilerFileBytes = std::uint64_t{1} << 30U;
constexpr std::string_view kLibraryName = "library.so";
constexpr std::string_view kLogName = "build.log";

class NativeBuild {
public:
    NativeBuild(const Solution& solution, const BuildOptions& options, std::stop_token stop)
        : m_solution(solution), m_options(options), m_stop(std::move(stop)),
          m_deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(std::min(options.timeoutSeconds, 1e6))))
    {
    }

    BuiltLibrary run()
    {
        m_recipe = makeRecipe(m_solution, m_options, m_stop);
        const fs::path store = cacheRoot(m_options.cacheFolder) / "native";
        const std::string key = cacheKey();
        takeSymbol(key);
        const fs::path finished = store / key.substr(0, 2) / key;
        if (auto cached = fromCache(finished)) return *cached;
        return build(store, finished);
    }

private:
    [[nodiscard]] std::string cacheKey() const
    {
        const Json whole = encodeSolution(m_solution);
        std::vector<std::pair<std::string, std::string>> sources;
        for (const auto& source : m_solution.sources) sources.emplace_back(source.path, source.content);
        std::sort(sources.begin(), sources.end());
        const Json key = {{"builder", kBuilderVersion},
                          {"spec", whole.at("spec")},
                          {"definition", m_solution.definition},
                          {"sources", sources},
                          {"compiler", m_recipe.compiler},
                          {"c_compiler", m_recipe.cCompiler},
                          {"cuda_compiler", m_recipe.cudaCompiler},
                          {"flags", m_recipe.cppFlags},
                          {"c_flags", m_recipe.cFlags},
                          {"cuda_flags", m_recipe.cudaFlags},
                          {"link_flags", m_recipe.linkFlags},
                          {"identity", m_recipe.identity}};
        return sha256Hex(key.dump(-1, ' ', false, Json::error_handler_t::replace));
    }

    /// A Python module is found by its name, which the compiler must know: it is made from the key.
    void takeSymbol(const std::string& key)
    {
        constexpr std::size_t kDigits = 16;
        m_symbol = "__tvm_ffi_" + m_solution.spec.entrySymbol();
        if (!m_recipe.isPythonModule) return;
        const std::string module = "tracedeck_" + key.substr(0, kDigits);
        m_symbol = "PyInit_" + module;
        for (auto* flags : {&m_recipe.cppFlags, &m_recipe.cFlags, &m_recipe.cudaFlags}) flags->push_back("-DTORCH_EXTENSION_NAME=" + module);
    }

    [[nodiscard]] std::optional<BuiltLibrary> fromCache(const fs::path& folder) const
    {
        const fs::path library = folder / kLibraryName;
        const auto names = exportedSymbols(library);
        if (!names || std::find(names->begin(), names->end(), m_symbol) == names->end()) return std::nullopt;
        std::ifstream in(folder / kLogName, std::ios::binary);
        return BuiltLibrary{library, m_symbol,
                            std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}, true};
    }

    /// Runs one compiler step in the sources' folder; adds what it printed to the log.
    void step(const std::string& what, std::vector<std::string> command, const fs::path& folder, std::uint64_t memoryBytes = kCompilerMemoryBytes)
    {
        ChildSpec spec;
        spec.command = std::move(command);
        spec.workingFolder = folder / "sources";
        spec.environment = {{"LC_ALL", "C"}, {"TMPDIR", (folder / "tmp").string()}};
        m_walls->surround(spec, memoryBytes);
        spec.fileBytesLimit = kCompilerFileBytes;
        spec.cpuSecondsLimit = static_cast<std::uint64_t>(std::min(m_options.timeoutSeconds, 1e6)) + 10;
        spec.diesWithThread = true;
        CaptureOptions capture;
        capture.timeoutSeconds = std::chrono::duration<double>(m_deadline - Clock::now()).count();
        capture.capBytes = kLogBytes;
        capture.mergeErrorOutput = true;
        const auto run = runCaptured(std::move(spec), capture, m_stop);
        if (!run) fail(ErrorCode::Unsupported, run.error().toString());
        BuildWalls::check(*run);
        m_log += shortened(run->output, folder);
        if (run->cancelled) fail(ErrorCode::Cancelled, "the build was cancelled");
        if (run->timedOut) {
            fail(ErrorCode::TimedOut, fmt::format("{}\n{} was stopped: the build took longer than {:g} s", m_log, what,
                                                  m_options.timeoutSeconds));
        }
        if (!run->exit.succeeded())
            fail(ErrorCode::ProcessFailed, fmt::format("{}\n{} failed: {}", m_log, what, run->exit.toString()));
    }

    /// The private folder means nothing to a reader: `main.cpp:3`, not `/home/…/building-x/sources/main.cpp:3`.
    static std::string shortened(std::string text, const fs::path& folder)
    {
        for (const std::string& prefix :
             {(folder / "sources").string() + "/./", (folder / "sources").string() + "/", folder.string() + "/"}) {
            std::string result;
            std::size_t from = 0;
            for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, from)) {
                result.append(text, from, at - from);
                from = at + prefix.size();
            }
            text = result.append(text, from);
        }
        return text;
    }

    BuiltLibrary build(const fs::path& store, const fs::path& finished)
    {
        removeAbandonedFolders(store);
        const PrivateFolder folder(store);
        std::error_code failure;
        for (const char* name : {"sources", "objects", "tmp", "result"})
            fs::create_directory(folder.path() / name, failure);
        for (const auto& source : m_solution.sources) writeSource(folder.path() / "sources", source);

        m_walls.emplace(m_options, m_recipe, folder.path());

        std::vector<std::string> link = m_recipe.compiler;
        link.insert(link.end(), {"-o", (folder.path() / "result" / kLibraryName).string()});
        for (std::size_t index = 0; index < m_recipe.sources.size(); ++index) {
            const auto& [path, kind] = m_recipe.sources[index];
            const bool isCuda = kind == SourceKind::Cuda;
            const std::string object = (folder.path() / "objects" / fmt::format("{}_{}.o", isCuda ? "cuda" : "cpp", index)).string();
            std::vector<std::string> command = m_recipe.compilerOf(kind);
            const auto& flags = m_recipe.flagsOf(kind);
            command.insert(command.end(), flags.begin(), flags.end());
            // A name such as -fplugin=x.cpp or @x.cpp must stay the name of a file.
            const bool looksLikeOption = path.front() == '-' || path.front() == '@';
            command.insert(command.end(), {"-c", looksLikeOption ? "./" + path : path, "-o", object});
            step("compiling " + path, std::move(command), folder.path(), isCuda ? kCudaCompilerMemoryBytes : kCompilerMemoryBytes);
            link.push_back(object);
        }
        link.insert(link.end(), m_recipe.linkFlags.begin(), m_recipe.linkFlags.end());
        step("linking", std::move(link), folder.path());
        checkSymbol(folder.path() / "result" / kLibraryName);
        return publish(folder.path() / "result", finished);
    }

    void checkSymbol(const fs::path& library) const
    {
        const auto names = exportedSymbols(library);
        if (!names)
            fail(ErrorCode::ProcessFailed,
                 fmt::format("{}\nthe linker's result is unusable: {}", m_log, names.error().reason));
        if (std::find(names->begin(), names->end(), m_symbol) != names->end()) return;
        if (m_recipe.isPythonModule) {
            fail(ErrorCode::ProcessFailed,
                 fmt::format("{}\nthe library is no Python module: one source must define it with PYBIND11_MODULE(TORCH_EXTENSION_NAME, m), and "
                             "m.def(\"{}\", …) in it.",
                             m_log, m_solution.spec.entrySymbol()));
        }
        std::string others;
        for (const auto& name : *names) {
            constexpr std::string_view kPrefix = "__tvm_ffi_";
            if (name.starts_with(kPrefix) && !name.starts_with("__tvm_ffi__"))
                others += (others.empty() ? "" : ", ") + name.substr(kPrefix.size());
        }
        const std::string entry = m_solution.spec.entrySymbol();
        fail(ErrorCode::ProcessFailed,
             fmt::format("{0}\nthe library does not export {1}: the entry point's function must be exported with "
                         "TVM_FFI_DLL_EXPORT_TYPED_FUNC({2}, {2}). {3}",
                         m_log, m_symbol, entry,
                         others.empty() ? std::string("It exports no function.") : "It exports: " + others + "."));
    }

    /// Moves the result into the cache in one step. When another builder was quicker, its result is as good.
    [[nodiscard]] BuiltLibrary publish(const fs::path& result, const fs::path& finished) const
    {
        std::ofstream out(result / kLogName, std::ios::binary | std::ios::trunc);
        out << m_log;
        out.close();
        std::error_code failure;
        fs::create_directories(finished.parent_path(), failure);
        if (out && ::rename(result.c_str(), finished.c_str()) != 0 && (errno == ENOTEMPTY || errno == EEXIST)) {
            if (auto cached = fromCache(finished)) return *cached;
            // What lies there is damaged (say, half a copy from a full disk): put it aside and take its place.
            fs::rename(finished, result.parent_path() / "damaged", failure);
            if (::rename(result.c_str(), finished.c_str()) != 0)
                failure = std::error_code(errno, std::generic_category());
        }
        if (auto stored = fromCache(finished)) {
            stored->fromCache = false;
            return *stored;
        }
        fail(ErrorCode::Io,
             fmt::format("the built library cannot be put into {} (is the disk full?)", finished.string()));
    }

    const Solution& m_solution;
    const BuildOptions& m_options;
    std::stop_token m_stop;
    Clock::time_point m_deadline;
    BuildRecipe m_recipe;
    std::optional<BuildWalls> m_walls;
    std::string m_symbol;
    std::string m_log;
};

}  // namespace

fs::path cacheFolderOf(const BuildOptions& options)
{
    try {
        return building::cacheRoot(options.cacheFolder);
    } catch (const building::Failure&) {
        return {};
    }
}

std::variant<BuiltLibrary, BuildFailure> buildNative(const Solution& solution, const BuildOptions& options,
                                                     std::stop_token stop)
{
    try {
        return NativeBuild(solution, options, std::move(stop)).run();
    } catch (const Failure& failure) {
        BuildFailure result = failure.failure;
        result.log.erase(0, result.log.find_first_not_of('\n'));
        return result;
    } catch (const std::exception& exception) {
        return BuildFailure{ErrorCode::Io, fmt::format("the build broke off: {}", exception.what())};
    }
}

}  // namespace tracedeck
