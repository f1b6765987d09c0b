// SPDX-License-Identifier: GPL-3.0-or-later
// The rules by which outputs are judged, one by one: which evaluator, SOL-ExecBench's formula, strict numerics, which tokens a sampler may
// draw, which a top-k indexer may choose, and what random inputs SOL-ExecBench means.
#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/judge/cpu/comparison.h"
#include "core/judge/cpu/cpu_device.h"
#include "core/judge/evaluator.h"
#include "core/judge/evaluator_topk_indexer.h"
#include "core/judge/normal_map.h"
#include "core/judge/number_formats.h"
#include "core/judge/numerics.h"
#include "core/judge/packed_keys.h"
#include "core/judge/sampling_support.h"
#include "core/judge/sol_inputs.h"

using namespace tracedeck;
using namespace tracedeck::judge;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
using Floats = QList<float>;

std::vector<std::byte> bytesOf(const Floats& values)
{
    std::vector<std::byte> data(static_cast<std::size_t>(values.size()) * sizeof(float));
    if (!values.isEmpty()) std::memcpy(data.data(), values.constData(), data.size());
    return data;
}

template <class Value>
std::vector<std::byte> rawBytes(const std::vector<Value>& values)
{
    std::vector<std::byte> data(values.size() * sizeof(Value));
    if (!values.empty()) std::memcpy(data.data(), values.data(), data.size());
    return data;
}

/// `count` times 1, some of them off by 5.
Floats ones(int count, int off = 0)
{
    Floats values(count, 1.0F);
    for (int i = 0; i < off; ++i) values[i] += 5;
    return values;
}

Definition definitionNamed(const std::string& name, const std::string& opType, Dialect dialect = Dialect::FlashInferTrace)
{
    Definition definition;
    definition.name = name;
    definition.opType = opType;
    definition.dialect = dialect;
    return definition;
}

TensorSpec inputNamed(const std::string& name, DType dtype = DType::Float32, const std::string& description = {})
{
    TensorSpec spec;
    spec.name = name;
    spec.dtype = dtype;
    if (!description.empty()) spec.description = description;
    return spec;
}

/// Mask as text, for example "01100".
QString maskOf(const std::vector<float>& probabilities, std::optional<std::int64_t> topK, std::optional<float> topP, SamplingRules rules = SamplingRules::Format)
{
    QString text;
    for (const bool may : samplingMask({probabilities, topK, topP}, rules)) text += QLatin1Char(may ? '1' : '0');
    return text;
}

/// Three pages of two tokens, four values a key; the queries and weights of one row with two heads. Codes of float8_e4m3fn and the scores
/// below are PyTorch's: 1.25, -0.5, 1, 56, 0, -0.5.
IndexerInputs smallIndexer()
{
    const std::vector<std::uint8_t> codes{0x38, 0x40, 0xb8, 0x30, 0x00, 0x38, 0x38, 0x38, 0x40, 0xc0, 0x00, 0x38,
                                          0x7e, 0x00, 0x00, 0x00, 0xb8, 0xb8, 0xb8, 0xb8, 0x28, 0x30, 0x38, 0x40};
    const std::vector<float> scales{1, 0.5F, 2, 0.25F, 1, 4};
    std::vector<std::byte> cache;
    for (std::size_t page = 0; page < 3; ++page) {
        for (std::size_t i = 0; i < 8; ++i) cache.push_back(static_cast<std::byte>(codes[page * 8 + i]));
        const auto scale = rawBytes(std::vector<float>(scales.begin() + static_cast<std::ptrdiff_t>(page * 2), scales.begin() + static_cast<std::ptrdiff_t>(page * 2 + 2)));
        cache.insert(cache.end(), scale.begin(), scale.end());
    }
    const auto tensor = [](const char* name, DType dtype, std::vector<std::int64_t> shape, std::vector<std::byte> bytes) {
        const std::uint64_t elements = elementCount(shape);
        return HostTensor{{name, std::string(toString(dtype)), dtype, std::move(shape), elements}, std::move(bytes)};
    };
    const auto inputs = IndexerInputs::make({tensor("q_index_fp8", DType::Float8E4M3FN, {1, 2, 4}, rawBytes<std::uint8_t>({0x38, 0x38, 0x38, 0x38, 0xb8, 0x30, 0x40, 0x00})),
                                             tensor("k_index_cache_fp8", DType::Int8, {3, 2, 1, 8}, std::move(cache)),
                                             tensor("weights", DType::Float32, {1, 2}, rawBytes<float>({0.5F, -1.0F})),
                                             tensor("seq_lens", DType::Int32, {1}, rawBytes<std::int32_t>({3})),
                                             tensor("block_table", DType::Int32, {1, 3}, rawBytes<std::int32_t>({2, 0, 2}))});
    return inputs ? *inputs : IndexerInputs{};
}

}  // namespace

