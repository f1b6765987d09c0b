// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/build/native_builder.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "core/build/elf_symbols.h"
#include "core/io/child_process.h"
#include "core/io/json_codec.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Part of the cache key: raise it when the way of building changes in a manner that the flags don't show.
constexpr int kBuilderVersion = 1;
constexpr std::size_t kLogBytes = std::size_t{1} << 20U;
constexpr std::uint64_t kCompilerMemoryBytes = std::uint64_t{8} << 30U;
constexpr std::uint64_t kCompilerFileBytes = std::uint64_t{1} << 30U;
constexpr double kVersionTimeoutSeconds = 30;
constexpr std::string_view kLibraryName = "library.so";
constexpr std::string_view kLogName = "build.log";

/// Carries a BuildFailure up to buildNative().
struct Failure {
    BuildFailure failure;
};

[[noreturn]] void fail(ErrorCode code, std::string log)
{
    throw Failure{{code, std::move(log)}};
}

std::string sha256Hex(std::string_view bytes)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
        fail(ErrorCode::Unsupported, "OpenSSL has no SHA-256 here: the build cache cannot be keyed");
    }
    std::string hex;
    for (unsigned index = 0; index < length; ++index) hex += fmt::format("{:02x}", digest[index]);
    return hex;
}

std::vector<std::string> splitBlanks(const std::string& text)
{
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

/// The compiler command: from the variable (which may hold arguments, such as `ccache g++`), else the first that is
/// found.
std::vector<std::string> compilerCommand(const char* variable, const std::vector<std::string>& candidates,
                                         const std::string& what)
{
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') {
        auto command = splitBlanks(value);
        if (command.empty()) fail(ErrorCode::Unsupported, fmt::format("{} is set but names no program", variable));
        const auto program = findProgram(command.front());
        if (program.empty()) {
            fail(ErrorCode::Unsupported,
                 fmt::format("{}={}: there is no such program. Unset {} or install the compiler.", variable, value,
                             variable));
        }
        command.front() = program.string();
        return command;
    }
    for (const auto& name : candidates) {
        if (const auto program = findProgram(name); !program.empty()) return {program.string()};
    }
    fail(ErrorCode::Unsupported,
         fmt::format("no {} was found. Install one (apt-get install g++) or set {}.", what, variable));
}

fs::path cacheRoot(const BuildOptions& options)
{
    if (!options.cacheFolder.empty()) return options.cacheFolder;
    if (const char* path = std::getenv("TRACEDECK_CACHE_PATH"); path != nullptr && *path != '\0') return path;
    if (const char* path = std::getenv("XDG_CACHE_HOME"); path != nullptr && *path == '/')
        return fs::path(path) / "tracedeck";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return fs::path(home) / ".cache" / "tracedeck";
    fail(ErrorCode::Io, "there is no folder for the build cache: set TRACEDECK_CACHE_PATH");
}

