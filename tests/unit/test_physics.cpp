// SPDX-License-Identifier: GPL-3.0-or-later
// Faster than physics: what a workload's contents say about its work, and what becomes of a time that can't be.
#include <QtTest>

#include <cmath>

#include "core/io/json_codec.h"
#include "core/judge/cpu/cpu_device.h"
#include "core/judge/evaluation.h"
#include "core/judge/physics.h"
#include "tests/support/judge_client.h"

using namespace tracedeck;
using namespace tracedeck::judge;
using namespace tracedeck::test;

namespace {

/// A CPU that claims what the test says about its memory.
class BoundedCpu : public CpuDevice {
public:
    explicit BoundedCpu(double bytesPerSecond) : m_bytesPerSecond(bytesPerSecond) {}
    [[nodiscard]] std::optional<DevicePeaks> peaks() const override { return DevicePeaks{.memoryBytesPerSecond = m_bytesPerSecond, .cacheBytes = 0}; }

private:
    double m_bytesPerSecond;
};

Definition decoded(const Json& json)
{
    auto definition = decodeDefinition(json, ReadMode::Strict);
    if (!definition) throw std::runtime_error(definition.error().toString());
    return definition->value;
}

Definition pagedAttention()
{
    return decoded(Json::parse(R"json({"name": "decode", "op_type": "gqa_paged",
        "axes": {"batch_size": {"type": "var"}, "num_pages": {"type": "var"}, "len_indptr": {"type": "var"}, "num_kv_indices": {"type": "var"},
                 "page_size": {"type": "const", "value": 16}, "num_qo_heads": {"type": "const", "value": 8}, "num_kv_heads": {"type": "const", "value": 2},
                 "head_dim": {"type": "const", "value": 64}},
        "inputs": {"q": {"shape": ["batch_size", "num_qo_heads", "head_dim"], "dtype": "bfloat16"},
                   "k_cache": {"shape": ["num_pages", "page_size", "num_kv_heads", "head_dim"], "dtype": "bfloat16"},
                   "v_cache": {"shape": ["num_pages", "page_size", "num_kv_heads", "head_dim"], "dtype": "bfloat16"},
                   "kv_indptr": {"shape": ["len_indptr"], "dtype": "int32"}, "kv_indices": {"shape": ["num_kv_indices"], "dtype": "int32"},
                   "kv_last_page_len": {"shape": ["batch_size"], "dtype": "int32"}},
        "outputs": {"output": {"shape": ["batch_size", "num_qo_heads", "head_dim"], "dtype": "bfloat16"}},
        "constraints": ["num_kv_indices == kv_indptr[-1].item()"], "reference": "def run(q, k_cache, v_cache, kv_indptr, kv_indices, kv_last_page_len):\n    return q\n"})json"));
}

}  // namespace

class TestPhysics : public QObject {
    Q_OBJECT

private slots:
    void contentsOfOffsetsTellTheWork()
    {
        const Definition definition = pagedAttention();
        Workload workload;
        workload.uuid = "w";
        workload.axes = {{"batch_size", 3}, {"num_pages", 100}, {"len_indptr", 4}, {"num_kv_indices", 50}};
        const auto plan = InputPlan::make(definition, workload, {}, 1);
        QVERIFY(plan);
        const WorkFacts facts = factsOf(*plan);
        QVERIFY(facts.pagesAreDistinct);   // 50 of 100
        QCOMPARE(facts.integers.size(), std::size_t{2});
        const auto& offsets = facts.integers.at("kv_indptr");
        const auto& last = facts.integers.at("kv_last_page_len");
        QCOMPARE(offsets.front(), std::int64_t{0});
        QCOMPARE(offsets.back(), std::int64_t{50});
        double keys = 0;
        for (std::size_t i = 0; i < 3; ++i) keys += static_cast<double>((offsets[i + 1] - offsets[i] - 1) * 16 + last[i]);
        const auto work = estimateWork(definition, workload.axes, facts);
        QVERIFY(work);
        QCOMPARE(work->operations.value(), 2.0 * 8 * keys * 128);
        QVERIFY(!work->isUpperEstimate);
        const auto floor = timeFloor(definition, workload.axes, *plan, {.memoryBytesPerSecond = 1e9, .cacheBytes = 0});
        QVERIFY(floor);
        QVERIFY(std::abs(floor->hardMs - (work->neededInputBytes + work->outputBytes) / 1e6) < 1e-9);
        workload.axes["num_pages"] = 20;   // now pages come twice
        const auto scarce = InputPlan::make(definition, workload, {}, 1);
        QVERIFY(scarce && !factsOf(*scarce).pagesAreDistinct);
    }

