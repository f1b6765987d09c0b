// SPDX-License-Identifier: GPL-3.0-or-later
// diagnose() of python_environment.h: what `tracedeck doctor` reports.
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "core/io/child_process.h"
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
std::optional<std::string> probe(std::vector<std::string> command)
{
    const fs::path program = findProgram(command.front());
    if (program.empty()) return std::nullopt;
    command.front() = program.string();
    ChildSpec spec;
    spec.command = std::move(command);
    spec.workingFolder = "/";
    spec.environment = {{"LC_ALL", "C"}};
    spec.diesWithThread = true;
    const auto run = runCaptured(std::move(spec), {.timeoutSeconds = kProbeTimeoutSeconds, .capBytes = 65536});
    if (!run || run->timedOut || !run->exit.succeeded()) return std::nullopt;
    return run->output;
}

void findGpu(std::vector<Finding>& findings)
{
    std::vector<std::string> names;
    std::string driver;
    if (const auto list = probe({"nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"})) {
        std::istringstream lines(*list);
        for (std::string line; std::getline(lines, line);) {
            const auto comma = line.rfind(", ");
            if (comma == std::string::npos) continue;
            names.push_back(line.substr(0, comma));
            driver = line.substr(comma + 2);
        }
    }
    if (driver.empty()) {
        std::ifstream version("/proc/driver/nvidia/version");
        std::getline(version, driver);
    }
    if (names.empty()) {
        findings.push_back({Level::Warning, "GPU", "none: runs use the cpu device",
                            driver.empty()
                                ? "nothing to do unless this machine has an NVIDIA GPU; then install its driver"
                                : "the driver is there, but nvidia-smi lists no GPU"});
    } else {
        std::string found;
        for (const auto& name : names) found += (found.empty() ? "" : ", ") + name;
        findings.push_back({Level::Warning, "GPU", found,
                            "this version runs on the cpu device only; CUDA devices come with a later one"});
    }
    if (driver.empty())
        findings.push_back(
            {Level::Warning, "driver", "no NVIDIA driver", "nothing to do unless this machine has an NVIDIA GPU"});
    else findings.push_back({Level::Ok, "driver", driver, ""});
}

void findCompilers(std::vector<Finding>& findings)
{
    auto nvcc = probe({"nvcc", "--version"});
    if (!nvcc) nvcc = probe({"/usr/local/cuda/bin/nvcc", "--version"});
    if (nvcc) {
        const auto release = nvcc->find("release ");
        findings.push_back({Level::Ok, "nvcc",
                            release == std::string::npos ? firstLine(*nvcc) : firstLine(nvcc->substr(release)), ""});
    } else {
        findings.push_back(
            {Level::Warning, "nvcc", "not found", "needed only for CUDA solutions: install the CUDA Toolkit"});
    }
    const char* chosen = std::getenv("CXX");
    std::optional<std::string> compiler;
    std::string name;
    if (chosen != nullptr && *chosen != '\0') {
        std::istringstream words{std::string(chosen)};
        std::vector<std::string> command;
        for (std::string word; words >> word;) command.push_back(word);
        name = std::string("CXX=") + chosen;
        command.emplace_back("--version");
        compiler = probe(std::move(command));
    } else {
        for (const auto* candidate : {"g++", "c++", "clang++"}) {
            if (!compiler && (compiler = probe({candidate, "--version"}))) name = candidate;
        }
    }
    if (compiler)
        findings.push_back({Level::Ok, "C++ compiler", fmt::format("{}: {}", name, firstLine(*compiler)), ""});
    else
        findings.push_back({Level::Missing, "C++ compiler", name.empty() ? "not found" : name + " does not work",
                            "apt-get install g++, or set CXX; needed for cpp solutions"});
}

/// Whether torch can really be imported, and what it can do on the cpu.
Finding tryTorch(const fs::path& interpreter, const std::string& version)
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
        "print('lacks', *[d for d in ('float16', 'bfloat16', 'float8_e4m3fn') if not can(d)])\n";
    ChildSpec spec;
    spec.command = {interpreter.string(), "-I", "-B", "-c", std::string(kScript)};
    spec.workingFolder = "/";
    spec.diesWithThread = true;
    const auto run = runCaptured(std::move(spec), {.timeoutSeconds = kImportTimeoutSeconds, .capBytes = 65536});
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
    if (!lacking.empty()) {
        return {
            Level::Warning, "torch", fmt::format("{}; on the cpu it lacks:{}", version, lacking),
            "packaging/guest-env.sh --full gets a PyTorch that has them; definitions that use them can't run before"};
    }
    return {Level::Ok, "torch", version, ""};
}

void findPython(std::vector<Finding>& findings, const PythonChoice& python)
{
    const auto facts = inspectPython(python.interpreter);
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
    if (const auto torch = version("torch"); !torch.empty()) findings.push_back(tryTorch(python.interpreter, torch));
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

void findCupti(std::vector<Finding>& findings)
{
    std::vector<fs::path> folders;
    for (const auto* name : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* root = std::getenv(name); root != nullptr && *root != '\0') folders.emplace_back(root);
    }
    for (const auto* root : {"/usr/local/cuda", "/usr/local/cuda-13", "/usr/local/cuda-12", "/usr"})
        folders.emplace_back(root);
    for (const auto& root : folders) {
        for (const auto* below : {"extras/CUPTI/lib64", "targets/x86_64-linux/lib", "lib64", "lib/x86_64-linux-gnu"}) {
            std::error_code failure;
            const fs::path library = root / below / "libcupti.so";
            if (fs::exists(library, failure)) {
                findings.push_back({Level::Ok, "CUPTI", library.string(), ""});
                return;
            }
        }
    }
    findings.push_back(
        {Level::Warning, "CUPTI", "not found", "needed only to time CUDA solutions: it comes with the CUDA Toolkit"});
}

/// Tries in a child what a confined process will need; only bare system calls there.
bool canMakeNamespaces()
{
    const pid_t pid = ::fork();
    if (pid == 0) ::_exit(::unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 ? 0 : 1);
    if (pid < 0) return false;
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) return false;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::vector<Finding> diagnose(const PythonChoice& python)
{
    std::vector<Finding> findings;
    findGpu(findings);
    findCompilers(findings);
    findPython(findings, python);
    findCupti(findings);
    if (const auto worker = findWorkerProgram()) findings.push_back({Level::Ok, "worker", worker->string(), ""});
    else
        findings.push_back(
            {Level::Missing, "worker", worker.error().toString(), "build or install the target tracedeck-worker"});
    if (canMakeNamespaces()) {
        findings.push_back({Level::Ok, "confinement", "user and network namespaces can be made without root", ""});
    } else {
        findings.push_back({Level::Warning, "confinement",
                            "user namespaces are forbidden here: solutions run with fewer walls around them",
                            "as root: sysctl kernel.unprivileged_userns_clone=1 (Debian) or "
                            "kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu)"});
    }
    return findings;
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
