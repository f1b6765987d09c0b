// SPDX-License-Identifier: GPL-3.0-or-later
// Each evaluator from outside the judge: honest Python solutions pass, wrong ones end as the format or the dialect says.
#include <QtTest>

#include <cmath>
#include <fstream>

#include "core/io/safetensors.h"
#include "tests/support/judge_client.h"

using namespace tracedeck;
using namespace tracedeck::test;

namespace {

constexpr double kSeconds = 120;

Json tensor(const Json& shape, const std::string& dtype)
{
    return {{"shape", shape}, {"dtype", dtype}};
}

Json constantAxis(int value)
{
    return {{"type", "const"}, {"value", value}};
}

/// A definition with any shapes.
Json definitionOf(const std::string& name, const std::string& opType, const Json& axes, const Json& inputs, const Json& outputs, const std::string& reference)
{
    return {{"name", name}, {"op_type", opType}, {"axes", axes}, {"inputs", inputs}, {"outputs", outputs}, {"reference", reference}};
}

Json randomInput()
{
    return {{"type", "random"}};
}

std::string text(const Json& json)
{
    return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

const std::string kTopKReference = R"(import torch
def run(probs, top_k):
    out = torch.empty(probs.shape[0], dtype=torch.int64)
    for i in range(probs.shape[0]):
        values, tokens = torch.topk(probs[i], int(top_k[i]))
        out[i] = tokens[torch.multinomial(values, 1)[0]]
    return out
)";
/// The same for many rows at a time.
const std::string kTopKSampler = R"(import torch
def run(probs, top_k):
    least = torch.sort(probs, dim=1, descending=True).values.gather(1, (top_k.long() - 1)[:, None])
    kept = torch.where(probs >= least, probs, 0)
    return torch.multinomial(kept, 1)[:, 0]
)";

}  // namespace

class TestJudgeEvaluators : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void strictNumericsRefuseWhatTheFormatLetsPass_data();
    void strictNumericsRefuseWhatTheFormatLetsPass();
    void remarksOnWhatPasses_data();
    void remarksOnWhatPasses();
    void lowBitTellsWhatMatched_data();
    void lowBitTellsWhatMatched();
    void ambiguousDefinitionsAreRefused();
    void samplers_data();
    void samplers();
    void samplersOfManyRowsAreRefusedInWords();
    void samplingOptionsComeFromTheConfig();
    void sparseAttention_data();
    void sparseAttention();
    void topKIndexer_data();
    void topKIndexer();
    void solFormula_data();
    void solFormula();
    void solInputFunctions_data();
    void solInputFunctions();
    void solInputsByName();
    void solFilesAreSearchedFor();
    void zeroedOutputsAreAnOption();
    void aSeriesThatDriftsIsMeasuredAgain();
    void trialsAreAddedUntilTheMedianIsKnown_data();
    void trialsAreAddedUntilTheMedianIsKnown();

private:
    /// Opens the workload and evaluates the solution; null when either has no answer.
    Json evaluate(const Json& definition, const Json& workload, const Json& config, const std::string& source, bool destinationPassing = false)
    {
        const Json opened = m_judge->ask(open(definition, workload, config));
        if (opened.value("op", "") != "opened") {
            qWarning("%s", text(opened).c_str());
            return nullptr;
        }
        const Json answer = m_judge->ask(evaluateMessage(makeSolution(definition.at("name"), source, destinationPassing), kSeconds));
        return answer.value("op", "") == "evaluated" ? answer.at("evaluation") : Json(nullptr);
    }
    Json open(const Json& definition, const Json& workload, const Json& config) const
    {
        Json message = openMessage(definition, workload, config, m_folder.path().toStdString());
        message["sol"] = m_isSol;
        message["problem_folder"] = m_folder.path().toStdString() + "/L1/problem";
        return message;
    }

    TestPython m_python;
    std::unique_ptr<JudgeClient> m_judge;
    QTemporaryDir m_folder;
    bool m_isSol = false;
};

void TestJudgeEvaluators::initTestCase()
{
    m_python = TestPython::find();
    if (!m_python.missing.empty()) QSKIP(m_python.missing.c_str());
    Json first;
    JudgeClient::Options options;
    options.python = m_python.interpreter;
    m_judge = JudgeClient::start(options, first);
    QVERIFY(m_judge != nullptr);
    QVERIFY2(first.value("op", "") == "hello", first.dump().c_str());
}

void TestJudgeEvaluators::strictNumericsRefuseWhatTheFormatLetsPass_data()
{
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<QString>("reference");
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("strict");
    const char* kInfinite = "import torch\ndef run(x):\n    y = x * 2\n    y[0] = float('inf')\n    return y\n";
    const char* kNan = "import torch\ndef run(x):\n    y = x * 2\n    y[0] = float('nan')\n    return y\n";
    QTest::newRow("honest") << "float32" << "def run(x):\n    return x * 2\n" << "def run(x):\n    return x + x\n" << "PASSED" << "PASSED";
    QTest::newRow("the same infinity") << "float32" << kInfinite << kInfinite << "INCORRECT_NUMERICAL" << "PASSED";
    QTest::newRow("a number for infinity") << "float32" << kInfinite << "def run(x):\n    return x * 2\n" << "PASSED" << "INCORRECT_NUMERICAL";
    QTest::newRow("a number for NaN") << "float32" << kNan << "def run(x):\n    return x * 2\n" << "PASSED" << "INCORRECT_NUMERICAL";
    QTest::newRow("NaN for NaN") << "float32" << kNan << kNan << "INCORRECT_NUMERICAL" << "PASSED";
    QTest::newRow("an integer next to the right one") << "int32" << "def run(x):\n    return x + 100000\n" << "def run(x):\n    return x + 100001\n" << "PASSED" << "INCORRECT_NUMERICAL";
    QTest::newRow("between the two tolerances") << "float32" << "def run(x):\n    return x * 0 + 10\n" << "def run(x):\n    return x * 0 + 10.15\n" << "INCORRECT_NUMERICAL" << "PASSED";
}

