// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>
#include <QtGlobal>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/model/json.h"
#include "core/model/trace.h"
#include "core/store/dataset.h"

namespace tracedeck::test {

/// A definition `y = f(x)` with x and y of shape [variable axes…, constant axes…] in float32.
struct DefinitionSpec {
    std::string name;
    std::string opType = "gemm";
    std::vector<std::string> varAxes{"M"};
    std::vector<std::pair<std::string, std::int64_t>> constAxes{{"N", 4}};
    std::string reference = "def run(x):\n    return x + 1\n";
};

struct SolutionSpec {
    std::string name;
    std::string definition;
    std::string author = "ann";
    std::string language = "python";
    std::string source = "def run(x):\n    return x + 1\n";
    std::string sourcePath = "main.py";
    bool destinationPassingStyle = false;
    std::string file{};   ///< below the root; empty: the format's own place. Load order is path order.
};

struct WorkloadSpec {
    std::string definition;
    std::string uuid;
    std::map<std::string, std::int64_t> axes{{"M", 1}};
};

struct TraceSpec {
    std::string definition;
    std::string solution;                 ///< empty: null
    std::string uuid;
    double latencyMs = 1;
    Status status = Status::Passed;
    std::map<std::string, std::int64_t> axes{{"M", 1}};
    double referenceLatencyMs = 2;
    std::optional<double> speedup{};      ///< not set: reference ÷ latency
    double maxAbsoluteError = 0;
    double maxRelativeError = 0;
    std::string hardware = "Test CPU";
    std::string timestamp = "2026-01-01T00:00:00";
    std::string log{};
    bool evaluated = true;                ///< false: null evaluation
    std::string file{};                   ///< below the root; empty: by the solution's author
    std::string judge{};                  ///< JSON of the judge's record; empty: none
    std::map<std::string, std::string> libs{};   ///< of the environment
};

/// Writes a small dataset into a temporary folder from compact descriptions. Builds the JSON itself, so that a test does
/// not check our writer against our reader. Throws std::runtime_error when a file cannot be written: a test's set-up failed.
class DatasetBuilder {
public:
    DatasetBuilder()
    {
        if (!m_folder.isValid()) throw std::runtime_error("no temporary folder");
    }

    [[nodiscard]] std::filesystem::path root() const { return m_folder.path().toStdString(); }

    DatasetBuilder& definition(const DefinitionSpec& spec)
    {
        Json axes = Json::object();
        Json shape = Json::array();
        for (const auto& axis : spec.varAxes) {
            axes[axis] = {{"type", "var"}};
            shape.push_back(axis);
        }
        for (const auto& [axis, value] : spec.constAxes) {
            axes[axis] = {{"type", "const"}, {"value", value}};
            shape.push_back(axis);
        }
        const Json tensor = {{"shape", shape}, {"dtype", "float32"}};
        const Json json = {{"name", spec.name},
                           {"op_type", spec.opType},
                           {"axes", axes},
                           {"inputs", {{"x", tensor}}},
                           {"outputs", {{"y", tensor}}},
                           {"reference", spec.reference}};
        m_opTypes[spec.name] = spec.opType;
        return file("definitions/" + spec.opType + "/" + spec.name + ".json", json.dump(2));
    }

    DatasetBuilder& solution(const SolutionSpec& spec)
    {
        const Json json = {{"name", spec.name},
                           {"definition", spec.definition},
                           {"author", spec.author},
                           {"spec",
                            {{"language", spec.language},
                             {"target_hardware", Json::array({"cpu"})},
                             {"entry_point", spec.sourcePath + "::run"},
                             {"destination_passing_style", spec.destinationPassingStyle}}},
                           {"sources", Json::array({{{"path", spec.sourcePath}, {"content", spec.source}}})}};
        m_authors[spec.name] = spec.author;
        const std::string place = "solutions/" + spec.author + "/" + opType(spec.definition) + "/" + spec.definition + "/" +
                                  spec.name + ".json";
        return file(spec.file.empty() ? place : spec.file, json.dump(2));
    }

