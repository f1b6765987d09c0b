// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/build/build_recipe.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "core/build/build_support.h"
#include "core/build/cuda_toolkit.h"
#include "core/build/toolchain.h"

namespace tracedeck::building {

namespace fs = std::filesystem;

namespace {

using Flags = std::vector<std::string>;

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

/// Whether the solution says that it is for CUDA in general, which links CUDA's libraries.
bool targetsCuda(const BuildSpec& spec)
{
    return std::any_of(spec.targetHardware.begin(), spec.targetHardware.end(), [](std::string name) {
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
        return name == "cuda";
    });
}

void append(Flags& flags, const Flags& more)
{
    flags.insert(flags.end(), more.begin(), more.end());
}

/// The driver's stub is for the linker alone, and only where the driver is not installed.
void appendCudaFolders(Flags& flags, const CudaToolkit& toolkit)
{
    if (toolkit.libraryFolder.empty()) return;
    append(flags, {"-L" + toolkit.libraryFolder.string(), "-L" + (toolkit.libraryFolder / "stubs").string()});
}

class RecipeMaker {
public:
    RecipeMaker(const Solution& solution, const BuildOptions& options, const std::stop_token& stop)
        : m_solution(solution), m_options(options), m_stop(stop), m_isTorch(solution.spec.binding == Binding::Torch)
    {
    }

    BuildRecipe make()
    {
        const Language language = m_solution.spec.language;
        if (language != Language::Cpp && language != Language::Cuda) {
            fail(ErrorCode::Unsupported, fmt::format("language {} is not compiled ahead", toString(language)));
        }
        m_recipe.isPythonModule = m_isTorch;
        m_recipe.compiler = compilerCommand("CXX", {"g++", "c++", "clang++"}, "C++ compiler");
        takeSources();
        if (m_isTorch) takeTorch();
        else takeTvmFfi();
        if (m_hasDeviceCode && m_options.keepsLines) m_recipe.cudaFlags.emplace_back("-lineinfo");
        identify();
        return std::move(m_recipe);
    }

private:
    void takeSources()
    {
        for (const SourceFile& source : m_solution.sources) {
            auto kind = sourceKind(source.path);
            if (!kind) continue;
            if (kind == SourceKind::C && m_isTorch) kind = SourceKind::Cpp;   // PyTorch's builder has one host compiler
            if (kind == SourceKind::C && m_recipe.cCompiler.empty()) m_recipe.cCompiler = compilerCommand("CC", {"gcc", "cc", "clang"}, "C compiler");
            if (kind == SourceKind::Cuda) {
                if (!isSafeForNvcc(source.path)) {
                    fail(ErrorCode::InvalidInput,
                         fmt::format("source \"{}\" can't be compiled by nvcc: its name has a character that a shell would act on; rename it",
                                     source.path));
                }
                m_hasDeviceCode = true;
            }
            m_recipe.sources.push_back({source.path, *kind});
        }
        if (m_recipe.sources.empty()) {
            fail(ErrorCode::ProcessFailed, "the solution has no file to compile (.cu, .cpp, .cc, .cxx or .c)");
        }
        std::sort(m_recipe.sources.begin(), m_recipe.sources.end(),
                  [](const CompiledSource& left, const CompiledSource& right) { return left.path < right.path; });
    }

    void takeToolkit()
    {
        auto toolkit = findCudaToolkit();
        if (!toolkit) fail(ErrorCode::Unsupported, toolkit.error().reason);
        m_toolkit = std::move(*toolkit);
    }

    [[nodiscard]] Flags architectures(const char* listVariable)
    {
        m_recipe.cudaCompiler = {m_toolkit.nvcc.string()};
        auto flags = architectureFlags(listVariable, m_options.computeCapability);
        if (!flags) fail(ErrorCode::Unsupported, flags.error().reason);
        return std::move(*flags);
    }

