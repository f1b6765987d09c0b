// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/io/json_codec.h"
#include "core/io/safetensors.h"
#include "core/store/dataset.h"

using namespace tracedeck;
namespace fs = std::filesystem;

namespace {

const fs::path kSample = fs::path(TRACEDECK_SOURCE_DIR) / "resources" / "sample";

/// Files below a folder of the sample with this ending, sorted; empty when the folder is missing.
std::vector<fs::path> filesIn(const char* folder, const char* ending)
{
    std::vector<fs::path> found;
    if (!fs::is_directory(kSample / folder)) return found;
    for (const auto& entry : fs::recursive_directory_iterator(kSample / folder)) {
        if (entry.is_regular_file() && entry.path().extension() == ending) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::string contentOf(const fs::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().toStdString();
}

std::vector<std::string> linesOf(const fs::path& path)
{
    std::vector<std::string> lines;
    for (const QByteArray& line : QByteArray::fromStdString(contentOf(path)).split('\n')) {
        if (!line.trimmed().isEmpty()) lines.push_back(line.toStdString());
    }
    return lines;
}

/// Folder names and file name without ending, from the sample's own sub-folder down.
std::vector<std::string> partsBelow(const fs::path& path, const char* folder)
{
    std::vector<std::string> parts;
    for (const fs::path& part : fs::relative(path, kSample / folder)) parts.push_back(part.string());
    parts.back() = path.stem().string();
    return parts;
}

/// What source/<definition>/definition.json says a solution does on a workload.
Status expectedStatus(const Json& about, const AxisValues& axes)
{
    if (about.contains("expect_above")) {
        for (const auto& [axis, limit] : about["expect_above"].items()) {
            if (axes.at(axis) <= limit.get<std::int64_t>()) return Status::Passed;
        }
    }
    return statusFromString(about.value("expect", std::string("PASSED"))).value();
}

/// Solution name → its entry in source/<definition>/definition.json.
std::map<std::string, Json> describedSolutions()
{
    std::map<std::string, Json> described;
    for (const fs::path& file : filesIn("source", ".json")) {
        const std::string definition = file.parent_path().filename().string();
        const Json source = Json::parse(contentOf(file));
        for (const Json& about : source["solutions"]) {
            described[about["author"].get<std::string>() + "_" + definition + "_" + about["variant"].get<std::string>()] = about;
        }
    }
    return described;
}

}  // namespace

class TestSample : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const auto loaded = Dataset::load(kSample);
        QVERIFY2(loaded.has_value(), loaded.has_value() ? "" : loaded.error().toString().c_str());
        m_dataset = *loaded;
    }

    void loadsWithoutProblems()
    {
        for (const Problem& problem : m_dataset->problems()) qWarning("%s", problem.error.toString().c_str());
        QCOMPARE(m_dataset->problems().size(), std::size_t{0});
        QCOMPARE(m_dataset->definitions().size(), filesIn("definitions", ".json").size());
        QCOMPARE(m_dataset->solutions().size(), filesIn("solutions", ".json").size());
    }

    void spansDefinitionsOpTypesAndDtypes()
    {
        QVERIFY(m_dataset->definitions().size() >= 6);
        QVERIFY(m_dataset->opTypes().size() >= 4);
        std::set<DType> dtypes;
        for (const auto& definition : m_dataset->definitions()) {
            for (const TensorSpec& input : definition->inputs) dtypes.insert(input.dtype);
        }
        QVERIFY(dtypes.contains(DType::Float32));
        QVERIFY(dtypes.contains(DType::BFloat16));
    }

    void everyDefinitionHasOneBaselineAndThreeOthers()
    {
        std::set<std::string> authors;
        std::set<Language> languages;
        for (const auto& definition : m_dataset->definitions()) {
            int baselines = 0;
            int others = 0;
            std::set<Language> here;
            for (const Solution* solution : m_dataset->solutionsOf(definition->name)) {
                ++(solution->author == "baseline" ? baselines : others);
                authors.insert(solution->author);
                languages.insert(solution->spec.language);
                here.insert(solution->spec.language);
            }
            QVERIFY2(here.contains(Language::Triton) && here.contains(Language::Cuda), definition->name.c_str());
            QVERIFY2(baselines == 1, definition->name.c_str());
            QVERIFY2(others >= 3, definition->name.c_str());
        }
        QVERIFY(authors.size() >= 4);
        QVERIFY(languages.contains(Language::Python));
        QVERIFY(languages.contains(Language::Cpp));
    }

    void everySolutionBelongsToADefinition()
    {
        for (const auto& solution : m_dataset->solutions()) {
            QVERIFY2(m_dataset->findDefinition(solution->definition) != nullptr, solution->name.c_str());
        }
    }

