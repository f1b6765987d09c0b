// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/confine/confined_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>

#include "core/confine/confinement.h"

namespace tracedeck::confine {

namespace {

[[noreturn]] void giveUp(const Error& error)
{
    std::fprintf(stderr, "tracedeck-worker: the program can't be confined: %s\n", error.reason.c_str());
    std::fflush(stderr);
    ::_exit(kUnconfinedExitCode);
}

[[noreturn]] void become(const Plan& plan, const std::vector<std::string>& command, const char* folder)
{
    std::vector<char*> arguments;
    for (const std::string& argument : command) {
        arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    if (const auto sealed = sealConfinement(plan); !sealed) {
        giveUp(sealed.error());
    }
    if (::chdir(folder) != 0) {
        giveUp(systemError(folder));
    }
    ::execv(arguments.front(), arguments.data());
    giveUp(systemError(command.front()));
}

}  // namespace

void runConfined(const std::string& planText, const std::vector<std::string>& command)
{
    std::array<char, 4096> folder{};
    std::array<int, 2> lifeline{-1, -1};
    if (command.empty() || ::getcwd(folder.data(), folder.size()) == nullptr || ::pipe2(lifeline.data(), O_CLOEXEC) != 0) {
        giveUp(systemError("nothing can be started"));
    }
    const auto plan = decodePlan(planText);
    const auto first = plan ? enterConfinement(*plan, lifeline[0]) : Result<pid_t>(plan.error());
    if (!first) {
        giveUp(first.error());
    }
    const pid_t program = ::fork();
    if (program < 0) {
        giveUp(systemError("no new process"));
    }
    if (program == 0) {
        become(*plan, command, folder.data());
    }
    int status = 0;
    while (::waitpid(program, &status, 0) < 0 && errno == EINTR) {
    }
    // The lifeline ends with this process, and the namespace with it.
    if (WIFSIGNALED(status)) {
        ::signal(WTERMSIG(status), SIG_DFL);
        ::raise(WTERMSIG(status));
    }
    ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

}  // namespace tracedeck::confine
