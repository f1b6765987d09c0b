// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes, operations and floors, computed by hand.
#include <QtTest>

#include <cmath>
#include <filesystem>

#include "core/score/work_estimate.h"
#include "core/store/dataset.h"

using namespace tracedeck;

namespace {

struct Tensor {
    const char* name;
    std::vector<std::string> shape;
    DType dtype;
};

Definition definitionOf(const std::string& name, const std::string& opType, const std::map<std::string, std::int64_t>& constants,
                        const std::vector<std::string>& variables, const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs)
{
    Definition definition;
    definition.name = name;
    definition.opType = opType;
    for (const auto& [axis, value] : constants) definition.axes.push_back(Axis{.name = axis, .value = value, .expression = {}, .description = {}});
    for (const std::string& axis : variables) definition.axes.push_back(Axis{.name = axis, .value = {}, .expression = {}, .description = {}});
    const auto add = [](std::vector<TensorSpec>& list, const std::vector<Tensor>& tensors) {
        for (const Tensor& tensor : tensors) {
            TensorSpec spec;
            spec.name = tensor.name;
            spec.shape = tensor.shape;
            spec.dtype = tensor.dtype;
            list.push_back(spec);
        }
    };
    add(definition.inputs, inputs);
    add(definition.outputs, outputs);
    return definition;
}

Definition gemm()
{
    return definitionOf("gemm", "gemm", {{"N", 4096}, {"K", 1024}}, {"M"}, {{"A", {"M", "K"}, DType::Float16}, {"B", {"N", "K"}, DType::Float16}},
                        {{"C", {"M", "N"}, DType::Float16}});
}

Definition pagedAttention(const std::string& name, bool hasQueries, std::int64_t pageSize)
{
    std::vector<Tensor> inputs{{"q", {hasQueries ? "total_q" : "batch_size", "num_qo_heads", "head_dim"}, DType::BFloat16},
                               {"k_cache", {"num_pages", "page_size", "num_kv_heads", "head_dim"}, DType::BFloat16},
                               {"v_cache", {"num_pages", "page_size", "num_kv_heads", "head_dim"}, DType::BFloat16}};
    if (hasQueries) inputs.push_back({"qo_indptr", {"len_indptr"}, DType::Int32});
    inputs.push_back({"kv_indptr", {"len_indptr"}, DType::Int32});
    inputs.push_back({"kv_indices", {"num_kv_indices"}, DType::Int32});
    return definitionOf(name, "gqa_paged", {{"num_qo_heads", 8}, {"num_kv_heads", 2}, {"head_dim", 64}, {"page_size", pageSize}},
                        {"batch_size", "total_q", "num_pages", "len_indptr", "num_kv_indices"}, inputs,
                        {{"output", {hasQueries ? "total_q" : "batch_size", "num_qo_heads", "head_dim"}, DType::BFloat16}});
}

const DevicePeaks kPeaks{.memoryBytesPerSecond = 3e12, .cacheBytes = 50e6, .operationsPerSecond = {{DType::Float16, 1e15}, {DType::BFloat16, 1e15}}};

}  // namespace

class TestWorkEstimate : public QObject {
    Q_OBJECT

private slots:
    void matrixProducts()
    {
        const auto work = estimateWork(gemm(), {{"M", 100}});
        QVERIFY(work);
        QCOMPARE(work->inputBytes, 2.0 * (100 * 1024 + 4096 * 1024));
        QCOMPARE(work->neededInputBytes, work->inputBytes);
        QCOMPARE(work->outputBytes, 2.0 * 100 * 4096);
        QCOMPARE(work->operations.value(), 2.0 * 100 * 4096 * 1024);
        QVERIFY(work->operand == DType::Float16);
        QCOMPARE(work->formula, std::string("2 * K * M * N"));
        QVERIFY(!work->isUpperEstimate);
        // Batched: the batch is in both factors and the result, and counts once.
        const auto batched = estimateWork(definitionOf("bmm", "bmm", {}, {"B", "M", "N", "K"}, {{"x", {"B", "M", "K"}, DType::BFloat16}, {"y", {"B", "K", "N"}, DType::BFloat16}},
                                                       {{"z", {"B", "M", "N"}, DType::BFloat16}}),
                                          {{"B", 2}, {"M", 3}, {"N", 5}, {"K", 7}});
        QCOMPARE(batched->operations.value(), 2.0 * 2 * 3 * 5 * 7);
        // A grouped one has its sizes in its contents.
        const auto grouped = estimateWork(definitionOf("grouped", "gemm", {}, {"M", "N", "K", "G"}, {{"x", {"M", "K"}, DType::BFloat16}, {"w", {"G", "N", "K"}, DType::BFloat16}, {"m_sizes", {"G"}, DType::Int32}},
                                                       {{"z", {"M", "N"}, DType::BFloat16}}),
                                          {{"M", 3}, {"N", 5}, {"K", 7}, {"G", 2}});
        QVERIFY(!grouped->operations);
    }

