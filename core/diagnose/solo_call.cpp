// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnose/solo_call.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <unistd.h>

#include "core/build/cuda_toolkit.h"
#include "core/confine/abilities.h"
#include "core/confine/confined_program.h"
#include "core/confine/plan.h"
#include "core/io/json_codec.h"
#include "core/model/text.h"
#include "core/run/gpu_list.h"
#include "core/run/devices.h"
#include "core/model/text_diff.h"

extern char** environ;

namespace tracedeck::embedded {
extern const std::string_view solo_guest_cuda_python;
extern const std::string_view solo_guest_extension_python;
extern const std::string_view solo_guest_python;
extern const std::string_view solo_solo_python;
}

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

constexpr const char* kScript = "solo.py";
constexpr const char* kOrder = "order.json";
constexpr const char* kResult = "result.json";
constexpr const char* kGpuLibrary = "libtracedeck-cuda-host.so";
constexpr std::size_t kMostOutput = std::size_t{16} << 20U;
constexpr std::uint64_t kMostResultBytes = std::uint64_t{256} << 20U;
/// All that the process may know of the user's environment.
constexpr std::string_view kKeptVariables[] = {"PATH", "LD_LIBRARY_PATH", "TZ", "CUDA_HOME", "CUDA_PATH"};
/// Prints the folders of an interpreter, one a line.
constexpr const char* kPlacesScript = "import sys\nprint('\\n'.join([sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix] + sys.path))";

Error soloError(ErrorCode code, std::string reason, std::string file = {})
{
    return Error{code, std::move(reason), std::move(file), 0, {}};
}

Result<void> writeText(const fs::path& path, const std::string& text)
{
    std::ofstream out(path, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) return soloError(ErrorCode::Io, "can't be written", path.string());
    return {};
}

/// Folders that an interpreter reads from.
std::vector<std::string> placesOf(const fs::path& interpreter)
{
    ChildSpec spec;
    spec.command = {interpreter.string(), "-I", "-B", "-c", kPlacesScript};
    spec.workingFolder = "/";
    spec.diesWithThread = true;
    const auto run = runCaptured(std::move(spec), {.timeoutSeconds = 20, .capBytes = 65536});
    std::vector<std::string> places{interpreter.parent_path().string()};
    for (const std::string_view text : run ? splitLines(run->output) : std::vector<std::string_view>()) {
        const std::string line(text);
        // A zip file of the standard library that is not there, an empty entry, the whole system.
        if (line.starts_with('/') && fs::path(line).has_relative_path()) places.push_back(line);
    }
    return places;
}

/// The name by which CUDA knows `cuda:N`; empty on the cpu.
Result<std::string> visibleNameOf(const std::string& device)
{
    const auto index = cudaIndex(device);
    if (!index) return std::string();
    auto list = listGpus();
    if (!list) return list.error();
    const auto gpu = std::ranges::find(list->gpus, *index, &GpuInfo::index);
    if (gpu == list->gpus.end()) return soloError(ErrorCode::NotFound, fmt::format("there is no {}", device));
    return gpu->visibleName();
}

}  // namespace

Result<ScratchFolder> makeDiagnosisFolder()
{
    std::error_code failure;
    const fs::path temporary = fs::temp_directory_path(failure);
    if (failure) return soloError(ErrorCode::Io, "there is no temporary folder: " + failure.message());
    return ScratchFolder::create(temporary, "tracedeck-diagnosis-");
}

Result<std::unique_ptr<SoloCall>> SoloCall::prepare(const DiagnosisTarget& target, const SoloOptions& options, const DiagnosisProgress& onProgress,
                                                    std::stop_token stop)
{
    auto folder = makeDiagnosisFolder();
    if (!folder) return folder.error();
    std::unique_ptr<SoloCall> solo(new SoloCall(std::move(*folder)));
    auto session = JudgeSession::open(target, onProgress, stop);
    if (!session) return session.error();
    auto solution = (*session)->solution(target.solution);
    if (!solution) return solution.error();
    auto built = (*session)->build(**solution, options.keepsLines);
    if (!built) return built.error();
    auto answer = (*session)->ask({{"op", "export"}, {"folder", solo->folder().string()}}, "exported");
    if (!answer) return answer.error();
    auto visible = visibleNameOf((*session)->device());
    if (!visible) return visible.error();
    solo->m_request = (*session)->target().request;
    solo->m_device = (*session)->device();
    solo->m_visibleDevice = std::move(*visible);
    solo->m_ownAllocations = options.ownAllocations;
    solo->m_tvmFfiLibrary = (*session)->tools().judge.tvmFfiLibrary;
    Json call = answer->value("call", Json::object());
    if (!built->artifact.is_null()) {
        solo->m_library = built->artifact.at("library").get<std::string>();
        call["library"] = built->artifact.at("library");
        call["symbol"] = built->artifact.at("symbol");
    }
    if (auto written = solo->writeOrder(**session, **solution, call, options); !written) return written.error();
    return solo;   // the judge ends here, and gives the GPU's memory back
}

