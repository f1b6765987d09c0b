// SPDX-License-Identifier: GPL-3.0-or-later
// `tracedeck run` on problem folders of SOL-ExecBench: what is measured, what is written where, and that it is read again.
#include <QtTest>

#include <fstream>
#include <map>

#include "core/io/json_codec.h"
#include "tests/support/dataset_builder.h"
#include "tests/support/program.h"

using namespace tracedeck;
namespace fs = std::filesystem;

namespace {

const char* const kNormReference = R"(import torch
def run(x, norm_weight, eps):
    assert bool((norm_weight == 1).all())
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * norm_weight, x.sum()
)";
const char* const kGatherReference = R"(import torch
def make(values, device):
    return {"index": torch.randperm(values["n"], device=device), "x": torch.randn(values["n"], values["m"], device=device)}
def run(x, index):
    return x[index]
)";

Json solution(const std::string& name, const std::string& definition, const std::string& source, bool destinationPassing, const char* language = "pytorch")
{
    return {{"name", name}, {"definition", definition}, {"author", "ann"},
            {"spec", {{"languages", {language}}, {"target_hardware", {"LOCAL"}}, {"entry_point", "main.py::run"}, {"dependencies", Json::array()},
                      {"destination_passing_style", destinationPassing}}},
            {"sources", Json::array({{{"path", "main.py"}, {"content", source}}})}};
}

Json tensor(const Json& shape, const char* dtype = "float32")
{
    return {{"shape", shape}, {"dtype", dtype}};
}

std::vector<Trace> tracesIn(const fs::path& file)
{
    std::ifstream in(file);
    std::vector<Trace> traces;
    for (std::string line; std::getline(in, line);) {
        auto trace = decodeTrace(line, ReadMode::Strict, {Dialect::SolExecBench, {}});
        if (!trace) throw std::runtime_error(trace.error().toString() + ": " + line);
        traces.push_back(std::move(trace->value));
    }
    return traces;
}

QStringList command(const fs::path& root)
{
    return {"run", "--local", QString::fromStdString(root.string()), "--device", "cpu", "--warmup-runs", "1", "--iterations", "3", "--timeout", "60"};
}

}  // namespace

