// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/child_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <thread>

#include "core/io/file_descriptor.h"

extern char** environ;

namespace tracedeck {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPollInterval = std::chrono::milliseconds(5);

Error processError(ErrorCode code, std::string reason)
{
    return Error{.code = code, .reason = std::move(reason), .file = {}, .line = 0, .field = {}};
}

ChildExit decodeStatus(int status)
{
    if (WIFEXITED(status)) return {.exitCode = WEXITSTATUS(status), .signal = 0};
    return {.exitCode = -1, .signal = WTERMSIG(status)};
}

/// Everything that the child needs, prepared before fork: after it nothing may allocate.
struct Prepared {
    std::vector<char*> arguments;
    std::vector<std::string> environmentTexts;
    std::vector<char*> environment;
    std::string workingFolder;
    std::vector<FileDescriptor> sources;           ///< copies above all target numbers
    std::vector<std::pair<int, int>> duplicates;   ///< (source, target)
    int highestTarget = 2;
    int errorPipe = -1;
    pid_t parent = 0;
};

void limit(int resource, const std::optional<std::uint64_t>& value)
{
    if (!value) return;
    const struct rlimit bound {
        .rlim_cur = *value, .rlim_max = *value
    };
    ::setrlimit(static_cast<__rlimit_resource>(resource), &bound);
}

/// Runs in the forked child: bare system calls only.
[[noreturn]] void becomeProgram(const Prepared& prepared, const ChildSpec& spec)
{
    const auto giveUp = [&] {
        const int code = errno;
        // If even this fails, the parent sees a child that ended with 127.
        if (::write(prepared.errorPipe, &code, sizeof code) < 0) ::_exit(127);
        ::_exit(127);
    };
    if (::setpgid(0, 0) != 0) giveUp();
    for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (!prepared.workingFolder.empty() && ::chdir(prepared.workingFolder.c_str()) != 0) giveUp();
    for (const auto& [source, target] : prepared.duplicates) {
        if (::dup2(source, target) < 0) giveUp();
    }
    // Whatever this program (or a library in it) has open without close-on-exec stays here; the error pipe closes by
    // itself.
    ::syscall(SYS_close_range, static_cast<unsigned>(prepared.highestTarget + 1), ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
    limit(RLIMIT_CPU, spec.cpuSecondsLimit);
    limit(RLIMIT_AS, spec.memoryBytesLimit);
    limit(RLIMIT_FSIZE, spec.fileBytesLimit);
    limit(RLIMIT_CORE, std::uint64_t{0});
    if (spec.diesWithThread) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != prepared.parent) ::_exit(127);   // it died before the line above
    }
    ::execve(prepared.arguments[0], prepared.arguments.data(), prepared.environment.data());
    giveUp();
    ::_exit(127);
}

Result<Prepared> prepare(const ChildSpec& spec)
{
    Prepared prepared;
    for (const auto& argument : spec.command) prepared.arguments.push_back(const_cast<char*>(argument.c_str()));
    prepared.arguments.push_back(nullptr);

    std::map<std::string, std::string> variables;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const auto equals = text.find('=');
        if (equals != std::string_view::npos)
            variables[std::string(text.substr(0, equals))] = std::string(text.substr(equals + 1));
    }
    for (const auto& [name, value] : spec.environment) {
        if (value) variables[name] = *value;
        else variables.erase(name);
    }
    for (const auto& [name, value] : variables) prepared.environmentTexts.push_back(name + "=" + value);
    for (auto& text : prepared.environmentTexts) prepared.environment.push_back(text.data());
    prepared.environment.push_back(nullptr);
    prepared.workingFolder = spec.workingFolder.string();
    prepared.parent = ::getpid();

    std::vector<std::pair<int, int>> wanted{{-1, 0}, {spec.standardOutput, 1}, {spec.standardError, 2}};
    wanted.insert(wanted.end(), spec.descriptors.begin(), spec.descriptors.end());
    for (const auto& [source, target] : wanted) prepared.highestTarget = std::max(prepared.highestTarget, target);
    for (const auto& [source, target] : wanted) {
        // The copies lie above every target, so that no dup2 overwrites a source that is still needed.
        const int base = source >= 0 ? source : ::open("/dev/null", O_RDWR | O_CLOEXEC);
        const int copy = base < 0 ? -1 : ::fcntl(base, F_DUPFD_CLOEXEC, prepared.highestTarget + 1);
        const int failure = errno;
        if (source < 0 && base >= 0) ::close(base);
        if (copy < 0)
            return processError(ErrorCode::Io,
                                fmt::format("descriptor {} cannot be passed on: {}", source, std::strerror(failure)));
        prepared.sources.emplace_back(copy);
        prepared.duplicates.emplace_back(copy, target);
    }
    return prepared;
}

