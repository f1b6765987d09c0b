// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/diagnosis_tools.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>

#include "core/build/cuda_toolkit.h"
#include "core/io/child_process.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

constexpr std::array kTools{
    ToolFacts{DiagnosisTool::ComputeSanitizer, "compute-sanitizer", "Compute Sanitizer", "TRACEDECK_COMPUTE_SANITIZER",
              "it comes with the CUDA Toolkit: apt-get install cuda-sanitizer-13-0 (the number of your toolkit), or install the whole toolkit"},
    ToolFacts{DiagnosisTool::NsightCompute, "ncu", "Nsight Compute", "TRACEDECK_NCU",
              "it comes with the CUDA Toolkit: apt-get install cuda-nsight-compute-13-0 (the number of your toolkit), or get it from "
              "developer.nvidia.com/nsight-compute"},
    ToolFacts{DiagnosisTool::NsightComputeWindow, "ncu-ui", "Nsight Compute's window", "TRACEDECK_NCU_UI",
              "it comes with Nsight Compute: apt-get install cuda-nsight-compute-13-0, or developer.nvidia.com/nsight-compute; reports can be opened on any "
              "other computer that has it"},
    ToolFacts{DiagnosisTool::Cuobjdump, "cuobjdump", "cuobjdump", "TRACEDECK_CUOBJDUMP",
              "it comes with the CUDA Toolkit: apt-get install cuda-cuobjdump-13-0 (the number of your toolkit); Triton has a copy as well: pip install "
              "triton"},
};

bool isProgram(const fs::path& path)
{
    return !findProgram(path.string()).empty();
}

/// Folders such as /opt/nvidia/nsight-compute/2025.3.0, the newest first.
std::vector<fs::path> versionsBelow(const fs::path& folder)
{
    std::vector<fs::path> versions;
    std::error_code failure;
    for (const auto& entry : fs::directory_iterator(folder, failure)) versions.push_back(entry.path());
    const auto numbers = [](const fs::path& path) {
        std::vector<long> list;
        const std::string name = path.filename().string();
        for (const char* at = name.c_str(); *at != '\0';) {
            char* end = nullptr;
            const long number = std::strtol(at, &end, 10);
            if (end == at) {
                ++at;
                continue;
            }
            list.push_back(number);
            at = end;
        }
        return list;
    };
    std::ranges::sort(versions, [&](const fs::path& one, const fs::path& other) { return numbers(one) > numbers(other); });
    return versions;
}

/// Triton's own copies lie in its package.
std::vector<fs::path> tritonFolders(const fs::path& interpreter)
{
    std::vector<fs::path> folders;
    if (interpreter.empty()) return folders;
    const fs::path library = interpreter.parent_path().parent_path() / "lib";
    for (const fs::path& version : versionsBelow(library)) {
        if (version.filename().string().starts_with("python")) folders.push_back(version / "site-packages" / "triton" / "backends" / "nvidia" / "bin");
    }
    return folders;
}

}  // namespace

const ToolFacts& factsOf(DiagnosisTool tool)
{
    return *std::ranges::find(kTools, tool, &ToolFacts::tool);
}

Result<fs::path> findTool(DiagnosisTool tool, const fs::path& interpreter)
{
    const ToolFacts& facts = factsOf(tool);
    const std::string program(facts.program);
    if (const char* chosen = std::getenv(std::string(facts.variable).c_str()); chosen != nullptr && *chosen != '\0') {
        if (isProgram(fs::absolute(chosen))) return fs::absolute(chosen);
        return Error{ErrorCode::NotFound, fmt::format("{} names no program", facts.variable), chosen, 0, {}};
    }
    if (const fs::path found = findProgram(program); !found.empty()) return found;
    std::vector<fs::path> places;
    if (const auto toolkit = findCudaToolkit()) {
        places.push_back(toolkit->root / "bin");
        places.push_back(toolkit->root / "compute-sanitizer");
        places.push_back(toolkit->root / "extras" / "compute-sanitizer");
    }
    if (tool == DiagnosisTool::NsightCompute || tool == DiagnosisTool::NsightComputeWindow) {
        for (const fs::path& version : versionsBelow("/opt/nvidia/nsight-compute")) places.push_back(version);
    }
    if (tool == DiagnosisTool::Cuobjdump) {
        for (const fs::path& folder : tritonFolders(interpreter)) places.push_back(folder);
    }
    for (const fs::path& place : places) {
        if (isProgram(place / program)) return place / program;
    }
    return Error{ErrorCode::NotFound, fmt::format("{} ({}) was not found: {}. {} names another one.", facts.title, program, facts.remedy, facts.variable), {}, 0, {}};
}

}  // namespace tracedeck