    void takeTvmFfi()
    {
        std::error_code failure;
        if (!fs::is_regular_file(m_options.tvmFfiLibrary, failure)) {
            fail(ErrorCode::Unsupported, "apache-tvm-ffi's library libtvm_ffi.so is not there. Run "
                                         "packaging/guest-env.sh, or install apache-tvm-ffi into "
                                         "the Python that you chose (pip install apache-tvm-ffi).");
        }
        m_recipe.identity["tvm_ffi"] = tvmFfiVersion(m_options.tvmFfiInclude);
        Flags includes{"-I" + m_options.tvmFfiInclude.string()};
        if (!m_options.dlpackInclude.empty() && m_options.dlpackInclude != m_options.tvmFfiInclude) {
            includes.push_back("-I" + m_options.dlpackInclude.string());
        }
        includes.emplace_back("-I.");
        m_recipe.cppFlags = {"-std=c++17", "-fPIC", "-O2"};
        append(m_recipe.cppFlags, includes);
        m_recipe.cFlags = {"-fPIC", "-O2"};
        append(m_recipe.cFlags, includes);
        // -z defs: an unresolved symbol is an error here, as it is for flashinfer-bench, whose builder loads the
        // library at once.
        m_recipe.linkFlags = {"-shared", "-Wl,-z,defs", "-L" + m_options.tvmFfiLibrary.parent_path().string(), "-ltvm_ffi"};
        if (m_hasDeviceCode) {
            takeToolkit();
            m_recipe.cudaFlags = {"-Xcompiler", "-fPIC", "-std=c++17", "-O2"};
            append(m_recipe.cudaFlags, architectures("TVM_FFI_CUDA_ARCH_LIST"));
            append(m_recipe.cudaFlags, includes);
        } else if (auto toolkit = findCudaToolkit(); toolkit && targetsCuda(m_solution.spec)) {
            m_toolkit = std::move(*toolkit);
        } else {
            return;   // where host code calls CUDA without a toolkit all the same, the linker says so
        }
        // Only what is really used becomes needed: loading cuBLAS takes longer than many an evaluation.
        m_recipe.linkFlags.emplace_back("-Wl,--as-needed");
        appendCudaFolders(m_recipe.linkFlags, m_toolkit);
        if (!m_toolkit.libraryFolder.empty()) m_recipe.linkFlags.push_back("-Wl,-rpath," + m_toolkit.libraryFolder.string());
        if (m_hasDeviceCode) m_recipe.linkFlags.emplace_back("-lcudart");
        append(m_recipe.linkFlags, {"-lcuda", "-lcublas"});
    }

    void checkTorch() const
    {
        const bool isCuda = m_solution.spec.language == Language::Cuda;
        if (!sourceKind(m_solution.spec.entryFile())) {
            fail(ErrorCode::ProcessFailed,
                 fmt::format("the entry file {} is not one that is compiled (.cu, .cpp, .cc, .cxx or .c)", m_solution.spec.entryFile()));
        }
        if (m_hasDeviceCode && !isCuda) {
            fail(ErrorCode::ProcessFailed, "with the torch binding, .cu files are compiled only in solutions of language cuda");
        }
        const TorchFiles& torch = m_options.torch;
        std::error_code failure;
        if (torch.folder.empty() || !fs::is_regular_file(torch.folder / "include" / "torch" / "extension.h", failure)) {
            fail(ErrorCode::Unsupported, "PyTorch's C++ headers are not there (torch/include/torch/extension.h): the torch binding needs the "
                                         "PyTorch that pip installs, in the Python that you chose.");
        }
        if (!fs::is_regular_file(torch.pythonInclude / "Python.h", failure)) {
            fail(ErrorCode::Unsupported,
                 fmt::format("Python's headers are not there ({}/Python.h): the torch binding needs them (apt-get install python3-dev).",
                             torch.pythonInclude.string()));
        }
        if (isCuda && !fs::is_regular_file(torch.folder / "lib" / "libtorch_cuda.so", failure)) {
            fail(ErrorCode::Unsupported,
                 fmt::format("this PyTorch ({}) is one without CUDA; `tracedeck doctor` says how to get one that has it", torch.version));
        }
    }

