// SPDX-License-Identifier: GPL-3.0-or-later
// The checks that run code: F4, B2 and X1 to X4 (data model §4).
#include "core/report/validation_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tracedeck {

namespace {

/// Baseline solutions that were read.
std::vector<const ScannedSolution*> loadedBaselines(const DefinitionParts& parts)
{
    std::vector<const ScannedSolution*> baselines;
    for (const ScannedSolution* solution : parts.solutions) {
        if (solution->parts[0] == "baseline" && solution->value) baselines.push_back(solution);
    }
    return baselines;
}

CheckMessage buildMessage(const std::string& what, const CodeFindings::Build& build)
{
    if (build.failure.empty()) return {CheckLevel::Info, what + ": ok"};
    return {CheckLevel::Error, what + " failed: " + build.failure};
}

CodeSubject subjectOf(const DefinitionParts& parts, const CodeChoice& choice)
{
    CodeSubject subject;
    subject.name = parts.name;
    subject.definition = &*parts.definition->value;
    if (parts.workloads != nullptr) {
        for (const Trace& trace : parts.workloads->records) subject.workloads.push_back(&trace);
    }
    for (const ScannedSolution* solution : loadedBaselines(parts)) subject.baselines.push_back(&*solution->value);
    subject.buildReference = choice.definition && !parts.duplicate;
    subject.buildBaselines = choice.baseline && !subject.baselines.empty();
    subject.benchmark = choice.benchmark && !subject.workloads.empty() && !subject.baselines.empty();
    return subject;
}

/// X1 and X2: why there is nothing to measure. Nothing when there is.
std::vector<CheckMessage> benchmarkObstacles(const DefinitionParts& parts)
{
    if (!parts.definition->value) return {{CheckLevel::Error, "cannot benchmark: definition failed to load"}};
    if (parts.workloads == nullptr || parts.workloads->records.empty()) return {{CheckLevel::Warning, "no workloads to benchmark"}};
    if (loadedBaselines(parts).empty()) return {{CheckLevel::Warning, "no baseline solutions for benchmark"}};
    return {};
}

/// X3 and X4.
std::vector<CheckMessage> benchmarkMessages(const CodeFindings& findings)
{
    std::vector<CheckMessage> messages;
    for (const std::string& error : findings.runErrors) messages.push_back({CheckLevel::Error, "benchmark failed: " + error});
    for (const auto& failure : findings.baselineFailures) {
        messages.push_back({CheckLevel::Error, fmt::format("baseline failed: {} on {}: {}", failure.solution, failure.workloadUuid, failure.status)});
    }
    // What could not be run did not pass: then nothing is said here, but in the list of what was not run.
    if (findings.baselineFailures.empty() && findings.baselineRuns > 0) messages.push_back({CheckLevel::Info, "baseline: PASS"});
    for (const auto& failure : findings.referenceFailures) {
        messages.push_back({CheckLevel::Error, fmt::format("reference failed: workload {}: {}", failure.workloadUuid, failure.status)});
    }
    if (findings.referenceFailures.empty() && findings.referenceRuns > 0) messages.push_back({CheckLevel::Info, "reference: PASS"});
    return messages;
}

void addMessages(std::optional<CheckResult>& result, std::size_t place, std::vector<CheckMessage> added)
{
    std::vector<CheckMessage> messages = result ? std::move(result->messages) : std::vector<CheckMessage>();
    const auto at = messages.begin() + static_cast<std::ptrdiff_t>(std::min(place, messages.size()));
    messages.insert(at, std::make_move_iterator(added.begin()), std::make_move_iterator(added.end()));
    result = makeCheckResult(std::move(messages));
}

void addFindings(DefinitionReport& report, const DefinitionParts& parts, const CodeFindings& findings, const CodeChoice& choice)
{
    const auto resultOf = [&report](Check check) -> std::optional<CheckResult>& { return report.checks.at(static_cast<std::size_t>(check)); };
    if (choice.definition && findings.reference) {
        auto& result = resultOf(Check::Definition);
        addMessages(result, result ? result->messages.size() : 0, {buildMessage("reference build", *findings.reference)});
    }
    if (choice.baseline) {
        std::vector<CheckMessage> builds;
        for (const ScannedSolution* solution : loadedBaselines(parts)) {
            if (const auto found = findings.builds.find(&*solution->value); found != findings.builds.end()) {
                builds.push_back(buildMessage("build " + solution->stem, found->second));
            }
        }
        addMessages(resultOf(Check::Baseline), 1, std::move(builds));   // behind B1, before B3
    }
    if (choice.benchmark) {
        std::vector<CheckMessage> messages = benchmarkObstacles(parts);
        if (messages.empty()) messages = benchmarkMessages(findings);
        // Without a message nothing of it was run: null, as for a check that was left out.
        if (!messages.empty()) resultOf(Check::Benchmark) = makeCheckResult(std::move(messages));
    }
    for (const auto& result : report.checks) {
        if (result) report.status = std::max(report.status, result->status);
    }
}

}  // namespace

Result<void> runCodeChecks(ValidationReport& report, const std::filesystem::path& root, const std::vector<DefinitionParts>& definitions,
                           const CodeChoice& choice, CodeChecks& code, const std::stop_token& stop)
{
    std::vector<CodeSubject> subjects;
    for (const DefinitionParts& parts : definitions) {
        if (!parts.definition->value) {
            if (choice.baseline && !loadedBaselines(parts).empty()) {
                report.notRun.push_back(fmt::format("baseline: building the solutions of definition {} (the definition failed to load)", parts.name));
            }
            continue;
        }
        CodeSubject subject = subjectOf(parts, choice);
        if (subject.buildReference || subject.buildBaselines || subject.benchmark) subjects.push_back(std::move(subject));
    }
    CodeResults results;
    if (!subjects.empty()) {
        auto found = code.run(root, subjects, stop);
        if (!found) return found.error();
        results = std::move(*found);
    }
    for (const DefinitionParts& parts : definitions) addFindings(report.reports.at(parts.name), parts, results.findings[parts.name], choice);
    report.notRun.insert(report.notRun.end(), std::make_move_iterator(results.notRun.begin()), std::make_move_iterator(results.notRun.end()));
    return {};
}

}  // namespace tracedeck
