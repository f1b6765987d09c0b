// SPDX-License-Identifier: GPL-3.0-or-later
// diagnose() of python_environment.h: what `tracedeck doctor` reports.
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "core/build/cuda_toolkit.h"
#include "core/confine/abilities.h"
#include "core/io/child_process.h"
#include "core/model/text.h"
#include "core/run/caches.h"
#include "core/run/devices.h"
#include "core/run/diagnosis_tools.h"
#include "core/run/python_environment.h"
#include "core/run/runner.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;
using Level = Finding::Level;

constexpr double kProbeTimeoutSeconds = 20;
constexpr double kImportTimeoutSeconds = 60;

std::string firstLine(const std::string& text)
{
    return text.substr(0, text.find('\n'));
}

/// First line that a program prints, std::nullopt when it is not there or fails.
std::optional<std::string> probe(std::vector<std::string> command, const std::stop_token& stop)
{
    const fs::path program = findProgram(command.front());
    if (program.empty()) return std::nullopt;
    command.front() = program.string();
    ChildSpec spec;
    spec.command = std::move(command);
    spec.workingFolder = "/";
    spec.environment = {{"LC_ALL", "C"}};
    spec.diesWithThread = true;
    const auto run = runCaptured(std::move(spec), {.timeoutSeconds = kProbeTimeoutSeconds, .capBytes = 65536}, stop);
    if (!run || run->timedOut || run->cancelled || !run->exit.succeeded()) return std::nullopt;
    return run->output;
}

std::string gibibytes(std::uint64_t bytes)
{
    constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;
    return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / kGibibyte);
}

void findGpu(std::vector<Finding>& findings)
{
    const auto gpus = listGpus();
    const RunDevices devices = runDevices(gpus, TRACEDECK_HAS_CUDA != 0);
    if (!gpus || gpus->gpus.empty()) {
        findings.push_back({Level::Warning, "GPU", "none: runs use the cpu device (" + devices.whyNoGpu + ")",
                            "nothing to do unless this machine has an NVIDIA GPU; then install its driver"});
    } else {
        std::string found;
        for (const GpuInfo& gpu : gpus->gpus) {
            found += fmt::format("{}cuda:{} {}", found.empty() ? "" : ", ", gpu.index, gpu.name);
            std::string facts;
            if (!gpu.computeCapability.empty()) facts += "compute capability " + gpu.computeCapability;
            if (gpu.totalBytes) facts += (facts.empty() ? "" : ", ") + gibibytes(*gpu.totalBytes);
            if (gpu.freeBytes) facts += (facts.empty() ? "" : ", ") + gibibytes(*gpu.freeBytes) + " free";
            if (gpu.migEnabled) facts += (facts.empty() ? "" : ", ") + fmt::format("MIG with {} instances", gpu.migInstances.size());
            if (!facts.empty()) found += " (" + facts + ")";
        }
        const bool isUsable = devices.whyNoGpu.empty();
        findings.push_back({isUsable ? Level::Ok : Level::Warning, "GPU", found, isUsable ? "" : devices.whyNoGpu + "; install it and build again"});
    }
    std::ifstream version("/proc/driver/nvidia/version");
    std::string driver;
    std::getline(version, driver);
    if (gpus) {
        driver = gpus->driverVersion.empty() ? "unknown version" : gpus->driverVersion;
        if (gpus->cudaVersion > 0) driver += fmt::format(", up to CUDA {}", cudaVersionText(gpus->cudaVersion));
        findings.push_back({Level::Ok, "driver", driver, ""});
    } else if (driver.empty()) {
        findings.push_back({Level::Warning, "driver", "no NVIDIA driver", "nothing to do unless this machine has an NVIDIA GPU"});
    } else {
        findings.push_back({Level::Warning, "driver", fmt::format("{}, but {}", driver, gpus.error().reason),
                            "install the driver's libraries (libnvidia-ml.so.1); in a container, start it with GPU access"});
    }
}

void findNvcc(std::vector<Finding>& findings, const std::stop_token& stop)
{
    const auto toolkit = findCudaToolkit();
    if (!toolkit) {
        findings.push_back({Level::Warning, "nvcc", "not found", "needed only for CUDA solutions: " + toolkit.error().reason});
        return;
    }
    const auto version = probe({toolkit->nvcc.string(), "--version"}, stop);
    if (!version) {
        findings.push_back({Level::Warning, "nvcc", toolkit->nvcc.string() + " does not work", "needed only for CUDA solutions: install the CUDA Toolkit again"});
        return;
    }
    const auto release = version->find("release ");
    const std::string found = fmt::format("{} ({}; {})", firstLine(release == std::string::npos ? *version : version->substr(release)),
                                          toolkit->nvcc.string(), toolkit->because);
    if (toolkit->libraryFolder.empty()) {
        findings.push_back({Level::Warning, "nvcc", found + ", but no libcudart.so beside it", "CUDA solutions can't be linked: install the whole CUDA Toolkit"});
    } else {
        findings.push_back({Level::Ok, "nvcc", found, ""});
    }
}

