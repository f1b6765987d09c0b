// SPDX-License-Identifier: GPL-3.0-or-later
// Random integers that are indexes: which rule each gets, and that what is drawn obeys it.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <set>

#include "core/io/json_codec.h"
#include "core/judge/index_inputs.h"
#include "core/judge/philox.h"
#include "core/model/index_rules.h"
#include "core/store/dataset.h"

using namespace tracedeck;
using namespace tracedeck::judge;

namespace {

struct Input {
    const char* name;
    std::vector<std::string> shape;
    const char* dtype = "int32";
    const char* description = "";
};

/// A definition whose axes are all variable.
Definition definitionOf(const AxisValues& axes, const std::vector<Input>& inputs, const std::vector<std::string>& constraints = {})
{
    Definition definition;
    definition.name = "d";
    for (const auto& [name, value] : axes) definition.axes.push_back(Axis{.name = name, .value = {}, .expression = {}, .description = {}});
    for (const Input& input : inputs) {
        TensorSpec spec;
        spec.name = input.name;
        spec.shape = input.shape;
        spec.dtypeName = input.dtype;
        spec.dtype = dtypeFromString(input.dtype).value();
        spec.description = input.description;
        definition.inputs.push_back(spec);
    }
    definition.constraints = constraints;
    return definition;
}

Workload randomWorkload(const Definition& definition, const AxisValues& axes)
{
    Workload workload;
    workload.uuid = "w";
    workload.axes = axes;
    for (const TensorSpec& input : definition.inputs) workload.inputs.emplace_back(input.name, RandomInput{});
    return workload;
}

/// All integers of one call.
struct Drawn {
    std::vector<std::optional<IndexRule>> rules;
    std::vector<Shape> shapes;
    std::vector<std::vector<std::int64_t>> values;
};

Drawn drawAll(const Definition& definition, const Workload& workload, std::uint64_t seed = 1, std::uint32_t call = 0)
{
    Drawn drawn;
    drawn.rules = indexRules(definition, workload);
    drawn.shapes = definition.inputShapes(workload.axes).value();
    drawn.values = makeStructures(drawn.rules, drawn.shapes, mixSeed(0, workload.uuid));
    for (std::size_t i = 0; i < drawn.rules.size(); ++i) {
        if (!drawn.rules[i] || drawn.rules[i]->isStructure()) continue;
        const std::vector<std::int64_t> shape = drawn.shapes[i].value_or(std::vector<std::int64_t>{});
        drawn.values[i] = drawIndexes(*drawn.rules[i], shape, {seed, call, static_cast<std::uint32_t>(i)});
    }
    return drawn;
}

bool obeys(const IndexRule& rule, const Shape& shape, const std::vector<std::int64_t>& values)
{
    const std::uint64_t count = shape ? elementCount(*shape) : 1;
    if (values.size() != count) return false;
    const std::size_t row = shape && !shape->empty() ? static_cast<std::size_t>(shape->back()) : 1;
    const auto distinctFrom = [&values](std::size_t begin, std::size_t end) {
        return std::set<std::int64_t>(values.begin() + static_cast<std::ptrdiff_t>(begin), values.begin() + static_cast<std::ptrdiff_t>(end)).size() == end - begin;
    };
    const auto inRange = [&rule](std::int64_t value) { return value >= rule.least && value <= rule.greatest; };
    switch (rule.meaning) {
    case IndexMeaning::Offsets: return values.front() == 0 && values.back() == rule.total && std::is_sorted(values.begin(), values.end());
    case IndexMeaning::GroupSizes:
        return std::accumulate(values.begin(), values.end(), std::int64_t{0}) == rule.total && std::all_of(values.begin(), values.end(), [](auto v) { return v >= 0; });
    case IndexMeaning::Lengths:
    case IndexMeaning::LastPageLengths:
    case IndexMeaning::Numbers: return std::all_of(values.begin(), values.end(), inRange);
    case IndexMeaning::DistinctNumbers:
        return std::all_of(values.begin(), values.end(), inRange) && (std::cmp_greater(count, rule.greatest + 1) || distinctFrom(0, values.size()));
    case IndexMeaning::PackedExperts:
        for (std::size_t begin = 0; begin < values.size(); begin += row) {
            std::set<std::int64_t> experts;
            for (std::size_t i = begin; i < begin + row; ++i) {
                if (!inRange(values[i] >> 16)) return false;
                experts.insert(values[i] >> 16);
                const auto bits = static_cast<std::uint32_t>(values[i] & 0xFFFF) << 16;
                float weight = 0;
                std::memcpy(&weight, &bits, sizeof(weight));
                if (!(weight > 0 && weight <= 1)) return false;
            }
            if (experts.size() != row) return false;
        }
        return true;
    case IndexMeaning::DistinctInRows:
    case IndexMeaning::Permutation:
        for (std::size_t begin = 0; begin < values.size(); begin += row) {
            const auto known = static_cast<std::size_t>(std::min<std::int64_t>(static_cast<std::int64_t>(row), rule.greatest + 1));
            if (!distinctFrom(begin, begin + known)) return false;
            for (std::size_t i = begin; i < begin + row; ++i) {
                if (i < begin + known ? !inRange(values[i]) : values[i] != -1) return false;
            }
        }
        return true;
    }
    return false;
}

}  // namespace

