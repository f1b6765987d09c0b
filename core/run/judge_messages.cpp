// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/judge_messages.h"

#include <filesystem>

#include "core/io/json_codec.h"

namespace tracedeck {

Json openMessage(const RunRequest& request, const Definition& definition, const Workload& workload, const std::string& session)
{
    std::error_code ignored;   // a root that was loaded can be made absolute
    return {
        {"op", "open"},
        {"session", session},
        {"root", std::filesystem::absolute(request.dataset->root(), ignored).string()},
        {"definition", encodeDefinition(definition)},
        {"workload", encodeWorkload(workload)},
        {"config", encodeEvalConfig(request.configFile.resolve(definition.opType, definition.name, request.overrides))},
        {"sol", definition.dialect == Dialect::SolExecBench},
        {"problem_folder", definition.sourceFile.empty() ? std::string()
                                                         : std::filesystem::absolute(definition.sourceFile, ignored).parent_path().string()},
        {"profile_baseline", request.profileBaseline},
        {"timeout", request.timeoutSeconds}};
}

Json evaluateMessage(const RunRequest& request, const Solution& solution, const std::string& session, const std::string& name,
                     const Json& artifact, const std::string& buildLog)
{
    return {{"op", "evaluate"},
            {"session", session},
            {"name", name},
            {"solution", encodeSolution(solution)},
            {"artifact", artifact},
            {"build_log", buildLog},
            {"keep_host", request.isolation == Isolation::Solution},
            {"live_log", request.wantsLiveLog},
            {"timeout", request.timeoutSeconds}};
}

}  // namespace tracedeck
