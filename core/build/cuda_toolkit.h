// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/model/result.h"

namespace tracedeck {

/// The CUDA Toolkit that CUDA solutions are compiled with.
struct CudaToolkit {
    std::filesystem::path root;
    std::filesystem::path nvcc;
    std::filesystem::path libraryFolder;   ///< with libcudart.so; empty when there is none
    std::string because;                   ///< why this one: "CUDA_HOME names it"
};

/// Makes a toolkit (its folder, or its nvcc) the one that counts, before any variable; empty: none is chosen any more. Safe from any thread. For this program
/// and the judges that it starts from then on.
void chooseCudaToolkit(const std::filesystem::path& folderOrNvcc);
/// Its folder; empty when none was chosen.
[[nodiscard]] std::filesystem::path chosenCudaToolkit();

/// The one that was chosen, which decides even when it has no nvcc. Otherwise looked for in CUDA_HOME, CUDA_PATH, PATH, /usr/local/cuda, /usr/local/cuda-* (the highest version). A variable that is set decides,
/// even when it names no toolkit: the error says so. Error NotFound: "nvcc was not found: …" with what to do.
[[nodiscard]] Result<CudaToolkit> findCudaToolkit();

/// nvcc's flags for the GPU architectures to compile for: those that the environment variable lists (`9.0a 10.0a`, separated by blanks or
/// semicolons, taken as they are; `+PTX` adds the intermediate code), else `computeCapability` of the device. From 9.0 on that is
/// the architecture's own variant (sm_90a), since wgmma and TMA exist in no other. Error InvalidInput when one is malformed,
/// Unsupported when both are empty.
[[nodiscard]] Result<std::vector<std::string>> architectureFlags(const char* listVariable, const std::string& computeCapability);

}  // namespace tracedeck
