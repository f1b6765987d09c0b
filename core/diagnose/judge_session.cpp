// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnose/judge_session.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "core/model/text.h"
#include "core/run/devices.h"
#include "core/run/judge_messages.h"
#include "core/run/near_names.h"
#include "core/run/runnable.h"
#include "core/run/runner.h"

namespace tracedeck {

namespace {

constexpr const char* kSession = "diagnosis";

Error problem(ErrorCode code, std::string reason, std::string field = {})
{
    return Error{code, std::move(reason), {}, 0, std::move(field)};
}

}  // namespace

Result<const Trace*> findWorkload(const DiagnosisTarget& target)
{
    const Dataset& dataset = *target.request.dataset;
    if (dataset.findDefinition(target.definition) == nullptr)
        return problem(ErrorCode::Usage, fmt::format("the dataset has no definition \"{}\"", target.definition), "definition");
    const auto& workloads = dataset.workloadsOf(target.definition);
    const auto found = std::ranges::find_if(workloads, [&](const Trace& line) { return line.workload.uuid == target.workload; });
    if (found == workloads.end())
        return problem(ErrorCode::Usage, fmt::format("{} has no workload \"{}\"", target.definition, target.workload), "workload");
    return &*found;
}

JudgeSession::~JudgeSession()
{
    if (m_judge && m_stop.stop_requested()) m_judge->kill();
    else if (m_judge) m_judge->finish();
}

Result<std::unique_ptr<JudgeSession>> JudgeSession::open(DiagnosisTarget target, const DiagnosisProgress& onProgress, std::stop_token stop)
{
    const auto say = [&](const std::string& what) {
        if (onProgress) onProgress(what);
    };
    std::unique_ptr<JudgeSession> session(new JudgeSession());
    auto workload = findWorkload(target);
    if (!workload) return workload.error();
    const RunDevices known = findRunDevices();
    if (target.request.devices.empty()) target.request.devices = defaultDevices(known);
    auto devices = chooseDevices(target.request.devices, known);
    if (!devices) return devices.error();
    target.request.devices = {devices->front()};
    for (const RunDevice& device : known.devices) {
        if (device.name == devices->front()) session->m_computeCapability = device.computeCapability;
    }
    session->m_definition = target.request.dataset->findDefinition(target.definition);
    if (const auto obstacle = runObstacle(*session->m_definition, (*workload)->workload)) return problem(ErrorCode::Unsupported, *obstacle);
    const EvalConfig config = target.request.configFile.resolve(session->m_definition->opType, target.definition, target.request.overrides);
    if (auto valid = validate(config); !valid) {
        Error error = valid.error();
        error.code = ErrorCode::Usage;
        return error;
    }
    say("looking at the Python interpreter");
    auto tools = findRunTools(target.request);
    if (!tools) return tools.error();
    session->m_target = std::move(target);
    session->m_tools = std::move(*tools);
    session->m_onProgress = onProgress;
    session->m_stop = stop;
    if (!session->m_target.solution.empty()) {
        if (auto solution = session->solution(session->m_target.solution); !solution) return solution.error();
    }
    say("starting the judge");
    JudgeSettings settings = session->m_tools.judge;
    settings.device = session->device();
    auto judge = JudgeProcess::start(settings, stop);
    if (!judge) return judge.error();
    session->m_judge = std::move(*judge);
    say("making the inputs and running the reference");
    RunRequest request = session->m_target.request;
    request.profileBaseline = false;
    Json message = openMessage(request, *session->m_definition, (*workload)->workload, kSession);
    auto answer = session->m_judge->request(std::move(message), request.timeoutSeconds + request.silenceMarginSeconds, {}, stop);
    if (!answer) return answer.error();
    if (textMember(*answer, "op") != "opened") {
        const std::string log = textMember(*answer, "log");
        return problem(ErrorCode::ProcessFailed, fmt::format("the workload could not be prepared: {}{}{}", textMember(*answer, "message"), log.empty() ? "" : "\n", log));
    }
    return session;
}

Result<const Solution*> JudgeSession::solution(const std::string& name) const
{
    const Solution* solution = m_target.request.dataset->findSolution(name);
    if (solution == nullptr || solution->definition != m_target.definition)
        return problem(ErrorCode::Usage, fmt::format("{} has no solution \"{}\"", m_target.definition, name), "solution");
    const bool isCpu = device() == "cpu";
    const BuildSpec& spec = solution->spec;
    if (isCpu && (spec.language == Language::Cuda || spec.language == Language::TileLang))
        return problem(ErrorCode::Unsupported, fmt::format("{} is in {}, which needs a CUDA device", name, toString(spec.language)), "device");
    if (!isCpu && spec.isForCpuOnly())
        return problem(ErrorCode::Unsupported, fmt::format("{} is for the cpu; {} can't run it", name, device()), "device");
    return solution;
}

Result<JudgeSession::Built> JudgeSession::build(const Solution& solution, bool keepsLines)
{
    if (!solution.spec.isCompiled()) return Built{};
    if (m_onProgress) m_onProgress("compiling " + solution.name);
    BuildOptions options = m_tools.build;
    options.computeCapability = m_computeCapability;
    options.keepsLines = keepsLines;
    auto outcome = buildNative(solution, options, m_stop);
    if (const auto* failure = std::get_if<BuildFailure>(&outcome))
        return problem(failure->code, fmt::format("{} was not built: {}", solution.name, toValidUtf8(failure->log)));
    const auto& built = std::get<BuiltLibrary>(outcome);
    return Built{{{"library", built.library.string()}, {"symbol", built.symbol}}, toValidUtf8(built.log)};
}

Result<Json> JudgeSession::evaluate(const Solution& solution, const Built& built, const Json& more)
{
    Json message = evaluateMessage(m_target.request, solution, kSession, solution.name, built.artifact, built.log);
    message.update(more);
    if (m_onProgress) m_onProgress("running " + solution.name);
    auto answer = m_judge->request(std::move(message), m_target.request.timeoutSeconds + m_target.request.silenceMarginSeconds, {}, m_stop);
    if (!answer) return answer.error();
    const auto evaluation = answer->find("evaluation");
    if (textMember(*answer, "op") != "evaluated" || evaluation == answer->end() || !evaluation->is_object())
        return problem(ErrorCode::ProcessFailed, fmt::format("the judge answered \"{}\" to evaluate", textMember(*answer, "op")));
    return answer;
}

Result<Json> JudgeSession::ask(Json message, const std::string& expected)
{
    message["session"] = kSession;
    const double timeout = m_target.request.timeoutSeconds;
    message["timeout"] = timeout;
    auto answer = m_judge->request(std::move(message), timeout + m_target.request.silenceMarginSeconds, {}, m_stop);
    if (!answer) return answer.error();
    if (const std::string op = textMember(*answer, "op"); op != expected) {
        const std::string words = textMember(*answer, "message");
        return problem(ErrorCode::ProcessFailed, words.empty() ? fmt::format("the judge answered \"{}\" where \"{}\" was expected", op, expected) : words);
    }
    return answer;
}

}  // namespace tracedeck
