// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/python_environment.h"

#include <array>
#include <cstdlib>
#include <fmt/format.h>

#include "core/io/child_process.h"
#include "core/io/json_codec.h"
#include "core/model/text.h"
#include "core/build/build_support.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

constexpr double kInspectTimeoutSeconds = 60;
constexpr std::string_view kHowToGetOne =
    "Run packaging/guest-env.sh to make a private Python environment, or name an interpreter that has PyTorch "
    "with --python or TRACEDECK_PYTHON.";

/// Looks packages up without importing them: torch alone would take seconds.
constexpr std::string_view kInspectScript = R"python(
import importlib.metadata, importlib.util, json, os, platform, re, sysconfig
packages = {}
for module, name in (("torch", "torch"), ("numpy", "numpy"), ("triton", "triton"), ("tilelang", "tilelang"), ("tvm_ffi", "apache-tvm-ffi")):
    try:
        if importlib.util.find_spec(module) is None:
            continue
    except (ImportError, ValueError):
        continue
    try:
        packages[name] = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        packages[name] = "unknown version"
facts = {"version": platform.python_version(), "packages": packages, "include": "", "dlpack": "", "library": ""}
spec = importlib.util.find_spec("tvm_ffi")
for root in (spec.submodule_search_locations or []) if spec else []:
    include, library = os.path.join(root, "include"), os.path.join(root, "lib", "libtvm_ffi.so")
    if os.path.isfile(os.path.join(include, "tvm", "ffi", "c_api.h")):
        facts["include"] = include
    for folder in (include, os.path.join(root, "3rdparty", "dlpack", "include")):
        if os.path.isfile(os.path.join(folder, "dlpack", "dlpack.h")):
            facts["dlpack"] = folder
            break
    if os.path.isfile(library):
        facts["library"] = library
facts["python_include"] = sysconfig.get_path("include") or ""
facts["torch"] = facts["standard"] = ""
spec = importlib.util.find_spec("torch") if "torch" in packages else None
for root in (spec.submodule_search_locations or []) if spec else []:
    if not facts["torch"] and os.path.isfile(os.path.join(root, "include", "torch", "extension.h")):
        facts["torch"] = root
        # Which C++ its headers need: what its own builder asks for.
        with open(os.path.join(root, "utils", "cpp_extension.py"), encoding="utf-8") as builder:
            standard = re.search(r"-std=(c\+\+\d\d)", builder.read())
        facts["standard"] = standard.group(1) if standard else ""
print("tracedeck-facts " + json.dumps(facts))
)python";

/// A name such as `python3` is looked up in PATH; a path is made absolute, but never resolved: a virtual environment's
/// interpreter is a link, and finds its packages by the link's place.
fs::path interpreterPath(const std::string& text)
{
    if (text.find('/') == std::string::npos) {
        const fs::path found = findProgram(text);
        return found.empty() ? fs::path(text) : found;
    }
    std::error_code failure;
    const fs::path absolute = fs::absolute(text, failure);
    return failure ? fs::path(text) : absolute;
}

/// Why a file is no program that can be started; empty when it is one.
std::string whyNoProgram(const fs::path& interpreter)
{
    if (!findProgram(interpreter.string()).empty()) return {};
    std::error_code failure;
    const auto status = fs::status(interpreter, failure);
    if (!fs::exists(status)) return "there is no such program";
    return fs::is_directory(status) ? "it is a folder" : "it is a file that may not be executed";
}

PythonChoice choice(const fs::path& interpreter, const std::string& source, const std::string& because)
{
    PythonChoice result{interpreter, source, fmt::format("{} is used because {}.", interpreter.string(), because)};
    if (const std::string why = whyNoProgram(interpreter); !why.empty()) {
        result.explanation =
            fmt::format("{} is chosen because {}, but {}: correct or unset that.", interpreter.string(), because, why);
    }
    return result;
}

/// The start of what a program printed, on one line.
std::string excerpt(const std::string& printed)
{
    constexpr std::size_t kMostBytes = 80;
    std::string text;
    for (const char character : toValidUtf8(trimWhitespace(printed))) text += character == '\n' || character == '\r' ? ' ' : character;
    if (text.empty()) return "nothing";
    return '"' + (text.size() > kMostBytes ? toValidUtf8(text.substr(0, kMostBytes)) + "…" : text) + '"';
}

/// Whether what a failed program printed are a Python's words.
bool speaksPython(const std::string& printed)
{
    return printed.find("Traceback (most recent call last)") != std::string::npos || printed.find("Python ") != std::string::npos ||
           printed.find("SyntaxError") != std::string::npos;
}

Error pythonError(ErrorCode code, const fs::path& interpreter, std::string reason)
{
    return Error{.code = code, .reason = std::move(reason), .file = interpreter.string(), .line = 0, .field = {}};
}

}  // namespace