void findCompilers(std::vector<Finding>& findings, const std::stop_token& stop)
{
    findNvcc(findings, stop);
    const char* chosen = std::getenv("CXX");
    std::optional<std::string> compiler;
    std::string name;
    if (chosen != nullptr && *chosen != '\0') {
        std::istringstream words{std::string(chosen)};
        std::vector<std::string> command;
        for (std::string word; words >> word;) command.push_back(word);
        name = std::string("CXX=") + chosen;
        command.emplace_back("--version");
        compiler = probe(std::move(command), stop);
    } else {
        for (const auto* candidate : {"g++", "c++", "clang++"}) {
            if (!compiler && (compiler = probe({candidate, "--version"}, stop))) name = candidate;
        }
    }
    if (compiler)
        findings.push_back({Level::Ok, "C++ compiler", fmt::format("{}: {}", name, firstLine(*compiler)), ""});
    else
        findings.push_back({Level::Missing, "C++ compiler", name.empty() ? "not found" : name + " does not work",
                            "apt-get install g++, or set CXX; needed for cpp solutions"});
}

/// "CUDA 13.0 on 2 GPUs", or in other words why there is none, from what the script below printed.
std::string cudaOfTorch(const std::string& printed)
{
    const auto mark = printed.rfind("\ncuda ");
    std::istringstream words(mark == std::string::npos ? std::string() : printed.substr(mark));
    std::string word;
    std::string version;
    int devices = 0;
    words >> word >> version >> devices;
    if (version.empty() || version == "none") return "built without CUDA";
    if (devices == 0) return fmt::format("built for CUDA {}, which it can't use here", version);
    return fmt::format("CUDA {} on {} GPU{}", version, devices, devices == 1 ? "" : "s");
}

/// Whether torch can really be imported, and what it can do on the cpu.
Finding tryTorch(const fs::path& interpreter, const std::string& version, const std::stop_token& stop)
{
    constexpr std::string_view kScript =
        "import torch\n"
        "a = torch.ones(2, 2)\n"
        "def can(dtype):\n"
        "    try:\n"
        "        t = a.to(getattr(torch, dtype))\n"
        "        return dtype.startswith('float8') or bool((t @ t).float().sum() == 8)\n"
        "    except Exception:\n"
        "        return False\n"
        "print('lacks', *[d for d in ('float16', 'bfloat16', 'float8_e4m3fn') if not can(d)])\n"
        "if torch.version.cuda is None:\n"
        "    print('cuda', 'none')\n"
        "else:\n"
        "    print('cuda', torch.version.cuda, torch.cuda.device_count() if torch.cuda.is_available() else 0)\n";
    ChildSpec spec;
    spec.command = {interpreter.string(), "-I", "-B", "-c", std::string(kScript)};
    spec.workingFolder = "/";
    spec.diesWithThread = true;
    const auto run = runCaptured(std::move(spec), {.timeoutSeconds = kImportTimeoutSeconds, .capBytes = 65536}, stop);
    if (!run || run->timedOut || !run->exit.succeeded()) {
        std::string why = !run            ? run.error().toString()
                          : run->timedOut ? fmt::format("no answer within {:g} s", kImportTimeoutSeconds)
                                          : run->errorOutput;
        while (!why.empty() && why.back() == '\n') why.pop_back();
        const auto lastLine = why.rfind('\n');
        return {Level::Missing, "torch",
                fmt::format("{}, but it cannot be imported: {}", version,
                            lastLine == std::string::npos ? why : why.substr(lastLine + 1)),
                "packaging/guest-env.sh makes an environment that works"};
    }
    const auto mark = run->output.rfind("lacks");
    std::string lacking =
        mark == std::string::npos ? "" : firstLine(run->output.substr(mark + std::string_view("lacks").size()));
    const std::string cuda = cudaOfTorch(run->output);
    if (!lacking.empty()) {
        return {
            Level::Warning, "torch", fmt::format("{}; {}; on the cpu it lacks:{}", version, cuda, lacking),
            "packaging/guest-env.sh --full gets a PyTorch that has them; definitions that use them can't run before"};
    }
    const auto gpus = listGpus();
    if (gpus && !gpus->gpus.empty() && !cuda.starts_with("CUDA")) {
        return {Level::Missing, "torch", fmt::format("{}; {}", version, cuda),
                "references can't run on the GPU with it: pip install torch, in a version for the driver's CUDA"};
    }
    return {Level::Ok, "torch", fmt::format("{}; {}", version, cuda), ""};
}

