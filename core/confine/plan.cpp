// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/confine/plan.h"

#include <cerrno>
#include <cstring>

#include <nlohmann/json.hpp>

namespace tracedeck::confine {

const char* toString(Namespaces namespaces)
{
    switch (namespaces) {
    case Namespaces::None: return "none";
    case Namespaces::Processes: return "processes";
    case Namespaces::Full: return "full";
    }
    return "none";
}

Namespaces namespacesFromString(const std::string& name)
{
    return name == "full" ? Namespaces::Full : name == "processes" ? Namespaces::Processes : Namespaces::None;
}

std::string encodePlan(const Plan& plan)
{
    const nlohmann::json json = {{"namespaces", toString(plan.namespaces)},
                                 {"uses_gpu", plan.usesGpu},
                                 {"readable", plan.readable},
                                 {"writable", plan.writable},
                                 {"view_folder", plan.viewFolder},
                                 {"landlock", plan.landlock},
                                 {"filters_calls", plan.filtersCalls},
                                 {"groups", plan.groups},
                                 {"process_limit", plan.processLimit},
                                 {"data_bytes", plan.dataBytes},
                                 {"judge", plan.judge},
                                 {"hides_memory", plan.hidesMemory}};
    // Paths are bytes; one that is no UTF-8 would not survive, and is left out of the view then.
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<Plan> decodePlan(const std::string& text)
{
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        Plan plan;
        plan.namespaces = namespacesFromString(json.at("namespaces").get<std::string>());
        plan.usesGpu = json.at("uses_gpu").get<bool>();
        plan.readable = json.at("readable").get<std::vector<std::string>>();
        plan.writable = json.at("writable").get<std::vector<std::string>>();
        plan.viewFolder = json.at("view_folder").get<std::string>();
        plan.landlock = json.at("landlock").get<int>();
        plan.filtersCalls = json.at("filters_calls").get<bool>();
        plan.groups = json.at("groups").get<std::vector<std::string>>();
        plan.processLimit = json.at("process_limit").get<std::uint64_t>();
        plan.dataBytes = json.at("data_bytes").get<std::uint64_t>();
        plan.judge = json.at("judge").get<pid_t>();
        plan.hidesMemory = json.at("hides_memory").get<bool>();
        return plan;
    } catch (const nlohmann::json::exception& error) {
        return Error{ErrorCode::InvalidInput, std::string("a plan of confinement is not understood: ") + error.what(), {}, 0, {}};
    }
}

Error systemError(const std::string& what)
{
    const int code = errno;
    return Error{ErrorCode::Unsupported, what + ": " + std::strerror(code), {}, 0, {}};
}

}  // namespace tracedeck::confine