    void nothingKnownIsNoFloor()
    {
        const Definition definition = decoded(makeDefinition("x", {{"a", "float32"}}, {{"b", "float32"}}, "def run(a):\n    return a\n", "something"));
        Workload workload;
        workload.axes = {{"N", 100}};
        const auto plan = InputPlan::make(definition, workload, {}, 1);
        QVERIFY(plan);
        QVERIFY(!timeFloor(definition, workload.axes, *plan, {}));
        const auto floor = timeFloor(definition, workload.axes, *plan, {.memoryBytesPerSecond = 1e9, .cacheBytes = 0});
        QVERIFY(floor);
        QVERIFY(std::abs(floor->hardMs - 400 / 1e6) < 1e-12);   // only the output must be written
    }

    /// The real evaluation on a device that says its memory is slow, or fast.
    void aTimeThatCannotBeIsTriedOnceMoreAndRefused()
    {
        const TestPython python = TestPython::find();
        if (!python.missing.empty()) QSKIP(("no Python with torch: " + python.missing).c_str());
        auto launcher = HostLauncher::start({.python = python.interpreter, .tvmFfiLibrary = {}, .confinement = confine::Wish::None, .worker = TRACEDECK_BIN_DIR "/tracedeck-worker"});
        QVERIFY2(launcher, launcher ? "" : launcher.error().toString().c_str());
        const auto evaluate = [&](double bytesPerSecond, bool wasTooFast) {
            BoundedCpu device(bytesPerSecond);
            WorkloadRequest request{.root = {}, .definition = decoded(makeDefinition("add", {{"x", "float32"}}, {{"y", "float32"}}, "def run(x):\n    return x + 1\n", "rmsnorm")), .workload = {}, .config = {}};
            request.workload.uuid = "w";
            request.workload.axes = {{"N", 1000}};
            request.config.warmupRuns = 1;
            request.config.iterations = 3;
            request.config.numTrials = 1;
            auto planned = WorkloadSession::plan(device, **launcher, request, 7);
            auto& session = std::get<std::unique_ptr<WorkloadSession>>(planned);
            const StageCallback silent = [](const char*) {};
            if (session->open(**launcher, silent)) throw std::runtime_error("the workload can't be opened");
            auto solution = decodeSolution(makeSolution("add", "def run(x):\n    return x + 1\n", false), ReadMode::Strict);
            if (!solution) throw std::runtime_error(solution.error().toString());
            EvaluationRequest wanted;
            wanted.solution = solution->value;
            wanted.wasTooFast = wasTooFast;
            return BegunEvaluation(device, **launcher, *session, std::move(wanted)).run(silent, nullptr);
        };
        // 8,000 bytes at a byte a second take hours.
        const EvaluationResult first = evaluate(1, false);
        QVERIFY(first.isTooFast && !first.store);
        QVERIFY(first.evaluation.status != Status::Passed);
        const EvaluationResult second = evaluate(1, true);
        QVERIFY(!second.isTooFast && second.store);
        QVERIFY(second.evaluation.status == Status::RuntimeError);
        QVERIFY2(second.evaluation.log.find("faster than physics allows, in a second process, too") != std::string::npos, second.evaluation.log.c_str());
        const Json verdicts = second.evaluation.unknownKeys.at("judge").at("verdicts");
        QVERIFY(std::any_of(verdicts.begin(), verdicts.end(), [](const Json& verdict) { return verdict.at("id") == "physics" && verdict.at("level") == "reject"; }));
        // Nobody is accused where the memory is as fast as can be.
        const EvaluationResult honest = evaluate(1e15, false);
        QVERIFY2(honest.evaluation.status == Status::Passed, honest.evaluation.log.c_str());
        QVERIFY(!honest.isTooFast && honest.store);
        QVERIFY(honest.evaluation.unknownKeys.at("judge").at("time").at("floor_hard_ms").get<double>() > 0);
        const EvaluationResult cleared = evaluate(1e15, true);
        QVERIFY(cleared.evaluation.status == Status::Passed);
        const Json remarks = cleared.evaluation.unknownKeys.at("judge").at("verdicts");
        QVERIFY(std::any_of(remarks.begin(), remarks.end(), [](const Json& verdict) { return verdict.at("id") == "physics" && verdict.at("level") == "warn"; }));
    }
};

QTEST_GUILESS_MAIN(TestPhysics)
#include "test_physics.moc"