struct ProcessEntry {
    pid_t parent = 0;
    char state = '?';
};

/// Parent and state of every process; stat's second field may hold anything, so it is read from its last bracket on.
std::map<pid_t, ProcessEntry> processTable()
{
    std::map<pid_t, ProcessEntry> table;
    for (const pid_t pid : allProcesses()) {
        const FileDescriptor file(::open(fmt::format("/proc/{}/stat", pid).c_str(), O_RDONLY | O_CLOEXEC));
        if (!file.isOpen()) continue;
        char buffer[512];
        const ssize_t size = ::read(file.get(), buffer, sizeof buffer);
        if (size <= 0) continue;
        const std::string_view text(buffer, static_cast<std::size_t>(size));
        const auto bracket = text.rfind(')');
        if (bracket == std::string_view::npos || bracket + 4 >= text.size()) continue;
        ProcessEntry found;
        found.state = text[bracket + 2];
        std::from_chars(text.data() + bracket + 4, text.data() + text.size(), found.parent);
        table[pid] = found;
    }
    return table;
}

/// Living descendants, parents before children.
std::vector<pid_t> descendantsIn(const std::map<pid_t, ProcessEntry>& table, pid_t root)
{
    std::multimap<pid_t, pid_t> children;
    for (const auto& [pid, entry] : table) children.emplace(entry.parent, pid);
    std::vector<pid_t> all{root};
    for (std::size_t next = 0; next < all.size(); ++next) {
        const auto [begin, end] = children.equal_range(all[next]);
        for (auto child = begin; child != end; ++child) all.push_back(child->second);
    }
    std::vector<pid_t> living;
    for (const pid_t pid : all) {
        if (pid == root) continue;
        const char state = table.at(pid).state;
        if (state != 'Z' && state != 'X') living.push_back(pid);
    }
    return living;
}

/// Keeps the head and the tail of a stream within a cap.
class CappedText {
public:
    explicit CappedText(std::size_t capBytes) : m_headBytes(capBytes / 2), m_tailBytes(capBytes - capBytes / 2) {}

    void add(std::string_view text)
    {
        const std::size_t toHead = std::min(text.size(), m_headBytes - m_head.size());
        m_head += text.substr(0, toHead);
        m_tail += text.substr(toHead);
        // Cut seldom: a cut for every read would copy the whole tail each time.
        if (m_tail.size() > 2 * m_tailBytes) cut();
    }
    std::string take()
    {
        if (m_tail.size() > m_tailBytes) cut();
        if (m_left > 0) return m_head + fmt::format("\n[… {} bytes left out …]\n", m_left) + m_tail;
        return m_head + m_tail;
    }

private:
    void cut()
    {
        const std::size_t surplus = m_tail.size() - m_tailBytes;
        m_tail.erase(0, surplus);
        m_left += surplus;
    }
    std::size_t m_headBytes;
    std::size_t m_tailBytes;
    std::string m_head;
    std::string m_tail;
    std::size_t m_left = 0;
};

struct Pipe {
    FileDescriptor read;
    FileDescriptor write;
};

Result<Pipe> makePipe()
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return processError(ErrorCode::Io, std::string("no pipe: ") + std::strerror(errno));
    return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

}  // namespace

std::string ChildExit::toString() const
{
    if (signal != 0) return fmt::format("killed by signal {} ({})", signal, ::strsignal(signal));
    return fmt::format("exit code {}", exitCode);
}

