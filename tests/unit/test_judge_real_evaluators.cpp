// SPDX-License-Identifier: GPL-3.0-or-later
// The evaluators with rules of their own on the real definitions that they are for, as far as a CPU can: the definition's own reference as
// the honest solution, and a wrong one. The workloads are made here; the published data set has none of these kinds.
#include <QtTest>

#include <cstring>
#include <fstream>

#include "core/io/safetensors.h"
#include "tests/support/judge_client.h"

using namespace tracedeck;
using namespace tracedeck::test;

namespace {

constexpr double kSeconds = 280;

Json readJson(const std::filesystem::path& path)
{
    std::ifstream in(path);
    return Json::parse(std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
}

std::string text(const Json& json)
{
    return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

Json randomInput()
{
    return {{"type", "random"}};
}

Json fromFile(const char* key)
{
    return {{"type", "safetensors"}, {"path", "inputs.safetensors"}, {"tensor_key", key}};
}

}  // namespace

class TestJudgeRealEvaluators : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const std::filesystem::path root = std::string(TRACEDECK_SHARED_DATASETS) + "/flashinfer-trace/definitions";
        if (!std::filesystem::exists(root)) QSKIP("there is no copy of the published data set beside the sources (TRACEDECK_SHARED_DATASETS)");
        m_python = TestPython::find();
        if (!m_python.missing.empty()) QSKIP(m_python.missing.c_str());
        m_definitions = root;
        Json first;
        JudgeClient::Options options;
        options.python = m_python.interpreter;
        m_judge = JudgeClient::start(options, first);
        QVERIFY(m_judge != nullptr);
        QVERIFY2(first.value("op", "") == "hello", first.dump().c_str());
    }

    void sparseAttention()
    {
        for (const auto& [pageSize, pages] : {std::pair{1, 2100}, {64, 40}}) {
            const Json definition = readJson(m_definitions / "dsa_paged" / ("dsa_sparse_attention_h16_ckv512_kpe64_topk2048_ps" + std::to_string(pageSize) + ".json"));
            // Three tokens: one with all 2048 entries, one with 5, the rest padding, one with 100.
            std::vector<std::int32_t> indices(3 * 2048, -1);
            for (int i = 0; i < 2048; ++i) indices[static_cast<std::size_t>(i)] = (i * 7) % (pageSize * pages);
            for (int i = 0; i < 5; ++i) indices[static_cast<std::size_t>(2048 + i)] = 30 - i;
            for (int i = 0; i < 100; ++i) indices[static_cast<std::size_t>(4096 + i)] = 2 * i;
            const std::filesystem::path root = m_folder.path().toStdString();
            std::filesystem::remove(root / "inputs.safetensors");
            QVERIFY(writeSafetensors(root / "inputs.safetensors", {{"sparse_indices", DType::Int32, {3, 2048}, std::as_bytes(std::span(indices))}}).has_value());
            open(definition, {{"num_tokens", 3}, {"num_pages", pages}},
                 {{"q_nope", randomInput()}, {"q_pe", randomInput()}, {"ckv_cache", randomInput()}, {"kpe_cache", randomInput()}, {"sparse_indices", fromFile("sparse_indices")},
                  {"sm_scale", {{"type", "scalar"}, {"value", 0.0721687836}}}});
            const std::string reference = definition.at("reference").get<std::string>();
            judge(definition, reference, "PASSED", "dsa_sparse_attention");
            judge(definition, reference + "\nboth = run\ndef run(*inputs):\n    return both(*inputs)[0]\n", "PASSED", "dsa_sparse_attention");
            judge(definition, reference + "\nboth = run\ndef run(*inputs):\n    output, lse = both(*inputs)\n    return output, lse + 1\n", "INCORRECT_NUMERICAL", "dsa_sparse_attention");
        }
    }

