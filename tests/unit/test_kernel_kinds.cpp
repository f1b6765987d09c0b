// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <cstring>
#include <set>

#include "core/interchange/kind_dataset.h"
#include "core/io/child_process.h"
#include "core/io/json_codec.h"
#include "core/io/safetensors.h"
#include "core/model/python_source.h"
#include "core/run/python_environment.h"
#include "core/score/speed_of_light.h"
#include "core/store/dataset_writer.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/test_files.h"

using namespace tracedeck;
namespace fs = std::filesystem;

namespace {

const KernelKind& kindOf(const QString& name) { return *findKernelKind(name.toStdString()); }

/// What a tensor in a blob holds.
template <class T>
std::vector<T> stored(const fs::path& root, const Workload& workload, const std::string& input)
{
    const auto& source = std::get<SafetensorsInput>(*workload.findInput(input));
    const auto file = SafetensorsFile::open(root / source.path);
    if (!file) throw std::runtime_error(file.error().toString());
    const SafetensorsEntry* entry = (*file)->find(source.tensorKey);
    const auto bytes = (*file)->data(*entry);
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

/// What the check of all references says, in one process, since torch takes seconds to load; empty: no Python has it.
std::string checkedReferences()
{
    const PythonChoice python = choosePython("", "");
    if (python.interpreter.empty()) return {};
    if (const auto facts = inspectPython(python.interpreter); !facts || !facts->packages.contains("torch")) return {};
    ChildSpec spec;
    spec.command = {python.interpreter.string(), "-I", "-B", TRACEDECK_SOURCE_DIR "/tests/support/check_kinds.py", TRACEDECK_SOURCE_DIR "/resources/kinds"};
    for (const KernelKind& kind : kernelKinds()) spec.command.emplace_back(kind.name);
    const auto run = runCaptured(std::move(spec), {.timeoutSeconds = 120, .capBytes = 65536, .mergeErrorOutput = true});
    return run ? run->output : run.error().toString();
}

void addKinds()
{
    QTest::addColumn<QString>("kind");
    for (const KernelKind& kind : kernelKinds()) QTest::newRow(kind.name) << QString::fromUtf8(kind.name);
}

}  // namespace

class TestKernelKinds : public QObject {
    Q_OBJECT
private:
    QTemporaryDir m_folder;
    int m_count = 0;
    fs::path fresh() { return fs::path(m_folder.path().toStdString()) / std::to_string(++m_count); }

private slots:
    void thereAreNine()
    {
        std::set<std::string> names;
        for (const KernelKind& kind : kernelKinds()) names.insert(kind.name);
        QCOMPARE(names, (std::set<std::string>{"attention", "rms_norm", "layer_norm", "openai_moe", "activation", "causal_conv1d", "relu", "rotary", "deformable_detr"}));
        QCOMPARE(std::string(findKernelKind("attn")->name), std::string("attention"));
        QVERIFY(findKernelKind("gemm") == nullptr);
        QVERIFY(kernelKindNamed("gemm").error().reason.find("rms_norm") != std::string::npos);
    }

    void datasetsAreWhole_data() { addKinds(); }
    void datasetsAreWhole()
    {
        QFETCH(QString, kind);
        for (const KindSet set : {KindSet::Gpu, KindSet::Cpu}) {
            const fs::path target = fresh();
            const auto made = makeKindDataset({.kind = kind.toStdString(), .set = set, .target = target});
            QVERIFY2(made, made ? "" : made.error().toString().c_str());
            const auto loaded = Dataset::load(target);
            QVERIFY(loaded && (*loaded)->problems().empty());
            const Definition* definition = (*loaded)->findDefinition(made->definition);
            QVERIFY(definition != nullptr);
            QVERIFY(decodeDefinition(encodeDefinition(*definition), ReadMode::Strict));
            QCOMPARE(static_cast<std::size_t>(*parameterCount(definition->reference, "run")), definition->inputs.size());
            QCOMPARE((*loaded)->workloadsOf(made->definition).size(), made->workloads);
            QVERIFY(made->workloads > 1);
            std::set<std::string> uuids;
            for (const Trace& line : (*loaded)->workloadsOf(made->definition)) {
                uuids.insert(line.workload.uuid);
                const auto resolved = definition->resolveAxes(line.workload.axes);
                QVERIFY(resolved);
                const auto shapes = definition->inputShapes(*resolved);
                QVERIFY(shapes && definition->outputShapes(*resolved));
                for (std::size_t i = 0; i < definition->inputs.size(); ++i) {
                    const auto* blob = std::get_if<SafetensorsInput>(line.workload.findInput(definition->inputs[i].name));
                    if (blob == nullptr) continue;
                    const auto file = SafetensorsFile::open(target / blob->path);
                    QVERIFY(file);
                    const SafetensorsEntry* entry = (*file)->find(blob->tensorKey);
                    QVERIFY(entry != nullptr);
                    QCOMPARE(entry->shape, **(&(*shapes)[i]));
                    QCOMPARE(entry->dtype, safetensorsName(definition->inputs[i].dtype));
                }
                const auto formula = readWorkFormula(target, made->definition);
                QVERIFY(formula);
                const auto operations = AxisExpression::parse(formula->operations);
                QVERIFY(operations && *operations->evaluate(*resolved) > 0);
            }
            QCOMPARE(uuids.size(), made->workloads);
            // The same everywhere.
            const fs::path again = fresh();
            QVERIFY(makeKindDataset({.kind = kind.toStdString(), .set = set, .target = again}));
            const fs::path lines = fs::path("workloads") / definition->opType / (definition->name + ".jsonl");
            QCOMPARE(test::readBytes(target / lines), test::readBytes(again / lines));
        }
    }