Result<ChildProcess> ChildProcess::spawn(const ChildSpec& spec)
{
    if (spec.command.empty()) return processError(ErrorCode::Usage, "no program to start");
    auto prepared = prepare(spec);
    if (!prepared) return prepared.error();
    int errorPipe[2];
    if (::pipe2(errorPipe, O_CLOEXEC) != 0)
        return processError(ErrorCode::Io, std::string("no pipe: ") + std::strerror(errno));
    const FileDescriptor readEnd(errorPipe[0]);
    FileDescriptor writeEnd(::fcntl(errorPipe[1], F_DUPFD_CLOEXEC, prepared->highestTarget + 1));
    ::close(errorPipe[1]);
    if (!writeEnd.isOpen()) return processError(ErrorCode::Io, std::string("no pipe: ") + std::strerror(errno));
    prepared->errorPipe = writeEnd.get();

    const pid_t pid = ::fork();
    if (pid < 0) return processError(ErrorCode::ProcessFailed, std::string("no new process: ") + std::strerror(errno));
    if (pid == 0) becomeProgram(*prepared, spec);

    ChildProcess child(pid);
    // Both sides set the group: whoever comes first, a kill of the group right after this reaches the child.
    ::setpgid(pid, pid);
    writeEnd.reset();
    int failure = 0;
    ssize_t size = 0;
    do {
        size = ::read(readEnd.get(), &failure, sizeof failure);
    } while (size < 0 && errno == EINTR);
    if (size == sizeof failure) {
        child.killTree();
        Error error = processError(failure == ENOENT ? ErrorCode::NotFound : ErrorCode::ProcessFailed,
                                   std::string("cannot be started: ") + std::strerror(failure));
        error.file = spec.command.front();
        return error;
    }
    return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept : m_pid(std::exchange(other.m_pid, -1)), m_exit(other.m_exit)
{
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept
{
    if (this != &other) {
        if (m_pid > 0 && !m_exit) killTree();
        m_pid = std::exchange(other.m_pid, -1);
        m_exit = other.m_exit;
    }
    return *this;
}

ChildProcess::~ChildProcess()
{
    if (m_pid > 0 && !m_exit) killTree();
}

std::optional<ChildExit> ChildProcess::tryWait()
{
    if (m_exit || m_pid <= 0) return m_exit;
    siginfo_t info{};
    const int waited = ::waitid(P_PID, static_cast<id_t>(m_pid), &info, WEXITED | WNOHANG | WNOWAIT);
    // Reaped by someone else: that it ended is all that is known.
    if (waited != 0 && errno == ECHILD) m_exit = ChildExit{};
    if (waited == 0 && info.si_pid == m_pid) {
        // Before the number is given back by reaping, it can't name a stranger's group.
        ::kill(-m_pid, SIGKILL);
        reap();
    }
    return m_exit;
}

void ChildProcess::reap()
{
    int status = 0;
    pid_t ended = 0;
    do {
        ended = ::waitpid(m_pid, &status, 0);
    } while (ended < 0 && errno == EINTR);
    m_exit = ended == m_pid ? decodeStatus(status) : ChildExit{};
}

std::optional<ChildExit> ChildProcess::wait(double seconds)
{
    const auto deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    while (!tryWait() && Clock::now() < deadline) std::this_thread::sleep_for(kPollInterval);
    return tryWait();
}

ChildExit ChildProcess::killTree()
{
    if (m_pid <= 0 || tryWait()) return m_exit.value_or(ChildExit{});
    killDescendantsOf(m_pid);
    ::kill(-m_pid, SIGKILL);
    reap();
    return *m_exit;
}

void killDescendantsOf(pid_t root)
{
    // All are stopped before the first is killed: a process can be found while its ancestors live, and one that is killed just
    // after it has started another would leave that one behind, out of sight.
    ::kill(root, SIGSTOP);
    const auto deadline = Clock::now() + std::chrono::seconds(1);
    bool quiet = false;
    std::vector<pid_t> living;
    while (!quiet && Clock::now() < deadline) {
        const auto table = processTable();
        const auto isStopped = [&table](pid_t pid) {
            const auto found = table.find(pid);
            return found == table.end() || std::string_view("TtZX").find(found->second.state) != std::string_view::npos;
        };
        auto found = descendantsIn(table, root);
        // A table is not read in one moment: only the second that shows the same is believed.
        quiet = isStopped(root) && found == living && std::all_of(found.begin(), found.end(), isStopped);
        living = std::move(found);
        if (!quiet) {
            for (const pid_t pid : living) ::kill(pid, SIGSTOP);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    for (const auto again = Clock::now() + std::chrono::seconds(1); !living.empty() && Clock::now() < again;
         living = descendantsOf(root)) {
        for (const pid_t pid : living) ::kill(pid, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

std::vector<pid_t> allProcesses()
{
    std::vector<pid_t> processes;
    DIR* folder = ::opendir("/proc");
    if (folder == nullptr) return processes;
    while (const dirent* entry = ::readdir(folder)) {
        pid_t pid = 0;
        const std::string_view name = entry->d_name;
        const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (code == std::errc{} && end == name.data() + name.size()) processes.push_back(pid);
    }
    ::closedir(folder);
    return processes;
}

std::vector<pid_t> childrenOf(pid_t parent)
{
    std::vector<pid_t> children;
    for (const auto& [pid, entry] : processTable()) {
        if (entry.parent == parent) children.push_back(pid);
    }
    return children;
}

std::vector<pid_t> descendantsOf(pid_t root) { return descendantsIn(processTable(), root); }

Result<CapturedRun> runCaptured(ChildSpec spec, const CaptureOptions& options, std::stop_token stop)
{
    auto output = makePipe();
    if (!output) return output.error();
    auto errorOutput = makePipe();
    if (!errorOutput) return errorOutput.error();
    const FileDescriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!wake.isOpen()) return processError(ErrorCode::Io, std::string("no eventfd: ") + std::strerror(errno));

    spec.standardOutput = output->write.get();
    spec.standardError = options.mergeErrorOutput ? output->write.get() : errorOutput->write.get();
    auto child = ChildProcess::spawn(spec);
    output->write.reset();
    errorOutput->write.reset();
    if (!child) return child.error();

    const std::stop_callback onStop(stop, [&wake] {
        const std::uint64_t one = 1;
        // Can only fail when the counter is full, and then the loop is awake already.
        if (::write(wake.get(), &one, sizeof one) < 0) return;
    });

    CapturedRun run;
    CappedText outputText(options.capBytes);
    CappedText errorText(options.capBytes);
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(options.timeoutSeconds));
    std::vector<pollfd> polled{
        {output->read.get(), POLLIN, 0}, {errorOutput->read.get(), POLLIN, 0}, {wake.get(), POLLIN, 0}};
    CappedText* texts[2] = {&outputText, &errorText};
    const auto drain = [&](std::size_t index) {
        char buffer[65536];
        const ssize_t size = ::read(polled[index].fd, buffer, sizeof buffer);
        if (size > 0) texts[index]->add({buffer, static_cast<std::size_t>(size)});
        else if (size == 0 || errno != EINTR) polled[index].fd = -1;
        return size > 0;
    };
    bool ended = false;
    // A background process may hold the pipes open for ever: the end of the program itself ends the reading.
    while ((polled[0].fd >= 0 || polled[1].fd >= 0) && !ended) {
        if (stop.stop_requested()) {
            run.cancelled = true;
            break;
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) {
            run.timedOut = true;
            break;
        }
        const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(std::min<long>(left, 50)));
        if (ready < 0 && errno != EINTR) break;
        for (std::size_t index = 0; ready > 0 && index < 2; ++index) {
            if (polled[index].fd >= 0 && (polled[index].revents & (POLLIN | POLLHUP | POLLERR)) != 0) drain(index);
        }
        if (ready == 0 && child->tryWait()) ended = true;
    }
    // A program may close its output and work on.
    while (!run.cancelled && !run.timedOut && !child->tryWait()) {
        run.cancelled = stop.stop_requested();
        run.timedOut = Clock::now() >= deadline;
        std::this_thread::sleep_for(kPollInterval);
    }
    run.exit = child->killTree();
    run.output = outputText.take();
    run.errorOutput = errorText.take();
    return run;
}

std::filesystem::path findProgram(const std::string& name)
{
    const auto isProgram = [](const std::filesystem::path& path) {
        std::error_code failure;
        return std::filesystem::is_regular_file(path, failure) && ::access(path.c_str(), X_OK) == 0;
    };
    if (name.empty()) return {};
    if (name.find('/') != std::string::npos)
        return isProgram(name) ? std::filesystem::path(name) : std::filesystem::path();
    const char* variable = std::getenv("PATH");
    std::string_view rest = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
    while (!rest.empty()) {
        const auto colon = rest.find(':');
        const std::string_view folder = rest.substr(0, colon);
        // Relative entries would let the current folder decide what is run.
        if (folder.starts_with('/')) {
            const std::filesystem::path candidate = std::filesystem::path(folder) / name;
            if (isProgram(candidate)) return candidate;
        }
        rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
    return {};
}

}  // namespace tracedeck