void TestJudgeEvaluators::strictNumericsRefuseWhatTheFormatLetsPass()
{
    QFETCH(QString, dtype);
    QFETCH(QString, reference);
    QFETCH(QString, source);
    const Json definition = makeDefinition("d", {{"x", dtype.toStdString()}}, {{"y", dtype.toStdString()}}, reference.toStdString());
    Json config = makeConfig(1, 3, 2);
    config["rtol"] = config["atol"] = QTest::currentDataTag() == QByteArray("between the two tolerances") ? 0.0145 : 0.01;
    for (const bool isStrict : {false, true}) {
        config["strict_numerics"] = isStrict;
        const Json evaluation = evaluate(definition, makeWorkload(100, {{"x", randomInput()}}), config, source.toStdString());
        QVERIFY(!evaluation.is_null());
        QFETCH(QString, format);
        QFETCH(QString, strict);
        QVERIFY2(QString::fromStdString(evaluation.at("status").get<std::string>()) == (isStrict ? strict : format), text(evaluation).c_str());
        QCOMPARE(evaluation.at("judge").value("rules", Json::object()).contains("strict_numerics"), isStrict);
        QCOMPARE(evaluation.at("judge").at("evaluator").get<std::string>(), std::string("default"));
    }
}

void TestJudgeEvaluators::remarksOnWhatPasses_data()
{
    QTest::addColumn<QString>("dtype");
    QTest::addColumn<QString>("reference");
    QTest::addColumn<QString>("source");
    QTest::addColumn<double>("ratio");
    QTest::addColumn<QString>("note");   // empty: none of the three
    QTest::newRow("honest") << "float32" << "def run(x):\n    return x * 2\n" << "def run(x):\n    return x + x\n" << 1.0 << "";
    QTest::newRow("rounded otherwise") << "float32" << "def run(x):\n    return x * 2\n" << "def run(x):\n    return (x + x) * 1.001\n" << 1.0 << "";
    QTest::newRow("zeros that are near enough") << "float32" << "def run(x):\n    return x * 1e-4\n" << "import torch\ndef run(x):\n    return torch.zeros_like(x)\n" << 1.0 << "output.constant";
    QTest::newRow("zeros where zeros are right") << "float32" << "def run(x):\n    return x * 0\n" << "import torch\ndef run(x):\n    return torch.zeros_like(x) - 1e-5\n" << 1.0 << "";
    QTest::newRow("integers off by one") << "int64" << "def run(x):\n    return x + 100000\n" << "def run(x):\n    return x + 100001\n" << 1.0 << "numerics.integers";
    QTest::newRow("a far outlier") << "float32" << "def run(x):\n    return x * 2\n" << "def run(x):\n    y = x * 2\n    y[3] += 1000\n    return y\n" << 0.95 << "numerics.outliers";
    QTest::newRow("a near outlier") << "float32" << "def run(x):\n    return x * 0 + 10\n" << "def run(x):\n    y = x * 0 + 10\n    y[3] += 0.15\n    return y\n" << 0.95 << "";
}

void TestJudgeEvaluators::remarksOnWhatPasses()
{
    QFETCH(QString, dtype);
    QFETCH(QString, reference);
    QFETCH(QString, source);
    QFETCH(double, ratio);
    QFETCH(QString, note);
    Json config = makeConfig(1, 3, 2);
    if (ratio < 1) config["required_matched_ratio"] = ratio;
    const Json evaluation = evaluate(makeDefinition("d", {{"x", dtype.toStdString()}}, {{"y", dtype.toStdString()}}, reference.toStdString()),
                                     makeWorkload(100, {{"x", randomInput()}}), config, source.toStdString());
    QVERIFY(!evaluation.is_null());
    QVERIFY2(evaluation.at("status") == "PASSED", text(evaluation).c_str());
    for (const char* id : {"output.constant", "numerics.integers", "numerics.outliers"}) QVERIFY2(hasVerdict(evaluation, id) == (note == QLatin1String(id)), text(evaluation).c_str());
}

void TestJudgeEvaluators::lowBitTellsWhatMatched_data()
{
    QTest::addColumn<int>("off");
    QTest::addColumn<QString>("status");
    QTest::newRow("all match") << 0 << "PASSED";
    QTest::newRow("5 of 100 are off") << 5 << "PASSED";
    QTest::newRow("6 of 100 are off") << 6 << "INCORRECT_NUMERICAL";
}

void TestJudgeEvaluators::lowBitTellsWhatMatched()
{
    QFETCH(int, off);
    QFETCH(QString, status);
    const std::string source = "def run(x):\n    y = x * 2\n    y[:" + std::to_string(off) + "] += 1000\n    return y\n";
    const Json evaluation = evaluate(makeDefinition("my_moe_fp8_block_scale", {{"x", "float32"}}, {{"y", "float32"}}, "def run(x):\n    return x * 2\n", "moe"),
                                     makeWorkload(100, {{"x", randomInput()}}), makeConfig(1, 3, 2), source);
    QVERIFY(!evaluation.is_null());
    QVERIFY2(QString::fromStdString(evaluation.at("status").get<std::string>()) == status, text(evaluation).c_str());
    QCOMPARE(evaluation.at("judge").at("evaluator").get<std::string>(), std::string("lowbit"));
    QVERIFY(std::fabs(evaluation.at("correctness").at("extra").at("matched_ratio").get<double>() - (1 - off / 100.0)) < 1e-9);
    // Not a number is no matter of a share.
    const Json bad = evaluate(makeDefinition("my_moe_fp8_block_scale", {{"x", "float32"}}, {{"y", "float32"}}, "def run(x):\n    return x * 2\n", "moe"),
                              makeWorkload(100, {{"x", randomInput()}}), makeConfig(1, 3, 2), "def run(x):\n    y = x * 2\n    y[0] = float('nan')\n    return y\n");
    QCOMPARE(bad.at("status").get<std::string>(), std::string("INCORRECT_NUMERICAL"));
    QVERIFY(bad.at("correctness").at("extra").is_null());
}

void TestJudgeEvaluators::ambiguousDefinitionsAreRefused()
{
    const Json opened = m_judge->ask(open(makeDefinition("moe_fp8_block_scale", {{"probs", "float32"}}, {{"y", "int64"}}, "def run(probs):\n    return probs\n", "sampling"),
                                          makeWorkload(4, {{"probs", randomInput()}}), makeConfig(1, 3, 1)));
    QCOMPARE(opened.at("op").get<std::string>(), std::string("open_failed"));
    QVERIFY2(opened.at("message").get<std::string>().find("sampling and lowbit") != std::string::npos, opened.dump().c_str());
}