void findPython(std::vector<Finding>& findings, const PythonChoice& python, const std::stop_token& stop)
{
    const auto facts = inspectPython(python.interpreter, stop);
    if (!facts) {
        // An interpreter that is not even there is explained by the choice; another one by what it did when it was asked.
        const bool isProgram = !findProgram(python.interpreter.string()).empty();
        const std::string chooser = python.source == "option" ? "--python" : python.source == "setting" ? "the setting" : python.source;
        findings.push_back({Level::Missing, "Python",
                            isProgram ? fmt::format("{} It is chosen by {}.", facts.error().toString(), chooser) : python.explanation,
                            "packaging/guest-env.sh makes an environment; --python or TRACEDECK_PYTHON names another interpreter"});
        for (const auto* name : {"torch", "triton", "tvm-ffi"})
            findings.push_back({Level::Missing, name, "no Python to look in", "packaging/guest-env.sh"});
        return;
    }
    findings.push_back({Level::Ok, "Python", fmt::format("{}: {}", facts->version, python.explanation), ""});
    const auto version = [&facts](const char* name) {
        const auto found = facts->packages.find(name);
        return found == facts->packages.end() ? std::string() : found->second;
    };
    if (const auto torch = version("torch"); !torch.empty()) findings.push_back(tryTorch(python.interpreter, torch, stop));
    else
        findings.push_back(
            {Level::Missing, "torch", "not installed in this Python", "packaging/guest-env.sh, or: pip install torch"});
    if (const auto triton = version("triton"); !triton.empty()) findings.push_back({Level::Ok, "triton", triton, ""});
    else
        findings.push_back({Level::Warning, "triton", "not installed in this Python",
                            "needed for Triton solutions only: packaging/guest-env.sh --full, or: pip install triton"});
    const auto ffi = version("apache-tvm-ffi");
    if (ffi.empty()) {
        findings.push_back({Level::Missing, "tvm-ffi", "not installed in this Python",
                            "needed for cpp solutions: packaging/guest-env.sh, or: pip install apache-tvm-ffi"});
    } else if (facts->tvmFfiInclude.empty() || facts->tvmFfiLibrary.empty()) {
        findings.push_back({Level::Missing, "tvm-ffi",
                            ffi + ", but its headers or libtvm_ffi.so are not where they belong",
                            "pip install --force-reinstall apache-tvm-ffi"});
    } else {
        findings.push_back({Level::Ok, "tvm-ffi", fmt::format("{} ({})", ffi, facts->tvmFfiLibrary.string()), ""});
    }
}

/// The copy that comes with torch first: it is the one that a host loads with it.
void findCupti(std::vector<Finding>& findings, const PythonChoice& python, const std::stop_token& stop)
{
    std::vector<fs::path> folders;
    if (const auto facts = inspectPython(python.interpreter, stop); facts && !facts->torchFolder.empty()) {
        const fs::path packages = facts->torchFolder.parent_path() / "nvidia";
        for (const auto* below : {"cu13/lib", "cuda_cupti/lib"}) folders.push_back(packages / below);
    }
    if (const auto toolkit = findCudaToolkit()) {
        for (const auto* below : {"extras/CUPTI/lib64", "lib64", "targets/x86_64-linux/lib"}) folders.push_back(toolkit->root / below);
    }
    for (const auto* folder : {"/usr/local/cuda/extras/CUPTI/lib64", "/usr/local/cuda/lib64", "/usr/lib/x86_64-linux-gnu"}) folders.emplace_back(folder);
    for (const auto& folder : folders) {
        for (const auto* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"}) {
            std::error_code failure;
            if (fs::exists(folder / name, failure)) {
                findings.push_back({Level::Ok, "CUPTI", (folder / name).string(), ""});
                return;
            }
        }
    }
    findings.push_back({Level::Warning, "CUPTI", "not found: CUDA solutions are timed by events, which is less exact",
                        "it comes with the CUDA Toolkit, and with PyTorch: pip install nvidia-cuda-cupti"});
}