    void everyDTypeHasADefinition_data() { addKinds(); }
    void everyDTypeHasADefinition()
    {
        QFETCH(QString, kind);
        for (const char* dtype : {"float32", "float16", "bfloat16"}) {
            const auto definition = kindDefinition(kindOf(kind), dtype);
            QVERIFY(definition);
            QCOMPARE(definition->name, kind.toStdString() + "_" + dtype);
            QCOMPARE(definition->outputs.front().dtypeName, std::string(dtype));
        }
        QVERIFY(!kindDefinition(kindOf(kind), "int8"));
    }

    void expertsAreExpertsAndSharesAddUp()
    {
        const fs::path target = fresh();
        QVERIFY(makeKindDataset({.kind = "openai_moe", .dtype = "float32", .set = KindSet::Cpu, .target = target}));
        const auto dataset = *Dataset::load(target);
        for (const Trace& line : dataset->workloadsOf("openai_moe_float32")) {
            std::set<std::int64_t> experts;
            for (const std::int64_t expert : stored<std::int64_t>(target, line.workload, "router_indices")) experts.insert(expert);
            QCOMPARE(static_cast<std::int64_t>(experts.size()), line.workload.axes.at("num_experts"));
            QVERIFY(*experts.begin() == 0 && *experts.rbegin() == line.workload.axes.at("num_experts") - 1);
            const auto weights = stored<float>(target, line.workload, "routing_weights");
            const auto count = static_cast<std::size_t>(line.workload.axes.at("num_experts"));
            for (std::size_t row = 0; row < weights.size(); row += count) {
                float sum = 0;
                for (std::size_t i = 0; i < count; ++i) sum += weights[row + i];
                QCOMPARE(sum, 1.0F);
            }
        }
    }

    void pyramidsFit_data()
    {
        QTest::addColumn<QString>("dtype");
        for (const char* dtype : {"float32", "bfloat16", "float16"}) QTest::newRow(dtype) << dtype;
    }
    void pyramidsFit()
    {
        QFETCH(QString, dtype);
        const fs::path target = fresh();
        QVERIFY(makeKindDataset({.kind = "deformable_detr", .dtype = dtype.toStdString(), .set = KindSet::Cpu, .target = target}));
        const auto dataset = *Dataset::load(target);
        const Workload& workload = dataset->workloadsOf("deformable_detr_" + dtype.toStdString()).front().workload;
        QCOMPARE(stored<std::int64_t>(target, workload, "spatial_shapes"), (std::vector<std::int64_t>{32, 32, 16, 16, 8, 8, 4, 4}));
        QCOMPARE(stored<std::int64_t>(target, workload, "level_start_index"), (std::vector<std::int64_t>{0, 1024, 1280, 1344}));
        QCOMPARE(workload.axes.at("num_values"), std::int64_t{1360});
        const auto valueOf = [&](std::uint16_t bits) {
            if (dtype == "bfloat16") return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
            const auto wide = static_cast<std::uint32_t>(bits);
            return bits == 0 ? 0.0F : std::bit_cast<float>((wide << 13U) + (112U << 23U));
        };
        std::vector<float> places;
        if (dtype == "float32") places = stored<float>(target, workload, "sampling_locations");
        else for (const std::uint16_t bits : stored<std::uint16_t>(target, workload, "sampling_locations")) places.push_back(valueOf(bits));
        float greatest = 0;
        for (const float place : places) {
            QVERIFY(place >= 0 && place < 1);
            greatest = std::max(greatest, place);
        }
        QVERIFY(greatest > 0.9F);
    }

    void wrongAxesAreRefused_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("axis");
        QTest::addColumn<int>("value");
        QTest::newRow("missing") << "rms_norm" << "batch" << 0;
        QTest::newRow("negative") << "rms_norm" << "batch" << -1;
        QTest::newRow("unknown") << "rms_norm" << "heads" << 1;
        QTest::newRow("does not follow") << "activation" << "double_dim" << 7;
        QTest::newRow("more than half a head") << "rotary" << "rotary_dim" << 99;
        QTest::newRow("no multiple") << "deformable_detr" << "embed_dim" << 250;
        QTest::newRow("too many levels") << "deformable_detr" << "num_levels" << 9;
        QTest::newRow("odd width") << "openai_moe" << "expert_dim" << 7;
        QTest::newRow("values of another pyramid") << "deformable_detr" << "num_values" << 5;
    }
    void wrongAxesAreRefused()
    {
        QFETCH(QString, kind);
        QFETCH(QString, axis);
        QFETCH(int, value);
        AxisValues axes = kindGrid(kindOf(kind), KindSet::Cpu).front();
        if (value == 0) axes.erase(axis.toStdString());
        else axes[axis.toStdString()] = value;
        const fs::path target = fresh();
        const auto made = makeKindDataset({.kind = kind.toStdString(), .workloads = {axes}, .target = target});
        QVERIFY(!made);
        QCOMPARE(made.error().code, ErrorCode::Usage);
        QCOMPARE(made.error().field, axis.toStdString());
        QVERIFY(!fs::exists(target));
    }