void TestJudgeEvaluators::samplers_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<bool>("destinationPassing");
    QTest::addColumn<QString>("status");
    QTest::addColumn<QString>("logged");   // for one that passes: the warning
    const QString honest = QString::fromStdString(kTopKSampler);
    const auto changed = [&honest](const char* from, const char* to) { return QString(honest).replace(QLatin1String(from), QLatin1String(to)); };
    QTest::newRow("honest") << honest << false << "PASSED" << "";
    QTest::newRow("honest, destination passing") << changed("def run(probs, top_k):", "def run(probs, top_k, samples):").replace("return torch.multinomial(kept, 1)[:, 0]", "samples.copy_(torch.multinomial(kept, 1)[:, 0])")
                                                 << true << "PASSED" << "";
    QTest::newRow("honest, int32, one column") << changed("[:, 0]\n", ".int()\n") << false << "PASSED" << "";
    QTest::newRow("always the likeliest") << changed("torch.multinomial(kept, 1)[:, 0]", "kept.argmax(1)") << false << "INCORRECT_NUMERICAL" << "total variation distance";
    QTest::newRow("the likelier half only") << changed("(top_k.long() - 1)", "((top_k.long() + 1) // 2 - 1)") << false << "INCORRECT_NUMERICAL" << "total variation distance";
    QTest::newRow("without the limit") << changed("torch.multinomial(kept, 1)", "torch.multinomial(probs, 1)") << false << "INCORRECT_NUMERICAL" << "leave out";
    QTest::newRow("no token") << changed("[:, 0]\n", "[:, 0] + 1000\n") << false << "INCORRECT_NUMERICAL" << "which is no token";
    QTest::newRow("nothing written") << "def run(probs, top_k, samples):\n    pass\n" << true << "INCORRECT_NUMERICAL" << "which is no token";
    QTest::newRow("two samples a row") << changed("torch.multinomial(kept, 1)[:, 0]", "torch.multinomial(kept, 2)") << false << "INCORRECT_SHAPE" << "";
    QTest::newRow("fails on many rows") << QString(honest).replace("    least", "    assert probs.shape[0] < 100, 'too many for me'\n    least") << false << "RUNTIME_ERROR" << "too many for me";
    // Honest until its calls are the timed ones (counted from the outside, as a cheat would).
    QTest::newRow("right until it is timed") << QString(honest).replace("import torch\n", "import torch\nseen = 0\n")
                                                    .replace("    least", "    global seen\n    seen += probs.shape[0] < 100\n    if seen > 20:\n        return torch.full((probs.shape[0],), 49)\n    least")
                                             << false << "INCORRECT_NUMERICAL" << "although the checked calls were right";
    const auto onceTimed = [&honest](const char* instead) {
        return QString(honest).replace("import torch\n", "import torch\nseen = 0\nonce = {}\n")
            .replace("    least", "    global seen\n    seen += probs.shape[0] < 100\n    if seen > 20:\n        " + QLatin1String(instead) + "\n    least");
    };
    QTest::newRow("the likeliest once it is timed") << onceTimed("return probs.argmax(1)") << false << "PASSED" << "sampling.skewed";
    QTest::newRow("the same samples once it is timed") << onceTimed("return once[0]").replace("    return torch.multinomial", "    once[0] = torch.multinomial").append("    return once[0]\n")
                                                       << false << "PASSED" << "sampling.repeats";
}

void TestJudgeEvaluators::samplers()
{
    QFETCH(QString, source);
    QFETCH(bool, destinationPassing);
    QFETCH(QString, status);
    QFETCH(QString, logged);
    // Probabilities fall with the token's number, so that token 49 is never among the first.
    const std::filesystem::path root = m_folder.path().toStdString();
    std::vector<float> probabilities;
    for (int row = 0; row < 3; ++row) {
        for (int token = 0; token < 50; ++token) probabilities.push_back(static_cast<float>(50 - token) / 1275.0F);
    }
    const std::vector<std::int32_t> limits{3, 8, 20};
    if (!std::filesystem::exists(root / "sampling.safetensors")) {
        QVERIFY(writeSafetensors(root / "sampling.safetensors", {{"probs", DType::Float32, {3, 50}, std::as_bytes(std::span(probabilities))},
                                                                 {"top_k", DType::Int32, {3}, std::as_bytes(std::span(limits))}}).has_value());
    }
    const auto fromFile = [](const char* key) { return Json{{"type", "safetensors"}, {"path", "sampling.safetensors"}, {"tensor_key", key}}; };
    const Json definition = definitionOf("top_k_sampling_v50", "sampling", {{"B", {{"type", "var"}}}, {"V", constantAxis(50)}},
                                         {{"probs", tensor({"B", "V"}, "float32")}, {"top_k", tensor(Json::array({"B"}), "int32")}}, {{"samples", tensor(Json::array({"B"}), "int64")}},
                                         kTopKReference);
    Json config = makeConfig(1, 40, 3);
    config["extra"] = {{"sampling_validation_trials", 20}, {"sampling_distribution_samples", 20000}, {"sampling_rows", 3000}};
    const Json evaluation = evaluate(definition, {{"uuid", "w"}, {"axes", {{"B", 3}}}, {"inputs", {{"probs", fromFile("probs")}, {"top_k", fromFile("top_k")}}}}, config,
                                     source.toStdString(), destinationPassing);
    QVERIFY(!evaluation.is_null());
    QVERIFY2(QString::fromStdString(evaluation.at("status").get<std::string>()) == status, text(evaluation).c_str());
    const bool passes = status == QLatin1String("PASSED");
    if (!passes) QVERIFY2(QString::fromStdString(evaluation.at("log").get<std::string>()).contains(logged), text(evaluation).c_str());
    if (passes && logged.isEmpty()) QVERIFY2(!hasVerdict(evaluation, "sampling.skewed") && !hasVerdict(evaluation, "sampling.repeats"), text(evaluation).c_str());
    if (passes && !logged.isEmpty()) QVERIFY2(hasVerdict(evaluation, logged.toStdString()), text(evaluation).c_str());
    QCOMPARE(evaluation.at("judge").at("evaluator").get<std::string>(), std::string("sampling"));
    QCOMPARE(evaluation.at("judge").at("rules").at("sampling_rows").get<double>(), 3000.0);
    if (status == QLatin1String("PASSED")) {
        const Json& extra = evaluation.at("correctness").at("extra");
        QCOMPARE(extra.at("tvds_per_batch").size(), std::size_t{3});
        QVERIFY(extra.at("tvd").get<double>() < 0.05);
        QCOMPARE(evaluation.at("judge").at("calls").at("verified").get<int>(), 40 + 6);   // all of them, as they are small
        QVERIFY(evaluation.at("performance").at("latency_ms").get<double>() > 0);
    } else if (logged == QLatin1String("total variation distance")) {
        QVERIFY(evaluation.at("correctness").at("extra").at("tvd").get<double>() > 0.2);
    } else if (status == QLatin1String("INCORRECT_NUMERICAL")) {
        QCOMPARE(evaluation.at("correctness").at("max_absolute_error").get<std::string>(), std::string("Infinity"));
    }
}

