// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <QtGlobal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/io/child_process.h"
#include "core/io/file_descriptor.h"
#include "core/model/json.h"
#include "core/run/python_environment.h"

namespace tracedeck::test {

/// The command line for the built program `tracedeck` with these arguments.
inline ChildSpec tracedeckCommand(const QStringList& arguments)
{
    ChildSpec spec;
    spec.command.push_back(std::string(TRACEDECK_BIN_DIR) + "/tracedeck");
    for (const auto& argument : arguments) spec.command.push_back(argument.toStdString());
    return spec;
}

/// Records of runs and presets go to a folder of this test, unless it names one.
inline void keepOutOfUserData()
{
    static const QTemporaryDir data;
    if (!qEnvironmentVariableIsSet("TRACEDECK_DATA_PATH")) qputenv("TRACEDECK_DATA_PATH", data.path().toUtf8());
}

/// Runs `tracedeck` to its end. Throws when it could not be started or took over `timeoutSeconds`.
inline CapturedRun runTracedeck(const QStringList& arguments, double timeoutSeconds = 400)
{
    keepOutOfUserData();
    auto run = runCaptured(tracedeckCommand(arguments),
                           {.timeoutSeconds = timeoutSeconds, .capBytes = std::size_t{64} << 20U});
    if (!run) throw std::runtime_error(run.error().toString());
    if (run->timedOut) throw std::runtime_error("tracedeck did not end; it said:\n" + run->output + run->errorOutput);
    return *run;
}

/// Lines of a text as JSON values. Throws on a line that is none.
inline std::vector<Json> jsonLines(const std::string& text)
{
    std::vector<Json> values;
    for (const auto& line : QByteArray::fromStdString(text).split('\n')) {
        if (!line.isEmpty()) values.push_back(Json::parse(line.toStdString()));
    }
    return values;
}

/// A running `tracedeck` whose stdout is read line by line.
class RunningTracedeck {
public:
    /// `environment`: set for the program, besides what this process has.
    explicit RunningTracedeck(const QStringList& arguments, std::vector<std::pair<std::string, std::optional<std::string>>> environment = {})
    {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
        m_read = FileDescriptor(ends[0]);
        const FileDescriptor write(ends[1]);
        auto spec = tracedeckCommand(arguments);
        spec.standardOutput = write.get();
        spec.standardError = STDERR_FILENO;
        spec.environment = std::move(environment);
        keepOutOfUserData();
        auto child = ChildProcess::spawn(spec);
        if (!child) throw std::runtime_error(child.error().toString());
        m_child.emplace(std::move(*child));
    }
    ChildProcess& process() { return *m_child; }
    /// The next line without its end; std::nullopt when there is no more. A last piece without a newline is not a line.
    std::optional<std::string> readLine()
    {
        for (;;) {
            if (const auto end = m_buffer.find('\n'); end != std::string::npos) {
                std::string line = m_buffer.substr(0, end);
                m_buffer.erase(0, end + 1);
                return line;
            }
            char bytes[65536];
            const ssize_t size = ::read(m_read.get(), bytes, sizeof bytes);
            if (size <= 0) return std::nullopt;
            m_buffer.append(bytes, static_cast<std::size_t>(size));
        }
    }

private:
    FileDescriptor m_read;
    std::string m_buffer;
    std::optional<ChildProcess> m_child;
};

/// From now on orphans of any depth become children of this process, so that no process that is left over can hide.
inline bool adoptOrphans()
{
    return ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}
/// True when no descendant of this process lives; reaps those that ended.
inline bool nothingIsLeftOver()
{
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {}
    return descendantsOf(::getpid()).empty();
}

/// Empty when there is a Python that can run references (and `alsoCpp`: compile against apache-tvm-ffi), else why not.
inline std::string whyNoPython(bool alsoCpp)
{
    const PythonChoice choice = choosePython("", "");
    if (choice.interpreter.empty()) return choice.explanation;
    const auto facts = inspectPython(choice.interpreter);
    if (!facts) return facts.error().toString();
    if (!facts->packages.contains("torch")) return choice.interpreter.string() + " has no torch";
    if (alsoCpp && facts->tvmFfiLibrary.empty()) return choice.interpreter.string() + " has no apache-tvm-ffi";
    return {};
}

}  // namespace tracedeck::test