class TestEvaluators : public QObject {
    Q_OBJECT

private slots:
    void evaluatorsAreChosenByName_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("opType");
        QTest::addColumn<bool>("isSol");
        QTest::addColumn<QString>("chosen");   // empty: an error
        QTest::newRow("nothing special") << "gemm_n128" << "gemm" << false << "default";
        QTest::newRow("sampling by its op_type") << "anything" << "sampling" << false << "sampling";
        QTest::newRow("sampling by its name is not enough") << "top_k_sampling" << "other" << false << "default";
        QTest::newRow("lowbit") << "x_moe_fp8_block_scale_y" << "moe" << false << "lowbit";
        QTest::newRow("other moe") << "trtllm_fp4_block_scale_moe" << "moe" << false << "default";
        QTest::newRow("sparse attention, pages of 1") << "dsa_sparse_attention_h16_ckv512_kpe64_topk2048_ps1" << "dsa_paged" << false << "dsa_sparse_attention";
        QTest::newRow("sparse attention, pages of 64") << "dsa_sparse_attention_h16_ckv512_kpe64_topk2048_ps64" << "dsa_paged" << false << "dsa_sparse_attention";
        QTest::newRow("sparse attention, another shape") << "dsa_sparse_attention_h16_ckv512_kpe64_topk2048_ps16" << "dsa_paged" << false << "default";
        QTest::newRow("indexer") << "dsa_topk_indexer_fp8_h64_d128_topk2048_ps64" << "dsa_paged" << false << "dsa_topk_indexer";
        QTest::newRow("two of them") << "moe_fp8_block_scale" << "sampling" << false << "";
        QTest::newRow("problem of SOL-ExecBench") << "moe_fp8_block_scale" << "sampling" << true << "sol-10-rounds";
    }
    void evaluatorsAreChosenByName()
    {
        QFETCH(QString, name);
        QFETCH(QString, opType);
        QFETCH(bool, isSol);
        QFETCH(QString, chosen);
        const auto kind = chooseEvaluator(definitionNamed(name.toStdString(), opType.toStdString(), isSol ? Dialect::SolExecBench : Dialect::FlashInferTrace), {});
        QCOMPARE(kind.has_value(), !chosen.isEmpty());
        if (kind) QCOMPARE(QString::fromUtf8(evaluatorName(*kind).data()), chosen);
        else QVERIFY2(QString::fromStdString(kind.error().reason).contains("sampling and lowbit"), kind.error().reason.c_str());
    }

    void aRunMayForceEitherDialectsEvaluator()
    {
        EvalConfig config;
        config.extra = {{"evaluator", "sol"}};
        QCOMPARE(*chooseEvaluator(definitionNamed("d", "sampling"), config), EvaluatorKind::Sol);
        config.extra = {{"evaluator", "fib"}};
        QCOMPARE(*chooseEvaluator(definitionNamed("d", "L1", Dialect::SolExecBench), config), EvaluatorKind::Default);
        config.extra = {{"evaluator", "mine"}};
        QCOMPARE(QString::fromStdString(chooseEvaluator(definitionNamed("d", "x"), config).error().field), QStringLiteral("extra.evaluator"));
    }

    void needsFollowTheConfig()
    {
        EvalConfig config;
        config.numTrials = 4;
        QCOMPARE(needsOf(EvaluatorKind::Default, config)->rounds, 4);
        QCOMPARE(needsOf(EvaluatorKind::Default, config)->trials, 4);
        QCOMPARE(needsOf(EvaluatorKind::SparseAttention, config)->fewestResults, std::size_t{1});
        const auto sol = needsOf(EvaluatorKind::Sol, config);
        QCOMPARE(sol->rounds, 10);
        QCOMPARE(sol->trials, 1);
        config.extra = {{"sampling_validation_trials", 7}, {"sol_rounds", 3}};
        const auto sampling = needsOf(EvaluatorKind::Sampling, config);
        QCOMPARE(sampling->rounds, 7);
        QCOMPARE(sampling->trials, 1);
        QVERIFY(sampling->sharesContents && !sampling->usesExpected);
        QCOMPARE(needsOf(EvaluatorKind::Sol, config)->rounds, 3);
    }

    void badExtraEntriesAreNamed_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("trials") << "sampling_validation_trials" << "0";
        QTest::newRow("trials in words") << "sampling_validation_trials" << "\"many\"";
        QTest::newRow("threshold") << "sampling_tvd_threshold" << "1.5";
        QTest::newRow("samples") << "sampling_distribution_samples" << "-1";
        QTest::newRow("rows") << "sampling_rows" << "true";
        QTest::newRow("rules") << "sampling_rules" << "\"loose\"";
        QTest::newRow("zeros") << "zero_outputs" << "1";
        QTest::newRow("ratio") << "sol_misspelt_ratio" << "\"yes\"";
    }
    void badExtraEntriesAreNamed()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        EvalConfig config;
        config.extra[key.toStdString()] = Json::parse(value.toStdString());
        const auto needs = needsOf(EvaluatorKind::Sampling, config);
        QVERIFY(!needs);
        QCOMPARE(QString::fromStdString(needs.error().field), "extra." + key);
    }

    // Vectors of the dialect page §5.3 and one for each rule of §5.2; `fib`: what the other dialect says of the same numbers (benchmark §4.3).
    void formulaOfSolExecBench_data()
    {
        QTest::addColumn<Floats>("actual");
        QTest::addColumn<Floats>("expected");
        QTest::addColumn<QString>("tolerance");
        QTest::addColumn<bool>("right");
        QTest::addColumn<bool>("fib");
        QTest::addColumn<double>("absolute");
        QTest::addColumn<double>("relative");
        const auto row = [](const char* name, Floats actual, Floats expected, const char* tolerance, bool right, bool fib, double absolute, double relative) {
            QTest::newRow(name) << actual << expected << tolerance << right << fib << absolute << relative;
        };
        row("the sum of both bounds", {10.105F}, {10}, "{}", true, false, 0.1049995, 0.01049995);
        row("near zero", {0.0109F}, {0.001F}, "{}", true, true, 0.0099, 0.99);
        row("all zero", {0, 0, 0}, {0.001F, 0.001F, 0.001F}, "{}", false, true, 0.00173205, 0.00173205);
        row("zero as expected", {0, 0}, {0, 0}, "{}", true, true, 0, 0);
        row("one of a hundred off", ones(100, 1), ones(100), "{}", true, false, 5, 5);
        row("two of a hundred off", ones(100, 2), ones(100), "{}", false, false, 5, 5);
        row("one off, over the cap", ones(100, 1), ones(100), R"({"max_error_cap": 4.5})", false, false, 5, 5);
        row("one off, under the cap", ones(100, 1), ones(100), R"({"max_error_cap": 5})", true, false, 5, 5);
        row("a ratio of one's own", ones(100, 2), ones(100), R"({"required_matched_ratio": 0.98})", true, false, 5, 5);
        row("misspelt: ignored", ones(100, 2), ones(100), R"({"required_match_ratio": 0.5})", false, false, 5, 5);
        row("NaN on both sides", {1, kNan}, {1, kNan}, "{}", false, true, 0, 0);
        row("infinity on both sides", {1, kInf}, {1, kInf}, "{}", false, true, 0, 0);
        row("infinity in the reference", {1, 2}, {1, kInf}, "{}", false, true, 0, 0);
        row("negative infinity, excused", {1, -kInf}, {1, -kInf}, R"({"allow_negative_inf": true})", true, true, 0, 0);
        row("negative infinity on one side", {1, 2}, {1, -kInf}, R"({"allow_negative_inf": true})", false, true, 0, 0);
        row("nothing but negative infinity", {-kInf}, {-kInf}, R"({"allow_negative_inf": true})", true, true, 0, 0);
        row("positive infinity is not excused", {1, kInf}, {1, kInf}, R"({"allow_negative_inf": true})", false, true, 0, 0);
        row("nothing at all", {}, {}, "{}", true, true, 0, 0);
        row("no absolute bound, zero expected", {0, 1}, {0, 1}, R"({"max_atol": 0})", true, true, 0, std::numeric_limits<double>::quiet_NaN());
        row("no absolute bound, something for zero", {0.5F, 1}, {0, 1}, R"({"max_atol": 0})", false, false, 0.5, std::numeric_limits<double>::infinity());
    }
    void formulaOfSolExecBench()
    {
        QFETCH(Floats, actual);
        QFETCH(Floats, expected);
        QFETCH(QString, tolerance);
        QFETCH(bool, right);
        QFETCH(bool, fib);
        QFETCH(double, absolute);
        QFETCH(double, relative);
        const Json json = Json::parse(tolerance.toStdString());
        WorkloadTolerance given;
        const auto take = [&json](const char* key, auto& target) {
            if (json.contains(key)) target = json.at(key).get<typename std::decay_t<decltype(target)>::value_type>();
        };
        take("max_atol", given.maxAtol);
        take("max_error_cap", given.maxErrorCap);
        take("required_matched_ratio", given.requiredMatchedRatio);
        take("required_match_ratio", given.misspeltMatchedRatio);
        take("allow_negative_inf", given.allowNegativeInf);
        const auto elements = static_cast<std::uint64_t>(actual.size());
        const SolComparison compared = compareSol(bytesOf(actual), bytesOf(expected), DType::Float32, elements, given, given.matchedRatio());
        QCOMPARE(compared.isRight, right);
        const auto isNear = [](double one, double other) { return (std::isnan(one) && std::isnan(other)) || one == other || std::fabs(one - other) < 1e-6; };
        QVERIFY2(isNear(compared.maxAbsoluteError, absolute), QByteArray::number(compared.maxAbsoluteError, 'g', 9));
        QVERIFY2(isNear(compared.maxRelativeError, relative), QByteArray::number(compared.maxRelativeError, 'g', 9));
        const bool hasNan = std::ranges::any_of(actual + expected, [](float value) { return std::isnan(value); });
        QCOMPARE(compared.hasNan, hasNan);
        const Comparison other = compareCpu(bytesOf(actual), bytesOf(expected), DType::Float32, elements, 0.01, 0.01, 0);
        QCOMPARE(other.matchedRatio >= 1.0, fib);
    }

    void aMisspeltRatioCountsWhereItIsHonoured()
    {
        WorkloadTolerance tolerance;
        tolerance.misspeltMatchedRatio = 0.5;
        EvalConfig config;
        QCOMPARE(tolerance.matchedRatio(misspeltRatio(config)), 0.99);
        config.extra = {{"sol_misspelt_ratio", "honoured"}};
        QCOMPARE(tolerance.matchedRatio(misspeltRatio(config)), 0.5);
    }

    void strictNumerics_data()
    {
        QTest::addColumn<Floats>("actual");
        QTest::addColumn<Floats>("expected");
        QTest::addColumn<int>("bad");
        QTest::addColumn<int>("nonFinite");
        QTest::newRow("the sum of both bounds") << Floats{10.105F, 0.0109F} << Floats{10, 0.001F} << 0 << 0;
        QTest::newRow("over it") << Floats{10.12F, 0.0111F} << Floats{10, 0.001F} << 2 << 0;
        QTest::newRow("equal infinities") << Floats{kInf, -kInf} << Floats{kInf, -kInf} << 0 << 0;
        QTest::newRow("opposite infinities") << Floats{kInf, -kInf} << Floats{-kInf, kInf} << 2 << 2;
        QTest::newRow("NaN on both sides") << Floats{kNan} << Floats{kNan} << 0 << 0;
        QTest::newRow("NaN for a number") << Floats{kNan, 1} << Floats{1, 1} << 1 << 1;
        QTest::newRow("a number for NaN") << Floats{1, 1} << Floats{kNan, 1} << 1 << 1;
        QTest::newRow("a number for infinity") << Floats{1e30F} << Floats{kInf} << 1 << 1;
        QTest::newRow("infinity for NaN") << Floats{kInf} << Floats{kNan} << 1 << 1;
    }
    void strictNumerics()
    {
        QFETCH(Floats, actual);
        QFETCH(Floats, expected);
        const auto compared = compareStrict(bytesOf(actual), bytesOf(expected), DType::Float32, static_cast<std::uint64_t>(actual.size()), 0.01, 0.01);
        QTEST(static_cast<int>(compared.bad), "bad");
        QTEST(static_cast<int>(compared.nonFiniteBad), "nonFinite");
    }

    void integersAreExactUnderStrictNumerics()
    {
        // 5001 for 5000 and 2^53 + 1 for 2^53 pass by the format's rule: both are within 1 % of what they should be.
        const std::vector<std::int64_t> right{5000, 7, std::int64_t{1} << 53};
        const std::vector<std::int64_t> wrong{5001, 7, (std::int64_t{1} << 53) + 1};
        QCOMPARE(compareCpu(rawBytes(wrong), rawBytes(right), DType::Int64, 3, 0.01, 0.01, 0).matchedRatio, 1.0);
        const auto strict = compareStrict(rawBytes(wrong), rawBytes(right), DType::Int64, 3, 0.01, 0.01);
        QCOMPARE(strict.bad, std::uint64_t{2});
        QCOMPARE(strict.firstBad, std::uint64_t{0});
        QCOMPARE(strict.maxAbsoluteError, 1.0);
        QCOMPARE(countDifferent(rawBytes(wrong), rawBytes(right), DType::Int64, 3), std::uint64_t{2});
        // Any byte but 0 is true.
        const std::vector<std::uint8_t> truths{0, 1, 2, 0};
        const std::vector<std::uint8_t> others{0, 2, 1, 1};
        QCOMPARE(compareStrict(rawBytes(truths), rawBytes(others), DType::Bool, 4, 0.01, 0.01).bad, std::uint64_t{1});
        QCOMPARE(countDifferent(rawBytes<std::int16_t>({-3, 4}), rawBytes<std::int16_t>({-3, 5}), DType::Int16, 2), std::uint64_t{1});
    }

    void methodsOfSamplingComeFromTheName()
    {
        QCOMPARE(samplingMethod("top_k_top_p_sampling_from_probs_v128256"), SamplingMethod::TopKTopP);
        QCOMPARE(samplingMethod("Top_K_sampling"), SamplingMethod::TopK);
        QCOMPARE(samplingMethod("top_p_sampling_from_probs"), SamplingMethod::TopP);
        QCOMPARE(samplingMethod("sampling_from_probs"), SamplingMethod::All);
    }

    // By PyTorch, as the format has it: torch.topk, torch.sort and torch.cumsum over [0.05, 0.4, 0.25, 0.2, 0.1].
    void tokensThatMayBeDrawn_data()
    {
        QTest::addColumn<int>("topK");      // 99: none
        QTest::addColumn<float>("topP");    // 99: none
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("exact");
        QTest::newRow("no limit") << 99 << 99.0F << "11111" << "11111";
        QTest::newRow("top 2") << 2 << 99.0F << "01100" << "01100";
        QTest::newRow("top 0: no limit") << 0 << 99.0F << "11111" << "11111";
        QTest::newRow("all five") << 5 << 99.0F << "11111" << "11111";
        QTest::newRow("negative: no limit") << -1 << 99.0F << "11111" << "11111";
        QTest::newRow("the token that crosses 0.6 is left out by the format") << 99 << 0.6F << "01100" << "01100";
        QTest::newRow("0.65 is reached exactly") << 99 << 0.65F << "01100" << "01110";   // a reference keeps one more: 0.65 is not above p
        QTest::newRow("0.7: the format drops what crosses") << 99 << 0.7F << "01100" << "01110";
        QTest::newRow("0.2: the likeliest stays") << 99 << 0.2F << "01000" << "01000";
        QTest::newRow("p of 1: no limit") << 99 << 1.0F << "11111" << "11111";
        QTest::newRow("p of 0: no limit in the format, the likeliest in references") << 99 << 0.0F << "11111" << "01000";
        QTest::newRow("both") << 3 << 0.8F << "01110" << "01110";
        QTest::newRow("both, top-p is stricter") << 4 << 0.5F << "01000" << "01100";
    }
    void tokensThatMayBeDrawn()
    {
        QFETCH(int, topK);
        QFETCH(float, topP);
        const std::vector<float> probabilities{0.05F, 0.4F, 0.25F, 0.2F, 0.1F};
        const auto k = topK == 99 ? std::optional<std::int64_t>() : topK;
        const auto p = topP > 9 ? std::optional<float>() : topP;
        QTEST(maskOf(probabilities, k, p), "format");
        QTEST(maskOf(probabilities, k, p, SamplingRules::Exact), "exact");
        for (const SamplingRules rules : {SamplingRules::Format, SamplingRules::Exact}) {
            const std::vector<bool> mask = samplingMask({probabilities, k, p}, rules);
            for (std::size_t token = 0; token < mask.size(); ++token) QCOMPARE(isInSupport({probabilities, k, p}, rules, token), static_cast<bool>(mask[token]));
        }
    }

    void tiesFollowTheSort()
    {
        const std::vector<float> even(4, 0.25F);
        QCOMPARE(maskOf(even, std::nullopt, 0.5F), QStringLiteral("1100"));
        QCOMPARE(maskOf(even, 1, std::nullopt), QStringLiteral("1111"));   // ties with the k-th are kept
    }

    void theShortCheckAgreesWithTheMask()
    {
        // 400 probabilities with many ties.
        std::vector<float> probabilities;
        for (int i = 0; i < 400; ++i) probabilities.push_back(static_cast<float>((i * 37) % 23 + 1));
        const float total = std::accumulate(probabilities.begin(), probabilities.end(), 0.0F);
        for (float& value : probabilities) value /= total;
        for (const std::int64_t k : {1, 17, 200, 400}) {
            for (const float p : {0.01F, 0.3F, 0.77F, 1.0F}) {
                for (const SamplingRules rules : {SamplingRules::Format, SamplingRules::Exact}) {
                    const SamplingRow row{probabilities, k, p};
                    const std::vector<bool> mask = samplingMask(row, rules);
                    for (std::size_t token = 0; token < mask.size(); ++token) {
                        QVERIFY2(isInSupport(row, rules, token) == mask[token], QByteArray::number(static_cast<int>(token)) + " k " + QByteArray::number(k));
                    }
                }
            }
        }
    }

    void expectedFrequenciesAddUpToOne()
    {
        // By PyTorch: p * mask / sum for top_k 3 with top_p 0.8.
        const std::vector<float> probabilities{0.05F, 0.4F, 0.25F, 0.2F, 0.1F};
        const std::vector<float> expected = expectedFrequencies({probabilities, 3, 0.8F}, SamplingRules::Format);
        const std::vector<float> right{0, 0.470588F, 0.294118F, 0.235294F, 0};
        for (std::size_t i = 0; i < right.size(); ++i) QVERIFY(std::fabs(expected[i] - right[i]) < 1e-6F);
    }

    void placesOfRightDrawsAreSpreadEvenly()
    {
        const std::vector<float> probabilities{0.05F, 0.4F, 0.25F, 0.2F, 0.1F};
        const SamplingRow row{probabilities, std::nullopt, std::nullopt};
        // From the likeliest on: token 1 fills 0 to 0.4, token 2 up to 0.65, token 3 up to 0.85, token 4 up to 0.95, token 0 the rest.
        QVERIFY(std::fabs(placeOf(row, SamplingRules::Format, 1, 0.5) - 0.2) < 1e-6);
        QVERIFY(std::fabs(placeOf(row, SamplingRules::Format, 2, 0) - 0.4) < 1e-6);
        QVERIFY(std::fabs(placeOf(row, SamplingRules::Format, 0, 1) - 1.0) < 1e-6);
        // By hand: the largest step of the share of {0.1, 0.2, 0.9} lies at 0.2, where two of three are below.
        QVERIFY(std::fabs(distanceFromEven({0.9, 0.1, 0.2}) - (2.0 / 3 - 0.2)) < 1e-12);
        QVERIFY(std::fabs(boundOfChance(200) - 0.23140) < 1e-4);   // sqrt(ln(2e9) / 400)
    }

    void totalVariationIsHalfOfTheDifferences()
    {
        const std::vector<std::uint32_t> counts{50, 30, 20, 0};
        const std::vector<float> expected{0.25F, 0.25F, 0.25F, 0.25F};
        QCOMPARE(totalVariation(counts, 100, expected), 0.3);   // (0.25 + 0.05 + 0.05 + 0.25) / 2
        QCOMPARE(totalVariation(std::vector<std::uint32_t>{25, 25, 25, 25}, 100, expected), 0.0);
        // Tokens by the hundred thousand: chance alone exceeds the format's bound of 0.2 (benchmark §10, 26).
        const std::vector<float> many(128256, 1.0F / 128256);
        QVERIFY(expectedNoise(500'000, many) > 0.19 && expectedNoise(500'000, many) < 0.21);
        QVERIFY(expectedNoise(500'000, expected) < 0.001);
    }

    void tokensOfAnIndexerMustBeReachable()
    {
        const IndexerInputs inputs = smallIndexer();
        QCOMPARE(inputs.batch, std::size_t{1});
        // Length 3, pages 2, 0, 2: page 2 is in slot 0 first, page 0 in slot 1, page 1 nowhere.
        const std::map<std::int64_t, bool> right{{0, true}, {1, false}, {2, false}, {3, false}, {4, true}, {5, true}, {6, false}, {1000, false}};
        for (const auto& [index, isReachable] : right) QCOMPARE(inputs.isReachable(0, index), isReachable);
    }

    void scoresOfAnIndexerAreTheReferences()
    {
        const IndexerInputs inputs = smallIndexer();
        const std::vector<float> right{1.25F, -0.5F, 1.0F, 56.0F, 0.0F, -0.5F};
        for (std::size_t index = 0; index < right.size(); ++index) QCOMPARE(inputs.score(0, static_cast<std::int64_t>(index)), right[index]);
    }

    void inputsOfAnIndexerAreChecked()
    {
        std::vector<HostTensor> tensors(5);
        const auto made = IndexerInputs::make(tensors);
        QVERIFY(!made);
        QCOMPARE(QString::fromStdString(made.error().field), QStringLiteral("inputs.q_index_fp8"));
    }

    void sortedScoresAreCompared_data()
    {
        QTest::addColumn<Floats>("actual");
        QTest::addColumn<Floats>("expected");
        QTest::addColumn<int>("bad");
        QTest::addColumn<double>("absolute");
        QTest::newRow("another order") << Floats{1, 3, 2} << Floats{3, 2, 1} << 0 << 0.0;
        QTest::newRow("within one of the bounds") << Floats{100.5F} << Floats{100} << 0 << 0.5;
        QTest::newRow("within neither") << Floats{102} << Floats{100} << 1 << 2.0;
        QTest::newRow("padding on both sides") << Floats{-kInf, 5} << Floats{5, -kInf} << 0 << 0.0;
        QTest::newRow("padding on one") << Floats{-kInf, 5} << Floats{5, 4} << 1 << std::numeric_limits<double>::infinity();
        QTest::newRow("NaN on both sides") << Floats{kNan, 1} << Floats{1, kNan} << 0 << 0.0;
        QTest::newRow("NaN on one") << Floats{kNan, 1} << Floats{1, 1} << 1 << std::numeric_limits<double>::infinity();
    }
    void sortedScoresAreCompared()
    {
        QFETCH(Floats, actual);
        QFETCH(Floats, expected);
        ScoreComparison compared;
        compareSortedScores({actual.begin(), actual.end()}, {expected.begin(), expected.end()}, 0.01, 0.01, compared);
        QTEST(static_cast<int>(compared.bad), "bad");
        QTEST(compared.maxAbsoluteError, "absolute");
        QCOMPARE(compared.count, static_cast<std::uint64_t>(actual.size()));
    }

    void randomKeyCachesAreValidlyPacked()
    {
        const auto shape = keyCacheShape(DType::Int8, {5, 16, 1, 132});
        QVERIFY(shape.has_value());
        QCOMPARE(shape->headDim, std::uint64_t{128});
        QVERIFY(!keyCacheShape(DType::Int32, {5, 16, 1, 132}) && !keyCacheShape(DType::Int8, {5, 16, 132}) && !keyCacheShape(DType::Int8, {5, 16, 2, 132}));
        const auto cache = randomKeyCache(*shape, {11, 2, 3});
        QCOMPARE(cache.size(), std::size_t{5 * 16 * 132});
        std::vector<float> key(128);
        double squares = 0;
        for (std::uint64_t page = 0; page < 5; ++page) {
            for (std::uint64_t token = 0; token < 16; ++token) {
                float scale = 0;
                std::memcpy(&scale, cache.data() + page * 16 * 132 + 16 * 128 + token * 4, 4);
                QVERIFY(scale > 1e-4F / 448 && std::isfinite(scale));
                unpackKey(cache, *shape, page, token, key);
                float largest = 0;
                for (const float value : key) {
                    QVERIFY(std::isfinite(value));
                    largest = std::max(largest, std::fabs(value));
                    squares += static_cast<double>(value) * static_cast<double>(value);
                }
                QVERIFY(std::fabs(largest - 448 * scale) < 1e-4F * largest);   // the largest value fills the format
            }
        }
        const double variance = squares / (5 * 16 * 128);
        QVERIFY2(variance > 0.95 && variance < 1.05, QByteArray::number(variance));
        QVERIFY(cache == randomKeyCache(*shape, {11, 2, 3}));
        QVERIFY(cache != randomKeyCache(*shape, {11, 3, 3}));
    }

    // The table of the dialect page §4.4, by rule; 0: the dtype's own distribution.
    void inputsHaveRulesByName_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("description");
        QTest::addColumn<QList<qint64>>("shape");
        QTest::addColumn<int>("rule");
        const QList<qint64> matrix{4, 8};
        const QList<qint64> square{2, 6, 6};
        const QList<qint64> vector{8};
        const auto row = [](const char* name, const char* description, const QList<qint64>& shape, int rule) {
            QTest::addRow("%s: %s, %d axes", name, description, static_cast<int>(shape.size())) << name << description << shape << rule;
        };
        for (const char* name : {"norm_weight", "input_norm_weight", "input_layernorm_weight", "post_norm2_weight", "rmsnorm_weight"}) row(name, "", vector, 1);
        for (const char* name : {"norm_bias", "q_norm_bias", "layernorm_bias", "norm1_bias"}) row(name, "", vector, 2);
        row("attention_mask", "", square, 3);
        row("causal_mask", "", square, 3);
        row("m", "Causal Attention Mask", square, 3);
        row("causal_mask", "", matrix, 0);
        row("attention_mask", "", matrix, 4);
        for (const char* name : {"x_mask", "text_mask", "aspect_ratio_mask", "drop_mask"}) row(name, "", vector, 4);
        row("pad_mask", "1.0 for valid tokens", vector, 4);
        row("pad_mask", "Binary", vector, 4);
        row("pad_mask", "additive", vector, 0);
        for (const char* name : {"cos", "sin_cached", "rope_cos", "rope_sin"}) row(name, "", matrix, 5);
        for (const char* name : {"rstd", "std", "variance", "var", "batch_var", "bn_std", "rstd2", "bn_var1"}) row(name, "", vector, 6);
        row("bn_variance1", "", vector, 0);   // without digits `_variance` is no ending of the table
        for (const char* name : {"A", "A_log", "g", "A_cumsum"}) row(name, "", matrix, 7);
        for (const char* name : {"attn_weights", "attention_weights", "routing_weights"}) row(name, "", matrix, 8);
        row("s", "output of the softmax", matrix, 8);
        for (const char* name : {"weight", "conv_weight", "expert_weights", "q_proj", "kv_projs", "q_proj_weight", "w_weight_matrix", "weight1", "gate_proj2"}) row(name, "", matrix, 9);
        row("conv_weight", "", vector, 0);
        row("x", "", matrix, 0);
        row("hidden_states", "the input", matrix, 0);
    }
    void inputsHaveRulesByName()
    {
        QFETCH(QString, name);
        QFETCH(QString, description);
        QFETCH(QList<qint64>, shape);
        QFETCH(int, rule);
        const std::vector<std::int64_t> sizes(shape.begin(), shape.end());
        const auto found = namedInputRule(inputNamed(name.toStdString(), DType::BFloat16, description.toStdString()), sizes);
        QCOMPARE(found ? found->number : 0, rule);
        QVERIFY(!namedInputRule(inputNamed(name.toStdString(), DType::Int32, description.toStdString()), sizes));
    }

    void rulesMakeTheirDistributions_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("least");
        QTest::addColumn<double>("most");
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("deviation");
        // Means and deviations: of |normal| sqrt(2/pi) and sqrt(1 - 2/pi); of cos(normal) exp(-1/2) and sqrt((1 + exp(-2)) / 2 - exp(-1)).
        QTest::newRow("ones") << "norm_weight" << 1.0 << 1.0 << 1.0 << 0.0;
        QTest::newRow("zeros") << "norm_bias" << 0.0 << 0.0 << 0.0 << 0.0;
        QTest::newRow("coin") << "x_mask" << 0.0 << 1.0 << 0.5 << 0.5;
        QTest::newRow("cosine") << "cos" << -1.0 << 1.0 << 0.60653 << 0.44712;
        QTest::newRow("sine") << "sin" << -1.0 << 1.0 << 0.0 << 0.65752;
        QTest::newRow("variance") << "var" << 0.1 << 7.0 << 0.89788 << 0.60281;
        QTest::newRow("A") << "A" << -1.0 << -0.001 << -0.5005 << 0.28839;
        QTest::newRow("A_log") << "A_log" << -5.0 << -1.0 << -3.0 << 1.1547;
        QTest::newRow("g") << "g" << -5.0 << 0.0 << -2.5 << 1.44338;
        QTest::newRow("weight") << "weight" << -1.0 << 1.0 << 0.0 << 0.0625;   // 1 / sqrt(256)
        QTest::newRow("softmax") << "attn_weights" << 0.0 << 0.4 << 1.0 / 256 << 0.00511;   // sqrt(e - 1) / 256
    }
    void rulesMakeTheirDistributions()
    {
        QFETCH(QString, name);
        QFETCH(double, least);
        QFETCH(double, most);
        QFETCH(double, mean);
        QFETCH(double, deviation);
        CpuDevice device;
        const std::vector<std::int64_t> shape{256, 256};
        const std::uint64_t elements = elementCount(shape);
        for (const DType dtype : {DType::Float32, DType::Float16, DType::BFloat16}) {
            const auto rule = namedInputRule(inputNamed(name.toStdString(), dtype), shape);
            QVERIFY(rule.has_value());
            auto buffer = device.allocate(static_cast<std::size_t>(byteSize(dtype, elements)));
            QVERIFY(buffer.has_value());
            QVERIFY(device.fillRandom(**buffer, dtype, elements, {5, 6, 7}).has_value());
            QVERIFY(applyNamedRule(device, **buffer, dtype, shape, *rule).has_value());
            std::vector<float> values(static_cast<std::size_t>(elements));
            decodeToFloat(dtype, device.download(**buffer, (*buffer)->bytes()), 0, values);
            double sum = 0;
            double squares = 0;
            for (const float value : values) {
                const auto wide = static_cast<double>(value);
                QVERIFY2(wide >= least - 0.01 * std::fabs(least) && wide <= most + 0.01 * std::fabs(most), QByteArray::number(wide));
                sum += wide;
                squares += wide * wide;
            }
            const double actualMean = sum / static_cast<double>(elements);
            const double actualDeviation = std::sqrt(std::max(squares / static_cast<double>(elements) - actualMean * actualMean, 0.0));
            const double slack = 0.02 * std::max(deviation, 0.05 * std::fabs(mean)) + 1e-6;   // 65536 draws: five standard errors
            QVERIFY2(std::fabs(actualMean - mean) <= slack, QByteArray::number(actualMean));
            QVERIFY2(std::fabs(actualDeviation - deviation) <= 2 * slack, QByteArray::number(actualDeviation));
            QCOMPARE(rule->isFixed(), deviation == 0.0);
        }
    }

    void causalMasksAndRunningSums()
    {
        CpuDevice device;
        const std::vector<std::int64_t> shape{2, 3, 3};
        auto buffer = device.allocate(18 * sizeof(float));
        QVERIFY(buffer.has_value());
        const auto mask = namedInputRule(inputNamed("causal_mask"), shape);
        QVERIFY(applyNamedRule(device, **buffer, DType::Float32, shape, *mask).has_value());
        std::vector<float> values(18);
        decodeToFloat(DType::Float32, device.download(**buffer, 72), 0, values);
        const float lowest = std::numeric_limits<float>::lowest();
        const std::vector<float> right{0, lowest, lowest, 0, 0, lowest, 0, 0, 0, 0, lowest, lowest, 0, 0, lowest, 0, 0, 0};
        QVERIFY(values == right);
        const auto sums = namedInputRule(inputNamed("A_cumsum"), shape);
        QVERIFY(device.fillRandom(**buffer, DType::Float32, 18, {1, 2, 3}).has_value());
        QVERIFY(applyNamedRule(device, **buffer, DType::Float32, shape, *sums).has_value());
        decodeToFloat(DType::Float32, device.download(**buffer, 72), 0, values);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float before = i % 3 == 0 ? 0.0F : values[i - 1];
            QVERIFY(values[i] <= before && values[i] >= before - 0.1F);
        }
    }

    void buffersCanBeCopiedAndRepeated()
    {
        CpuDevice device;
        auto small = device.allocate(12);
        auto large = device.allocate(36);
        auto odd = device.allocate(35);
        QVERIFY(small && large && odd);
        QVERIFY(device.upload(**small, rawBytes<std::int32_t>({1, 2, 3})).has_value());
        QVERIFY(device.repeat(**large, **small).has_value());
        QVERIFY(device.download(**large, 36) == rawBytes<std::int32_t>({1, 2, 3, 1, 2, 3, 1, 2, 3}));
        QVERIFY(!device.repeat(**odd, **small));
        QVERIFY(!device.copy(**large, **small));
        auto kept = device.snapshot(**small, 12);
        QVERIFY(device.upload(**small, rawBytes<std::int32_t>({7, 8, 9})).has_value());
        QVERIFY(device.copy(**small, **kept).has_value());
        QVERIFY(device.download(**small, 8) == rawBytes<std::int32_t>({1, 2}));
        QVERIFY(device.redZonesIntact(**small) && device.redZonesIntact(**large));
    }

    void rulesThatAreNotUsualAreRecorded()
    {
        EvalConfig config;
        Workload workload;
        const Definition fib = definitionNamed("d", "gemm");
        QVERIFY(rulesOf(EvaluatorKind::Default, fib, workload, config).is_null());
        QVERIFY(rulesOf(EvaluatorKind::Sampling, fib, workload, config).is_null());
        config.strictNumerics = true;
        config.extra = {{"zero_outputs", true}, {"sampling_tvd_threshold", 0.3}, {"sampling_rules", "exact"}};
        QCOMPARE(rulesOf(EvaluatorKind::Default, fib, workload, config).dump(), std::string(R"({"strict_numerics":true,"zero_outputs":true})"));
        const Json sampling = rulesOf(EvaluatorKind::Sampling, fib, workload, config);
        QCOMPARE(sampling.at("sampling_tvd_threshold").get<double>(), 0.3);
        QCOMPARE(sampling.at("sampling_rules").get<std::string>(), std::string("exact"));
        workload.tolerance.emplace().misspeltMatchedRatio = 0.5;
        const Json sol = rulesOf(EvaluatorKind::Sol, definitionNamed("d", "L1", Dialect::SolExecBench), workload, config);
        QVERIFY(sol.at("name_heuristics").get<bool>());
        QCOMPARE(sol.at("sol_misspelt_ratio").get<std::string>(), std::string("ignored"));
        QCOMPARE(sol.at("tolerance").at("required_matched_ratio").get<double>(), 0.99);
    }
};

QTEST_GUILESS_MAIN(TestEvaluators)
#include "test_evaluators.moc"