Result<void> SoloCall::writeOrder(JudgeSession& session, const Solution& solution, const Json& call, const SoloOptions& options)
{
    const fs::path scratch = folder() / "scratch";
    std::error_code failure;
    for (const char* name : {"scratch", "scratch/triton", "view"}) fs::create_directory(folder() / name, failure);
    Json sources = Json::array();
    for (const SourceFile& source : solution.sources) sources.push_back({{"path", source.path}, {"content", source.content}});
    Json order = call;
    order["device"] = m_visibleDevice.empty() ? "cpu" : "cuda";
    order["style"] = solution.spec.destinationPassingStyle ? "dps" : "vr";
    order["package"] = "tracedeck_solution";
    order["entry"] = solution.spec.entryPoint;
    order["sources"] = std::move(sources);
    order["scratch"] = scratch.string();
    order["calls"] = options.calls;
    order["profiled"] = options.isProfiled;
    if (options.hasTimeline) {
        const fs::path library = session.tools().judge.workerProgram.parent_path() / kGpuLibrary;
        if (!fs::exists(library, failure)) {
            return soloError(ErrorCode::Unsupported, fmt::format("{} is not beside tracedeck-worker: this Tracedeck was built without CUDA", kGpuLibrary));
        }
        // The copy that comes with torch first: one process can't use two.
        std::string cupti;
        for (const std::string& place : placesOf(m_request.python)) {
            for (const char* inside : {"nvidia/cu13/lib/libcupti.so.13", "nvidia/cuda_cupti/lib/libcupti.so.12"}) {
                if (fs::exists(fs::path(place) / inside, failure)) cupti += (fs::path(place) / inside).string() + "\n";
            }
        }
        cupti += "libcupti.so.13\n/usr/local/cuda/lib64/libcupti.so\n/usr/local/cuda/extras/CUPTI/lib64/libcupti.so\nlibcupti.so.12\nlibcupti.so";
        order["timeline"] = {{"library", library.string()}, {"cupti", cupti}};
    }
    const std::string script = "TRACEDECK_SOLO = True\n" + std::string(embedded::solo_guest_cuda_python) + "\n" +
                               std::string(embedded::solo_guest_extension_python) + "\n" + std::string(embedded::solo_guest_python) + "\n" +
                               std::string(embedded::solo_solo_python);
    if (auto written = writeText(folder() / kScript, script); !written) return written;
    return writeText(folder() / kOrder, order.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// Puts the walls around; says which in words.
Result<std::string> SoloCall::surround(ChildSpec& spec, const std::vector<std::string>& tool, SoloWalls walls) const
{
    const auto wish = confine::wishFromString(m_request.confinement);
    if (!wish) return wish.error();
    if (*wish == confine::Wish::Full && walls != SoloWalls::All) {
        return soloError(ErrorCode::Unsupported, "with full confinement no tool can look into a solution's process: choose the confinement auto for this");
    }
    if (*wish == confine::Wish::Partial && walls == SoloWalls::None) {
        return soloError(ErrorCode::Unsupported, "the tool needs privileges that no confined process has: choose the confinement auto or none for this");
    }
    if (walls == SoloWalls::None) return std::string("none: the tool needs privileges that a confined process does not have");
    if (*wish == confine::Wish::None) return std::string("none, as was asked for");
    auto abilities = confine::askAbilities(m_request.workerProgram, folder(), {});
    if (abilities) abilities = confine::restrictTo(std::move(*abilities), *wish);
    if (!abilities) return abilities.error();
    confine::Plan plan;
    plan.usesGpu = !m_visibleDevice.empty();
    plan.viewFolder = (folder() / "view").string();
    if (walls == SoloWalls::All) {
        plan.namespaces = abilities->namespaces;
        if (plan.namespaces == confine::Namespaces::Processes && plan.usesGpu) plan.namespaces = confine::Namespaces::None;
        plan.landlock = abilities->landlock;
        plan.filtersCalls = abilities->filtersCalls;
    } else {
        constexpr int kLastWithoutNetwork = 3;   // later versions forbid TCP, too
        plan.landlock = std::min(abilities->landlock, kLastWithoutNetwork);
        if (plan.landlock == 0) return std::string("none: this system has no Landlock, and the tool allows no other wall");
        // Under such a tool CUDA starts only where it may write below /proc, which root can change the whole machine through. What others
        // could do there to processes outside, Landlock forbids.
        if (plan.usesGpu && ::geteuid() == 0) {
            return soloError(ErrorCode::Unsupported, "as root the tool can't work on a GPU behind the wall around the file system: run as another user, or choose the "
                                                     "confinement none if you trust this solution");
        }
        if (plan.usesGpu) plan.writable.emplace_back("/proc");
    }
    plan.readable = placesOf(m_request.python);
    plan.readable.push_back((m_request.workerProgram.parent_path() / kGpuLibrary).string());
    if (const auto toolkit = findCudaToolkit()) plan.readable.push_back(toolkit->root.string());
    if (const char* folders = std::getenv("LD_LIBRARY_PATH"); folders != nullptr) {
        std::istringstream list{std::string(folders)};
        for (std::string place; std::getline(list, place, ':');) {
            if (place.starts_with('/') && fs::path(place).has_relative_path()) plan.readable.push_back(place);
        }
    }
    if (!m_library.empty()) plan.readable.push_back(m_library.string());
    if (!m_tvmFfiLibrary.empty()) plan.readable.push_back(m_tvmFfiLibrary.parent_path().string());
    if (!tool.empty()) {
        std::error_code failure;
        // A tool is a script or a link that leads into the folder of its package.
        for (const fs::path& program : {fs::path(tool.front()), fs::canonical(tool.front(), failure)}) {
            if (program.has_parent_path() && program.parent_path().has_relative_path()) plan.readable.push_back(program.parent_path().string());
        }
    }
    plan.writable.push_back(folder().string());
    const std::vector<std::string> command{m_request.workerProgram.string(), "confined", confine::encodePlan(plan)};
    spec.command.insert(spec.command.begin(), command.begin(), command.end());
    return std::string(walls == SoloWalls::All ? "as in an evaluation" : "the file system only, since the tool talks to the process over the network of this machine");
}

Result<SoloOutcome> SoloCall::run(const std::vector<std::string>& tool, SoloWalls walls, double timeoutSeconds, std::stop_token stop)
{
    std::error_code failure;
    fs::remove(folder() / kResult, failure);
    const fs::path scratch = folder() / "scratch";
    ChildSpec spec;
    spec.command = tool;
    spec.command.insert(spec.command.end(), {m_request.python.string(), "-I", "-B", (folder() / kScript).string(), folder().string()});
    spec.workingFolder = scratch;
    spec.diesWithThread = true;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string name(text.substr(0, text.find('=')));
        if (std::ranges::find(kKeptVariables, name) == std::end(kKeptVariables)) spec.environment.emplace_back(name, std::nullopt);
    }
    spec.environment.emplace_back("LC_ALL", "C.UTF-8");
    spec.environment.emplace_back("HOME", scratch.string());
    spec.environment.emplace_back("TMPDIR", scratch.string());
    spec.environment.emplace_back("CUDA_VISIBLE_DEVICES", m_visibleDevice);
    if (m_ownAllocations) spec.environment.emplace_back("PYTORCH_NO_CUDA_MEMORY_CACHING", "1");
    auto confinement = surround(spec, tool, walls);
    if (!confinement) return confinement.error();
    auto run = runCaptured(std::move(spec), {.timeoutSeconds = timeoutSeconds, .capBytes = kMostOutput, .mergeErrorOutput = true}, stop);
    if (!run) return run.error();
    if (run->cancelled) return soloError(ErrorCode::Cancelled, "cancelled");
    if (run->exit.exitCode == confine::kUnconfinedExitCode && run->output.find("can't be confined") != std::string::npos)
        return soloError(ErrorCode::Unsupported, toValidUtf8(run->output));
    SoloOutcome outcome;
    outcome.run = std::move(*run);
    outcome.confinement = std::move(*confinement);
    // What the solution's own process wrote: a claim, which may be anything.
    const fs::path result = folder() / kResult;
    if (!fs::is_symlink(result, failure) && fs::file_size(result, failure) <= kMostResultBytes && !failure) {
        std::ifstream in(result, std::ios::binary);
        const Json json = Json::parse(std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}, nullptr, false);
        if (json.is_object()) {
            if (const auto calls = json.find("calls"); calls != json.end() && calls->is_number_integer()) outcome.calls = calls->get<int>();
            if (const auto error = json.find("error"); error != json.end() && error->is_string()) outcome.error = toValidUtf8(error->get<std::string>());
            if (const auto activities = json.find("activities"); activities != json.end()) outcome.activities = *activities;
        }
    } else {
        outcome.error = outcome.run.timedOut ? fmt::format("it was stopped after {:g} s", timeoutSeconds)
                                             : "the process ended without a word: " + outcome.run.exit.toString();
    }
    return outcome;
}

}  // namespace tracedeck