    void topKIndexer()
    {
        const Json definition = readJson(m_definitions / "dsa_paged/dsa_topk_indexer_fp8_h64_d128_topk2048_ps64.json");
        const std::vector<std::int32_t> lengths{2500, 700};
        std::vector<std::int32_t> table;
        for (int i = 0; i < 2 * 40; ++i) table.push_back((i * 37) % 80);
        const std::filesystem::path root = m_folder.path().toStdString();
        std::filesystem::remove(root / "inputs.safetensors");
        QVERIFY(writeSafetensors(root / "inputs.safetensors", {{"seq_lens", DType::Int32, {2}, std::as_bytes(std::span(lengths))},
                                                               {"block_table", DType::Int32, {2, 40}, std::as_bytes(std::span(table))}}).has_value());
        open(definition, {{"batch_size", 2}, {"max_num_pages", 40}, {"num_pages", 80}},
             {{"q_index_fp8", randomInput()}, {"k_index_cache_fp8", randomInput()}, {"weights", randomInput()}, {"seq_lens", fromFile("seq_lens")}, {"block_table", fromFile("block_table")}});
        const std::string reference = definition.at("reference").get<std::string>();
        judge(definition, reference, "PASSED", "dsa_topk_indexer");
        judge(definition, reference + "\nright = run\ndef run(*inputs):\n    return right(*inputs)[0].flip(1)\n", "PASSED", "dsa_topk_indexer");
        // The first tokens in place of the best ones.
        judge(definition, reference + "\nright = run\ndef run(q, cache, weights, lengths, table):\n    out = right(q, cache, weights, lengths, table)[0]\n"
                                      "    tokens = (table[0].long()[:, None] * 64 + torch.arange(64)).reshape(-1)\n    out[0] = tokens[:2048].int()\n    return out\n",
              "INCORRECT_NUMERICAL", "dsa_topk_indexer");
        judge(definition, reference + "\nright = run\ndef run(*inputs):\n    out = right(*inputs)[0]\n    out[1, 0] = out[1, 1]\n    return out\n", "INCORRECT_NUMERICAL", "dsa_topk_indexer");
    }

    void sampling_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("topK");
        QTest::addColumn<bool>("topP");
        QTest::newRow("top-k") << "top_k_sampling_from_probs_v128256" << true << false;
        QTest::newRow("top-k and top-p") << "top_k_top_p_sampling_from_probs_v128256" << true << true;
    }
    void sampling()
    {
        QFETCH(QString, name);
        QFETCH(bool, topK);
        QFETCH(bool, topP);
        const Json definition = readJson(m_definitions / "sampling" / (name.toStdString() + ".json"));
        const std::vector<std::int32_t> limits{20, 4};
        const std::vector<float> shares{1.0F, 1.0F};   // no limit: below 1 an honest nucleus is not the format's (benchmark §4.6)
        const std::filesystem::path root = m_folder.path().toStdString();
        std::filesystem::remove(root / "inputs.safetensors");
        QVERIFY(writeSafetensors(root / "inputs.safetensors", {{"top_k", DType::Int32, {2}, std::as_bytes(std::span(limits))}, {"top_p", DType::Float32, {2}, std::as_bytes(std::span(shares))}}).has_value());
        Json inputs = {{"probs", randomInput()}};
        std::string parameters = "probs";
        if (topK) inputs["top_k"] = fromFile("top_k");
        if (topP) inputs["top_p"] = fromFile("top_p");
        parameters += std::string(topK ? ", top_k" : "") + (topP ? ", top_p" : "");
        Json config = makeConfig(1, 3, 1);
        config["extra"] = {{"sampling_validation_trials", 5}, {"sampling_distribution_samples", 2000}, {"sampling_rows", 400}};
        open(definition, {{"batch_size", 2}}, inputs, config);
        const auto sampler = [&parameters](const char* draw) {
            return "import torch\ndef run(" + parameters + "):\n    values, tokens = torch.topk(probs, 20)\n    values = torch.where(torch.arange(20) < top_k[:, None], values, 0)\n    return " + draw + "\n";
        };
        judge(definition, sampler("tokens.gather(1, torch.multinomial(values, 1))[:, 0]"), "PASSED", "sampling");
        judge(definition, sampler("tokens[:, 0]"), "INCORRECT_NUMERICAL", "sampling");
        judge(definition, sampler("tokens[:, 19]"), "INCORRECT_NUMERICAL", "sampling");
    }

private:
    void open(const Json& definition, const Json& axes, const Json& inputs, const Json& config = makeConfig(1, 3, 2))
    {
        m_opened = m_judge->ask(openMessage(definition, {{"uuid", "w"}, {"axes", axes}, {"inputs", inputs}}, config, m_folder.path().toStdString()));
    }
    void judge(const Json& definition, const std::string& source, const std::string& status, const std::string& evaluator)
    {
        QVERIFY2(m_opened.value("op", "") == "opened", m_opened.dump().c_str());
        const Json answer = m_judge->ask(evaluateMessage(makeSolution(definition.at("name"), source, false), kSeconds));
        QVERIFY2(answer.value("op", "") == "evaluated", answer.dump().c_str());
        const Json& evaluation = answer.at("evaluation");
        QVERIFY2(evaluation.at("status") == status, (source + text(evaluation)).c_str());
        QCOMPARE(evaluation.at("judge").at("evaluator").get<std::string>(), evaluator);
    }

    std::filesystem::path m_definitions;
    TestPython m_python;
    std::unique_ptr<JudgeClient> m_judge;
    QTemporaryDir m_folder;
    Json m_opened;
};

QTEST_GUILESS_MAIN(TestJudgeRealEvaluators)
#include "test_judge_real_evaluators.moc"