/// A fresh private folder that is removed again.
class PrivateFolder {
public:
    explicit PrivateFolder(const fs::path& parent)
    {
        std::error_code failure;
        fs::create_directories(parent, failure);
        std::string pattern = (parent / "building-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            fail(ErrorCode::Io, fmt::format("cannot make a folder in {}: {}", parent.string(), std::strerror(errno)));
        }
        m_path = pattern;
    }
    ~PrivateFolder()
    {
        std::error_code failure;
        fs::remove_all(m_path, failure);
    }
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    [[nodiscard]] const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

/// Folders of builds that a kill interrupted. A day is longer than any build may take.
void removeAbandonedFolders(const fs::path& store)
{
    std::error_code failure;
    const auto limit = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (fs::directory_iterator entry(store, failure), end; !failure && entry != end; entry.increment(failure)) {
        std::error_code ignored;   // another builder may be removing the same folder
        if (entry->path().filename().string().starts_with("building-") &&
            fs::last_write_time(entry->path(), ignored) < limit && !ignored) {
            fs::remove_all(entry->path(), ignored);
        }
    }
}

/// Judged with both kinds of separator, since a dataset may come from another system.
bool isSafeSourcePath(const std::string& path)
{
    if (path.empty() || path.find('\0') != std::string::npos || path.front() == '/' || path.front() == '\\')
        return false;
    if (path.size() >= 2 && path[1] == ':') return false;
    std::size_t start = 0;
    while (start <= path.size()) {
        const std::size_t end = std::min(path.find_first_of("/\\", start), path.size());
        if (path.substr(start, end - start) == "..") return false;
        start = end + 1;
    }
    return true;
}

void writeSource(const fs::path& folder, const SourceFile& source)
{
    if (!isSafeSourcePath(source.path)) {
        fail(ErrorCode::InvalidInput,
             fmt::format("source path \"{}\" would leave the build folder: use a relative path without \"..\"",
                         source.path));
    }
    const fs::path target = folder / source.path;
    std::error_code failure;
    fs::create_directories(target.parent_path(), failure);
    std::ofstream out(target, std::ios::binary | std::ios::trunc);
    out << source.content;
    out.close();
    if (!out) {
        fail(ErrorCode::InvalidInput,
             fmt::format("source \"{}\" cannot be written into the build folder: another source's path is in its way, "
                         "its name is too long, or the disk is full",
                         source.path));
    }
}

/// x.y.z from the headers: the file name alone would not tell one release from the next.
std::string tvmFfiVersion(const fs::path& include)
{
    std::ifstream in(include / "tvm" / "ffi" / "c_api.h");
    if (!in) {
        fail(ErrorCode::Unsupported,
             fmt::format(
                 "apache-tvm-ffi's headers are not there ({}/tvm/ffi/c_api.h). Run packaging/guest-env.sh, or install "
                 "apache-tvm-ffi into the Python that you chose (pip install apache-tvm-ffi).",
                 include.string()));
    }
    std::string version;
    std::string line;
    while (std::getline(in, line)) {
        const auto words = splitBlanks(line);
        if (words.size() >= 3 && words[0] == "#define" && words[1].starts_with("TVM_FFI_VERSION_"))
            version += words[2] + ".";
    }
    return version;
}

enum class SourceKind { Cpp, C };
std::optional<SourceKind> sourceKind(const std::string& path)
{
    const std::string suffix = fs::path(path).extension().string();
    if (suffix == ".cpp" || suffix == ".cc" || suffix == ".cxx") return SourceKind::Cpp;
    if (suffix == ".c") return SourceKind::C;
    return std::nullopt;
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
        }
        std::sort(m_compiled.begin(), m_compiled.end());
        if (m_compiled.empty()) {
            fail(ErrorCode::ProcessFailed, "the solution has no file to compile (.cpp, .cc, .cxx or .c)");
        }
        const fs::path store = cacheRoot(m_options) / "native";
        const std::string key = cacheKey();
        const fs::path finished = store / key.substr(0, 2) / key;
        if (auto cached = fromCache(finished)) return *cached;
        return build(store, finished);
    }