class TestIndexInputs : public QObject {
    Q_OBJECT

private slots:
    void eachKindOfIndexHasItsRule_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("shape");
        QTest::addColumn<QString>("expected");   // meaning, least, greatest, total
        QTest::newRow("offsets by constraint") << "kv_indptr" << QStringList{"len_indptr"} << "0 0 40 40";
        QTest::newRow("offsets by name") << "qo_indptr" << QStringList{"len_indptr"} << "0 0 12 12";
        QTest::newRow("offsets of other style") << "cu_seqlens_k" << QStringList{"len_indptr"} << "0 0 40 40";
        QTest::newRow("group sizes") << "group_sizes" << QStringList{"batch_size"} << "1 0 12 12";
        QTest::newRow("lengths by page table") << "seq_lens" << QStringList{"batch_size"} << "2 1 112 0";
        QTest::newRow("last pages") << "kv_last_page_len" << QStringList{"batch_size"} << "3 1 16 0";
        QTest::newRow("positions") << "positions" << QStringList{"num_tokens"} << "4 0 4095 0";
        QTest::newRow("pages") << "kv_indices" << QStringList{"num_kv_indices"} << "5 0 63 0";
        QTest::newRow("page table") << "block_table" << QStringList{"batch_size", "max_num_pages"} << "5 0 63 0";
        QTest::newRow("slots of states") << "initial_state_indices" << QStringList{"batch_size"} << "5 0 99 0";
        QTest::newRow("experts") << "topk_ids" << QStringList{"num_tokens", "top_k"} << "6 0 7 0";
        QTest::newRow("sparse tokens") << "sparse_indices" << QStringList{"num_tokens", "top_k"} << "6 0 1023 0";
        QTest::newRow("permutation") << "row_permutation" << QStringList{"num_tokens"} << "7 0 11 0";
        QTest::newRow("sampling's k") << "top_k" << QStringList{"batch_size"} << "4 1 500 0";
        QTest::newRow("tokens") << "token_ids" << QStringList{"num_tokens"} << "4 0 499 0";
        QTest::newRow("batch numbers") << "batch_idx" << QStringList{"num_tokens"} << "4 0 4 0";
        QTest::newRow("indexes of anything: the shortest tensor") << "gather_indices" << QStringList{"num_tokens"} << "4 0 11 0";
        QTest::newRow("upper case, with a number") << "KV_Indices_2" << QStringList{"num_kv_indices"} << "5 0 63 0";
        QTest::newRow("no index") << "weights_q" << QStringList{"num_tokens"} << "none";
        QTest::newRow("no index: bits") << "packed" << QStringList{"num_tokens"} << "none";
        QTest::newRow("offsets of two dimensions are something else") << "offsets" << QStringList{"num_tokens", "top_k"} << "none";
    }
    void eachKindOfIndexHasItsRule()
    {
        QFETCH(QString, name);
        QFETCH(QStringList, shape);
        QFETCH(QString, expected);
        const AxisValues axes{{"len_indptr", 6},    {"batch_size", 5},   {"num_kv_indices", 40}, {"total_q", 12},    {"num_tokens", 12}, {"num_pages", 64},
                              {"max_num_pages", 7}, {"page_size", 16},   {"max_seq_len", 4096},  {"num_experts", 8}, {"top_k", 3},       {"vocab_size", 500},
                              {"pool_size", 100},   {"num_heads", 2}};
        std::vector<std::string> names;
        for (const QString& axis : shape) names.push_back(axis.toStdString());
        const std::string input = name.toStdString();
        const Definition definition = definitionOf(
            axes, {{"x", {"num_tokens", "num_heads"}, "float16"}, {"cache", {"num_pages", "page_size"}, "float16"}, {input.c_str(), names}, {"block_table_of_all", {"batch_size", "max_num_pages"}}, {"block_table", {"batch_size", "max_num_pages"}}},
            {"len_indptr == batch_size + 1", "num_kv_indices == kv_indptr[-1].item()"});
        const Workload workload = randomWorkload(definition, axes);
        const auto rules = indexRules(definition, workload);
        QVERIFY(!rules[0] && !rules[1]);
        QCOMPARE(rules[2] ? QStringLiteral("%1 %2 %3 %4").arg(static_cast<int>(rules[2]->meaning)).arg(rules[2]->least).arg(rules[2]->greatest).arg(rules[2]->total)
                          : QStringLiteral("none"),
                 expected);
        const Drawn drawn = drawAll(definition, workload);
        for (std::size_t i = 0; i < drawn.rules.size(); ++i) {
            if (!drawn.rules[i]) continue;
            QVERIFY2(obeys(*drawn.rules[i], drawn.shapes[i], drawn.values[i]), definition.inputs[i].name.c_str());
            QVERIFY(!drawn.rules[i]->text.empty());
        }
    }

    void packedExpertsHoldTheirWeights()
    {
        const AxisValues axes{{"seq_len", 50}, {"top_k", 8}, {"num_experts", 128}};
        const Definition definition = definitionOf(axes, {{"topk_ids", {"seq_len", "top_k"}, "int32", "Packed topk_ids: high 16 bits = expert_idx, low 16 bits = bf16 weight"}});
        const Drawn drawn = drawAll(definition, randomWorkload(definition, axes));
        QVERIFY(drawn.rules[0]);
        QCOMPARE(drawn.rules[0]->meaning, IndexMeaning::PackedExperts);
        QVERIFY(obeys(*drawn.rules[0], drawn.shapes[0], drawn.values[0]));
    }

    /// Whatever the totals: offsets are valid; where they allow it, each sequence has pages for its queries, and the last one is
    /// full enough.
    void keysCoverTheirQueries_data()
    {
        QTest::addColumn<qint64>("queries");
        QTest::addColumn<qint64>("pages");
        QTest::addColumn<bool>("covers");
        QTest::newRow("plenty") << qint64{100} << qint64{90} << true;
        QTest::newRow("just enough") << qint64{8} << qint64{8} << true;
        QTest::newRow("too few for all") << qint64{1000} << qint64{9} << false;
        QTest::newRow("fewer than sequences") << qint64{3} << qint64{2} << false;
        QTest::newRow("none") << qint64{0} << qint64{0} << false;
    }
    void keysCoverTheirQueries()
    {
        QFETCH(qint64, queries);
        QFETCH(qint64, pages);
        QFETCH(bool, covers);
        const AxisValues axes{{"len_indptr", 9}, {"batch_size", 8}, {"total_q", queries}, {"num_kv_indices", pages}, {"num_pages", 1000}, {"page_size", 16}};
        const Definition definition = definitionOf(
            axes, {{"kv_last_page_len", {"batch_size"}}, {"kv_indptr", {"len_indptr"}}, {"kv_indices", {"num_kv_indices"}}, {"qo_indptr", {"len_indptr"}, "int64"}},
            {"total_q == qo_indptr[-1].item()", "num_kv_indices == kv_indptr[-1].item()"});
        for (int i = 0; i < 200; ++i) {
            Workload workload = randomWorkload(definition, axes);
            workload.uuid = "w" + std::to_string(i);
            const Drawn drawn = drawAll(definition, workload);
            for (std::size_t k = 0; k < 4; ++k) QVERIFY(drawn.rules[k] && obeys(*drawn.rules[k], drawn.shapes[k], drawn.values[k]));
            for (std::size_t k = 0; k < 8 && covers; ++k) {
                const std::int64_t ofQueries = drawn.values[3][k + 1] - drawn.values[3][k];
                const std::int64_t ofPages = drawn.values[1][k + 1] - drawn.values[1][k];
                QVERIFY(ofPages >= 1);
                QVERIFY((ofPages - 1) * 16 + drawn.values[0][k] >= ofQueries);
            }
        }
    }

    void structureStaysAndTheRestChanges()
    {
        const AxisValues axes{{"len_indptr", 9}, {"batch_size", 8}, {"num_kv_indices", 50}, {"num_pages", 1000}, {"page_size", 1}};
        const Definition definition = definitionOf(axes, {{"kv_indptr", {"len_indptr"}}, {"kv_indices", {"num_kv_indices"}}});
        const Workload workload = randomWorkload(definition, axes);
        const Drawn first = drawAll(definition, workload, 1, 0);
        const Drawn again = drawAll(definition, workload, 1, 0);
        const Drawn next = drawAll(definition, workload, 1, 1);
        const Drawn otherSeed = drawAll(definition, workload, 2, 0);
        QCOMPARE(first.values, again.values);
        QCOMPARE(first.values[0], next.values[0]);
        QCOMPARE(first.values[0], otherSeed.values[0]);
        QVERIFY(first.values[1] != next.values[1]);
        QVERIFY(first.values[1] != otherSeed.values[1]);
    }

    void numbersAreSpreadEvenly()
    {
        const IndexRule rule{.meaning = IndexMeaning::Numbers, .least = 3, .greatest = 12, .total = 0, .queries = {}, .pages = {}, .unit = 1, .text = {}};
        const auto values = drawIndexes(rule, {100'000}, {7, 0, 0});
        std::array<int, 10> counts{};
        for (const std::int64_t value : values) ++counts[static_cast<std::size_t>(value - 3)];
        for (const int count : counts) QVERIFY2(std::abs(count - 10'000) < 500, std::to_string(count).c_str());   // five sigmas are 474
        const IndexRule distinct{.meaning = IndexMeaning::DistinctNumbers, .least = 0, .greatest = 9, .total = 0, .queries = {}, .pages = {}, .unit = 1, .text = {}};
        std::array<int, 10> firsts{};
        for (std::uint32_t call = 0; call < 10'000; ++call) ++firsts[static_cast<std::size_t>(drawIndexes(distinct, {3}, {7, call, 0}).back())];
        for (const int count : firsts) QVERIFY2(std::abs(count - 1000) < 150, std::to_string(count).c_str());   // five sigmas
    }

    void moreThanThereAreComeEvenly()
    {
        const IndexRule rule{.meaning = IndexMeaning::DistinctNumbers, .least = 0, .greatest = 2, .total = 0, .queries = {}, .pages = {}, .unit = 1, .text = {}};
        const auto values = drawIndexes(rule, {2, 4}, {7, 0, 0});
        for (std::int64_t number = 0; number < 3; ++number) {
            const auto count = std::count(values.begin(), values.end(), number);
            QVERIFY(count == 2 || count == 3);
        }
    }

    void filesScalarsFloatsAndTheOtherDialectHaveNoRules()
    {
        const AxisValues axes{{"n", 4}, {"num_pages", 9}};
        Definition definition = definitionOf(axes, {{"kv_indices", {"n"}}, {"page_ids", {"n"}, "float32"}, {"block_table", {"n"}, "int16"}});
        Workload workload = randomWorkload(definition, axes);
        auto rules = indexRules(definition, workload);
        QVERIFY(rules[0] && !rules[1] && !rules[2]);
        workload.inputs[0].second = SafetensorsInput{"a", "b"};
        QVERIFY(!indexRules(definition, workload)[0]);
        workload.inputs.clear();   // no entry is random, too
        QVERIFY(indexRules(definition, workload)[0]);
        definition.dialect = Dialect::SolExecBench;
        QVERIFY(!indexRules(definition, workload)[0]);
    }

    void missingAxesAndEmptyOnesAreNoTrouble()
    {
        const Definition lacking = definitionOf({{"n", 4}}, {{"kv_indices", {"n"}}, {"kv_indptr", {"n"}}, {"seq_lens", {"n"}}});
        const auto rules = indexRules(lacking, randomWorkload(lacking, {{"n", 4}}));
        QVERIFY(!rules[0] && !rules[1] && !rules[2]);
        QVERIFY(!indexRules(lacking, randomWorkload(lacking, {}))[0]);
        const AxisValues none{{"n", 0}, {"num_pages", 0}};
        const Definition empty = definitionOf(none, {{"kv_indices", {"n"}}});
        QVERIFY(!indexRules(empty, randomWorkload(empty, none))[0]);
        const AxisValues noRows{{"n", 0}, {"num_pages", 3}};
        const Drawn drawn = drawAll(empty, randomWorkload(empty, noRows));
        QVERIFY(drawn.rules[0] && drawn.values[0].empty());
    }

    void integersLieInMemoryAsDeclared()
    {
        const std::vector<std::int64_t> values{0, 1, -1, 70'000};
        const auto wide = encodeIntegers(values, DType::Int64);
        const auto narrow = encodeIntegers(values, DType::Int32);
        QCOMPARE(wide.size(), std::size_t{32});
        QCOMPARE(narrow.size(), std::size_t{16});
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::int64_t of64 = 0;
            std::int32_t of32 = 0;
            std::memcpy(&of64, wide.data() + 8 * i, 8);
            std::memcpy(&of32, narrow.data() + 4 * i, 4);
            QCOMPARE(of64, values[i]);
            QCOMPARE(static_cast<std::int64_t>(of32), values[i]);
        }
    }

    /// Each integer tensor of the real dataset, as if its workloads called it random.
    void everyIndexOfTheRealDatasetHasARule()
    {
        const std::filesystem::path root = std::filesystem::path(TRACEDECK_SHARED_DATASETS) / "flashinfer-trace";
        if (!std::filesystem::exists(root)) QSKIP("the real dataset is not there");
        const auto dataset = Dataset::load(root);
        QVERIFY(dataset);
        int inputs = 0;
        for (const auto& definition : (*dataset)->definitions()) {
            for (const Trace& trace : (*dataset)->workloadsOf(definition->name)) {
                Workload workload = trace.workload;
                for (auto& [name, input] : workload.inputs) input = RandomInput{};
                const Drawn drawn = drawAll(*definition, workload);
                for (std::size_t i = 0; i < drawn.rules.size(); ++i) {
                    const TensorSpec& spec = definition->inputs[i];
                    if (spec.dtype != DType::Int32 && spec.dtype != DType::Int64) continue;
                    const auto pages = workload.axes.find("num_pages");
                    if (pages != workload.axes.end() && pages->second == 0) continue;   // two workloads have none: nothing is valid there
                    ++inputs;
                    QVERIFY2(drawn.rules[i], (definition->name + ": " + spec.name).c_str());
                    QVERIFY2(obeys(*drawn.rules[i], drawn.shapes[i], drawn.values[i]), (definition->name + ": " + spec.name).c_str());
                }
            }
        }
        QVERIFY2(inputs > 500, std::to_string(inputs).c_str());
    }
};

QTEST_GUILESS_MAIN(TestIndexInputs)
#include "test_index_inputs.moc"
