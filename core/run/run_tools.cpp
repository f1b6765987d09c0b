// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_tools.h"

#include <sys/random.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/run/runner.h"

namespace tracedeck {

namespace {

Result<std::uint64_t> secretSeed()
{
    std::uint64_t seed = 0;
    if (::getrandom(&seed, sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) {
        return Error{.code = ErrorCode::Io,
                     .reason = std::string("the system gives no random number: ") + std::strerror(errno),
                     .file = {},
                     .line = 0,
                     .field = "seed"};
    }
    return seed;
}

}  // namespace

Result<RunTools> findRunTools(RunRequest& request)
{
    if (request.workerProgram.empty()) {
        auto worker = findWorkerProgram();
        if (!worker) return worker.error();
        request.workerProgram = std::move(*worker);
    }
    auto facts = inspectPython(request.python);
    if (!facts) {
        Error error = facts.error();
        error.field = "python";
        return error;
    }
    auto seed = request.seed ? Result<std::uint64_t>(*request.seed) : secretSeed();
    if (!seed) return seed.error();
    RunTools tools;
    tools.judge.workerProgram = request.workerProgram;
    tools.judge.python = request.python;
    tools.judge.tvmFfiLibrary = facts->tvmFfiLibrary;
    tools.judge.confinement = request.confinement;
    tools.judge.hostMemoryBytes = request.hostMemoryBytes;
    tools.judge.seed = *seed;
    tools.judge.seedByUser = request.seed.has_value();
    tools.build = buildOptions(*facts);
    tools.build.timeoutSeconds = request.buildTimeoutSeconds;
    tools.build.worker = request.workerProgram;
    tools.build.confinement = request.confinement;
    if (const auto cache = cacheFolderOf(tools.build); !cache.empty()) tools.judge.kernelCache = cache / "kernels";
    if (const auto ffi = facts->packages.find("apache-tvm-ffi"); ffi != facts->packages.end()) tools.tvmFfiVersion = ffi->second;
    tools.python = std::move(*facts);
    return tools;
}

}  // namespace tracedeck
