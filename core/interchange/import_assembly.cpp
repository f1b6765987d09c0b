// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/interchange/import_assembly.h"

#include <algorithm>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "core/io/json_codec.h"
#include "core/io/safetensors.h"
#include "core/io/trace_writer.h"
#include "core/model/name_rules.h"
#include "core/model/sha1.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

constexpr std::string_view kStandInReference =
    "def run(*inputs):\n"
    "    raise NotImplementedError(\"the results of this definition were imported; what it computes was not in the file\")\n";
constexpr std::string_view kStandInSource =
    "def run(*inputs):\n"
    "    raise NotImplementedError(\"the results of this solution were imported; its source was not in the file\")\n";

std::string shortDigest(std::string_view text) { return sha1Hex(text).substr(0, 8); }

}  // namespace

std::string safeName(std::string_view text)
{
    constexpr std::size_t kLongest = 100;   // bytes: file names end at 255, and others are built from these
    const std::string valid = toValidUtf8(text);
    std::string name;
    for (std::size_t at = 0; at < valid.size();) {
        const auto first = static_cast<unsigned char>(valid[at]);
        const std::size_t length = std::min<std::size_t>(first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1, valid.size() - at);
        const std::string_view character = std::string_view(valid).substr(at, length);
        const bool isPlain = length > 1 ? displayFault(character).empty() : std::isalnum(first) != 0 || first == '_' || first == '-' || first == '.';
        // Not hidden, no option, no formula.
        const bool isFirst = name.empty() && (first == '.' || first == '-');
        if (name.size() + length > kLongest) break;
        name += isPlain && !isFirst ? std::string(character) : std::string("_");
        at += length;
    }
    if (name.empty()) name = "unnamed";
    return name == text ? name : name + "_" + shortDigest(text);
}

Definition definitionWithoutReference(const std::string& name, const std::string& opType, const std::string& description)
{
    Definition definition;
    definition.name = name;
    definition.opType = opType;
    definition.description = description;
    definition.reference = kStandInReference;
    definition.tags = {"imported"};
    return definition;
}

void addAxes(Definition& definition, const Workload& workload)
{
    for (const std::string& axis : workload.axisOrder) {
        if (definition.findAxis(axis) != nullptr) continue;
        definition.axes.emplace_back().name = axis;
    }
}

void ImportAssembly::addDefinition(Definition definition)
{
    const auto [place, isNew] = m_definitionIndex.emplace(definition.name, m_definitions.size());
    if (isNew) {
        m_definitions.push_back(std::move(definition));
        return;
    }
    Definition& known = m_definitions[place->second];
    for (Axis& axis : definition.axes) {
        if (known.findAxis(axis.name) == nullptr) known.axes.push_back(std::move(axis));
    }
}

const Definition* ImportAssembly::findDefinition(const std::string& name) const
{
    const auto found = m_definitionIndex.find(name);
    return found == m_definitionIndex.end() ? nullptr : &m_definitions[found->second];
}

void ImportAssembly::addContents(const std::string& blob, std::vector<KindContent> contents)
{
    std::uint64_t bytes = 0;
    for (const KindContent& content : contents) bytes += content.bytes.size();
    m_contentBytesLeft -= std::min(m_contentBytesLeft, bytes);
    m_blobs.emplace(blob, std::move(contents));
}

void ImportAssembly::addProblem(Severity severity, std::int64_t line, std::string field, std::string reason)
{
    m_fileProblems.add({severity, {ErrorCode::InvalidInput, std::move(reason), {}, line, std::move(field)}, false, 1});
}

void ImportAssembly::endFile(const std::filesystem::path& file)
{
    std::vector<Problem> problems = std::move(m_fileProblems).take(toValidUtf8(file.string()));
    std::move(problems.begin(), problems.end(), std::back_inserter(m_problems));
    m_fileProblems = {};
}