    void workloadsSpreadOverTheVariableAxes()
    {
        std::set<std::string> uuids;
        for (const auto& definition : m_dataset->definitions()) {
            const std::vector<Trace>& workloads = m_dataset->workloadsOf(definition->name);
            QVERIFY2(workloads.size() >= 6 && workloads.size() <= 10, definition->name.c_str());
            std::set<AxisValues> distinct;
            for (const Trace& line : workloads) {
                QVERIFY2(uuids.insert(line.workload.uuid).second, line.workload.uuid.c_str());
                distinct.insert(line.workload.axes);
                std::vector<std::string> given;
                for (const auto& [axis, value] : line.workload.axes) {
                    given.push_back(axis);
                    QVERIFY2(value > 0, line.workload.uuid.c_str());
                }
                std::vector<std::string> wanted = definition->varAxes();
                std::sort(wanted.begin(), wanted.end());
                QVERIFY2(given == wanted, line.workload.uuid.c_str());
            }
            QCOMPARE(distinct.size(), workloads.size());
        }
        QCOMPARE(uuids.size(), m_dataset->workloadCount());
    }

    void workloadInputsFitTheDefinition()
    {
        int blobs = 0;
        for (const auto& definition : m_dataset->definitions()) {
            for (const Trace& line : m_dataset->workloadsOf(definition->name)) {
                const char* uuid = line.workload.uuid.c_str();
                QCOMPARE(line.workload.inputs.size(), definition->inputs.size());
                const auto shapes = definition->inputShapes(line.workload.axes);
                QVERIFY2(shapes.has_value(), uuid);
                const Json inputs = encodeWorkload(line.workload)["inputs"];
                for (std::size_t i = 0; i < definition->inputs.size(); ++i) {
                    const TensorSpec& spec = definition->inputs[i];
                    QVERIFY2(inputs.contains(spec.name), uuid);
                    const std::string type = inputs[spec.name]["type"].get<std::string>();
                    QVERIFY2((type == "scalar") == spec.isScalar(), uuid);
                    if (type != "safetensors") continue;
                    ++blobs;
                    const auto path = resolveBlobPath(kSample, inputs[spec.name]["path"].get<std::string>());
                    QVERIFY2(path.has_value(), uuid);
                    const fs::path expected = kSample / "blob" / "workloads" / definition->opType / definition->name /
                                              (definition->name + "_" + line.workload.uuid + ".safetensors");
                    QCOMPARE(fs::weakly_canonical(*path).string(), fs::weakly_canonical(expected).string());
                    const auto file = SafetensorsFile::open(*path);
                    QVERIFY2(file.has_value(), file.has_value() ? "" : file.error().toString().c_str());
                    const SafetensorsEntry* entry = (*file)->find(inputs[spec.name]["tensor_key"].get<std::string>());
                    QVERIFY2(entry != nullptr, uuid);
                    QVERIFY2(entry->shape == shapes.value()[i], uuid);
                    QVERIFY2(dtypeFromSafetensors(entry->dtype) == spec.dtype, uuid);
                }
            }
        }
        QVERIFY2(blobs > 0, "no workload uses a safetensors blob");
    }

    void everyFileDecodesStrictlyAndSitsWhereItsNamesSay()
    {
        for (const fs::path& file : filesIn("definitions", ".json")) {
            const auto decoded = decodeDefinition(contentOf(file), ReadMode::Strict);
            QVERIFY2(decoded.has_value(), file.c_str());
            const Definition& definition = decoded->value;
            QVERIFY2((partsBelow(file, "definitions") == std::vector<std::string>{definition.opType, definition.name}), file.c_str());
        }
        for (const fs::path& file : filesIn("solutions", ".json")) {
            const auto decoded = decodeSolution(contentOf(file), ReadMode::Strict);
            QVERIFY2(decoded.has_value(), file.c_str());
            const Solution& solution = decoded->value;
            const Definition* definition = m_dataset->findDefinition(solution.definition);
            QVERIFY2(definition != nullptr, file.c_str());
            const std::vector<std::string> expected{solution.author, definition->opType, solution.definition, solution.name};
            QVERIFY2(partsBelow(file, "solutions") == expected, file.c_str());
        }
        for (const fs::path& file : filesIn("workloads", ".jsonl")) {
            const std::vector<std::string> parts = partsBelow(file, "workloads");
            for (const std::string& line : linesOf(file)) {
                const auto decoded = decodeTrace(line, ReadMode::Strict);
                QVERIFY2(decoded.has_value(), file.c_str());
                QVERIFY2(decoded->value.isWorkloadTrace(), file.c_str());
                const Definition* definition = m_dataset->findDefinition(decoded->value.definition);
                QVERIFY2(definition != nullptr, file.c_str());
                QVERIFY2((parts == std::vector<std::string>{definition->opType, definition->name}), file.c_str());
            }
        }
    }

