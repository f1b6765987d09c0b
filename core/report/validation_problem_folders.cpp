// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of a SOL-ExecBench dataset (dialect §2 to §8.3).
#include "core/report/validation_problem_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/io/json_codec.h"
#include "core/io/problem_list.h"
#include "core/io/read_file.h"
#include "core/io/safetensors.h"
#include "core/io/separate_sources.h"
#include "core/io/trace_reader.h"
#include "core/model/python_source.h"
#include "core/model/text.h"
#include "core/report/validation_scan.h"

namespace tracedeck {

namespace {

constexpr std::uint64_t kMaximumProblemFileBytes = std::uint64_t{256} << 20U;
const ReadPlace kSolPlace{Dialect::SolExecBench, {}};

/// Collects what is wrong with the files of one check.
class PlacedMessages {
public:
    void add(CheckLevel level, const std::string& file, std::int64_t line, std::string field, std::string text)
    {
        m_messages.push_back({level, std::move(text), toValidUtf8(file), line, std::move(field)});
    }
    void error(const std::string& file, std::int64_t line, std::string field, std::string text)
    {
        add(CheckLevel::Error, file, line, std::move(field), std::move(text));
    }
    void warning(const std::string& file, std::int64_t line, std::string field, std::string text)
    {
        add(CheckLevel::Warning, file, line, std::move(field), std::move(text));
    }
    /// `line`: that of the record in its file, for errors that count within the record.
    void failed(const std::string& file, const Error& failure, std::int64_t line = 0)
    {
        error(file, line > 0 ? line : failure.line, failure.field, failure.reason);
    }
    /// What a reader remarked on while it read.
    void remarks(const std::string& file, const std::vector<Problem>& problems, std::int64_t line = 0)
    {
        for (const Problem& problem : problems) {
            const CheckLevel level = problem.severity == Severity::Error ? CheckLevel::Error : CheckLevel::Warning;
            add(level, file, line > 0 ? line : problem.error.line, problem.error.field, problem.error.reason);
        }
    }
    [[nodiscard]] std::vector<CheckMessage> take() { return std::move(m_messages); }

private:
    std::vector<CheckMessage> m_messages;
};

/// Takes the problems of a traces file, and of its lines only what they name.
class TraceProblems : public TraceLineSink {
public:
    explicit TraceProblems(const std::set<std::string>& definitions) : m_definitions(definitions) {}
    void onTrace(const TraceFields& fields, std::uint64_t, std::int64_t line) override
    {
        const std::string definition(fields.definition);
        if (m_definitions.contains(definition)) return;
        m_problems.add(Problem{Severity::Error, Error{ErrorCode::NotFound, "the definition '" + definition + "' is not in the dataset", {}, line, "definition"}});
    }
    void onWorkload(Trace, std::int64_t line) override
    {
        m_problems.add(Problem{Severity::Error, Error{ErrorCode::InvalidInput, "this line is a workload, not a result", {}, line, {}}});
    }
    void onProblem(Problem problem) override { m_problems.add(std::move(problem)); }
    [[nodiscard]] ProblemList take() { return std::move(m_problems); }

private:
    const std::set<std::string>& m_definitions;
    ProblemList m_problems;
};

/// The lines of a text, with their numbers; blank ones are left out.
std::vector<std::pair<std::int64_t, std::string_view>> linesOf(std::string_view text)
{
    std::vector<std::pair<std::int64_t, std::string_view>> lines;
    for (std::int64_t number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        if (const auto line = trimWhitespace(text.substr(0, end)); !line.empty()) lines.emplace_back(number, line);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

/// What SOL-ExecBench refuses in a definition beyond what the codec does (dialect §2).
void checkSolDefinition(PlacedMessages& messages, const std::string& file, const Definition& definition)
{
    if (const auto parameters = positionalParameters(definition.reference, "run")) {
        std::vector<std::string> inputs;
        for (const TensorSpec& input : definition.inputs) inputs.push_back(input.name);
        if (*parameters != inputs) {
            messages.error(file, 0, "reference",
                           fmt::format("run takes ({}), but the inputs are ({}): SOL-ExecBench wants the same names in the same order",
                                       fmt::join(*parameters, ", "), fmt::join(inputs, ", ")));
        }
    }
    if (const auto& entry = definition.customInputsEntrypoint) {
        if (!isPythonIdentifier(*entry)) {
            messages.error(file, 0, "custom_inputs_entrypoint", "'" + *entry + "' cannot be the name of a Python function");
        } else if (!positionalParameters(definition.reference, *entry)) {
            messages.error(file, 0, "custom_inputs_entrypoint", "the reference has no function '" + *entry + "' at module level");
        }
    }
    for (const TensorSpec& input : definition.inputs) {
        if (definition.findAxis(input.name) == nullptr) continue;
        messages.error(file, 0, "inputs." + input.name, "the input has the name of an axis: SOL-ExecBench refuses that; rename one of them");
    }
    if (!definition.constraints.empty()) {
        messages.add(CheckLevel::Info, file, 0, "constraints", "SOL-ExecBench has no such field: nothing checks them");
    }
}

/// Checks the workloads of one problem folder.
class WorkloadFileChecker {
public:
    WorkloadFileChecker(PlacedMessages& messages, const std::string& file, const std::string& name, const Definition* definition,
                        std::vector<std::filesystem::path> blobRoots)
        : m_messages(messages), m_file(file), m_name(name), m_definition(definition), m_blobRoots(std::move(blobRoots))
    {
    }

    void check(std::string_view text)
    {
        const auto lines = linesOf(text);
        if (lines.empty()) m_messages.warning(m_file, 0, {}, "the file has no workload: there is nothing to run");
        for (const auto& [line, record] : lines) {
            m_line = line;
            const auto decoded = decodeTrace(record, ReadMode::Strict, ReadPlace{Dialect::SolExecBench, m_name});
            if (!decoded) {
                m_messages.failed(m_file, decoded.error(), line);
                continue;
            }
            m_messages.remarks(m_file, decoded->warnings, line);
            checkLine(decoded->value);
        }
    }

private:
    void error(std::string field, std::string text) { m_messages.error(m_file, m_line, std::move(field), std::move(text)); }
    void warning(std::string field, std::string text) { m_messages.warning(m_file, m_line, std::move(field), std::move(text)); }

    void checkLine(const Trace& trace)
    {
        if (!trace.isWorkloadTrace()) error({}, "this line has a solution or an evaluation: it is a result, not a workload");
        if (trace.definition != m_name) error("definition", "the definition '" + trace.definition + "' is not that of this folder, '" + m_name + "'");
        const Workload& workload = trace.workload;
        const auto [first, isNew] = m_lineOfUuid.try_emplace(workload.uuid, m_line);
        if (!isNew) {
            error("uuid", fmt::format("the uuid '{}' is that of line {} too: results of the two workloads cannot be told apart", workload.uuid,
                                      first->second));
        }
        if (m_definition == nullptr) return;
        for (const auto& [axis, value] : workload.axes) {
            if (m_definition->findAxis(axis) == nullptr) warning("axes." + axis, "the definition declares no such axis; its expressions may use it all the same");
        }
        const auto shapes = m_definition->inputShapes(workload.axes);
        if (!shapes) error("axes", shapes.error().reason);
        checkKinds(workload);
        for (const auto& [name, input] : workload.inputs) {
            const auto spec = std::find_if(m_definition->inputs.begin(), m_definition->inputs.end(),
                                           [&name = name](const TensorSpec& one) { return one.name == name; });
            if (spec == m_definition->inputs.end()) {
                warning("inputs." + name, "the definition has no such input: it is ignored");
                continue;
            }
            const Shape* shape = shapes ? &(*shapes)[static_cast<std::size_t>(spec - m_definition->inputs.begin())] : nullptr;
            checkInput(name, input, *spec, shape);
        }
    }

    /// Custom inputs: all or none (dialect §4.1).
    void checkKinds(const Workload& workload)
    {
        const auto isCustom = [](const auto& input) { return std::holds_alternative<CustomInput>(input.second); };
        const auto custom = std::count_if(workload.inputs.begin(), workload.inputs.end(), isCustom);
        if (custom == 0) return;
        if (custom != static_cast<std::ptrdiff_t>(workload.inputs.size())) {
            error("inputs", "inputs of the type custom are mixed with others: SOL-ExecBench refuses that; make all of them custom, or none");
        }
        if (!m_definition->customInputsEntrypoint) {
            error("inputs", "inputs are custom, but the definition names no function that makes them (custom_inputs_entrypoint)");
        }
    }

    void checkInput(const std::string& name, const WorkloadInput& input, const TensorSpec& spec, const Shape* shape)
    {
        const std::string field = "inputs." + name;
        if (std::holds_alternative<ScalarInput>(input) && !spec.isScalar()) error(field, "this is a scalar, but the definition asks for a tensor");
        const bool isPacked = spec.dtype == DType::Float4E2M1FNx2 || spec.dtype == DType::Float4E2M1;
        if (std::holds_alternative<RandomInput>(input) && isPacked) {
            error(field, "float4 has no random values: make the input custom, or take it from a safetensors file");
        }
        const auto* tensor = std::get_if<SafetensorsInput>(&input);
        if (tensor == nullptr) return;
        if (spec.isScalar()) {
            error(field, "this is a tensor, but the definition asks for a scalar");
            return;
        }
        const auto path = findBlob(m_blobRoots, tensor->path);
        if (!path) {
            error(field + ".path", path.error().reason);
            return;
        }
        const auto file = SafetensorsFile::open(*path);
        if (!file) {
            error(field + ".path", file.error().reason);
            return;
        }
        const SafetensorsEntry* entry = (*file)->find(tensor->tensorKey);
        if (entry == nullptr) {
            error(field + ".tensor_key", "the file " + tensor->path + " has no tensor '" + tensor->tensorKey + "'");
            return;
        }
        const auto dtype = dtypeFromSafetensors(entry->dtype);
        if (!isPacked && (!dtype || *dtype != spec.dtype)) {
            error(field, fmt::format("the definition asks for {}, the tensor has {}", spec.dtypeName, dtype ? std::string(toString(*dtype)) : entry->dtype));
        }
        if (shape != nullptr && !isPacked && *shape && entry->shape != **shape) {
            error(field, fmt::format("the definition asks for the shape ({}), the tensor has ({})", fmt::join(**shape, ", "), fmt::join(entry->shape, ", ")));
        }
    }

    PlacedMessages& m_messages;
    const std::string& m_file;
    const std::string& m_name;
    const Definition* m_definition;
    std::vector<std::filesystem::path> m_blobRoots;
    std::int64_t m_line = 0;
    std::map<std::string, std::int64_t> m_lineOfUuid;
};

/// The benchmark parameters of a problem (dialect §8.3).
void checkConfig(PlacedMessages& messages, const std::string& file, std::string_view text)
{
    const auto json = parseJson(text);
    if (!json) return messages.failed(file, json.error());
    if (!json->is_object()) return messages.error(file, 0, {}, "expected an object");
    const auto check = [&](const char* key, bool (*isGood)(const Json&), const char* wanted) {
        const auto found = json->find(key);
        if (found != json->end() && !isGood(*found)) messages.error(file, 0, key, std::string("expected ") + wanted);
    };
    const auto isFlag = [](const Json& value) { return value.is_boolean(); };
    check("warmup_runs", [](const Json& value) { return value.is_number_integer() && value >= 0; }, "a whole number of 0 or more");
    check("iterations", [](const Json& value) { return value.is_number_integer() && value > 0; }, "a whole number of 1 or more");
    check("seed", [](const Json& value) { return value.is_number_integer(); }, "a whole number");
    check("lock_clocks", isFlag, "true or false");
    check("benchmark_reference", isFlag, "true or false");
}

class ProblemFolderValidation {
public:
    ProblemFolderValidation(const ValidationRequest& request, const ScannedFiles& files, const std::vector<Check>& checks,
                            const std::stop_token& stop)
        : m_request(request), m_files(files), m_checks(checks), m_stop(stop)
    {
    }

    Result<ValidationReport> run()
    {
        for (const ProblemFolder& folder : m_files.problemFolders) readDefinition(folder);
        std::vector<std::string> names;
        std::set<std::string> labels;
        for (const CheckedProblem& problem : m_problems) {
            names.push_back(problem.name);
            labels.insert(problem.label);
        }
        if (auto known = checkFilterNames(m_request, names, labels); !known) return known.error();
        m_definitionNames = {names.begin(), names.end()};

        ValidationReport report;
        report.dataset = toValidUtf8(pythonPath(m_request.root));
        report.opTypes = m_request.opTypes;
        report.definitions = m_request.definitions;
        for (const Check check : m_checks) {
            if (check != Check::Dataset && check != Check::Benchmark) report.checks.emplace_back(toString(check));
        }
        // What the other dialect's baselines are is no matter of an author.
        constexpr const char* kWhy = "problems of SOL-ExecBench are not run by validate; `tracedeck run` does";
        if (!m_request.disableGpu && isChosen(Check::Definition)) {
            report.notRun.push_back(fmt::format("definition: building the reference ({})", kWhy));
        }
        if (!m_request.disableGpu && isChosen(Check::Benchmark)) report.notRun.push_back(fmt::format("benchmark ({})", kWhy));
        std::map<std::string, const CheckedProblem*> first;
        for (CheckedProblem& problem : m_problems) {
            if (m_stop.stop_requested()) return Error{ErrorCode::Cancelled, "validation was cancelled", report.dataset, 0, {}};
            if (!isWanted(problem)) continue;
            const auto [known, isNew] = first.try_emplace(problem.name, &problem);
            if (!isNew) {
                problem.messages.error(problem.folder->file("definition.json"), 0, "name",
                                       "the definition '" + problem.name + "' is in " + known->second->folder->file("definition.json") +
                                           " too: only one of them is loaded; rename one");
            }
            report.reports[isNew ? problem.name : problem.name + " (" + problem.folder->path + ")"] = checkOne(problem);
        }
        if (isChosen(Check::Dataset)) report.datasetCheck = checkRest();
        return report;
    }

private:
    struct CheckedProblem {
        const ProblemFolder* folder = nullptr;
        std::string name;    ///< of the definition; of the folder when the definition cannot be read
        std::string label;   ///< op_type, or what stands in for it
        std::optional<Definition> definition;
        PlacedMessages messages;   ///< on the definition
    };

    [[nodiscard]] bool isChosen(Check check) const { return std::find(m_checks.begin(), m_checks.end(), check) != m_checks.end(); }
    [[nodiscard]] bool isWanted(const CheckedProblem& problem) const
    {
        const auto has = [](const std::vector<std::string>& names, const std::string& name) {
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        if (m_request.opTypes.empty() && m_request.definitions.empty()) return true;
        return has(m_request.opTypes, problem.label) || has(m_request.definitions, problem.name);
    }

    /// The text of a file; std::nullopt, with a message, when it cannot be read.
    std::optional<std::string> read(PlacedMessages& messages, const std::string& file) const
    {
        auto text = readWholeFile(m_request.root / file, kMaximumProblemFileBytes);
        if (text) return std::move(*text);
        messages.error(file, 0, {}, text.error().reason);
        return std::nullopt;
    }

    void readDefinition(const ProblemFolder& folder)
    {
        CheckedProblem problem{&folder, {}, folder.label, {}, {}};
        const std::string file = folder.file("definition.json");
        if (const auto text = read(problem.messages, file)) {
            auto decoded = decodeDefinition(*text, ReadMode::Strict, kSolPlace);
            if (!decoded) {
                problem.messages.failed(file, decoded.error());
                // What else is wrong with the folder is still told under its own name.
                if (auto tolerant = decodeDefinition(*text, ReadMode::Tolerant, kSolPlace)) problem.definition = std::move(tolerant->value);
            } else {
                problem.messages.remarks(file, decoded->warnings);
                checkSolDefinition(problem.messages, file, decoded->value);
                problem.definition = std::move(decoded->value);
            }
        }
        if (problem.definition) {
            problem.name = problem.definition->name;
            if (problem.definition->opTypeGiven) problem.label = problem.definition->opType;
        } else {
            problem.name = toValidUtf8((m_request.root / folder.path / "").lexically_normal().parent_path().filename().string());
        }
        m_problems.push_back(std::move(problem));
    }

    DefinitionReport checkOne(CheckedProblem& problem)
    {
        DefinitionReport report;
        const auto set = [&](Check check, PlacedMessages& messages) {
            if (isChosen(check)) report.checks.at(static_cast<std::size_t>(check)) = makeCheckResult(messages.take());
        };
        const ProblemFolder& folder = *problem.folder;
        if (!folder.configFile.empty()) {
            if (const auto text = read(problem.messages, folder.configFile)) checkConfig(problem.messages, folder.configFile, *text);
        }
        set(Check::Definition, problem.messages);

        PlacedMessages workloads;
        const std::string file = folder.file("workload.jsonl");
        if (!isListed(m_files.workloads, file)) {
            workloads.warning(file, 0, {}, "the file is missing: there is nothing to run");
        } else if (const auto text = read(workloads, file)) {
            WorkloadFileChecker(workloads, file, problem.name, problem.definition ? &*problem.definition : nullptr,
                                blobRoots(m_request.root / folder.path, m_request.root))
                .check(*text);
        }
        set(Check::Workload, workloads);

        PlacedMessages solutions;
        if (const std::string solution = folder.file("solution.json"); isListed(m_files.solutions, solution)) {
            checkSolution(solutions, solution, &problem.name);
        }
        set(Check::Solution, solutions);

        PlacedMessages traces;
        for (const char* name : {"traces.json", "traces.jsonl"}) {
            if (const std::string results = folder.file(name); isListed(m_files.traces, results)) checkTraces(traces, results, problem.name);
        }
        set(Check::Trace, traces);
        for (const auto& result : report.checks) {
            if (result) report.status = std::max(report.status, result->status);
        }
        return report;
    }

    static bool isListed(const std::vector<std::string>& files, const std::string& file)
    {
        return std::find(files.begin(), files.end(), file) != files.end();
    }

    /// `definition`: that of the folder; null for a file that may be for any.
    void checkSolution(PlacedMessages& messages, const std::string& file, const std::string* definition) const
    {
        const auto text = read(messages, file);
        if (!text) return;
        auto decoded = decodeSolution(*text, ReadMode::Strict, kSolPlace);
        if (!decoded) return messages.failed(file, decoded.error());
        messages.remarks(file, decoded->warnings);
        Solution& solution = decoded->value;
        if (const auto sources = readSeparateSources(solution, (m_request.root / file).parent_path()); !sources) messages.failed(file, sources.error());
        if (definition != nullptr ? solution.definition == *definition : m_definitionNames.contains(solution.definition)) return;
        messages.error(file, 0, "definition",
                       definition != nullptr ? "the definition '" + solution.definition + "' is not that of this folder, '" + *definition + "'"
                                             : "the definition '" + solution.definition + "' is not in the dataset");
    }

    void checkTraces(PlacedMessages& messages, const std::string& file, const std::string& definition) const
    {
        TraceProblems sink(m_definitionNames);
        TraceReaderMemory memory;
        const auto read = readTraceDocument(m_request.root / file, sink, memory, m_stop, ReadPlace{Dialect::SolExecBench, definition});
        if (!read) messages.error(file, 0, {}, read.error().reason);
        messages.remarks(file, sink.take().take(file));
    }

    /// What lies beside the problem folders.
    [[nodiscard]] DatasetCheckResult checkRest() const
    {
        PlacedMessages messages;
        for (const Problem& problem : m_files.problems) messages.error(problem.error.file, 0, {}, problem.error.reason);
        for (const std::string& file : m_files.solutions) {
            if (m_files.problemFolderOf(file) == nullptr) checkSolution(messages, file, nullptr);
        }
        for (const std::string& file : m_files.traces) {
            if (m_stop.stop_requested()) break;
            if (m_files.problemFolderOf(file) == nullptr) checkTraces(messages, file, std::filesystem::path(file).stem().string());
        }
        DatasetCheckResult result;
        for (CheckMessage& message : messages.take()) {
            result.status = std::max(result.status, message.level);
            result.findings.push_back({message.level, "problem-folders", std::move(message.file), message.line, std::move(message.text), std::move(message.field)});
        }
        return result;
    }

    const ValidationRequest& m_request;
    const ScannedFiles& m_files;
    const std::vector<Check>& m_checks;
    std::stop_token m_stop;
    std::vector<CheckedProblem> m_problems;
    std::set<std::string> m_definitionNames;
};

}  // namespace

Result<ValidationReport> validateProblemFolders(const ValidationRequest& request, const ScannedFiles& files,
                                                const std::vector<Check>& checks, const std::stop_token& stop)
{
    return ProblemFolderValidation(request, files, checks, stop).run();
}

}  // namespace tracedeck
