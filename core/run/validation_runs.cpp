// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/validation_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <set>
#include <utility>

#include "core/model/failure_reason.h"
#include "core/run/devices.h"
#include "core/run/event_queue.h"
#include "core/run/runnable.h"
#include "core/store/dataset.h"

namespace tracedeck {

namespace {

constexpr const char* kReferenceAuthor = "__reference__";

/// What a solution of the run stands for.
struct Role {
    std::size_t subject = 0;
    const Solution* baseline = nullptr;   ///< null: the reference
};

/// The run's own dataset: the subjects under the names of their entries, as two files may use one name.
struct ValidationSet {
    std::vector<Definition> definitions;
    std::vector<Solution> solutions;
    std::map<std::string, std::vector<Trace>> workloads;
    std::map<std::string, Role> roles;   ///< by name of a solution
};

/// A workload to load code for when the dataset has none that can be used: every variable axis is 1.
Workload smallestWorkload(const Definition& definition)
{
    Workload workload;
    workload.uuid = "smallest";
    for (const std::string& axis : definition.varAxes()) {
        workload.axes[axis] = 1;
        workload.axisOrder.push_back(axis);
    }
    for (const TensorSpec& input : definition.inputs) {
        WorkloadInput given = RandomInput{};
        if (input.isScalar()) {
            ScalarInput scalar;
            if (input.dtype == DType::Bool) scalar.value = true;
            else if (isFloating(input.dtype)) scalar.value = 1.0;
            else scalar.value = std::int64_t{1};
            given = scalar;
        }
        workload.inputs.emplace_back(input.name, std::move(given));
    }
    return workload;
}

Solution referenceSolution(const Definition& definition, bool isCpu)
{
    Solution solution;
    solution.name = definition.name + "__reference";
    solution.definition = definition.name;
    solution.author = kReferenceAuthor;
    solution.spec.language = Language::Python;
    solution.spec.targetHardware = {isCpu ? "cpu" : "cuda"};
    solution.spec.entryPoint = "main.py::run";
    solution.spec.destinationPassingStyle = false;
    SourceFile source;
    source.path = "main.py";
    source.content = definition.reference;
    solution.sources.push_back(std::move(source));
    return solution;
}

void addSolution(ValidationSet& set, Solution solution, Role role)
{
    const std::string name = solution.name;
    for (int number = 2; !set.roles.emplace(solution.name, role).second; ++number) solution.name = fmt::format("{} #{}", name, number);
    solution.definition = set.definitions.back().name;
    set.solutions.push_back(std::move(solution));
}

ValidationSet makeSet(const std::vector<CodeSubject>& subjects, bool isCpu)
{
    ValidationSet set;
    for (std::size_t index = 0; index < subjects.size(); ++index) {
        const CodeSubject& subject = subjects[index];
        Definition definition = *subject.definition;
        definition.name = subject.name;
        std::vector<Trace>& workloads = set.workloads[subject.name];
        for (const Trace* trace : subject.workloads) {
            // To load code, one that can be run is enough.
            if (!subject.benchmark && (!workloads.empty() || runObstacle(definition, trace->workload))) continue;
            workloads.push_back(*trace);
            workloads.back().definition = subject.name;
        }
        if (workloads.empty()) {
            Trace trace;
            trace.definition = subject.name;
            trace.workload = smallestWorkload(definition);
            workloads.push_back(std::move(trace));
        }
        set.definitions.push_back(std::move(definition));
        addSolution(set, referenceSolution(set.definitions.back(), isCpu), {index, nullptr});
        if (!subject.buildBaselines && !subject.benchmark) continue;
        for (const Solution* baseline : subject.baselines) addSolution(set, *baseline, {index, baseline});
    }
    return set;
}

/// The line of a text that says most.
std::string shortReason(const std::string& text)
{
    Evaluation evaluation;
    evaluation.log = text;
    return failureReason(evaluation);
}

/// Turns the events of the run into findings.
class Findings {
public:
    Findings(const std::vector<CodeSubject>& subjects, const ValidationSet& set) : m_subjects(subjects), m_roles(set.roles)
    {
        for (const CodeSubject& subject : subjects) m_results.findings[subject.name];
    }