    void everythingIsDescribed()
    {
        const auto present = [](const std::optional<std::string>& text) { return text && !text->empty(); };
        for (const auto& definition : m_dataset->definitions()) {
            const char* name = definition->name.c_str();
            QVERIFY2(present(definition->description), name);
            for (const Axis& axis : definition->axes) QVERIFY2(present(axis.description), name);
            for (const TensorSpec& spec : definition->inputs) QVERIFY2(present(spec.description), name);
            for (const TensorSpec& spec : definition->outputs) QVERIFY2(present(spec.description), name);
        }
        for (const auto& solution : m_dataset->solutions()) QVERIFY2(present(solution->description), solution->name.c_str());
    }

    void generatedFilesAreMadeFromTheirSources()
    {
        const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
        if (python.isEmpty()) QSKIP("no python3 on the PATH to run resources/sample/make_sample.py --check");
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(python, {QStringLiteral("-I"), QStringLiteral("-B"), QString::fromStdString((kSample / "make_sample.py").string()),
                               QStringLiteral("--check")});
        QVERIFY2(process.waitForFinished(60'000), qPrintable(process.errorString()));
        const QByteArray said = process.readAll();
        QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, said.constData());
    }

    void tracesDecodeStrictlyAndSitWhereTheirNamesSay()
    {
        const std::vector<fs::path> files = filesIn("traces", ".jsonl");
        if (files.empty()) QSKIP("the sample has no traces yet");
        for (const fs::path& file : files) {
            const std::vector<std::string> parts = partsBelow(file, "traces");
            const std::vector<std::string> lines = linesOf(file);
            QVERIFY2(!lines.empty(), file.c_str());
            for (const std::string& line : lines) {
                const auto decoded = decodeTrace(line, ReadMode::Strict);
                QVERIFY2(decoded.has_value(), file.c_str());
                const Trace& trace = decoded->value;
                QVERIFY2(trace.solution && trace.evaluation, file.c_str());
                const Solution* solution = m_dataset->findSolution(*trace.solution);
                QVERIFY2(solution != nullptr && solution->definition == trace.definition, trace.solution->c_str());
                const Definition* definition = m_dataset->findDefinition(trace.definition);
                QVERIFY2((parts == std::vector<std::string>{solution->author, definition->opType, definition->name}), file.c_str());
                const std::vector<Trace>& workloads = m_dataset->workloadsOf(trace.definition);
                const auto known = std::find_if(workloads.begin(), workloads.end(), [&trace](const Trace& workload) {
                    return workload.workload.uuid == trace.workload.uuid;
                });
                QVERIFY2(known != workloads.end(), trace.workload.uuid.c_str());
                QVERIFY2(encodeWorkload(known->workload) == encodeWorkload(trace.workload), trace.workload.uuid.c_str());
            }
        }
    }

    void everyPairWasMeasuredAndEndedAsItsSourceSays()
    {
        if (filesIn("traces", ".jsonl").empty()) QSKIP("the sample has no traces yet");
        std::map<std::pair<std::string, std::string>, std::vector<Status>> measured;
        for (std::size_t row = 0; row < m_dataset->traces().size(); ++row) {
            const TraceRow& trace = m_dataset->traces().row(row);
            measured[{std::string(m_dataset->traces().solutionName(trace)), m_dataset->traces().workloadUuid(trace)}].push_back(trace.status);
        }
        const std::map<std::string, Json> described = describedSolutions();
        for (const auto& solution : m_dataset->solutions()) {
            const auto about = described.find(solution->name);
            QVERIFY2(about != described.end(), solution->name.c_str());
            for (const Trace& line : m_dataset->workloadsOf(solution->definition)) {
                const auto found = measured.find({solution->name, line.workload.uuid});
                // These have traces only where they were measured on a GPU.
                const bool isForGpu = solution->spec.language == Language::Triton || solution->spec.language == Language::Cuda;
                if (found == measured.end() && isForGpu) continue;
                QVERIFY2(found != measured.end(), (solution->name + " has no trace of " + line.workload.uuid).c_str());
                const Status expected = expectedStatus(about->second, line.workload.axes);
                for (const Status status : found->second) {
                    const std::string text = solution->name + " on " + line.workload.uuid + " ended as " + std::string(toString(status));
                    QVERIFY2(status == expected, text.c_str());
                }
            }
        }
    }

private:
    std::shared_ptr<const Dataset> m_dataset;
};

QTEST_GUILESS_MAIN(TestSample)
#include "test_sample.moc"