/// What keeps solutions from everything else on this machine, found by trying.
Finding findConfinement()
{
    const auto worker = findWorkerProgram();
    std::error_code failure;
    confine::ControlGroups groups(confine::findGroupPlaces());
    constexpr confine::GroupLimits kTrialLimits{std::uint64_t{1} << 30U, 64};
    const auto abilities = worker ? confine::findAbilities(*worker, fs::temp_directory_path(failure), groups, kTrialLimits)
                                  : Result<confine::Abilities>(worker.error());
    if (!abilities) return {Level::Warning, "confinement", "can't be tried: " + abilities.error().toString(), "see the finding on the worker"};
    std::string found = fmt::format("{}: {}", abilities->level(), fmt::join(abilities->names(), ", "));
    if (!abilities->limitsMemory || !abilities->limitsProcesses) {
        found += fmt::format("; {} without control groups, by looking every 50 ms",
                             abilities->limitsMemory      ? "processes are limited"
                             : abilities->limitsProcesses ? "memory is limited"
                                                          : "memory and processes are limited");
    }
    if (abilities->isFull()) return {Level::Ok, "confinement", found, ""};
    std::string remedy;
    const auto add = [&remedy](const std::string& what) { remedy += (remedy.empty() ? "" : "; ") + what; };
    if (abilities->namespaces == confine::Namespaces::None) {
        add("as root: sysctl kernel.unprivileged_userns_clone=1 (Debian), sysctl kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), "
            "sysctl user.max_user_namespaces=10000; in a container, allow it namespaces (Docker: --security-opt seccomp=unconfined "
            "--security-opt systempaths=unconfined)");
    } else if (abilities->namespaces == confine::Namespaces::Processes) {
        add("in a container, show it the whole of /proc (Docker: --security-opt systempaths=unconfined)");
    }
    if (!abilities->filtersCalls) add("apt-get install libseccomp-dev, and build Tracedeck again");
    return {Level::Warning, "confinement", found + "; missing: " + abilities->missing(), remedy};
}

/// The line of a program's `--version` that has a number.
std::string versionLine(const std::string& printed)
{
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("ersion") != std::string::npos) return line;
        if (const auto release = line.find("release "); release != std::string::npos) return line.substr(release);
    }
    return firstLine(printed);
}

/// What the Diagnose menu works with. Runs need none of it.
void findDiagnosisTools(std::vector<Finding>& findings, const PythonChoice& python, const std::stop_token& stop)
{
    for (const auto& [tool, use] : {std::pair{DiagnosisTool::ComputeSanitizer, "to look for stray accesses and races"},
                                    std::pair{DiagnosisTool::NsightCompute, "to profile calls"},
                                    std::pair{DiagnosisTool::Cuobjdump, "to see machine code, registers and spills"}}) {
        const std::string subject(factsOf(tool).title);
        const auto program = findTool(tool, python.interpreter);
        if (!program) {
            findings.push_back({Level::Warning, subject, "not found", fmt::format("needed only {}: {}", use, factsOf(tool).remedy)});
            continue;
        }
        const auto printed = probe({program->string(), "--version"}, stop);
        findings.push_back(printed ? Finding{Level::Ok, subject, fmt::format("{} ({})", versionLine(*printed), program->string()), ""}
                                   : Finding{Level::Warning, subject, program->string() + " does not work", fmt::format("needed only {}: {}", use, factsOf(tool).remedy)});
    }
}

void describeCaches(std::vector<Finding>& findings, const std::stop_token& stop)
{
    std::string found;
    for (const CacheUse& cache : findCaches(stop)) found += fmt::format("{}{} {}", found.empty() ? "" : ", ", cache.name, bytesText(cache.bytes));
    const auto folder = cacheFolderOf({});
    if (folder.empty()) {
        findings.push_back({Level::Warning, "caches", "there is no folder for them: everything is compiled anew each time", "set HOME, XDG_CACHE_HOME or TRACEDECK_CACHE_PATH"});
    } else {
        findings.push_back({Level::Ok, "caches", fmt::format("{} ({})", found, folder.string()), ""});
    }
}

}  // namespace

std::vector<Finding> diagnose(const PythonChoice& python, const std::stop_token& stop)
{
    std::vector<Finding> findings;
    findGpu(findings);
    findCompilers(findings, stop);
    findPython(findings, python, stop);
    findCupti(findings, python, stop);
    if (stop.stop_requested()) return {};
    if (const auto worker = findWorkerProgram()) findings.push_back({Level::Ok, "worker", worker->string(), ""});
    else
        findings.push_back(
            {Level::Missing, "worker", worker.error().toString(), "build or install the target tracedeck-worker"});
    findings.push_back(findConfinement());
    findDiagnosisTools(findings, python, stop);
    describeCaches(findings, stop);
    return stop.stop_requested() ? std::vector<Finding>() : findings;
}

bool concernsRuns(const Finding& finding)
{
    for (const DiagnosisTool tool : {DiagnosisTool::ComputeSanitizer, DiagnosisTool::NsightCompute, DiagnosisTool::Cuobjdump}) {
        if (finding.subject == factsOf(tool).title) return false;
    }
    return finding.subject != "caches";
}

std::vector<Finding> confinementFindings()
{
    return {findConfinement()};
}

std::vector<std::string> whatPreventsRuns(const std::vector<Finding>& findings)
{
    std::vector<std::string> subjects;
    for (const Finding& finding : findings) {
        const bool isNeeded = finding.subject == "Python" || finding.subject == "torch" || finding.subject == "worker";
        if (isNeeded && finding.level == Level::Missing) subjects.push_back(finding.subject);
    }
    return subjects;
}

}  // namespace tracedeck
