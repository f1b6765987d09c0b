// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/warm_guest.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

extern char** environ;

namespace tracedeck::embedded {
extern const std::string_view guest_python;
extern const std::string_view guest_cuda_python;
extern const std::string_view guest_extension_python;
}

namespace tracedeck::judge {

namespace {

constexpr int kSocketDescriptor = 3;
constexpr int kTextDescriptor = 4;
/// Reads the guest from the inherited memory file, so that no file on disk is needed or could be exchanged.
constexpr const char* kBootstrap = "import os\nexec(compile(os.fdopen(4, encoding='utf-8').read(), 'tracedeck_guest.py', 'exec'))";

Error guestError(ErrorCode code, std::string reason)
{
    return Error{code, std::move(reason), {}, 0, {}};
}

Result<FileDescriptor> guestText()
{
    FileDescriptor file(::memfd_create("tracedeck-guest", MFD_CLOEXEC));
    const std::string text = std::string(embedded::guest_cuda_python) + "\n" + std::string(embedded::guest_extension_python) + "\n" +
                             std::string(embedded::guest_python);
    std::string_view rest = text;
    while (file.isOpen() && !rest.empty()) {
        const ssize_t count = ::write(file.get(), rest.data(), rest.size());
        if (count <= 0) {
            break;
        }
        rest.remove_prefix(static_cast<std::size_t>(count));
    }
    if (!file.isOpen() || !rest.empty() || ::lseek(file.get(), 0, SEEK_SET) != 0) {
        return guestError(ErrorCode::Io, fmt::format("no memory file can be made: {}", std::strerror(errno)));
    }
    return file;
}

/// The last lines of a text, which for Python is where the reason stands.
std::string tail(const std::string& text, std::size_t bytes)
{
    return text.size() <= bytes ? text : text.substr(text.size() - bytes);
}

}  // namespace

std::vector<std::pair<std::string, std::optional<std::string>>> hostEnvironment(const std::filesystem::path& home, int threads,
                                                                           const std::string& visibleDevice)
{
    std::vector<std::pair<std::string, std::optional<std::string>>> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::string name(text.substr(0, text.find('=')));
        if (name != "PATH" && name != "LD_LIBRARY_PATH" && name != "TZ") {
            variables.emplace_back(name, std::nullopt);
        }
    }
    const std::string count = std::to_string(threads);
    for (const char* name : {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"}) {
        variables.emplace_back(name, count);
    }
    variables.emplace_back("LC_ALL", "C.UTF-8");
    variables.emplace_back("HOME", home.string());
    variables.emplace_back("TMPDIR", home.string());
    // Empty hides every GPU: a host on the CPU has no business with one.
    variables.emplace_back("CUDA_VISIBLE_DEVICES", visibleDevice);
    return variables;
}

WarmGuest::WarmGuest(ChildProcess child, FrameSocket socket, std::unique_ptr<LogDrain> log, bool yields)
    : m_child(std::move(child)), m_socket(std::move(socket)), m_log(std::move(log)), m_yields(yields)
{
}

Result<std::unique_ptr<WarmGuest>> WarmGuest::start(const std::filesystem::path& python, const std::filesystem::path& folder,
                                                    const CpuPlan& processors, const std::string& visibleDevice, Deadline deadline)
{
    auto sockets = FrameSocket::makePair();
    if (!sockets) {
        return sockets.error();
    }
    auto text = guestText();
    if (!text) {
        return text.error();
    }
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return guestError(ErrorCode::Io, fmt::format("no pipe can be made: {}", std::strerror(errno)));
    }
    FileDescriptor readEnd(ends[0]);
    FileDescriptor writeEnd(ends[1]);

    ChildSpec spec;
    spec.command = {python.string(), "-I", "-c", kBootstrap};
    spec.environment = hostEnvironment(folder, processors.hostThreads(), visibleDevice);
    spec.workingFolder = folder;
    spec.standardOutput = writeEnd.get();
    spec.standardError = writeEnd.get();
    spec.descriptors = {{sockets->second.get(), kSocketDescriptor}, {text->get(), kTextDescriptor}};
    spec.diesWithThread = true;
    const HostPlacement placement(processors);
    auto child = ChildProcess::spawn(spec);
    if (!child) {
        Error error = child.error();
        error.reason = "Python can't be started: " + error.reason;
        return error;
    }
    sockets->second.close();
    writeEnd.close();
    std::unique_ptr<WarmGuest> guest(new WarmGuest(std::move(*child), FrameSocket(std::move(sockets->first), kMaxHostFrameBytes),
                                                   std::make_unique<LogDrain>(std::move(readEnd), FileDescriptor{}), processors.yields));
    auto hello = guest->m_socket.receive(deadline);
    if (!hello || hello->op() != "hello" || hello->body.value("v", Json()) != kProtocolVersion) {
        const bool timedOut = !hello && hello.error().code == ErrorCode::TimedOut;
        const ChildExit exit = guest->m_child.killTree();
        guest->m_log->finish();
        const std::string printed = tail(guest->log(), 4000);
        return guestError(ErrorCode::ProcessFailed,
                          fmt::format("the Python interpreter {} can't run references: {}{}{}", python.string(),
                                      timedOut ? "importing torch took too long" : "torch can't be imported (" + exit.toString() + ")",
                                      printed.empty() ? "" : "\n", printed));
    }
    if (const auto libs = hello->body.find("libs"); libs != hello->body.end() && libs->is_object()) {
        for (const auto& [name, version] : libs->items()) {
            if (version.is_string()) {
                guest->m_libs[name] = version.get<std::string>();
            }
        }
    }
    if (const auto places = hello->body.find("places"); places != hello->body.end() && places->is_array()) {
        for (const Json& place : *places) {
            if (place.is_string()) {
                guest->m_places.push_back(place.get<std::string>());
            }
        }
    }
    if (const auto cupti = hello->body.find("cupti"); cupti != hello->body.end() && cupti->is_string()) {
        guest->m_cupti = cupti->get<std::string>();
    }
    return guest;
}

Result<void> WarmGuest::fork(const HostProcess::TheirEnds& ends, const std::string& role, const std::filesystem::path& confineLibrary,
                             const confine::Plan& plan, Deadline deadline)
{
    const std::array<int, 4> descriptors{ends.socket.get(), ends.output.get(), ends.errorOutput.get(), ends.lifeline.get()};
    return m_socket.send({{"op", "fork"},
                          {"role", role},
                          {"yield", m_yields},
                          {"library", confineLibrary.string()},
                          {"plan", confine::encodePlan(plan)}},
                         deadline, descriptors);
}

}  // namespace tracedeck::judge
