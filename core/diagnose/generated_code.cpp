// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnose/generated_code.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/run/diagnosis_tools.h"
#include "core/io/child_process.h"
#include "core/model/text.h"
#include "core/report/text_table.h"
#include "core/run/devices.h"
#include "core/run/run_tools.h"

namespace tracedeck {

namespace {

constexpr const char* kUsualArchitecture = "9.0";
constexpr double kDumpSeconds = 120;
constexpr std::size_t kMostDump = std::size_t{64} << 20U;

Error codeError(ErrorCode code, std::string reason)
{
    return Error{code, std::move(reason), {}, 0, {}};
}

/// What cuobjdump prints. It reads a library that a compiler made of a stranger's source, so it is given little.
Result<std::string> dump(const std::filesystem::path& program, const std::vector<std::string>& options, const std::filesystem::path& library, std::stop_token stop)
{
    ChildSpec spec;
    spec.command = {program.string()};
    spec.command.insert(spec.command.end(), options.begin(), options.end());
    spec.command.push_back(library.string());
    spec.workingFolder = "/";
    spec.environment = {{"LC_ALL", "C"}};
    spec.diesWithThread = true;
    auto run = runCaptured(std::move(spec), {.timeoutSeconds = kDumpSeconds, .capBytes = kMostDump}, std::move(stop));
    if (!run) return run.error();
    if (run->cancelled) return codeError(ErrorCode::Cancelled, "cancelled");
    if (run->timedOut) return codeError(ErrorCode::TimedOut, fmt::format("cuobjdump took longer than {:g} s", kDumpSeconds));
    if (!run->exit.succeeded()) {
        const std::string words = run->errorOutput + run->output;
        if (words.find("does not contain device code") != std::string::npos) return std::string();
        return codeError(ErrorCode::ProcessFailed, fmt::format("cuobjdump failed ({}): {}", run->exit.toString(), toValidUtf8(words.substr(0, 2000))));
    }
    return std::move(run->output);
}

}  // namespace

Result<GeneratedCode> inspectCode(const DiagnosisTarget& target, const std::string& architecture, const DiagnosisProgress& onProgress, std::stop_token stop)
{
    const Solution* solution = target.request.dataset->findSolution(target.solution);
    if (solution == nullptr) return Error{ErrorCode::Usage, fmt::format("the dataset has no solution \"{}\"", target.solution), {}, 0, "solution"};
    if (!solution->spec.isCompiled())
        return codeError(ErrorCode::Unsupported, fmt::format("{} is in {}, which is not compiled ahead: only solutions in C++ and CUDA have such code", solution->name,
                                                             toString(solution->spec.language)));
    auto cuobjdump = findTool(DiagnosisTool::Cuobjdump, target.request.python);
    if (!cuobjdump) return cuobjdump.error();
    RunRequest request = target.request;
    auto tools = findRunTools(request);
    if (!tools) return tools.error();
    GeneratedCode code;
    code.architecture = architecture;
    if (code.architecture.empty()) {
        const RunDevices known = findRunDevices();
        for (const RunDevice& device : known.devices) {
            const bool isWanted = request.devices.empty() || request.devices.front() == device.name || request.devices.front() == "all";
            if (isWanted && !device.computeCapability.empty() && code.architecture.empty()) code.architecture = device.computeCapability;
        }
        if (code.architecture.empty() && solution->spec.language == Language::Cuda) {
            code.architecture = kUsualArchitecture;
            code.note = fmt::format("compiled for compute capability {}, since no GPU was chosen", kUsualArchitecture);
        }
    }
    if (onProgress) onProgress("compiling " + solution->name);
    BuildOptions options = tools->build;
    options.computeCapability = code.architecture;
    auto outcome = buildNative(*solution, options, stop);
    if (const auto* failure = std::get_if<BuildFailure>(&outcome))
        return codeError(failure->code, fmt::format("{} was not built: {}", solution->name, toValidUtf8(failure->log)));
    const auto& built = std::get<BuiltLibrary>(outcome);
    code.buildLog = toValidUtf8(built.log);
    if (onProgress) onProgress("taking the library apart");
    auto usage = dump(*cuobjdump, {"--dump-resource-usage"}, built.library, stop);
    if (!usage) return usage.error();
    code.kernels = parseResourceUsage(*usage);
    auto sass = dump(*cuobjdump, {"-sass"}, built.library, stop);
    if (sass) {
        countInstructions(*sass, code.kernels);
        code.sass = readableSass(*sass);
    } else if (sass.error().code == ErrorCode::Cancelled) {
        return sass.error();
    } else {
        // nvdisasm, which it needs, may be missing: the rest is worth having.
        code.note += (code.note.empty() ? "" : "; ") + sass.error().reason;
    }
    if (auto ptx = dump(*cuobjdump, {"-ptx"}, built.library, stop)) code.ptx = toValidUtf8(*ptx);
    if (code.kernels.empty()) code.note += (code.note.empty() ? "" : "; ") + std::string("the library has no code for a GPU");
    return code;
}

std::string generatedCodeText(const GeneratedCode& code)
{
    std::string text;
    if (!code.architecture.empty()) text += fmt::format("Compute capability {}\n", printable(code.architecture));
    if (!code.note.empty()) text += printable(code.note) + "\n";
    if (code.kernels.empty()) return text;
    TextTable table({{"Kernel", TextTable::Align::Left}, {"For", TextTable::Align::Left}, {"Registers", TextTable::Align::Right},
                     {"Shared, bytes", TextTable::Align::Right}, {"Stack, bytes", TextTable::Align::Right}, {"Local loads", TextTable::Align::Right},
                     {"Local stores", TextTable::Align::Right}, {"Instructions", TextTable::Align::Right}});
    for (const KernelResources& kernel : code.kernels) {
        table.addRow({kernel.name, kernel.architecture, std::to_string(kernel.registers), std::to_string(kernel.sharedBytes), std::to_string(kernel.stackBytes),
                      std::to_string(kernel.localLoads), std::to_string(kernel.localStores), std::to_string(kernel.instructions)});
    }
    text += "\n" + table.toString();
    if (std::ranges::any_of(code.kernels, [](const KernelResources& kernel) { return kernel.localLoads + kernel.localStores > 0; }))
        text += "\nLocal loads and stores are registers that were spilled, or arrays that found no room in registers.\n";
    return text;
}

Json encodeGeneratedCode(const GeneratedCode& code)
{
    Json kernels = Json::array();
    for (const KernelResources& kernel : code.kernels) {
        kernels.push_back({{"symbol", kernel.symbol},
                           {"name", kernel.name},
                           {"architecture", kernel.architecture},
                           {"registers", kernel.registers},
                           {"shared_bytes", kernel.sharedBytes},
                           {"stack_bytes", kernel.stackBytes},
                           {"local_bytes", kernel.localBytes},
                           {"constant_bytes", kernel.constantBytes},
                           {"instructions", kernel.instructions},
                           {"local_loads", kernel.localLoads},
                           {"local_stores", kernel.localStores}});
    }
    return {{"architecture", code.architecture}, {"note", code.note}, {"build_log", code.buildLog}, {"kernels", std::move(kernels)}};
}

}  // namespace tracedeck