    void attentionOverPages()
    {
        const AxisValues axes{{"batch_size", 3}, {"num_pages", 100}, {"len_indptr", 4}, {"num_kv_indices", 50}, {"total_q", 0}};
        // One query a sequence, a page a token: 50 pairs, each 2 · 8 heads · (64 + 64).
        const auto decode = estimateWork(pagedAttention("decode", false, 1), axes);
        QCOMPARE(decode->operations.value(), 2.0 * 8 * 50 * 128);
        QCOMPARE(decode->inputBytes, 2.0 * 3 * 8 * 64 + 2 * 2.0 * 50 * 2 * 64 + 4.0 * (4 + 50));
        QVERIFY(decode->isUpperEstimate);   // pages may be shared
        const auto distinct = estimateWork(pagedAttention("decode", false, 1), axes, {.integers = {}, .pagesAreDistinct = true});
        QVERIFY(!distinct->isUpperEstimate);
        QCOMPARE(distinct->neededInputBytes, distinct->inputBytes);
        // Pages of 16: the last one of each sequence is full in part.
        QVERIFY(!estimateWork(pagedAttention("decode", false, 16), axes)->operations);
        const auto paged = estimateWork(pagedAttention("decode", false, 16), axes, {.integers = {{"kv_indptr", {0, 10, 10, 50}}, {"kv_last_page_len", {3, 1, 16}}}});
        QCOMPARE(paged->operations.value(), 2.0 * 8 * (9 * 16 + 3 + 40 * 16) * 128);
    }

    void causalAttention()
    {
        AxisValues axes{{"batch_size", 1}, {"num_pages", 100}, {"len_indptr", 2}, {"num_kv_indices", 10}, {"total_q", 4}};
        // Queries 4 behind 6 earlier keys: they see 7, 8, 9 and 10.
        QCOMPARE(estimateWork(pagedAttention("prefill_causal", true, 1), axes)->operations.value(), 2.0 * 8 * 34 * 128);
        QCOMPARE(estimateWork(pagedAttention("prefill", true, 1), axes)->operations.value(), 2.0 * 8 * 40 * 128);
        axes["total_q"] = 12;   // more queries than keys: the last 10 see 1 to 10
        QCOMPARE(estimateWork(pagedAttention("prefill_causal", true, 1), axes)->operations.value(), 2.0 * 8 * 55 * 128);
        axes["len_indptr"] = 3;
        QVERIFY(!estimateWork(pagedAttention("prefill_causal", true, 1), axes)->operations);
        const auto two = estimateWork(pagedAttention("prefill_causal", true, 1), axes, {.integers = {{"qo_indptr", {0, 4, 12}}, {"kv_indptr", {0, 4, 10}}}});
        QCOMPARE(two->operations.value(), 2.0 * 8 * (10 + 21) * 128);   // 1+2+3+4, and 8 queries on 6 keys: 1+…+6
    }

    void operationsOfStrangersAndUnknownTypesAreNotGuessed()
    {
        const auto unknown = estimateWork(definitionOf("x", "something", {}, {"n"}, {{"a", {"n"}, DType::Float32}}, {{"b", {"n"}, DType::Float32}}), {{"n", 1000}});
        QVERIFY(!unknown->operations);
        QCOMPARE(unknown->neededInputBytes, 0.0);
        QCOMPARE(unknown->inputBytes, 4000.0);
        QVERIFY(unknown->isUpperEstimate);
        QVERIFY(!estimateWork(gemm(), {}));   // M is missing
    }

    void weightsOfExpertsNeedNotBeRead()
    {
        const auto work = estimateWork(
            definitionOf("moe", "moe", {{"num_experts", 16}, {"hidden_size", 128}, {"intermediate_size", 64}, {"up", 128}, {"top_k", 2}}, {"seq_len"},
                         {{"routing_logits", {"seq_len", "num_experts"}, DType::Float32}, {"hidden_states", {"seq_len", "hidden_size"}, DType::BFloat16}, {"w1", {"num_experts", "up", "hidden_size"}, DType::BFloat16}},
                         {{"output", {"seq_len", "hidden_size"}, DType::BFloat16}}),
            {{"seq_len", 10}});
        QCOMPARE(work->neededInputBytes, 10.0 * 16 * 4 + 10 * 128 * 2);
        QVERIFY(work->isUpperEstimate);
        QCOMPARE(work->operations.value(), 2.0 * 10 * 2 * 3 * 128 * 64);
    }

