// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/confine/abilities.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fcntl.h>
#include <functional>

#include <fmt/format.h>

#include "core/confine/call_filter.h"
#include "core/confine/confinement.h"
#include "core/confine/landlock.h"
#include "core/io/child_process.h"
#include "core/io/file_descriptor.h"
#include "core/model/json.h"

namespace tracedeck::confine {

namespace {

constexpr double kProbeSeconds = 20;

/// Runs something in a child. Empty: it worked; else why not.
std::string tryOut(const std::function<Result<void>()>& body)
{
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        return "no pipe";
    }
    const FileDescriptor readEnd(ends[0]);
    FileDescriptor writeEnd(ends[1]);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto outcome = body();
        const std::string text = outcome ? "." : outcome.error().reason;
        ::_exit(::write(writeEnd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    writeEnd.close();
    std::array<char, 512> text{};
    const ssize_t count = child > 0 ? ::read(readEnd.get(), text.data(), text.size()) : -1;
    if (child > 0) {
        ::waitpid(child, nullptr, 0);
    }
    const std::string answer(text.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    return answer == "." ? std::string() : answer.empty() ? std::string("the attempt died") : answer;
}

Result<void> tryPlan(const Plan& plan)
{
    std::array<int, 2> lifeline{-1, -1};
    if (::pipe2(lifeline.data(), O_CLOEXEC) != 0) {
        return systemError("no pipe");
    }
    const FileDescriptor readEnd(lifeline[0]);
    const FileDescriptor writeEnd(lifeline[1]);
    if (auto entered = enterConfinement(plan, readEnd.get()); !entered) {
        return entered.error();
    }
    const std::string why = tryOut([&plan] { return sealConfinement(plan); });
    return why.empty() ? Result<void>() : Error{ErrorCode::Unsupported, why, {}, 0, {}};
}

}  // namespace

const char* Abilities::level() const
{
    return isFull() ? "full" : namespaces == Namespaces::None && landlock == 0 && !filtersCalls ? "none" : "partial";
}

std::vector<std::string> Abilities::names() const
{
    std::vector<std::string> list;
    if (namespaces != Namespaces::None) {
        list.insert(list.end(), {"namespaces", "view"});
    }
    if (namespaces == Namespaces::Full) {
        list.emplace_back("proc");
    }
    if (landlock > 0) {
        list.push_back(fmt::format("landlock {}", landlock));
    }
    if (filtersCalls) {
        list.emplace_back("calls");
    }
    if (limitsMemory) {
        list.emplace_back("memory");
    }
    if (limitsProcesses) {
        list.emplace_back("processes");
    }
    return list;
}

std::string Abilities::missing() const
{
    std::string text;
    const auto add = [&text](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
    if (namespaces == Namespaces::None) {
        add("no user namespaces (" + whyNotFull + ")");
    } else if (namespaces == Namespaces::Processes) {
        add("no /proc of its own (" + whyNotFull + ")");
    }
    if (!filtersCalls) {
        add("system calls are not filtered (" + whyNoFilter + ")");
    }
    return text;
}

std::string probeAbilities(const std::string& viewFolder, const std::vector<std::string>& groups)
{
    Plan plan;
    plan.viewFolder = viewFolder;
    plan.readable = {"/usr"};
    Json answer = {{"namespaces", toString(Namespaces::None)}, {"why_not_full", ""}, {"landlock", 0}, {"why_no_filter", ""}, {"joinable", Json::array()}};
    for (const Namespaces wanted : {Namespaces::Full, Namespaces::Processes}) {
        plan.namespaces = wanted;
        const std::string why = tryOut([&plan] { return tryPlan(plan); });
        if (why.empty()) {
            answer["namespaces"] = toString(wanted);
            break;
        }
        answer["why_not_full"] = why;
    }
    plan.namespaces = Namespaces::None;
    plan.landlock = landlockVersion();
    const auto sealAlone = [&plan] { return sealConfinement(plan); };
    answer["landlock"] = plan.landlock > 0 && tryOut(sealAlone).empty() ? plan.landlock : 0;
    plan.landlock = 0;
    plan.filtersCalls = true;
    answer["why_no_filter"] = tryOut(sealAlone);
    plan.filtersCalls = false;
    for (const std::string& group : groups) {
        plan.groups = {group};
        if (tryOut([&plan]() -> Result<void> {
                auto entered = enterConfinement(plan, -1);
                return entered ? Result<void>() : entered.error();
            }).empty()) {
            answer["joinable"].push_back(group);
        }
    }
    return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Abilities> askAbilities(const std::filesystem::path& worker, const std::filesystem::path& temporary, const std::vector<std::string>& groups)
{
    std::string folder = (temporary / "tracedeck-view-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) {
        return systemError("no folder can be made in " + temporary.string());
    }
    ChildSpec spec;
    spec.command = {worker.string(), "probe", folder};
    spec.command.insert(spec.command.end(), groups.begin(), groups.end());
    spec.workingFolder = "/";
    spec.diesWithThread = true;
    const auto run = runCaptured(std::move(spec), {.timeoutSeconds = kProbeSeconds, .capBytes = 65536});
    ::rmdir(folder.c_str());
    const Error useless{ErrorCode::ProcessFailed, worker.string() + " can't tell how solutions can be confined", {}, 0, {}};
    if (!run) {
        return run.error();
    }
    const Json answer = Json::parse(run->output, nullptr, false);
    if (run->timedOut || !run->exit.succeeded() || !answer.is_object()) {
        return useless;
    }
    try {
        Abilities abilities;
        abilities.namespaces = namespacesFromString(answer.at("namespaces").get<std::string>());
        abilities.whyNotFull = answer.at("why_not_full").get<std::string>();
        abilities.landlock = answer.at("landlock").get<int>();
        abilities.whyNoFilter = answer.at("why_no_filter").get<std::string>();
        abilities.filtersCalls = abilities.whyNoFilter.empty();
        abilities.joinable = answer.at("joinable").get<std::vector<std::string>>();
        return abilities;
    } catch (const Json::exception&) {
        return useless;
    }
}

Result<Abilities> findAbilities(const std::filesystem::path& worker, const std::filesystem::path& temporary, ControlGroups& places, const GroupLimits& limits)
{
    std::unique_ptr<HostGroup> trial = places.make(limits);
    auto abilities = askAbilities(worker, temporary, trial ? trial->folders() : std::vector<std::string>{});
    if (!abilities || !trial) {
        return abilities;
    }
    places.keepOnly(*trial, abilities->joinable);
    trial = places.make(limits);
    abilities->limitsMemory = trial && trial->limitsMemory();
    abilities->limitsProcesses = trial && trial->limitsProcesses();
    return abilities;
}

Result<Wish> wishFromString(const std::string& name)
{
    for (const auto& [known, wish] : {std::pair{"auto", Wish::Auto}, {"full", Wish::Full}, {"partial", Wish::Partial}, {"none", Wish::None}}) {
        if (name == known) {
            return wish;
        }
    }
    return Error{ErrorCode::InvalidInput, fmt::format("\"{}\" is no degree of confinement: auto, full, partial or none", name), {}, 0, "confinement"};
}

Result<Abilities> restrictTo(Abilities abilities, Wish wish)
{
    if (wish == Wish::Full && !abilities.isFull()) {
        return Error{ErrorCode::Unsupported,
                     fmt::format("full confinement is asked for, and not to be had here: {}. `tracedeck doctor` says how to get it.", abilities.missing()), {}, 0, {}};
    }
    if (wish == Wish::Partial || wish == Wish::None) {
        abilities.namespaces = Namespaces::None;
        abilities.whyNotFull = "not wanted (--confinement)";
    }
    if (wish == Wish::None) {
        abilities.landlock = 0;
        abilities.filtersCalls = false;
        abilities.whyNoFilter = "not wanted (--confinement)";
    }
    return abilities;
}

}  // namespace tracedeck::confine