    void take(const RunEvent& event, const RunPlan& plan)
    {
        if (const auto* result = std::get_if<ResultEvent>(&event)) onResult(*result, plan.pairs.at(result->pair));
        if (const auto* problem = std::get_if<ProblemEvent>(&event)) {
            for (const std::size_t pair : problem->pairs) onProblem(*problem, plan.pairs.at(pair));
        }
    }
    void leftOut(const std::string& reason) { note(reason); }
    /// The run is over. `build` compiles a native solution that no evaluation got to; std::nullopt where it can't.
    template <class BuildSolution>
    CodeResults finish(const std::string& otherwise, const BuildSolution& build)
    {
        for (const auto& [name, role] : m_roles) {
            const CodeSubject& subject = m_subjects[role.subject];
            CodeFindings& findings = m_results.findings[subject.name];
            const auto why = m_reasons.find(name);
            const std::string& reason = why == m_reasons.end() ? otherwise : why->second;
            if (role.baseline == nullptr) {
                if (subject.buildReference && !findings.reference) note(fmt::format("definition: building the reference of {} ({})", subject.name, reason));
                continue;
            }
            if (subject.buildBaselines && !findings.builds.contains(role.baseline)) {
                if (auto built = build(*role.baseline)) findings.builds[role.baseline] = std::move(*built);
                else note(fmt::format("baseline: building solution {} of {} ({})", role.baseline->name, subject.name, reason));
            }
            if (subject.benchmark && !m_measured.contains(name)) {
                note(fmt::format("benchmark: solution {} of {} ({})", role.baseline->name, subject.name, reason));
            }
        }
        return std::move(m_results);
    }

private:
    void note(const std::string& text)
    {
        if (m_noted.insert(text).second) m_results.notRun.push_back(text);
    }

    void onResult(const ResultEvent& event, const RunPair& pair)
    {
        const Role& role = m_roles.at(pair.solution);
        CodeFindings& findings = m_results.findings[m_subjects[role.subject].name];
        const Evaluation evaluation = event.trace.evaluation.value_or(Evaluation{});
        CodeFindings::Build build;
        if (evaluation.status == Status::CompileError) {
            build.failure = failureReason(evaluation);
            if (build.failure.empty()) build.failure = "no reason was given";
        }
        m_measured.insert(pair.solution);
        const bool isPassed = evaluation.status == Status::Passed;
        const CodeFindings::Failure failure{role.baseline == nullptr ? "" : role.baseline->name, pair.workloadUuid, std::string(evaluation.statusName())};
        if (role.baseline == nullptr) {
            findings.reference = findings.reference.value_or(build);
            ++findings.referenceRuns;
            if (!isPassed) findings.referenceFailures.push_back(failure);
        } else {
            findings.builds.emplace(role.baseline, build);
            ++findings.baselineRuns;
            if (!isPassed) findings.baselineFailures.push_back(failure);
        }
    }

    void onProblem(const ProblemEvent& event, const RunPair& pair)
    {
        const Role& role = m_roles.at(pair.solution);
        const CodeSubject& subject = m_subjects[role.subject];
        CodeFindings& findings = m_results.findings[subject.name];
        const std::string reason = shortReason(event.reference ? event.reference->reason : event.error.reason);
        if (event.reference) {
            m_reasons.emplace(pair.solution, "the reference failed: " + reason);
            if (role.baseline != nullptr) return;
            m_measured.insert(pair.solution);
            if (!findings.reference) findings.reference = CodeFindings::Build{event.reference->hasLoaded ? "" : reason};
            ++findings.referenceRuns;
            findings.referenceFailures.push_back({{}, pair.workloadUuid, std::string(toString(event.reference->status))});
            return;
        }
        m_reasons.emplace(pair.solution, reason);
        if (event.error.code == ErrorCode::Unsupported || event.error.code == ErrorCode::Io) return;   // the machine's lack
        if (subject.benchmark && std::ranges::find(findings.runErrors, reason) == findings.runErrors.end()) findings.runErrors.push_back(reason);
    }