    void implementationsBecomeSolutions()
    {
        const fs::path target = fresh();
        QVERIFY(makeKindDataset({.kind = "rms_norm", .set = KindSet::Cpu, .target = target}));
        const auto dataset = *Dataset::load(target);
        const fs::path python = fresh() / "a.py";
        test::writeBytes(python, "import torch\n\ndef mine(x, weight):\n    return x\n");
        auto made = makeImplementation(*dataset, {.name = "mine", .file = python, .function = "mine"});
        QVERIFY2(made, made ? "" : made.error().toString().c_str());
        QCOMPARE(made->spec.entryPoint, std::string("main.py::mine"));
        QVERIFY(!made->spec.destinationPassingStyle && made->spec.language == Language::Python);
        QVERIFY(addSolution(*dataset, *made));
        const fs::path cuda = fresh() / "a.cu";
        test::writeBytes(cuda, "void run() {}\n");
        made = makeImplementation(*dataset, {.name = "fast", .file = cuda});
        QVERIFY(made && made->spec.language == Language::Cuda && made->spec.destinationPassingStyle);
        QVERIFY(addSolution(*dataset, *made));
        made = makeImplementation(*dataset, {.name = "hub", .hubRevision = "v1.2"});
        QVERIFY(made);
        const std::string& source = made->sources.front().content;
        QVERIFY(source.find("get_kernel(\"kernels-community/layer-norm\", revision=\"v1.2\")") != std::string::npos);
        QVERIFY(source.find("def run(x, weight):") != std::string::npos);
        QVERIFY(addSolution(*dataset, *made));
        const auto loaded = *Dataset::load(target);
        QVERIFY(loaded->problems().empty());
        QCOMPARE(loaded->solutions().size(), 3U);
    }

    void wrongImplementationsAreRefused_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<ImplementationRequest>("request");
        const fs::path python = fresh() / "a.py";
        test::writeBytes(python, "def mine(x, weight):\n    return x\n");
        const fs::path binary = fresh() / "b.py";
        test::writeBytes(binary, "\xff\xfe");
        QTest::newRow("no such function") << "function" << ImplementationRequest{.name = "a", .file = python};
        QTest::newRow("function that is code") << "function" << ImplementationRequest{.name = "a", .file = python, .function = "mine(x); import os"};
        QTest::newRow("name that is a path") << "name" << ImplementationRequest{.name = "../a", .file = python, .function = "mine"};
        QTest::newRow("author that is hidden") << "author" << ImplementationRequest{.name = "a", .author = "b\x1b", .file = python, .function = "mine"};
        QTest::newRow("no such definition") << "definition" << ImplementationRequest{.definition = "gemm", .name = "a", .file = python};
        QTest::newRow("no text") << "" << ImplementationRequest{.name = "a", .file = binary};
        QTest::newRow("no such file") << "" << ImplementationRequest{.name = "a", .file = "/nowhere/a.py"};
        QTest::newRow("kernel that is code") << "hub" << ImplementationRequest{.name = "a", .hubRepository = "a/b\"); import os; (\""};
        QTest::newRow("kernel without owner") << "hub" << ImplementationRequest{.name = "a", .hubRepository = "layer-norm"};
        QTest::newRow("revision that is code") << "revision" << ImplementationRequest{.name = "a", .hubRevision = "\")"};
        QTest::newRow("unknown call") << "call" << ImplementationRequest{.name = "a", .hubRepository = "someone/else"};
    }
    void wrongImplementationsAreRefused()
    {
        QFETCH(QString, field);
        QFETCH(ImplementationRequest, request);
        const fs::path target = fresh();
        QVERIFY(makeKindDataset({.kind = "rms_norm", .set = KindSet::Cpu, .target = target}));
        const auto made = makeImplementation(**Dataset::load(target), request);
        QVERIFY(!made);
        QCOMPARE(QString::fromStdString(made.error().field), field);
    }

    void referencesComputeTheFormula_data() { addKinds(); }
    void referencesComputeTheFormula()
    {
        QFETCH(QString, kind);
        static const std::string output = checkedReferences();
        if (output.empty()) QSKIP("no Python with torch");
        QVERIFY2(output.find(kind.toStdString() + ": ok\n") != std::string::npos, output.c_str());
    }
};

QTEST_GUILESS_MAIN(TestKernelKinds)
#include "test_kernel_kinds.moc"