void TestJudgeEvaluators::samplersOfManyRowsAreRefusedInWords()
{
    const Json definition = definitionOf("sampling_v2", "sampling", {{"B", {{"type", "var"}}}, {"V", constantAxis(2)}}, {{"probs", tensor({"B", "V"}, "float32")}},
                                         {{"samples", tensor(Json::array({"B"}), "int64")}}, "import torch\ndef run(probs):\n    return torch.multinomial(probs, 1)[:, 0]\n");
    const Json evaluation = evaluate(definition, {{"uuid", "w"}, {"axes", {{"B", 10001}}}, {"inputs", {{"probs", randomInput()}}}}, makeConfig(0, 2, 1),
                                     "import torch\ndef run(probs):\n    return torch.multinomial(probs, 1)[:, 0]\n");
    QVERIFY(!evaluation.is_null());
    QCOMPARE(evaluation.at("status").get<std::string>(), std::string("RUNTIME_ERROR"));
    QVERIFY2(evaluation.at("log").get<std::string>().find("10001 rows; the distribution of samples can be checked for at most 10000") != std::string::npos, text(evaluation).c_str());
}

void TestJudgeEvaluators::samplingOptionsComeFromTheConfig()
{
    const Json definition = definitionOf("sampling_v4", "sampling", {{"B", {{"type", "var"}}}, {"V", constantAxis(4)}}, {{"probs", tensor({"B", "V"}, "float32")}},
                                         {{"samples", tensor(Json::array({"B"}), "int64")}}, "import torch\ndef run(probs):\n    return torch.multinomial(probs, 1)[:, 0]\n");
    Json config = makeConfig(0, 2, 1);
    config["extra"] = {{"sampling_validation_trials", 0}};
    const Json workload = {{"uuid", "w"}, {"axes", {{"B", 2}}}, {"inputs", {{"probs", randomInput()}}}};
    const Json opened = m_judge->ask(open(definition, workload, config));
    QCOMPARE(opened.at("op").get<std::string>(), std::string("open_failed"));
    QVERIFY2(opened.at("message").get<std::string>().find("extra.sampling_validation_trials must be a number from 1") != std::string::npos, opened.dump().c_str());
    // A threshold of 1 lets everything pass that may come.
    config["extra"] = {{"sampling_validation_trials", 3}, {"sampling_tvd_threshold", 1}, {"sampling_distribution_samples", 1000}, {"sampling_rows", 100}};
    const Json evaluation = evaluate(definition, workload, config, "def run(probs):\n    return probs.argmax(1)\n");
    QVERIFY(!evaluation.is_null());
    QVERIFY2(evaluation.at("status") == "PASSED", text(evaluation).c_str());
    QVERIFY(evaluation.at("correctness").at("extra").at("tvd").get<double>() > 0.2);
}

void TestJudgeEvaluators::sparseAttention_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<bool>("destinationPassing");
    QTest::addColumn<QString>("status");
    QTest::newRow("both") << "def run(x):\n    return x * 2, x.sum(1)\n" << false << "PASSED";
    QTest::newRow("without lse") << "def run(x):\n    return x * 2\n" << false << "PASSED";
    QTest::newRow("a list of one") << "def run(x):\n    return [x + x]\n" << false << "PASSED";
    QTest::newRow("without lse, wrong") << "def run(x):\n    return x * 3\n" << false << "INCORRECT_NUMERICAL";
    QTest::newRow("wrong lse") << "def run(x):\n    return x * 2, x.sum(1) + 1\n" << false << "INCORRECT_NUMERICAL";
    QTest::newRow("without lse, wrong shape") << "def run(x):\n    return x[:2] * 2\n" << false << "INCORRECT_SHAPE";
    QTest::newRow("nothing") << "def run(x):\n    pass\n" << false << "INCORRECT_SHAPE";
    QTest::newRow("three") << "def run(x):\n    return x * 2, x.sum(1), x\n" << false << "INCORRECT_SHAPE";
    QTest::newRow("destination passing") << "def run(x, output, lse):\n    output.copy_(x * 2)\n    lse.copy_(x.sum(1))\n" << true << "PASSED";
    QTest::newRow("destination passing, lse not written") << "def run(x, output, lse):\n    output.copy_(x * 2)\n" << true << "INCORRECT_NUMERICAL";
}

void TestJudgeEvaluators::sparseAttention()
{
    QFETCH(QString, source);
    QFETCH(bool, destinationPassing);
    QFETCH(QString, status);
    const Json definition = definitionOf("dsa_sparse_attention_h16_ckv512_kpe64_topk2048_ps64", "dsa_paged", {{"N", {{"type", "var"}}}, {"D", constantAxis(8)}},
                                         {{"x", tensor({"N", "D"}, "float32")}}, {{"output", tensor({"N", "D"}, "float32")}, {"lse", tensor(Json::array({"N"}), "float32")}},
                                         "def run(x):\n    return x * 2, x.sum(1)\n");
    const Json evaluation = evaluate(definition, makeWorkload(5, {{"x", randomInput()}}), makeConfig(1, 3, 2), source.toStdString(), destinationPassing);
    QVERIFY(!evaluation.is_null());
    QVERIFY2(QString::fromStdString(evaluation.at("status").get<std::string>()) == status, text(evaluation).c_str());
    QCOMPARE(evaluation.at("judge").at("evaluator").get<std::string>(), std::string("dsa_sparse_attention"));
}