fs::path privateEnvironmentFolder()
{
    const std::string data = building::variable("XDG_DATA_HOME");
    if (!data.empty() && data.front() == '/') return fs::path(data) / "tracedeck" / "guest-env";
    return fs::path(building::variable("HOME")) / ".local" / "share" / "tracedeck" / "guest-env";
}

PythonChoice choosePython(const std::string& setting, const std::string& option)
{
    if (!setting.empty()) return choice(interpreterPath(setting), "setting", "the setting names it");
    if (!option.empty()) return choice(interpreterPath(option), "option", "--python names it");
    if (const auto value = building::variable("TRACEDECK_PYTHON"); !value.empty()) {
        return choice(interpreterPath(value), "TRACEDECK_PYTHON", "the environment variable TRACEDECK_PYTHON names it");
    }
    for (const auto* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
        if (const auto folder = building::variable(name); !folder.empty()) {
            return choice(fs::path(folder) / "bin" / "python", name,
                          fmt::format("an environment is active ({}={})", name, folder));
        }
    }
    const fs::path own = privateEnvironmentFolder() / "bin" / "python";
    if (!findProgram(own.string()).empty())
        return choice(own, "private", "it is the private environment that packaging/guest-env.sh made");
    return {{},
            "none",
            fmt::format("No Python was chosen and there is no private environment in {}. {}",
                        privateEnvironmentFolder().string(), kHowToGetOne)};
}

Result<PythonFacts> inspectPython(const fs::path& interpreter, const std::stop_token& stop)
{
    if (interpreter.empty())
        return pythonError(ErrorCode::NotFound, interpreter, fmt::format("no Python was chosen. {}", kHowToGetOne));
    ChildSpec spec;
    // -I: neither the current folder nor PYTHON… variables nor user packages; -B: no .pyc is written.
    spec.command = {interpreter.string(), "-I", "-B", "-c", std::string(kInspectScript)};
    spec.workingFolder = "/";
    spec.diesWithThread = true;
    const auto run = runCaptured(std::move(spec), {.timeoutSeconds = kInspectTimeoutSeconds, .capBytes = 65536}, stop);
    if (!run) {
        const std::string why = whyNoProgram(interpreter);
        return pythonError(run.error().code, interpreter,
                           fmt::format("{}. {}", why.empty() ? run.error().reason : "cannot be started: " + why, kHowToGetOne));
    }
    if (run->cancelled) return pythonError(ErrorCode::Cancelled, interpreter, "the question was taken back");
    if (run->timedOut) {
        return pythonError(ErrorCode::TimedOut, interpreter,
                           fmt::format("this Python did not answer within {:g} s", kInspectTimeoutSeconds));
    }
    constexpr std::string_view kMark = "tracedeck-facts ";
    const auto mark = run->output.rfind(kMark);
    if (!run->exit.succeeded() || mark == std::string::npos) {
        const std::string printed = run->output + run->errorOutput;
        const std::string how = run->exit.succeeded() ? "" : " (" + run->exit.toString() + ")";
        return pythonError(ErrorCode::ProcessFailed, interpreter,
                           speaksPython(printed) ? fmt::format("this Python does not work{}: {}", how, printed)
                                                 : fmt::format("is not a Python interpreter: it printed {}{}. {}", excerpt(printed), how, kHowToGetOne));
    }
    const Json json = Json::parse(run->output.substr(mark + kMark.size()), nullptr, false);
    PythonFacts facts;
    try {
        facts.version = json.at("version").get<std::string>();
        for (const auto& [name, version] : json.at("packages").items())
            facts.packages[name] = version.is_string() ? version.get<std::string>() : "unknown version";
        facts.tvmFfiInclude = json.at("include").get<std::string>();
        facts.dlpackInclude = json.at("dlpack").get<std::string>();
        facts.tvmFfiLibrary = json.at("library").get<std::string>();
        facts.pythonInclude = json.at("python_include").get<std::string>();
        facts.torchFolder = json.at("torch").get<std::string>();
        facts.torchCppStandard = json.at("standard").get<std::string>();
    } catch (const Json::exception& exception) {
        return pythonError(ErrorCode::ProcessFailed, interpreter,
                           fmt::format("this Python's answer is unreadable: {}", exception.what()));
    }
    return facts;
}

BuildOptions buildOptions(const PythonFacts& facts)
{
    BuildOptions options;
    options.tvmFfiInclude = facts.tvmFfiInclude;
    options.dlpackInclude = facts.dlpackInclude;
    options.tvmFfiLibrary = facts.tvmFfiLibrary;
    options.torch.folder = facts.torchFolder;
    options.torch.pythonInclude = facts.pythonInclude;
    const auto torch = facts.packages.find("torch");
    if (torch != facts.packages.end()) options.torch.version = torch->second;
    if (!facts.torchCppStandard.empty()) options.torch.cppStandard = facts.torchCppStandard;
    return options;
}

}  // namespace tracedeck
