// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <variant>

#include "core/model/result.h"
#include "core/model/solution.h"

namespace tracedeck {

struct BuiltLibrary {
    std::filesystem::path library;   ///< the shared object
    std::string symbol;              ///< exported C symbol: `__tvm_ffi_<entry>`, or `PyInit_<module>` with the torch binding
    std::string log;                 ///< compiler output, also when it worked
    bool fromCache = false;
};
/// Why a build failed: COMPILE_ERROR with this log, or (code TimedOut / Cancelled / Unsupported) something else.
struct BuildFailure {
    ErrorCode code = ErrorCode::ProcessFailed;
    std::string log;
};
/// Where the PyTorch that solutions with the torch binding are built against is.
struct TorchFiles {
    std::filesystem::path folder;          ///< the package; empty: there is none
    std::filesystem::path pythonInclude;   ///< with Python.h
    std::string version;
    std::string cppStandard = "c++17";     ///< which its headers need
};
struct BuildOptions {
    std::filesystem::path tvmFfiInclude;
    std::filesystem::path dlpackInclude;
    std::filesystem::path tvmFfiLibrary;
    double timeoutSeconds = 300;
    std::filesystem::path worker;        ///< tracedeck-worker, which confines the compilers; empty: nothing does
    std::string confinement = "auto";    ///< how far: auto, full, partial, none
    TorchFiles torch;
    std::string computeCapability;       ///< of the device that CUDA code is compiled for, "9.0"; TVM_FFI_CUDA_ARCH_LIST
                                         ///< (torch binding: TORCH_CUDA_ARCH_LIST) wins
    bool keepsLines = false;             ///< CUDA code says which line of its source an instruction is of (nvcc -lineinfo)
    std::filesystem::path cacheFolder;   ///< empty: TRACEDECK_CACHE_PATH, else $XDG_CACHE_HOME/tracedeck
};

/// Where builds and compiled kernels are kept: `cacheFolder`, or what stands in for it; empty when there is no such folder.
[[nodiscard]] std::filesystem::path cacheFolderOf(const BuildOptions& options);

/// Compiles a `cpp` or `cuda` solution (benchmark §6.5) into a cached shared object: a library with the C interface of
/// apache-tvm-ffi, or a Python module where the binding is torch. .cu is compiled by nvcc, the rest by the host's compilers. The cache is keyed by the whole spec and sources, compilers, flags, GPU architectures (where there
/// is CUDA code) and tvm-ffi or torch version, and filled by an atomic rename. Sources are written
/// into a private folder; paths are checked again. The compiler runs in its own process group, killed on timeout or stop.
[[nodiscard]] std::variant<BuiltLibrary, BuildFailure> buildNative(const Solution& solution, const BuildOptions& options, std::stop_token stop);

}  // namespace tracedeck