const char* const kIndexerBody = R"(    batch, heads, dim = q.shape
    pages, page, _, width = cache.shape
    flat = cache.view(torch.uint8).reshape(pages, page * width)
    keys = flat[:, :page * dim].contiguous().reshape(pages, page, dim).view(torch.float8_e4m3fn).float()
    scales = flat[:, page * dim:].contiguous().reshape(pages, page, 4).view(torch.float32)
    keys = keys * scales
    out = torch.full((batch, 4), -1, dtype=torch.int32)
    for b in range(batch):
        length = int(lengths[b])
        slots = table[b, :(length + page - 1) // page].long()
        scores = (torch.relu(q[b].float() @ keys[slots].reshape(-1, dim)[:length].T) * weights[b][:, None]).sum(0)
        best = torch.topk(scores, min(4, length)).indices
        out[b, :len(best)] = (slots[best // page] * page + best % page).int()
)";

void TestJudgeEvaluators::topKIndexer_data()
{
    QTest::addColumn<QString>("ending");
    QTest::addColumn<QString>("status");
    QTest::addColumn<QString>("logged");
    QTest::newRow("as the reference") << "    return out\n" << "PASSED" << "scores of the chosen tokens";
    QTest::newRow("in another order") << "    return out.flip(1)\n" << "PASSED" << "";
    QTest::newRow("an easy token") << "    out[0, 0] = int(table[0, 0]) * page + [i for i in range(page) if int(table[0, 0]) * page + i not in out[0].tolist()][-1]\n    return out\n" << "INCORRECT_NUMERICAL"
                                   << "score otherwise";
    QTest::newRow("a page of another row") << "    out[0, 1] = int(table[1, 0]) * page\n    return out\n" << "INCORRECT_NUMERICAL" << "out-of-range indices in batch [0]";
    QTest::newRow("beyond the length") << "    out[2, 0] = int(table[2, 0]) * page + 3\n    return out\n" << "INCORRECT_NUMERICAL" << "out-of-range indices in batch [2]";
    QTest::newRow("beyond the cache") << "    out[0, 0] = 100000\n    return out\n" << "INCORRECT_NUMERICAL" << "out-of-range indices in batch [0]";
    QTest::newRow("the same twice") << "    out[1, 2] = out[1, 0]\n    return out\n" << "INCORRECT_NUMERICAL" << "duplicate indices in batch [1]";
    QTest::newRow("padding for a token") << "    out[1, 0] = -1\n    return out\n" << "INCORRECT_NUMERICAL" << "score otherwise";
    QTest::newRow("another dtype") << "    return out.long()\n" << "INCORRECT_DTYPE" << "";
    QTest::newRow("another shape") << "    return out[:, :2]\n" << "INCORRECT_SHAPE" << "";
}

void TestJudgeEvaluators::topKIndexer()
{
    QFETCH(QString, ending);
    QFETCH(QString, status);
    QFETCH(QString, logged);
    const std::filesystem::path root = m_folder.path().toStdString();
    // Three rows with pages of their own; the last one has two tokens only.
    const std::vector<std::int32_t> lengths{20, 13, 2};
    const std::vector<std::int32_t> table{5, 1, 3, 0, 2, 0, 4, 0, 0};
    if (!std::filesystem::exists(root / "indexer.safetensors")) {
        QVERIFY(writeSafetensors(root / "indexer.safetensors", {{"lengths", DType::Int32, {3}, std::as_bytes(std::span(lengths))},
                                                                {"table", DType::Int32, {3, 3}, std::as_bytes(std::span(table))}}).has_value());
    }
    const auto fromFile = [](const char* key) { return Json{{"type", "safetensors"}, {"path", "indexer.safetensors"}, {"tensor_key", key}}; };
    const std::string body = "import torch\ndef run(q, cache, weights, lengths, table):\n" + std::string(kIndexerBody);
    const Json definition =
        definitionOf("dsa_topk_indexer_small", "dsa_paged",
                     {{"B", {{"type", "var"}}}, {"M", {{"type", "var"}}}, {"P", {{"type", "var"}}}, {"H", constantAxis(4)}, {"index_head_dim", constantAxis(16)}, {"page_size", constantAxis(8)},
                      {"topk", constantAxis(4)}, {"one", constantAxis(1)}, {"width", constantAxis(20)}},
                     {{"q_index_fp8", tensor({"B", "H", "index_head_dim"}, "float8_e4m3fn")}, {"k_index_cache_fp8", tensor({"P", "page_size", "one", "width"}, "int8")},
                      {"weights", tensor({"B", "H"}, "float32")}, {"seq_lens", tensor(Json::array({"B"}), "int32")}, {"block_table", tensor({"B", "M"}, "int32")}},
                     {{"topk_indices", tensor({"B", "topk"}, "int32")}}, body + "    return (out,)\n");
    const Json workload = {{"uuid", "w"}, {"axes", {{"B", 3}, {"M", 3}, {"P", 6}}},
                           {"inputs", {{"q_index_fp8", randomInput()}, {"k_index_cache_fp8", randomInput()}, {"weights", randomInput()}, {"seq_lens", fromFile("lengths")},
                                       {"block_table", fromFile("table")}}}};
    const Json evaluation = evaluate(definition, workload, makeConfig(1, 4, 2), body + ending.toStdString());
    QVERIFY(!evaluation.is_null());
    QVERIFY2(QString::fromStdString(evaluation.at("status").get<std::string>()) == status, text(evaluation).c_str());
    QVERIFY2(QString::fromStdString(evaluation.at("log").get<std::string>()).contains(logged), text(evaluation).c_str());
    QCOMPARE(evaluation.at("judge").at("evaluator").get<std::string>(), std::string("dsa_topk_indexer"));
    if (status == QLatin1String("PASSED")) QVERIFY(evaluation.at("correctness").at("extra").is_null());
}

void TestJudgeEvaluators::solFormula_data()
{
    QTest::addColumn<QString>("reference");
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("tolerance");
    QTest::addColumn<QString>("status");
    QTest::addColumn<QString>("flag");   // has_nan, has_inf or empty
    const auto row = [](const char* name, const char* reference, const char* source, const char* tolerance, const char* status, const char* flag = "") {
        QTest::newRow(name) << reference << source << tolerance << status << flag;
    };
    const char* plain = "def run(x):\n    return x * 2, x.sum()\n";
    row("honest", plain, "def run(x):\n    return x + x, x.sum()\n", "{}", "PASSED");
    row("a dict by output name", plain, "def run(x):\n    return {'total': float(x.sum()), 'y': x * 2, 'more': None}\n", "{}", "PASSED");
    row("a dict without one", plain, "def run(x):\n    return {'y': x * 2}\n", "{}", "RUNTIME_ERROR");
    row("one of a hundred is off", plain, "def run(x):\n    y = x * 2\n    y[5] += 100\n    return y, x.sum()\n", "{}", "PASSED");
    row("two of a hundred are off", plain, "def run(x):\n    y = x * 2\n    y[5:7] += 100\n    return y, x.sum()\n", "{}", "INCORRECT_NUMERICAL");
    row("over the cap", plain, "def run(x):\n    y = x * 2\n    y[5] += 100\n    return y, x.sum()\n", R"({"max_error_cap": 1})", "INCORRECT_NUMERICAL");
    row("a tolerance that is too narrow", plain, "def run(x):\n    return x * 2.001, x.sum()\n", R"({"max_atol": 1e-5, "max_rtol": 1e-5})", "INCORRECT_NUMERICAL");
    row("wide enough", plain, "def run(x):\n    return x * 2.001, x.sum()\n", R"({"max_atol": 1e-5, "max_rtol": 0.05})", "PASSED");
    row("NaN", plain, "def run(x):\n    return x * float('nan'), x.sum()\n", "{}", "INCORRECT_NUMERICAL", "has_nan");
    row("infinity", plain, "def run(x):\n    y = x * 2\n    y[0] = float('inf')\n    return y, x.sum()\n", "{}", "INCORRECT_NUMERICAL", "has_inf");
    row("zeros", "def run(x):\n    return x * 1e-4, x.sum()\n", "def run(x):\n    return x * 0, x.sum()\n", "{}", "INCORRECT_NUMERICAL");
    const char* masked = "def run(x):\n    y = x * 2\n    y[::2] = float('-inf')\n    return y, x.sum()\n";
    row("negative infinity as the reference", masked, masked, R"({"allow_negative_inf": true})", "PASSED");
    row("negative infinity, not allowed", masked, masked, "{}", "INCORRECT_NUMERICAL", "has_inf");
    row("wrong shape", plain, "def run(x):\n    return x[:3] * 2, x.sum()\n", "{}", "INCORRECT_SHAPE");
    row("wrong dtype", plain, "def run(x):\n    return (x * 2).half(), x.sum()\n", "{}", "INCORRECT_DTYPE");
    row("right ten times, then never again", plain, "calls = 0\ndef run(x):\n    global calls\n    calls += 1\n    return x * (2 if calls <= 10 else 3), x.sum()\n", "{}", "INCORRECT_NUMERICAL");
    row("wrong in the ninth round", plain, "calls = 0\ndef run(x):\n    global calls\n    calls += 1\n    return x * (3 if calls == 9 else 2), x.sum()\n", "{}", "INCORRECT_NUMERICAL");
}

void TestJudgeEvaluators::solFormula()
{
    QFETCH(QString, reference);
    QFETCH(QString, source);
    QFETCH(QString, tolerance);
    QFETCH(QString, status);
    QFETCH(QString, flag);
    m_isSol = true;
    const Json definition = {{"name", "p"}, {"axes", {{"n", {{"type", "var"}}}, {"m", {{"type", "expr"}, {"expression", "n * 2"}}}}}, {"inputs", {{"x", tensor(Json::array({"m"}), "float32")}}},
                             {"outputs", {{"y", tensor(Json::array({"m"}), "float32")}, {"total", tensor(Json::array(), "float32")}}}, {"reference", reference.toStdString()}};
    Json workload = {{"uuid", "w"}, {"axes", {{"n", 50}}}, {"inputs", {{"x", randomInput()}}}, {"tolerance", Json::parse(tolerance.toStdString())}};
    const Json evaluation = evaluate(definition, workload, makeConfig(1, 5, 3), source.toStdString());
    m_isSol = false;
    QVERIFY(!evaluation.is_null());
    QVERIFY2(QString::fromStdString(evaluation.at("status").get<std::string>()) == status, text(evaluation).c_str());
    QCOMPARE(evaluation.at("judge").at("evaluator").get<std::string>(), std::string("sol-10-rounds"));
    QCOMPARE(evaluation.at("environment").at("libs").at("dialect").get<std::string>(), std::string("sol"));
    if (evaluation.at("correctness").is_null()) return;
    const Json& correctness = evaluation.at("correctness");
    QCOMPARE(correctness.at("has_nan").get<bool>(), flag == QLatin1String("has_nan"));
    QCOMPARE(correctness.at("has_inf").get<bool>(), flag == QLatin1String("has_inf"));
    if (!flag.isEmpty()) QCOMPARE(correctness.at("max_absolute_error").get<double>(), 0.0);
    if (status == QLatin1String("PASSED")) QCOMPARE(evaluation.at("judge").at("calls").at("counted").get<int>(), 5);   // one median, not three
}

void TestJudgeEvaluators::solInputFunctions_data()
{
    QTest::addColumn<QString>("function");
    QTest::addColumn<QString>("run");
    QTest::addColumn<QString>("outcome");   // a status, or the beginning of the reason why the workload is not opened
    QTest::addColumn<QString>("note");
    const QString plain = "    return {'index': torch.randperm(values['n']), 'scale': 0.5, 'x': torch.randn(values['n'], values['m'])}\n";
    QTest::newRow("honest") << plain << "return x[index] * scale" << "PASSED" << "";
    QTest::newRow("wrong") << plain << "return x * scale" << "INCORRECT_NUMERICAL" << "";
    QTest::newRow("inputs by axes and scalars") << "    assert values == {'n': 6, 'm': 12, 'factor': 2.5} and str(device) == 'cpu'\n" + plain << "return x[index] * scale" << "PASSED" << "";
    QTest::newRow("remembers what it got") << plain << "return kept.setdefault('y', x[index] * scale)" << "INCORRECT_NUMERICAL" << "";
    QTest::newRow("another dtype than declared") << QString(plain).replace("torch.randperm(values['n'])", "torch.randperm(values['n']).int()") << "return x[index] * scale" << "PASSED" << "inputs.undeclared";
    QTest::newRow("another shape than declared") << QString(plain).replace("torch.randperm(values['n'])", "torch.arange(values['n'])[:3]") << "return x[index] * scale" << "PASSED"
                                                 << "inputs.undeclared";
    QTest::newRow("not by the seed alone") << "    import os\n    torch.manual_seed(int.from_bytes(os.urandom(7), 'little'))\n" + plain << "return x[index] * scale" << "PASSED" << "fixed_inputs";
    QTest::newRow("raises") << "    raise ValueError('no inputs today')\n" << "return x" << "gen_inputs failed" << "no inputs today";
    QTest::newRow("leaves one out") << "    return {'index': torch.arange(6), 'x': torch.zeros(6, 12)}\n" << "return x" << "gen_inputs failed" << "made no 'scale'";
    QTest::newRow("no dict") << "    return torch.zeros(3)\n" << "return x" << "gen_inputs failed" << "a dict by input name is needed";
    QTest::newRow("another number in each round") << QString(plain).replace("0.5", "float(torch.rand(1))") << "return x[index] * scale" << "gen_inputs failed" << "another number of 'scale'";
}

void TestJudgeEvaluators::solInputFunctions()
{
    QFETCH(QString, function);
    QFETCH(QString, run);
    QFETCH(QString, outcome);
    QFETCH(QString, note);
    m_isSol = true;
    const std::string reference = "import torch\ndef make(values, device):\n" + function.toStdString() + "def run(x, index, scale, factor):\n    return x[index] * scale\n";
    const Json definition = {{"name", "p"}, {"axes", {{"n", {{"type", "var"}}}, {"m", {{"type", "expr"}, {"expression", "n * 2"}}}}}, {"custom_inputs_entrypoint", "make"},
                             {"inputs", {{"x", tensor({"n", "m"}, "float32")}, {"index", tensor(Json::array({"n"}), "int64")}, {"scale", tensor(nullptr, "float32")}, {"factor", tensor(nullptr, "float32")}}},
                             {"outputs", {{"y", tensor({"n", "m"}, "float32")}}}, {"reference", reference}};
    const Json custom = {{"type", "custom"}};
    const Json workload = {{"uuid", "w"}, {"axes", {{"n", 6}}}, {"inputs", {{"x", custom}, {"index", custom}, {"scale", custom}, {"factor", {{"type", "scalar"}, {"value", 2.5}}}}}};
    const std::string source = "kept = {}\ndef run(x, index, scale, factor):\n    " + run.toStdString() + "\n";
    const Json opened = m_judge->ask(open(definition, workload, makeConfig(1, 5, 1)));
    m_isSol = false;
    if (outcome.startsWith(QLatin1String("gen_"))) {
        QCOMPARE(opened.at("op").get<std::string>(), std::string("open_failed"));
        const QString said = QString::fromStdString(opened.at("message").get<std::string>());
        QVERIFY2(said.startsWith(outcome), qPrintable(said));
        QVERIFY2(QString::fromStdString(opened.at("log").get<std::string>()).contains(note), opened.dump().c_str());
        QVERIFY(!opened.contains("reference"));   // the reference itself is not to blame, nor any solution
        return;
    }
    QVERIFY2(opened.value("op", "") == "opened", opened.dump().c_str());
    const Json answer = m_judge->ask(evaluateMessage(makeSolution("p", source, false), kSeconds));
    QVERIFY(answer.value("op", "") == "evaluated");
    const Json& evaluation = answer.at("evaluation");
    QVERIFY2(QString::fromStdString(evaluation.at("status").get<std::string>()) == outcome, text(evaluation).c_str());
    for (const char* id : {"inputs.undeclared", "fixed_inputs"}) QVERIFY2(hasVerdict(evaluation, id) == (note == QLatin1String(id)), text(evaluation).c_str());
}

void TestJudgeEvaluators::solInputsByName()
{
    const std::string reference = "import torch\ndef run(x, norm_weight, attn_weights):\n    return x * norm_weight + attn_weights\n";
    const std::string source = "import torch\ndef run(x, norm_weight, attn_weights, y):\n    assert bool((norm_weight == 1).all()) == NAMED\n"
                               "    assert bool(((attn_weights.sum(-1) - 1).abs() < 1e-4).all()) == NAMED\n    y.copy_(x * norm_weight + attn_weights)\n";
    const Json definition = {{"name", "p"}, {"op_type", "x"}, {"axes", {{"N", {{"type", "var"}}}}},
                             {"inputs", {{"x", tensor(Json::array({"N"}), "float32")}, {"norm_weight", tensor(Json::array({"N"}), "float32")}, {"attn_weights", tensor(Json::array({"N"}), "float32")}}},
                             {"outputs", {{"y", tensor(Json::array({"N"}), "float32")}}}, {"reference", reference}};
    const Json workload = makeWorkload(9, {{"x", randomInput()}, {"norm_weight", randomInput()}, {"attn_weights", randomInput()}});
    for (const bool isSol : {true, false}) {
        for (const char* forced : {"", "true", "false"}) {
            const bool named = *forced == '\0' ? isSol : std::string(forced) == "true";
            Json config = makeConfig(0, 2, 1);
            if (*forced != '\0') config["extra"] = {{"name_heuristics", named}};
            m_isSol = isSol;
            const Json evaluation = evaluate(definition, workload, config, std::string("NAMED = ") + (named ? "True\n" : "False\n") + source, true);
            m_isSol = false;
            QVERIFY(!evaluation.is_null());
            QVERIFY2(evaluation.at("status") == "PASSED", text(evaluation).c_str());
            const Json rules = evaluation.at("judge").value("rules", Json::object());
            QCOMPARE(rules.value("name_heuristics", false), named);
            QCOMPARE(evaluation.at("judge").at("fresh_bytes").get<double>() < 1, named);   // ones are the same in every call
        }
    }
}

void TestJudgeEvaluators::solFilesAreSearchedFor()
{
    const std::filesystem::path root = m_folder.path().toStdString();
    const std::vector<float> values(9, 3.0F);
    QVERIFY(writeSafetensors(root / "L1/problem/blob/near.safetensors", {{"t", DType::Float32, {9}, std::as_bytes(std::span(values))}}).has_value());
    QVERIFY(writeSafetensors(root / "blob/far.safetensors", {{"t", DType::Float32, {9}, std::as_bytes(std::span(values))}}).has_value());
    const Json definition = makeDefinition("p", {{"x", "float32"}}, {{"y", "float32"}}, "def run(x):\n    return x * 2\n");
    m_isSol = true;
    for (const char* path : {"blob/near.safetensors", "data/flashinfer-trace/blob/far.safetensors"}) {
        const Json workload = makeWorkload(9, {{"x", {{"type", "safetensors"}, {"path", path}, {"tensor_key", "t"}}}});
        const Json evaluation = evaluate(definition, workload, makeConfig(0, 2, 1), "def run(x):\n    assert x.tolist() == [3.0] * 9\n    return x + x\n");
        QVERIFY(!evaluation.is_null());
        QVERIFY2(evaluation.at("status") == "PASSED", text(evaluation).c_str());
    }
    for (const char* path : {"../../../../etc/passwd", "nowhere/x.safetensors"}) {
        const Json opened = m_judge->ask(open(definition, makeWorkload(9, {{"x", {{"type", "safetensors"}, {"path", path}, {"tensor_key", "t"}}}}), makeConfig(0, 2, 1)));
        QCOMPARE(opened.at("op").get<std::string>(), std::string("open_failed"));
        QVERIFY2(opened.at("message").get<std::string>().find("input `x`") != std::string::npos, opened.dump().c_str());
    }
    m_isSol = false;
}

void TestJudgeEvaluators::zeroedOutputsAreAnOption()
{
    // Adds to what it finds, as a solution for SOL-ExecBench may.
    const std::string source = "def run(x, y):\n    y += x * 2\n";
    const Json definition = makeDefinition("d", {{"x", "float32"}}, {{"y", "float32"}}, "def run(x):\n    return x * 2\n");
    Json config = makeConfig(1, 3, 2);
    const Json poisoned = evaluate(definition, makeWorkload(20, {{"x", randomInput()}}), config, source, true);
    QCOMPARE(poisoned.at("status").get<std::string>(), std::string("INCORRECT_NUMERICAL"));
    config["extra"] = {{"zero_outputs", true}};
    const Json zeroed = evaluate(definition, makeWorkload(20, {{"x", randomInput()}}), config, source, true);
    QVERIFY2(zeroed.at("status") == "PASSED", text(zeroed).c_str());
    QVERIFY(zeroed.at("judge").at("rules").at("zero_outputs").get<bool>());
}

void TestJudgeEvaluators::aSeriesThatDriftsIsMeasuredAgain()
{
    m_isSol = false;
    const Json definition = makeDefinition("d", {{"x", "float32"}}, {{"y", "float32"}}, "def run(x):\n    return x * 2\n");
    // Slower with each of its first 46 calls: one checked, 3 warm-ups, 36 counted, 6 with late inputs.
    const char* source = "import time\ncalls = 0\ndef run(x):\n    global calls\n    calls += 1\n    time.sleep(0.001 * calls if calls <= 46 else 0.001)\n    return x * 2\n";
    const Json evaluation = evaluate(definition, makeWorkload(100, {{"x", randomInput()}}), makeConfig(3, 36, 1), source);
    QVERIFY(!evaluation.is_null());
    QVERIFY2(evaluation.at("status") == "PASSED", text(evaluation).c_str());
    const Json& judge = evaluation.at("judge");
    QVERIFY2(judge.at("verdicts").size() >= 1 && judge.at("verdicts").front().at("id") == "drift.repeated", text(evaluation).c_str());
    QCOMPARE(judge.at("calls"), Json({{"warmup", 3}, {"counted", 36}, {"verified", 5 + 6}}));
    QCOMPARE(judge.at("time").at("samples_us").size(), std::size_t{1});
    QVERIFY2(evaluation.at("performance").at("latency_ms").get<double>() < 15, text(evaluation).c_str());   // the first series was at 22 ms
}

void TestJudgeEvaluators::trialsAreAddedUntilTheMedianIsKnown_data()
{
    QTest::addColumn<double>("precision");
    QTest::addColumn<bool>("isReached");
    QTest::addColumn<int>("least");
    QTest::addColumn<int>("most");
    QTest::newRow("none asked for") << 0.0 << true << 10 << 10;
    QTest::newRow("as good as anything") << 50.0 << true << 10 << 100;
    QTest::newRow("impossible") << 0.01 << false << 991 << 1000;
}

void TestJudgeEvaluators::trialsAreAddedUntilTheMedianIsKnown()
{
    QFETCH(double, precision);
    QFETCH(bool, isReached);
    m_isSol = false;
    const Json definition = makeDefinition("d", {{"x", "float32"}}, {{"y", "float32"}}, "def run(x):\n    return x * 2\n");
    // Evenly spread over a factor of two.
    const char* source = "import random, time\ndef run(x):\n    time.sleep(random.uniform(0.001, 0.002))\n    return x * 2\n";
    Json config = makeConfig(1, 10, 1);
    config["precision"] = precision;
    const Json evaluation = evaluate(definition, makeWorkload(100, {{"x", randomInput()}}), config, source);
    QVERIFY(!evaluation.is_null());
    QVERIFY2(evaluation.at("status") == "PASSED", text(evaluation).c_str());
    const Json& judge = evaluation.at("judge");
    const int counted = judge.at("calls").at("counted").get<int>();
    QFETCH(int, least);
    QFETCH(int, most);
    QVERIFY2(counted >= least && counted <= most && counted % 10 == 0, text(judge.at("calls")).c_str());
    QCOMPARE(judge.at("time").at("samples_us").size(), static_cast<std::size_t>(counted / 10));
    QCOMPARE(judge.at("calls").at("warmup").get<int>(), counted / 10);
    const auto isAboutPrecision = [](const Json& verdict) { return verdict.at("id") == "precision"; };
    QCOMPARE(std::ranges::any_of(judge.at("verdicts"), isAboutPrecision), !isReached);
}

QTEST_GUILESS_MAIN(TestJudgeEvaluators)
#include "test_judge_evaluators.moc"