/// An implementation is a solution of each definition that it has results on. Its name is the file's where that is the only one of the dataset.
void ImportAssembly::nameSolutions()
{
    using Identity = std::tuple<std::string, std::string, std::string, std::string>;   // implementation, definition, author, tags
    std::map<Identity, std::size_t> known;
    std::map<std::string, std::set<std::string>> definitionsOf;
    for (const ImportedResult& result : m_results) definitionsOf[result.implementation].insert(result.definition);
    std::set<std::string> names;
    for (const ImportedResult& result : m_results) {
        const auto [place, isNew] = known.emplace(Identity{result.implementation, result.definition, result.author, result.description}, m_solutions.size());
        m_solutionOf.push_back(place->second);
        if (!isNew) continue;
        std::string name = safeName(result.implementation);
        if (definitionsOf[result.implementation].size() > 1) name = safeName(result.definition + "_" + name);
        if (!names.insert(name).second) {
            name += "_" + shortDigest(result.definition + '\0' + result.author + '\0' + result.description);
            names.insert(name);
        }
        Solution solution;
        solution.name = std::move(name);
        solution.definition = result.definition;
        solution.author = result.author;
        solution.description = result.description;
        solution.spec.language = result.language;
        solution.spec.targetHardware = {result.device};
        solution.spec.entryPoint = "main.py::run";
        solution.spec.destinationPassingStyle = false;
        solution.sources = {{"main.py", std::string(kStandInSource), false, Json::object()}};
        m_solutions.push_back(std::move(solution));
    }
}

Result<void> ImportAssembly::writeItems(StagingFolder& folder, ImportReport& report)
{
    for (const Definition& definition : m_definitions) {
        if (auto written = folder.write("definitions/" + definition.opType + "/" + definition.name + ".json", writeObjectFile(encodeDefinition(definition))); !written) return written;
    }
    for (const Solution& solution : m_solutions) {
        const std::string place = "solutions/" + solution.author + "/" + findDefinition(solution.definition)->opType + "/" + solution.definition + "/" + solution.name + ".json";
        if (auto written = folder.write(place, writeObjectFile(encodeSolution(solution))); !written) return written;
    }
    for (const auto& [path, contents] : m_blobs) {
        std::vector<TensorToWrite> tensors;
        for (const KindContent& content : contents) tensors.push_back({content.input, content.dtype, content.shape, content.bytes});
        if (auto written = writeSafetensors(folder.root() / path, tensors); !written) return written;
    }
    report.definitions = m_definitions.size();
    report.solutions = m_solutions.size();
    return {};
}

Result<void> ImportAssembly::writeTraces(StagingFolder& folder, ImportReport& report, const std::stop_token& stop)
{
    std::set<std::pair<std::string, std::string>> workloads;
    for (std::size_t i = 0; i < m_results.size(); ++i) {
        if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "the import was cancelled", {}, 0, {}};
        ImportedResult& result = m_results[i];
        const Solution& solution = m_solutions[m_solutionOf[i]];
        const Definition& definition = *findDefinition(result.definition);
        const std::string place = definition.opType + "/" + definition.name + ".jsonl";
        Trace trace{result.definition, std::move(result.workload), std::nullopt, std::nullopt, Json::object()};
        if (workloads.emplace(result.definition, trace.workload.uuid).second) {
            if (auto written = folder.appendLine("workloads/" + place, writeLine(encodeTrace(trace))); !written) return written;
        }
        trace.solution = solution.name;
        trace.evaluation = std::move(result.evaluation);
        const auto line = resultLine(trace);
        if (!line) return line.error();
        if (auto written = folder.appendLine("traces/" + solution.author + "/" + place, *line); !written) return written;
    }
    report.workloads = workloads.size();
    report.traces = m_results.size();
    return folder.flush();
}

Result<ImportReport> ImportAssembly::write(const std::filesystem::path& target, const std::stop_token& stop)
{
    ImportReport report;
    report.target = target;
    auto folder = StagingFolder::create(target);
    if (!folder) return folder.error();
    nameSolutions();
    if (auto written = writeItems(*folder, report); !written) return written.error();
    if (auto written = writeTraces(*folder, report, stop); !written) return written.error();
    if (auto committed = folder->commit(); !committed) return committed.error();
    for (const auto& [what, count] : m_notCarried) report.notCarried.push_back({what, count});
    report.problems = std::move(m_problems);
    return report;
}

}  // namespace tracedeck