    void takeTorch()
    {
        checkTorch();
        const bool isCuda = m_solution.spec.language == Language::Cuda;
        const TorchFiles& torch = m_options.torch;
        m_recipe.identity["torch"] = torch.version;
        if (isCuda) takeToolkit();
        const Flags defines{"-DTORCH_API_INCLUDE_EXTENSION_H"};
        Flags includes{"-I."};
        for (const fs::path& folder : {torch.folder / "include", torch.folder / "include/torch/csrc/api/include", torch.pythonInclude}) {
            append(includes, {"-isystem", folder.string()});
        }
        if (isCuda) append(includes, {"-isystem", (m_toolkit.root / "include").string()});
        m_recipe.cppFlags = {"-std=" + torch.cppStandard, "-fPIC"};
        append(m_recipe.cppFlags, defines);
        append(m_recipe.cppFlags, includes);
        m_recipe.cFlags = m_recipe.cppFlags;
        // Symbols of the interpreter are found at load time: no -z defs here.
        m_recipe.linkFlags = {"-shared", "-L" + (torch.folder / "lib").string(), "-lc10", "-ltorch_cpu", "-ltorch", "-ltorch_python"};
        if (!isCuda) return;
        append(m_recipe.linkFlags, {"-lc10_cuda", "-ltorch_cuda"});
        appendCudaFolders(m_recipe.linkFlags, m_toolkit);
        m_recipe.linkFlags.emplace_back("-lcudart");
        if (!m_hasDeviceCode) return;
        m_recipe.cudaFlags = {"-D__CUDA_NO_HALF_OPERATORS__", "-D__CUDA_NO_HALF_CONVERSIONS__", "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
                              "-D__CUDA_NO_HALF2_OPERATORS__", "--expt-relaxed-constexpr", "-std=" + torch.cppStandard, "-Xcompiler", "-fPIC"};
        append(m_recipe.cudaFlags, architectures("TORCH_CUDA_ARCH_LIST"));
        append(m_recipe.cudaFlags, defines);
        append(m_recipe.cudaFlags, includes);
    }

    void identify()
    {
        Json versions = Json::object();
        for (const auto* compiler : {&m_recipe.compiler, &m_recipe.cCompiler, &m_recipe.cudaCompiler}) {
            if (!compiler->empty()) versions[fmt::format("{}", fmt::join(*compiler, " "))] = compilerVersion(*compiler, m_stop);
        }
        m_recipe.identity["compilers"] = std::move(versions);
        Json variables = Json::array();
        for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH"}) variables.push_back(variable(name));
        if (m_hasDeviceCode) {
            for (const char* name : {"NVCC_CCBIN", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"}) variables.push_back(variable(name));
        }
        m_recipe.identity["variables"] = std::move(variables);
    }

    const Solution& m_solution;
    const BuildOptions& m_options;
    const std::stop_token& m_stop;
    bool m_isTorch = false;
    bool m_hasDeviceCode = false;
    CudaToolkit m_toolkit;
    BuildRecipe m_recipe;
};

}  // namespace

const std::vector<std::string>& BuildRecipe::compilerOf(SourceKind kind) const
{
    return kind == SourceKind::Cuda ? cudaCompiler : kind == SourceKind::C ? cCompiler : compiler;
}

const std::vector<std::string>& BuildRecipe::flagsOf(SourceKind kind) const
{
    return kind == SourceKind::Cuda ? cudaFlags : kind == SourceKind::C ? cFlags : cppFlags;
}

BuildRecipe makeRecipe(const Solution& solution, const BuildOptions& options, const std::stop_token& stop)
{
    return RecipeMaker(solution, options, stop).make();
}

}  // namespace tracedeck::building
