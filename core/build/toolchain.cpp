// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/build/toolchain.h"

#include <fmt/format.h>
#include <fstream>
#include <utility>

#include "core/build/build_support.h"
#include "core/io/child_process.h"

namespace tracedeck::building {

namespace fs = std::filesystem;

namespace {

constexpr double kVersionTimeoutSeconds = 30;

}  // namespace

std::vector<std::string> compilerCommand(const char* name, const std::vector<std::string>& candidates,
                                         const std::string& what)
{
    if (const std::string value = variable(name); !value.empty()) {
        auto command = splitWords(value);
        if (command.empty()) fail(ErrorCode::Unsupported, fmt::format("{} is set but names no program", name));
        const auto program = findProgram(command.front());
        if (program.empty()) {
            fail(ErrorCode::Unsupported,
                 fmt::format("{}={}: there is no such program. Unset {} or install the compiler.", name, value,
                             name));
        }
        command.front() = program.string();
        return command;
    }
    for (const auto& candidate : candidates) {
        if (const auto program = findProgram(candidate); !program.empty()) return {program.string()};
    }
    fail(ErrorCode::Unsupported,
         fmt::format("no {} was found. Install one (apt-get install g++) or set {}.", what, name));
}

std::string compilerVersion(const std::vector<std::string>& compiler, const std::stop_token& stop)
{
    ChildSpec spec;
    spec.command = compiler;
    spec.command.emplace_back("--version");
    spec.environment = {{"LC_ALL", "C"}};
    spec.diesWithThread = true;
    const auto run =
        runCaptured(std::move(spec),
                    {.timeoutSeconds = kVersionTimeoutSeconds, .capBytes = 4096, .mergeErrorOutput = true}, stop);
    if (run && run->cancelled) fail(ErrorCode::Cancelled, "the build was cancelled");
    if (!run || run->timedOut || !run->exit.succeeded()) {
        fail(ErrorCode::Unsupported, fmt::format("the compiler {} does not work: {}", compiler.front(),
                                                 !run            ? run.error().toString()
                                                 : run->timedOut ? "no answer to --version"
                                                                 : run->output));
    }
    return run->output;
}

std::string tvmFfiVersion(const fs::path& include)
{
    std::ifstream in(include / "tvm" / "ffi" / "c_api.h");
    if (!in) {
        fail(ErrorCode::Unsupported,
             fmt::format(
                 "apache-tvm-ffi's headers are not there ({}/tvm/ffi/c_api.h). Run packaging/guest-env.sh, or install "
                 "apache-tvm-ffi into the Python that you chose (pip install apache-tvm-ffi).",
                 include.string()));
    }
    std::string version;
    std::string line;
    while (std::getline(in, line)) {
        const auto words = splitWords(line);
        if (words.size() >= 3 && words[0] == "#define" && words[1].starts_with("TVM_FFI_VERSION_"))
            version += words[2] + ".";
    }
    return version;
}

}  // namespace tracedeck::building
