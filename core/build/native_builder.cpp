// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/build/native_builder.h"

#include <algorithm>
#include <cctype>
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

#include "core/build/build_support.h"
#include "core/build/cuda_toolkit.h"
#include "core/build/elf_symbols.h"
#include "core/build/toolchain.h"
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

enum class SourceKind { Cpp, C, Cuda };
std::optional<SourceKind> sourceKind(const std::string& path)
{
    const std::string suffix = fs::path(path).extension().string();
    if (suffix == ".cpp" || suffix == ".cc" || suffix == ".cxx") return SourceKind::Cpp;
    if (suffix == ".c") return SourceKind::C;
    if (suffix == ".cu") return SourceKind::Cuda;
    return std::nullopt;
}

/// nvcc hands its own commands to a shell, in double quotes: a name must mean nothing to that shell.
bool isSafeForNvcc(const std::string& path)
{
    return path.find_first_of("\"'`$\\\n\r;&|<>*?!(){}[]~#^%") == std::string::npos;
}

/// Whether the solution says that it is for CUDA in general, which links CUDA's libraries (benchmark §6.5).
bool targetsCuda(const BuildSpec& spec)
{
    return std::any_of(spec.targetHardware.begin(), spec.targetHardware.end(), [](std::string name) {
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
        return name == "cuda";
    });
}

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
        checkSupported();
        m_compiler = compilerCommand("CXX", {"g++", "c++", "clang++"}, "C++ compiler");
        for (const auto& source : m_solution.sources) {
            const auto kind = sourceKind(source.path);
            if (kind) m_compiled.emplace_back(source.path, *kind);
            if (kind == SourceKind::C && m_cCompiler.empty())
                m_cCompiler = compilerCommand("CC", {"gcc", "cc", "clang"}, "C compiler");
            if (kind == SourceKind::Cuda) {
                if (!isSafeForNvcc(source.path)) {
                    fail(ErrorCode::InvalidInput,
                         fmt::format("source \"{}\" can't be compiled by nvcc: its name has a character that a shell would act on; rename it",
                                     source.path));
                }
                m_hasDeviceCode = true;
            }
        }
        chooseToolkit();
        std::sort(m_compiled.begin(), m_compiled.end());
        if (m_compiled.empty()) {
            fail(ErrorCode::ProcessFailed, "the solution has no file to compile (.cu, .cpp, .cc, .cxx or .c)");
        }
        const fs::path store = cacheRoot(m_options.cacheFolder) / "native";
        const std::string key = cacheKey();
        const fs::path finished = store / key.substr(0, 2) / key;
        if (auto cached = fromCache(finished)) return *cached;
        return build(store, finished);
    }

