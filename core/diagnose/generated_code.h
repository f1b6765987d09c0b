// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnose/judge_session.h"
#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck {

/// What one kernel of a compiled solution takes.
struct KernelResources {
    std::string symbol;               ///< as the linker knows it
    std::string name;                 ///< as its author wrote it, with argument types
    std::string architecture;         ///< sm_90a
    std::uint64_t registers = 0;      ///< a thread
    std::uint64_t sharedBytes = 0;    ///< a block, what is known when it is compiled
    std::uint64_t stackBytes = 0;     ///< a thread: frames, arrays with indexes, spilled registers
    std::uint64_t localBytes = 0;
    std::uint64_t constantBytes = 0;
    std::uint64_t instructions = 0;   ///< 0: the machine code was not read
    std::uint64_t localLoads = 0;     ///< instructions that read a thread's local memory: spills, or arrays that found no room in registers
    std::uint64_t localStores = 0;
};

/// Reads the output of `cuobjdump --dump-resource-usage`: kernels in the order of their appearance. What it does not know it leaves out.
[[nodiscard]] std::vector<KernelResources> parseResourceUsage(std::string_view text);
/// Counts instructions in the output of `cuobjdump -sass` and adds them to the kernels of the same name and architecture.
void countInstructions(std::string_view sass, std::vector<KernelResources>& kernels);
/// The same text without addresses and encodings, for people.
[[nodiscard]] std::string readableSass(std::string_view sass);

/// What the compiler made of a solution.
struct GeneratedCode {
    std::string architecture;         ///< what it was compiled for, "9.0"
    std::string note;                 ///< for example that there is no such GPU here; may be empty
    std::string buildLog;
    std::vector<KernelResources> kernels;
    std::string sass;                 ///< readable; empty: none
    std::string ptx;                  ///< empty: none was kept
};

/// Compiles a solution in C++ or CUDA, as a run would, and takes it apart with cuobjdump. `architecture`: "9.0"; empty: that of the request's
/// device, 9.0 where there is none. Error Unsupported for solutions that are not compiled ahead, NotFound when cuobjdump is missing.
[[nodiscard]] Result<GeneratedCode> inspectCode(const DiagnosisTarget& target, const std::string& architecture, const DiagnosisProgress& onProgress = {},
                                                std::stop_token stop = {});
[[nodiscard]] std::string generatedCodeText(const GeneratedCode& code);
[[nodiscard]] Json encodeGeneratedCode(const GeneratedCode& code);

/// `_Z5scaleIfEvPT_iS0_` → `void scale<float>(float*, int, float)`; what is no such name stays.
[[nodiscard]] std::string demangled(const std::string& symbol);

}  // namespace tracedeck