private:
    void checkSupported() const
    {
        const BuildSpec& spec = m_solution.spec;
        if (spec.language == Language::Cuda) {
            fail(ErrorCode::Unsupported,
                 "solutions in CUDA need nvcc and a CUDA device; this version builds cpp solutions only");
        }
        if (spec.language != Language::Cpp) {
            fail(ErrorCode::Unsupported, fmt::format("language {} is not compiled ahead", toString(spec.language)));
        }
        if (spec.binding == Binding::Torch) {
            fail(ErrorCode::Unsupported,
                 "binding torch needs a build against PyTorch's C++ headers, which this version does not do; use the "
                 "tvm-ffi binding (leave `binding` out)");
        }
        for (const auto& source : m_solution.sources) {
            if (fs::path(source.path).extension() == ".cu") {
                fail(ErrorCode::Unsupported,
                     fmt::format("source {} is CUDA code, which needs nvcc and a CUDA device", source.path));
            }
        }
        std::error_code failure;
        if (!fs::is_regular_file(m_options.tvmFfiLibrary, failure)) {
            fail(ErrorCode::Unsupported, "apache-tvm-ffi's library libtvm_ffi.so is not there. Run "
                                         "packaging/guest-env.sh, or install apache-tvm-ffi into "
                                         "the Python that you chose (pip install apache-tvm-ffi).");
        }
    }

    [[nodiscard]] std::vector<std::string> compileFlags(SourceKind kind) const
    {
        std::vector<std::string> flags;
        if (kind == SourceKind::Cpp) flags.emplace_back("-std=c++17");
        flags.insert(flags.end(), {"-fPIC", "-O2", "-I" + m_options.tvmFfiInclude.string()});
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
        return {"-shared", "-Wl,-z,defs", "-L" + m_options.tvmFfiLibrary.parent_path().string(), "-ltvm_ffi"};
    }

    std::string compilerVersion(const std::vector<std::string>& compiler)
    {
        ChildSpec spec;
        spec.command = compiler;
        spec.command.emplace_back("--version");
        spec.environment = {{"LC_ALL", "C"}};
        spec.diesWithThread = true;
        const auto run =
            runCaptured(std::move(spec),
                        {.timeoutSeconds = kVersionTimeoutSeconds, .capBytes = 4096, .mergeErrorOutput = true}, m_stop);
        if (run && run->cancelled) fail(ErrorCode::Cancelled, "the build was cancelled");
        if (!run || run->timedOut || !run->exit.succeeded()) {
            fail(ErrorCode::Unsupported, fmt::format("the compiler {} does not work: {}", compiler.front(),
                                                     !run            ? run.error().toString()
                                                     : run->timedOut ? "no answer to --version"
                                                                     : run->output));
        }
        return run->output;
    }

    std::string cacheKey()
    {
        const Json whole = encodeSolution(m_solution);
        std::vector<std::pair<std::string, std::string>> sources;
        for (const auto& source : m_solution.sources) sources.emplace_back(source.path, source.content);
        std::sort(sources.begin(), sources.end());
        const auto variable = [](const char* name) {
            const char* value = std::getenv(name);
            return std::string(value != nullptr ? value : "");
        };
        const Json key = {
            {"builder", kBuilderVersion},
            {"spec", whole.at("spec")},
            {"definition", m_solution.definition},
            {"sources", sources},
            {"compiler", m_compiler},
            {"compiler_version", compilerVersion(m_compiler)},
            {"c_compiler", m_cCompiler},
            {"c_compiler_version", m_cCompiler.empty() ? std::string() : compilerVersion(m_cCompiler)},
            {"flags", compileFlags(SourceKind::Cpp)},
            {"c_flags", compileFlags(SourceKind::C)},
            {"link_flags", linkFlags()},
            {"include_paths",
             {variable("CPATH"), variable("C_INCLUDE_PATH"), variable("CPLUS_INCLUDE_PATH"), variable("LIBRARY_PATH")}},
            {"tvm_ffi", tvmFfiVersion(m_options.tvmFfiInclude)}};
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
    void step(const std::string& what, std::vector<std::string> command, const fs::path& folder)
    {
        ChildSpec spec;
        spec.command = std::move(command);
        spec.workingFolder = folder / "sources";
        spec.environment = {{"LC_ALL", "C"}, {"TMPDIR", (folder / "tmp").string()}};
        spec.memoryBytesLimit = kCompilerMemoryBytes;
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
            const std::string object = (folder.path() / "objects" / fmt::format("cpp_{}.o", index)).string();
            std::vector<std::string> command = kind == SourceKind::Cpp ? m_compiler : m_cCompiler;
            const auto flags = compileFlags(kind);
            command.insert(command.end(), flags.begin(), flags.end());
            // A name such as -fplugin=x.cpp or @x.cpp must stay the name of a file.
            const bool looksLikeOption = path.front() == '-' || path.front() == '@';
            command.insert(command.end(), {"-c", looksLikeOption ? "./" + path : path, "-o", object});
            step("compiling " + path, std::move(command), folder.path());
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