    void floors()
    {
        WorkEstimate work;
        work.inputBytes = work.neededInputBytes = 3e9;
        work.outputBytes = 350e6;
        QVERIFY(std::abs(hardFloorMs(work, kPeaks) - 1.1) < 1e-12);   // 3 GB and what of the output the cache can't hold, at 3 TB/s
        QVERIFY(std::abs(softFloorMs(work, kPeaks) - 3.35 / 3) < 1e-12);
        work.operations = 4e12;
        work.operand = DType::Float16;
        QVERIFY(std::abs(hardFloorMs(work, kPeaks) - 2) < 1e-12);    // half of 4 ms
        QVERIFY(std::abs(softFloorMs(work, kPeaks) - 4) < 1e-12);
        work.operand = DType::Float8E4M3FN;   // no peak known
        QVERIFY(std::abs(hardFloorMs(work, kPeaks) - 1.1) < 1e-12);
        QCOMPARE(hardFloorMs(work, {}), 0.0);
    }

    void peaksOfAnH100()
    {
        const auto perClock = operationsPerClock(9, 0);
        // 132 processors at 1.98 GHz: 1070 TFLOP/s of bfloat16 (trusted judging §3.8).
        QCOMPARE(std::round(perClock.at(DType::BFloat16) * 132 * 1.98e9 / 1e12), 1071.0);
        QVERIFY(perClock.at(DType::Float32) < perClock.at(DType::Float16) && perClock.at(DType::Float16) < perClock.at(DType::Float8E4M3FN));
        QVERIFY(operationsPerClock(1, 0).empty());
    }

    /// No real workload is without an estimate, and none has a floor above what has been measured on a real GPU: an H100's
    /// figures in the sample dataset.
    void theSampleIsSlowerThanItsFloors()
    {
        const auto dataset = Dataset::load(std::filesystem::path(TRACEDECK_SOURCE_DIR) / "resources" / "sample");
        QVERIFY(dataset);
        DevicePeaks h100{.memoryBytesPerSecond = 3.352e12, .cacheBytes = 50 * 1024.0 * 1024};
        for (const auto& [dtype, rate] : operationsPerClock(9, 0)) h100.operationsPerSecond[dtype] = rate * 132 * 1.98e9;
        int checked = 0;
        const TraceTable& traces = (*dataset)->traces();
        for (const TraceRow& row : traces.rows()) {
            const Definition* definition = (*dataset)->findDefinition(traces.definitionName(row));
            AxisValues axes;
            for (const auto& [name, value] : traces.workloadKeys()[row.workload].axes) axes[traces.names().text(name)] = value;
            const auto work = estimateWork(*definition, axes, {.integers = {}, .pagesAreDistinct = true});
            QVERIFY(work);
            QVERIFY(work->inputBytes > 0 && work->outputBytes > 0);
            if (traces.hardwareName(row).find("H100") == std::string_view::npos || row.status != Status::Passed) continue;
            ++checked;
            QVERIFY2(row.latencyMs > hardFloorMs(*work, h100), (definition->name + " " + std::string(traces.solutionName(row))).c_str());
        }
        QVERIFY(checked > 100);
    }

    void everyRealWorkloadHasAnEstimate()
    {
        const std::filesystem::path root = std::filesystem::path(TRACEDECK_SHARED_DATASETS) / "flashinfer-trace";
        if (!std::filesystem::exists(root)) QSKIP("the real dataset is not there");
        const auto dataset = Dataset::load(root);
        QVERIFY(dataset);
        for (const auto& definition : (*dataset)->definitions()) {
            for (const Trace& trace : (*dataset)->workloadsOf(definition->name)) {
                const auto work = estimateWork(*definition, trace.workload.axes);
                QVERIFY2(work, definition->name.c_str());
                QVERIFY(work->inputBytes > 0 && work->neededInputBytes <= work->inputBytes && std::isfinite(work->inputBytes));
                if (definition->opType == "gemm") QVERIFY(work->operations);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestWorkEstimate)
#include "test_work_estimate.moc"
