// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/validation.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/io/dataset_scanner.h"
#include "core/model/name_rules.h"
#include "core/model/text.h"
#include "core/report/validation_checks.h"
#include "core/report/validation_code.h"
#include "core/report/validation_problem_folders.h"
#include "core/report/validation_scan.h"

namespace tracedeck {

namespace {

std::vector<Check> chosenChecks(const ValidationRequest& request)
{
    if (request.checks) return *request.checks;
    std::vector<Check> checks{Check::Layout, Check::Definition, Check::Workload, Check::Solution,
                              Check::Trace,  Check::Baseline,   Check::Benchmark};
    if (request.opTypes.empty() && request.definitions.empty()) checks.push_back(Check::Dataset);
    return checks;
}

bool contains(const std::vector<std::string>& texts, const std::string& text)
{
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

/// One validation: what was scanned, and what the checks need of it.
class Validation {
public:
    Validation(const ValidationRequest& request, ValidationScan scan, CodeChecks* code, const std::stop_token& stop)
        : m_request(request), m_scan(std::move(scan)), m_code(code), m_stop(stop), m_facts(m_scan.traces.size())
    {
    }

    /// Error: Cancelled, while code was run.
    Result<ValidationReport> run(const std::vector<Check>& checks)
    {
        const auto isChosen = [&checks](Check check) {
            return std::find(checks.begin(), checks.end(), check) != checks.end();
        };
        ValidationReport report;
        report.dataset = toValidUtf8(pythonPath(m_request.root));
        report.opTypes = m_request.opTypes;
        report.definitions = m_request.definitions;
        const bool runsCode = !noteNotRun(report, isChosen);
        report.disableGpu = !runsCode;
        for (const Check check : checks) {
            if (check != Check::Dataset && (check != Check::Benchmark || runsCode)) report.checks.emplace_back(toString(check));
        }
        std::vector<DefinitionParts> loaded;   // of the definitions whose code is to be run
        findDuplicates();
        if (isChosen(Check::Dataset)) m_names = namesOfDataset(m_scan);
        for (const auto& [stem, index] : m_scan.definitionByStem) {
            if (m_stop.stop_requested()) return report;
            if (isWanted(stem, m_scan.definitions[index])) {
                DefinitionParts parts = partsOf(stem, index, isChosen);
                report.reports.emplace(stem, checkOne(parts, isChosen));
                parts.traces.clear();
                if (runsCode) loaded.push_back(std::move(parts));
            }
        }
        if (isChosen(Check::Dataset)) {
            // Files that belong to no definition of the report.
            for (std::size_t i = 0; i < m_scan.traces.size() && !m_stop.stop_requested(); ++i) {
                if (!m_facts[i]) readFacts(i, {}, {}, {});
            }
            report.datasetCheck = checkDataset(m_scan, m_facts);
        }
        if (runsCode && !m_stop.stop_requested()) {
            const CodeChoice choice{isChosen(Check::Definition), isChosen(Check::Baseline), isChosen(Check::Benchmark)};
            if (auto ran = runCodeChecks(report, m_scan.root, loaded, choice, *m_code, m_stop); !ran) return ran.error();
        }
        return report;
    }

private:
    /// Whether no code is to be run. What is left out because it can't be is told.
    template <class IsChosen>
    bool noteNotRun(ValidationReport& report, const IsChosen& isChosen) const
    {
        if (m_request.disableGpu) return true;
        // Without a device the format's own validator leaves these out, too.
        const std::optional<std::string> why = m_code == nullptr ? std::string("nothing was given to run it with") : m_code->obstacle();
        if (!why) return false;
        if (isChosen(Check::Definition)) report.notRun.push_back(fmt::format("definition: building the reference ({})", *why));
        if (isChosen(Check::Baseline)) report.notRun.push_back(fmt::format("baseline: building the solutions ({})", *why));
        if (isChosen(Check::Benchmark)) report.notRun.push_back(fmt::format("benchmark ({})", *why));
        return true;
    }

    void findDuplicates()
    {
        std::map<std::string, std::string> previous;
        for (const ScannedDefinition& scanned : m_scan.definitions) {
            if (!scanned.isAtPlace) continue;
            const auto [found, isNew] = previous.try_emplace(scanned.stem, scanned.path);
            if (isNew) continue;
            const std::string root = pythonPath(m_request.root);
            m_duplicates[scanned.stem] =
                fmt::format("duplicate definition name: {}/{} and {}/{}", root, found->second, root, scanned.path);
            found->second = scanned.path;
        }
    }

    [[nodiscard]] bool isWanted(const std::string& stem, const ScannedDefinition& definition) const
    {
        if (m_request.opTypes.empty() && m_request.definitions.empty()) return true;
        return contains(m_request.opTypes, definition.parts[0]) || contains(m_request.definitions, stem);
    }

    void readFacts(std::size_t index, const std::set<std::string>& solutions, const std::set<std::string>& baselines,
                   const std::set<std::string>& uuids)
    {
        const ScannedLines& file = m_scan.traces[index];
        TraceJudgement judgement;
        judgement.author = file.parts[0];
        judgement.definition = file.stem;
        judgement.solutionStems = &solutions;
        judgement.baselineStems = &baselines;
        judgement.workloadUuids = &uuids;
        judgement.names = m_names ? &*m_names : nullptr;
        m_facts[index] = readTraceFile(m_scan.root / file.path, judgement, m_stop);
        // What only the checks of a definition need would grow with every file.
        if (!m_scan.definitionByStem.contains(file.stem)) m_facts[index]->messages = {};
    }

    template <class IsChosen>
    DefinitionParts partsOf(const std::string& stem, std::size_t index, const IsChosen& isChosen)
    {
        DefinitionParts parts;
        parts.name = stem;
        parts.definition = &m_scan.definitions[index];
        if (const auto found = m_duplicates.find(stem); found != m_duplicates.end()) parts.duplicate = found->second;
        if (const auto found = m_scan.workloadsByStem.find(stem); found != m_scan.workloadsByStem.end()) {
            parts.workloads = &m_scan.workloads[found->second];
            for (const Trace& trace : parts.workloads->records) parts.workloadUuids.insert(trace.workload.uuid);
        }
        std::set<std::string> stems;
        std::set<std::string> baselines;
        if (const auto found = m_scan.solutionsByFolder.find(stem); found != m_scan.solutionsByFolder.end()) {
            for (const std::size_t solution : found->second) {
                const ScannedSolution& scanned = m_scan.solutions[solution];
                parts.solutions.push_back(&scanned);
                if (scanned.value) stems.insert(scanned.stem);
                if (scanned.parts[0] == "baseline") baselines.insert(scanned.stem);
            }
        }
        const bool readsTraces = isChosen(Check::Layout) || isChosen(Check::Trace) || isChosen(Check::Baseline);
        if (const auto found = m_scan.tracesByStem.find(stem); readsTraces && found != m_scan.tracesByStem.end()) {
            for (const auto& [author, file] : found->second) {
                readFacts(file, stems, baselines, parts.workloadUuids);
                parts.traces.push_back({&m_scan.traces[file], &*m_facts[file]});
            }
        }
        return parts;
    }

    template <class IsChosen>
    DefinitionReport checkOne(const DefinitionParts& parts, const IsChosen& isChosen)
    {
        DefinitionReport report;
        const auto run = [&](Check check, auto makeResult) {
            if (isChosen(check)) report.checks.at(static_cast<std::size_t>(check)) = makeResult();
        };
        run(Check::Layout, [&] { return checkLayout(m_scan.root, parts); });
        run(Check::Definition, [&] { return checkDefinition(parts); });
        run(Check::Workload, [&] { return checkWorkloads(m_scan.root, parts); });
        run(Check::Solution, [&] { return checkSolutions(parts); });
        run(Check::Trace, [&] { return checkTraces(parts); });
        run(Check::Baseline, [&] { return checkBaseline(parts); });
        for (const auto& result : report.checks) {
            if (result) report.status = std::max(report.status, result->status);
        }
        for (const auto& trace : parts.traces) {
            m_facts[static_cast<std::size_t>(trace.file - m_scan.traces.data())]->messages = {};
        }
        return report;
    }

    const ValidationRequest& m_request;
    ValidationScan m_scan;
    CodeChecks* m_code;   ///< may be null
    std::stop_token m_stop;
    std::vector<std::optional<TraceFileFacts>> m_facts;   ///< by traces file
    std::optional<DatasetNames> m_names;                  ///< set when the dataset as a whole is checked
    std::map<std::string, std::string> m_duplicates;      ///< by stem: text of L1
};

/// A typing error must not look like a dataset without faults.
Result<void> checkFilterNames(const ValidationRequest& request, const ValidationScan& scan)
{
    std::vector<std::string> definitions;
    std::set<std::string> opTypes;
    for (const auto& [stem, index] : scan.definitionByStem) {
        definitions.push_back(stem);
        opTypes.insert(scan.definitions[index].parts[0]);
    }
    return checkFilterNames(request, definitions, opTypes);
}

}  // namespace

Result<void> checkFilterNames(const ValidationRequest& request, const std::vector<std::string>& definitions,
                              const std::set<std::string>& opTypes)
{
    const std::string root = toValidUtf8(request.root.string());
    if (auto known = requireKnownNames("definition", request.definitions, definitions, root); !known) return known;
    return requireKnownNames("op_type", request.opTypes, {opTypes.begin(), opTypes.end()}, root);
}

Result<ValidationReport> validateDataset(const ValidationRequest& request, std::stop_token stop, CodeChecks* code)
{
    const std::vector<Check> checks = chosenChecks(request);
    const bool wantsDataset = std::find(checks.begin(), checks.end(), Check::Dataset) != checks.end();
    // Whether it is a dataset at all, and whose, is said by those who load it.
    const auto files = scanDataset(request.root, stop);
    if (!files) return files.error();
    if (!files->problemFolders.empty()) return validateProblemFolders(request, *files, checks, stop);
    auto scan = scanForValidation(request.root, wantsDataset, stop);
    if (!scan) return scan.error();
    if (auto known = checkFilterNames(request, *scan); !known) return known.error();
    auto report = Validation(request, std::move(*scan), code, stop).run(checks);
    if (stop.stop_requested()) {
        return Error{ErrorCode::Cancelled, "validation was cancelled", toValidUtf8(request.root.string()), 0, {}};
    }
    return report;
}

}  // namespace tracedeck