class TestRunProblems : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        const std::string missing = test::whyNoPython(false);
        if (!missing.empty()) QSKIP(missing.c_str());
        m_builder = std::make_unique<test::DatasetBuilder>();
        Json norm = {{"name", "001_norm"},
                     {"axes", {{"rows", {{"type", "var"}}}, {"heads", {{"type", "const"}, {"value", 2}}}, {"hidden", {{"type", "expr"}, {"expression", "heads * 8"}}}}},
                     {"inputs", {{"x", tensor({"rows", "hidden"})}, {"norm_weight", tensor(Json::array({"hidden"}))}, {"eps", tensor(nullptr)}}},
                     {"outputs", {{"y", tensor({"rows", "16"})}, {"total", tensor(Json::array())}}},
                     {"reference", kNormReference}};
        m_builder->file("L1/001_norm/definition.json", norm.dump());
        const Json inputs = {{"x", {{"type", "random"}}}, {"norm_weight", {{"type", "random"}}}, {"eps", {{"type", "scalar"}, {"value", 1e-6}}}};
        m_builder->line("L1/001_norm/workload.jsonl", Json{{"uuid", "w1"}, {"axes", {{"rows", 3}}}, {"inputs", inputs}}.dump());
        m_builder->line("L1/001_norm/workload.jsonl",
                        Json{{"uuid", "w2"}, {"axes", {{"rows", 5}}}, {"inputs", inputs}, {"tolerance", {{"max_atol", 1e-4}, {"max_rtol", 1e-4}, {"required_match_ratio", 0.5}}}}.dump());
        m_builder->file("L1/001_norm/solution.json",
                        solution("norm", "001_norm", "import torch\ndef run(x, w, eps):\n    return {'total': x.sum(), 'y': x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt() * w}\n", false).dump());
        const Json gather = {{"name", "002_gather"}, {"custom_inputs_entrypoint", "make"},
                             {"axes", {{"n", {{"type", "var"}}}, {"m", {{"type", "const"}, {"value", 4}}}}},
                             {"inputs", {{"x", tensor({"n", "m"})}, {"index", tensor(Json::array({"n"}), "int64")}}}, {"outputs", {{"y", tensor({"n", "m"})}}}, {"reference", kGatherReference}};
        m_builder->file("L2/deep/002_gather/definition.json", gather.dump());
        m_builder->line("L2/deep/002_gather/workload.jsonl", R"({"uuid":"g1","axes":{"n":30},"inputs":{"x":{"type":"custom"},"index":{"type":"custom"}},"tolerance":{"max_atol":1e-5,"max_rtol":1e-5}})");
        m_builder->file("L2/deep/002_gather/solution.json",
                        solution("gather", "002_gather", "import torch\ndef run(x, index, y):\n    torch.index_select(x, 0, index, out=y)\n", true).dump());
    }

    void resultsGoToTheSiblingTree()
    {
        const fs::path root = m_builder->root();
        const auto run = test::runTracedeck(command(root));
        QVERIFY2(run.exit.exitCode == 0, run.errorOutput.c_str());
        const auto norm = tracesIn(root / "traces/L1/001_norm.jsonl");
        QCOMPARE(norm.size(), std::size_t{2});
        for (const Trace& trace : norm) {
            QVERIFY2(trace.isPassed(), trace.evaluation->log.c_str());
            QCOMPARE(trace.definition, std::string("001_norm"));
            QCOMPARE(*trace.evaluation->correctness->hasNan, false);
            QCOMPARE(trace.evaluation->environment.libs.at("dialect"), std::string("sol"));
            const Json& judge = trace.evaluation->unknownKeys.at("judge");
            QCOMPARE(judge.at("evaluator").get<std::string>(), std::string("sol-10-rounds"));
            QCOMPARE(judge.at("rules").at("tolerance").at("required_matched_ratio").get<double>(), 0.99);   // the misspelt key does not count
        }
        QVERIFY(norm[1].workload.tolerance.has_value());
        const auto gather = tracesIn(root / "traces/L2-deep/002_gather.jsonl");
        QCOMPARE(gather.size(), std::size_t{1});
        QVERIFY2(gather[0].isPassed(), gather[0].evaluation->log.c_str());

        // They are part of the dataset from now on.
        const auto again = test::runTracedeck(command(root) << "--resume");
        QVERIFY2(again.errorOutput.find("Skipped 3 evaluations done before") != std::string::npos, again.errorOutput.c_str());
        const auto loaded = m_builder->load();
        QCOMPARE(loaded->traces().size(), std::size_t{3});
    }

    void aProblemFolderAloneIsARoot()
    {
        const fs::path root = m_builder->root() / "L1/001_norm";
        const auto run = test::runTracedeck(command(root));
        QVERIFY2(run.exit.exitCode == 0, run.errorOutput.c_str());
        QCOMPARE(tracesIn(root / "traces/ungrouped/001_norm.jsonl").size(), std::size_t{2});
    }

    void wrongSolutionsAndBrokenReferencesAreStored()
    {
        m_builder->file("L1/001_norm/solution.json", solution("norm", "001_norm", "def run(x, w, eps):\n    return x * float('nan'), x.sum()\n", false).dump());
        const Json bad = {{"name", "003_bad"}, {"axes", {{"n", {{"type", "var"}}}}}, {"inputs", {{"x", tensor(Json::array({"n"}))}}}, {"outputs", {{"y", tensor(Json::array({"n"}))}}},
                          {"reference", "def run(x):\n    raise ValueError('not today')\n"}};
        m_builder->file("L1/003_bad/definition.json", bad.dump());
        m_builder->line("L1/003_bad/workload.jsonl", R"({"uuid":"b1","axes":{"n":3},"inputs":{"x":{"type":"random"}}})");
        m_builder->file("L1/003_bad/solution.json", solution("blameless", "003_bad", "def run(x):\n    return x\n", false).dump());
        const fs::path root = m_builder->root();
        const auto run = test::runTracedeck(command(root) << "--definitions" << "001_norm" << "--definitions" << "003_bad");
        QCOMPARE(run.exit.exitCode, 0);
        const auto norm = tracesIn(root / "traces/L1/001_norm.jsonl");
        QCOMPARE(norm.size(), std::size_t{2});
        QVERIFY(norm[0].evaluation->status == Status::IncorrectNumerical);
        QCOMPARE(*norm[0].evaluation->correctness->hasNan, true);
        const auto broken = tracesIn(root / "traces/L1/003_bad.jsonl");
        QCOMPARE(broken.size(), std::size_t{1});
        QVERIFY(broken[0].evaluation->status == Status::InvalidReference);
        QVERIFY(broken[0].evaluation->log.find("not today") != std::string::npos);
        QVERIFY(!broken[0].evaluation->correctness && !broken[0].evaluation->performance);
        QVERIFY2(run.output.find("INVALID_REFERENCE") != std::string::npos, run.output.c_str());
    }

    void optionsReachTheEvaluators()
    {
        m_builder->file("L2/deep/002_gather/solution.json",
                        solution("gather", "002_gather", "def run(x, index, y):\n    y += x[index]\n", true).dump());
        const fs::path root = m_builder->root();
        const QStringList only = command(root) << "--definitions" << "002_gather";
        QCOMPARE(test::runTracedeck(only).exit.exitCode, 0);
        const auto zeroed = test::runTracedeck(QStringList(only) << "--extra" << "zero_outputs=true" << "--extra" << "sol_rounds=2");
        QVERIFY2(zeroed.exit.exitCode == 0, zeroed.errorOutput.c_str());
        const auto traces = tracesIn(root / "traces/L2-deep/002_gather.jsonl");
        QCOMPARE(traces.size(), std::size_t{2});
        QVERIFY(traces[0].evaluation->status == Status::IncorrectNumerical);   // it adds to what it finds
        QVERIFY2(traces[1].isPassed(), traces[1].evaluation->log.c_str());
        QVERIFY(traces[1].evaluation->unknownKeys.at("judge").at("rules").at("zero_outputs").get<bool>());
        const auto wrong = test::runTracedeck(QStringList(only) << "--extra" << "zero_outputs");
        QCOMPARE(wrong.exit.exitCode, 2);
        QVERIFY2(wrong.errorOutput.find("write KEY=VALUE") != std::string::npos, wrong.errorOutput.c_str());
    }

    void strictNumericsAreRecorded()
    {
        test::DatasetBuilder builder;
        builder.definition({.name = "add_one", .opType = "elementwise"}).solution({.name = "s", .definition = "add_one"}).workload({.definition = "add_one", .uuid = "w"});
        const auto run = test::runTracedeck(command(builder.root()) << "--strict-numerics" << "--num-trials" << "1");
        QVERIFY2(run.exit.exitCode == 0, run.errorOutput.c_str());
        std::ifstream in(builder.root() / "traces/ann/elementwise/add_one.jsonl");
        std::string line;
        QVERIFY(std::getline(in, line));
        const Json judge = Json::parse(line).at("evaluation").at("judge");
        QVERIFY(judge.at("rules").at("strict_numerics").get<bool>());
        QCOMPARE(judge.at("evaluator").get<std::string>(), std::string("default"));
    }

private:
    std::unique_ptr<test::DatasetBuilder> m_builder;
};

QTEST_GUILESS_MAIN(TestRunProblems)
#include "test_run_problems.moc"