    const std::vector<CodeSubject>& m_subjects;
    const std::map<std::string, Role>& m_roles;
    CodeResults m_results;
    std::map<std::string, std::string> m_reasons;   ///< why a solution of the run has no result
    std::set<std::string> m_measured;               ///< solutions of the run with a result
    std::set<std::string> m_noted;
};

}  // namespace

Result<std::unique_ptr<ValidationRuns>> ValidationRuns::create(const std::vector<std::string>& devices, PythonChoice python, Listener listener)
{
    std::unique_ptr<ValidationRuns> runs(new ValidationRuns());
    const RunDevices known = findRunDevices();
    if (!devices.empty() || known.whyNoGpu.empty()) {
        auto chosen = chooseDevices(devices.empty() ? defaultDevices(known) : devices, known);
        if (!chosen) return chosen.error();
        runs->m_devices = std::move(*chosen);
    }
    runs->m_whyNoGpu = known.whyNoGpu;
    runs->m_python = std::move(python);
    runs->m_listener = std::move(listener);
    return runs;
}

std::optional<std::string> ValidationRuns::obstacle() const
{
    if (m_devices.empty()) return fmt::format("no CUDA device: {}; --device cpu runs it on the CPU", m_whyNoGpu);
    if (m_python.interpreter.empty()) return m_python.explanation;
    return std::nullopt;
}

void ValidationRuns::follow(Runner& runner, EventQueue& queue, const std::function<void(const RunEvent&)>& onEvent, const std::stop_token& stop) const
{
    for (bool isDone = false; !isDone;) {
        if (m_listener.onTick) m_listener.onTick();
        if (stop.stop_requested()) runner.cancel();
        for (const RunEvent& event : queue.take()) {
            isDone = isDone || std::holds_alternative<DoneEvent>(event);
            onEvent(event);
            if (m_listener.onEvent) m_listener.onEvent(event);
        }
    }
    runner.wait();
}

Result<CodeResults> ValidationRuns::run(const std::filesystem::path& root, const std::vector<CodeSubject>& subjects, const std::stop_token& stop)
{
    const bool isCpu = m_devices == std::vector<std::string>{"cpu"};
    ValidationSet set = makeSet(subjects, isCpu);
    Findings findings(subjects, set);
    RunRequest request;
    request.dataset = Dataset::assemble(root, std::move(set.definitions), std::move(set.solutions), std::move(set.workloads));
    request.devices = m_devices;
    request.overrides.warmupRuns = 2;
    request.overrides.iterations = 5;
    request.overrides.numTrials = 1;
    request.profileBaseline = false;   // the reference is measured as a solution
    request.saveResults = false;
    request.python = m_python.interpreter;

    if (m_listener.onBegin) m_listener.onBegin();
    EventQueue queue;
    auto runner = Runner::start(request, [&queue](const RunEvent& event) { queue.push(event); });
    const auto cannotBuild = [](const Solution&) { return std::optional<CodeFindings::Build>(); };
    if (!runner) {
        std::string reason = runner.error().reason;
        if (runner.error().field == "python") reason += " " + m_python.explanation;
        return findings.finish(reason, cannotBuild);
    }
    const RunPlan& plan = (*runner)->plan();
    for (const Problem& problem : plan.problems) findings.leftOut(problem.error.reason);
    if (m_listener.onStart) m_listener.onStart(plan);
    follow(**runner, queue, [&](const RunEvent& event) { findings.take(event, plan); }, stop);

    // Compiled solutions that no evaluation got to, for example as the reference failed.
    std::optional<BuildOptions> options;
    CodeResults results = findings.finish("it was left out of the run", [&](const Solution& solution) -> std::optional<CodeFindings::Build> {
        const bool fits = solution.spec.isCompiled() && (solution.spec.language != Language::Cuda || !isCpu);
        if (!fits || stop.stop_requested()) return std::nullopt;
        if (!options) {
            const auto facts = inspectPython(m_python.interpreter);
            if (!facts) return std::nullopt;
            options = buildOptions(*facts);
            if (auto worker = findWorkerProgram()) options->worker = std::move(*worker);   // the run before would not have begun without
            for (const RunDevice& device : findRunDevices().devices) {
                if (device.name == m_devices.front()) options->computeCapability = device.computeCapability;
            }
        }
        auto building = std::async(std::launch::async, [&] { return buildNative(solution, *options, stop); });
        while (building.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
            if (m_listener.onTick) m_listener.onTick();
        }
        const auto built = building.get();
        const auto* failure = std::get_if<BuildFailure>(&built);
        if (failure == nullptr) return CodeFindings::Build{};
        if (failure->code == ErrorCode::Unsupported || failure->code == ErrorCode::Io || failure->code == ErrorCode::Cancelled) return std::nullopt;
        const std::string reason = shortReason(failure->log);
        return CodeFindings::Build{reason.empty() ? "no reason was given" : reason};
    });
    if (m_listener.onEnd) m_listener.onEnd();
    if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "validation was cancelled", root.string(), 0, {}};
    return results;
}

}  // namespace tracedeck