private:
    void checkSupported() const
    {
        const BuildSpec& spec = m_solution.spec;
        if (spec.language != Language::Cpp && spec.language != Language::Cuda) {
            fail(ErrorCode::Unsupported, fmt::format("language {} is not compiled ahead", toString(spec.language)));
        }
        if (spec.binding == Binding::Torch) {
            fail(ErrorCode::Unsupported, "solutions with the torch binding are compiled by the Python host that runs them");
        }
        std::error_code failure;
        if (!fs::is_regular_file(m_options.tvmFfiLibrary, failure)) {
            fail(ErrorCode::Unsupported, "apache-tvm-ffi's library libtvm_ffi.so is not there. Run "
                                         "packaging/guest-env.sh, or install apache-tvm-ffi into "
                                         "the Python that you chose (pip install apache-tvm-ffi).");
        }
    }

    /// nvcc where there is CUDA code, CUDA's libraries where the solution may call them.
    void chooseToolkit()
    {
        m_linksCuda = m_hasDeviceCode || targetsCuda(m_solution.spec);
        if (!m_linksCuda) return;
        auto toolkit = findCudaToolkit();
        if (!toolkit) {
            if (m_hasDeviceCode) fail(ErrorCode::Unsupported, toolkit.error().reason);
            m_linksCuda = false;   // the linker says so when the host code calls CUDA all the same
            return;
        }
        m_toolkit = std::move(*toolkit);
        if (!m_hasDeviceCode) return;
        auto flags = architectureFlags(variable("TVM_FFI_CUDA_ARCH_LIST"), m_options.computeCapability);
        if (!flags) fail(ErrorCode::Unsupported, flags.error().reason);
        m_architectures = std::move(*flags);
    }

    [[nodiscard]] std::vector<std::string> compileFlags(SourceKind kind) const
    {
        std::vector<std::string> flags;
        if (kind == SourceKind::Cuda) flags = {"-Xcompiler", "-fPIC", "-std=c++17", "-O2"};
        else if (kind == SourceKind::Cpp) flags = {"-std=c++17", "-fPIC", "-O2"};
        else flags = {"-fPIC", "-O2"};
        if (kind == SourceKind::Cuda) flags.insert(flags.end(), m_architectures.begin(), m_architectures.end());
        flags.push_back("-I" + m_options.tvmFfiInclude.string());
        if (!m_options.dlpackInclude.empty() && m_options.dlpackInclude != m_options.tvmFfiInclude) {
            flags.push_back("-I" + m_options.dlpackInclude.string());
        }
        flags.emplace_back("-I.");
        return flags;
    }

    [[nodiscard]] std::vector<std::string> linkFlags() const
    {
        // -z defs: an unresolved symbol is an error here, as it is for flashinfer-bench, whose builder loads the
        // library at once.
        std::vector<std::string> flags{"-shared", "-Wl,-z,defs", "-L" + m_options.tvmFfiLibrary.parent_path().string(), "-ltvm_ffi"};
        if (!m_linksCuda) return flags;
        // Only what is really used becomes needed: loading cuBLAS takes longer than many an evaluation.
        flags.emplace_back("-Wl,--as-needed");
        if (const fs::path& folder = m_toolkit.libraryFolder; !folder.empty()) {
            // The stub of the driver's library is for the linker alone, and only where the driver is not installed.
            flags.insert(flags.end(), {"-L" + folder.string(), "-L" + (folder / "stubs").string(), "-Wl,-rpath," + folder.string()});
        }
        if (m_hasDeviceCode) flags.emplace_back("-lcudart");
        flags.insert(flags.end(), {"-lcuda", "-lcublas"});
        return flags;
    }

    [[nodiscard]] std::vector<std::string> compilerOf(SourceKind kind) const
    {
        switch (kind) {
        case SourceKind::C: return m_cCompiler;
        case SourceKind::Cuda: return {m_toolkit.nvcc.string()};
        case SourceKind::Cpp: break;
        }
        return m_compiler;
    }

    std::string cacheKey()
    {
        const Json whole = encodeSolution(m_solution);
        std::vector<std::pair<std::string, std::string>> sources;
        for (const auto& source : m_solution.sources) sources.emplace_back(source.path, source.content);
        std::sort(sources.begin(), sources.end());
        Json key = {
            {"builder", kBuilderVersion},
            {"spec", whole.at("spec")},
            {"definition", m_solution.definition},
            {"sources", sources},
            {"compiler", m_compiler},
            {"compiler_version", compilerVersion(m_compiler, m_stop)},
            {"c_compiler", m_cCompiler},
            {"c_compiler_version", m_cCompiler.empty() ? std::string() : compilerVersion(m_cCompiler, m_stop)},
            {"flags", compileFlags(SourceKind::Cpp)},
            {"c_flags", compileFlags(SourceKind::C)},
            {"link_flags", linkFlags()},
            {"include_paths",
             {variable("CPATH"), variable("C_INCLUDE_PATH"), variable("CPLUS_INCLUDE_PATH"), variable("LIBRARY_PATH")}},
            {"tvm_ffi", tvmFfiVersion(m_options.tvmFfiInclude)}};
        if (m_hasDeviceCode) {
            key["cuda"] = {{"compiler", m_toolkit.nvcc.string()},
                           {"compiler_version", compilerVersion({m_toolkit.nvcc.string()}, m_stop)},
                           {"flags", compileFlags(SourceKind::Cuda)},
                           {"variables", {variable("NVCC_CCBIN"), variable("NVCC_PREPEND_FLAGS"), variable("NVCC_APPEND_FLAGS")}}};
        }
        return sha256Hex(key.dump(-1, ' ', false, Json::error_handler_t::replace));
    }

    [[nodiscard]] std::string symbol() const { return "__tvm_ffi_" + m_solution.spec.entrySymbol(); }

    [[nodiscard]] std::optional<BuiltLibrary> fromCache(const fs::path& folder) const
    {
        const fs::path library = folder / kLibraryName;
        const auto names = exportedSymbols(library);
        if (!names || std::find(names->begin(), names->end(), symbol()) == names->end()) return std::nullopt;
        std::ifstream in(folder / kLogName, std::ios::binary);
        return BuiltLibrary{library, symbol(),
                            std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}, true};
    }

    /// Runs one compiler step in the sources' folder; adds what it printed to the log.
    void step(const std::string& what, std::vector<std::string> command, const fs::path& folder, std::uint64_t memoryBytes = kCompilerMemoryBytes)
    {
        ChildSpec spec;
        spec.command = std::move(command);
        spec.workingFolder = folder / "sources";
        spec.environment = {{"LC_ALL", "C"}, {"TMPDIR", (folder / "tmp").string()}};
        spec.memoryBytesLimit = memoryBytes;
        spec.fileBytesLimit = kCompilerFileBytes;
        spec.cpuSecondsLimit = static_cast<std::uint64_t>(std::min(m_options.timeoutSeconds, 1e6)) + 10;
        spec.diesWithThread = true;
        CaptureOptions capture;
        capture.timeoutSeconds = std::chrono::duration<double>(m_deadline - Clock::now()).count();
        capture.capBytes = kLogBytes;
        capture.mergeErrorOutput = true;
        const auto run = runCaptured(std::move(spec), capture, m_stop);
        if (!run) fail(ErrorCode::Unsupported, run.error().toString());
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

        std::vector<std::string> link = m_compiler;
        link.insert(link.end(), {"-o", (folder.path() / "result" / kLibraryName).string()});
        for (std::size_t index = 0; index < m_compiled.size(); ++index) {
            const auto& [path, kind] = m_compiled[index];
            const std::string object = (folder.path() / "objects" / fmt::format("{}_{}.o", kind == SourceKind::Cuda ? "cuda" : "cpp", index)).string();
            std::vector<std::string> command = compilerOf(kind);
            const auto flags = compileFlags(kind);
            command.insert(command.end(), flags.begin(), flags.end());
            // A name such as -fplugin=x.cpp or @x.cpp must stay the name of a file.
            const bool looksLikeOption = path.front() == '-' || path.front() == '@';
            command.insert(command.end(), {"-c", looksLikeOption ? "./" + path : path, "-o", object});
            step("compiling " + path, std::move(command), folder.path(),
                 kind == SourceKind::Cuda ? kCudaCompilerMemoryBytes : kCompilerMemoryBytes);
            link.push_back(object);
        }
        const auto flags = linkFlags();
        link.insert(link.end(), flags.begin(), flags.end());
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
        if (std::find(names->begin(), names->end(), symbol()) != names->end()) return;
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
                         m_log, symbol(), entry,
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
    std::vector<std::string> m_compiler;
    std::vector<std::string> m_cCompiler;
    CudaToolkit m_toolkit;
    std::vector<std::string> m_architectures;   ///< nvcc's flags
    bool m_hasDeviceCode = false;
    bool m_linksCuda = false;
    std::vector<std::pair<std::string, SourceKind>> m_compiled;
    std::string m_log;
};

}  // namespace

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