    DatasetBuilder& workload(const WorkloadSpec& spec)
    {
        const Json json = {{"definition", spec.definition},
                           {"workload", {{"axes", spec.axes}, {"inputs", {{"x", {{"type", "random"}}}}}, {"uuid", spec.uuid}}},
                           {"solution", nullptr},
                           {"evaluation", nullptr}};
        return line("workloads/" + opType(spec.definition) + "/" + spec.definition + ".jsonl", json.dump());
    }

    DatasetBuilder& trace(const TraceSpec& spec)
    {
        Json json = {{"definition", spec.definition},
                     {"workload", {{"axes", spec.axes}, {"inputs", {{"x", {{"type", "random"}}}}}, {"uuid", spec.uuid}}},
                     {"solution", nullptr},
                     {"evaluation", nullptr}};
        if (!spec.solution.empty()) json["solution"] = spec.solution;
        if (spec.evaluated) json["evaluation"] = evaluation(spec);
        const auto author = m_authors.find(spec.solution);
        const std::string place = "traces/" + (author == m_authors.end() ? std::string("unknown") : author->second) + "/" +
                                  opType(spec.definition) + "/" + spec.definition + ".jsonl";
        return line(spec.file.empty() ? place : spec.file, json.dump());
    }

    /// Any file, replacing what is there.
    DatasetBuilder& file(const std::string& path, const std::string& content) { return write(path, content, std::ios::trunc); }
    /// Appends one line to a file.
    DatasetBuilder& line(const std::string& path, const std::string& text) { return write(path, text + "\n", std::ios::app); }

    /// Loads what was written so far. Throws when the folder cannot be loaded at all.
    [[nodiscard]] std::shared_ptr<const Dataset> load() const
    {
        auto dataset = Dataset::load(root());
        if (!dataset) throw std::runtime_error(dataset.error().toString());
        return *dataset;
    }

private:
    static Json evaluation(const TraceSpec& spec)
    {
        Json json = {{"status", std::string(toString(spec.status))},
                     {"environment", {{"hardware", spec.hardware}, {"libs", spec.libs}}},
                     {"timestamp", spec.timestamp},
                     {"log", spec.log},
                     {"correctness", nullptr},
                     {"performance", nullptr}};
        const bool passed = spec.status == Status::Passed;
        if (passed || spec.status == Status::IncorrectNumerical) {
            json["correctness"] = {{"max_relative_error", number(spec.maxRelativeError)},
                                   {"max_absolute_error", number(spec.maxAbsoluteError)},
                                   {"extra", nullptr}};
        }
        if (passed) {
            const double speedup = spec.latencyMs > 0 ? spec.referenceLatencyMs / spec.latencyMs : 0;
            json["performance"] = {{"latency_ms", spec.latencyMs},
                                   {"reference_latency_ms", spec.referenceLatencyMs},
                                   {"speedup_factor", spec.speedup.value_or(speedup)}};
        }
        if (!spec.judge.empty()) json["judge"] = Json::parse(spec.judge);
        return json;
    }
    static Json number(double value)
    {
        if (std::isnan(value)) return "NaN";
        if (std::isinf(value)) return "Infinity";
        return value;
    }
    [[nodiscard]] std::string opType(const std::string& definition) const
    {
        const auto found = m_opTypes.find(definition);
        return found == m_opTypes.end() ? std::string("gemm") : found->second;
    }
    DatasetBuilder& write(const std::string& path, const std::string& content, std::ios::openmode mode)
    {
        const auto target = root() / path;
        std::filesystem::create_directories(target.parent_path());
        std::ofstream out(target, std::ios::binary | mode);
        out << content;
        out.close();
        if (!out) throw std::runtime_error("cannot write " + target.string());
        return *this;
    }

    QTemporaryDir m_folder;
    std::map<std::string, std::string> m_opTypes;
    std::map<std::string, std::string> m_authors;
};

}  // namespace tracedeck::test
