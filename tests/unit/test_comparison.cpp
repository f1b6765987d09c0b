// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "core/model/judge_samples.h"
#include "core/model/timestamp.h"
#include "core/score/comparison.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

/// `count` times around `centreMs`, spread evenly by ±1 %.
std::vector<double> around(double centreMs, int count = 50)
{
    std::vector<double> samples;
    for (int i = 0; i < count; ++i) samples.push_back(centreMs * (0.99 + 0.02 * i / (count - 1)));
    return samples;
}

Measurement passed(Sessions sessions, bool hasSamples = true)
{
    Measurement measurement;
    measurement.status = Status::Passed;
    measurement.sessions = std::move(sessions);
    measurement.hasSamples = hasSamples;
    return measurement;
}

Measurement failed(Status status)
{
    Measurement measurement;
    measurement.status = status;
    return measurement;
}

std::string judgeRecord(const std::vector<double>& samplesMs, const std::string& method = "cupti")
{
    Json list = Json::array();
    for (const double sample : samplesMs) list.push_back(sample * 1000);
    return Json{{"version", 1}, {"time", {{"method", method}, {"samples_us", Json::array({list})}}}}.dump();
}

ComparisonSide sideOf(std::shared_ptr<const Dataset> dataset, const std::vector<std::string>& selection)
{
    ComparisonSide side{std::move(dataset), {}};
    for (const std::string& part : selection) {
        if (const auto added = addToSide(side, part); !added) throw std::runtime_error(added.error().toString());
    }
    return side;
}

/// Throws where there is none.
Comparison compared(const std::shared_ptr<const Dataset>& dataset, const std::vector<std::string>& a, const std::vector<std::string>& b,
                    const ComparisonOptions& options = {}, const std::shared_ptr<const Dataset>& other = nullptr)
{
    auto comparison = compareSides(sideOf(dataset, a), sideOf(other ? other : dataset, b), options);
    if (!comparison) throw std::runtime_error(comparison.error().toString());
    return *comparison;
}

std::vector<std::string> verdictsOf(const Comparison& comparison)
{
    std::vector<std::string> names;
    for (const ComparisonRow& row : comparison.rows) names.emplace_back(toString(row.verdict));
    return names;
}

using Names = std::vector<std::string>;

DatasetBuilder& withTwoSolutions(DatasetBuilder& builder)
{
    builder.definition({.name = "g"});
    builder.solution({.name = "s", .definition = "g", .author = "ann"}).solution({.name = "t", .definition = "g", .author = "bob"});
    return builder;
}

}  // namespace

class TestComparison : public QObject {
    Q_OBJECT
private slots:
    void verdictFollowsFromTheTimes_data()
    {
        QTest::addColumn<double>("factor");
        QTest::addColumn<int>("sessions");
        QTest::addColumn<QString>("verdict");
        QTest::newRow("equal") << 1.0 << 1 << "SAME";
        QTest::newRow("20 % slower") << 1.2 << 1 << "SLOWER";
        QTest::newRow("twice as fast") << 0.5 << 1 << "FASTER";
        QTest::newRow("4 %, one run of each") << 1.04 << 1 << "SAME";   // below 5 % nothing can be told apart from the day
        QTest::newRow("4 %, three runs of each") << 1.04 << 3 << "SLOWER";
    }
    void verdictFollowsFromTheTimes()
    {
        QFETCH(double, factor);
        QFETCH(int, sessions);
        QFETCH(QString, verdict);
        const auto count = static_cast<std::size_t>(sessions);
        const ComparisonRow row = compareMeasurements(passed(Sessions(count, around(2))), passed(Sessions(count, around(2 * factor))));
        QCOMPARE(QString::fromLatin1(toString(row.verdict)), verdict);
        QVERIFY(std::abs(row.ratio - factor) < 1e-12);
        QVERIFY(std::abs(row.differenceMs - 2 * (factor - 1)) < 1e-12);
        QVERIFY(row.interval.low <= row.ratio && row.ratio <= row.interval.high);
        QVERIFY2(row.reason.find("%") != std::string::npos, row.reason.c_str());
        QVERIFY(std::abs(row.a->noise - 0.01) < 3e-4);   // half of the whole spread lies between the quartiles
    }
    void withoutSamplesNothingIsCertain()
    {
        const ComparisonRow one = compareMeasurements(passed({{1}}, false), passed({around(10)}));
        QCOMPARE(toString(one.verdict), std::string_view("CANT_TELL"));
        QCOMPARE(one.ratio, 10.0);
        QVERIFY(!one.interval.isKnown());
        QVERIFY(std::isnan(one.a->noise));
        QVERIFY2(one.reason.find("no samples are stored") != std::string::npos, one.reason.c_str());
        const ComparisonRow three = compareMeasurements(passed({{1}, {1.01}, {0.99}}, false), passed({{2}, {2.01}, {1.99}}, false));
        QCOMPARE(toString(three.verdict), std::string_view("SLOWER"));
    }
    void failuresAndGapsAreVerdictsOfTheirOwn()
    {
        const Measurement fine = passed({around(1)});
        const auto verdict = [](const std::optional<Measurement>& a, const std::optional<Measurement>& b) {
            return toString(compareMeasurements(a, b).verdict);
        };
        QCOMPARE(verdict(fine, failed(Status::Timeout)), std::string_view("NOW_FAILING"));
        QCOMPARE(verdict(failed(Status::RuntimeError), fine), std::string_view("NOW_PASSING"));
        QCOMPARE(verdict(failed(Status::RuntimeError), failed(Status::Timeout)), std::string_view("STILL_FAILING"));
        QCOMPARE(verdict({}, fine), std::string_view("NEW"));
        QCOMPARE(verdict(fine, {}), std::string_view("MISSING"));
        QCOMPARE(compareMeasurements(fine, failed(Status::Timeout)).reason, std::string("A passed, B ended with TIMEOUT"));
    }
    void whatCannotBeComparedSaysWhy_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("why");
        QTest::newRow("other clock") << 0 << "such times don't compare";
        QTest::newRow("contradiction") << 1 << "contradicts itself";
        QTest::newRow("no latency") << 2 << "no latency that can be true";
        QTest::newRow("file changed") << 3 << "could not be read back: gone";
    }
    void whatCannotBeComparedSaysWhy()
    {
        QFETCH(int, kind);
        QFETCH(QString, why);
        Measurement b = passed({around(9)});
        if (kind == 0) b.timing = TimingMethod::Cupti;
        if (kind == 1) b.isContradictory = true;
        if (kind == 2) b.sessions.clear();
        if (kind == 3) b.unreadable = "gone";
        const ComparisonRow row = compareMeasurements(passed({around(1)}), b);
        QCOMPARE(toString(row.verdict), std::string_view("CANT_TELL"));
        QVERIFY2(QString::fromStdString(row.reason).contains(why), row.reason.c_str());
        QVERIFY(std::isnan(row.ratio));
    }

    void twoSolutionsAreMatchedByWorkloadAndGpu()
    {
        DatasetBuilder builder;
        withTwoSolutions(builder);
        const auto add = [&builder](const char* solution, const char* uuid, double latency, const char* hardware = "H", Status status = Status::Passed) {
            builder.trace({.definition = "g", .solution = solution, .uuid = uuid, .latencyMs = latency, .status = status, .axes = {{"M", uuid[0] - 'a'}},
                           .hardware = hardware, .judge = judgeRecord(around(latency))});
        };
        add("s", "a", 1);
        add("t", "a", 2);
        add("t", "a", 0.1, "Other GPU");   // never set against a time of H
        add("s", "b", 1);
        add("t", "b", 0.5);
        add("s", "c", 1);
        add("t", "d", 1);
        add("s", "e", 1);
        add("t", "e", 1, "H", Status::Timeout);
        const Comparison comparison = compared(builder.load(), {"solution=s"}, {"solution=t"});
        QVERIFY(!comparison.isBySolution);
        QVERIFY(comparison.isByHardware);
        QCOMPARE(verdictsOf(comparison), (Names{"SLOWER", "FASTER", "MISSING", "NEW", "NOW_FAILING", "NEW"}));
        QCOMPARE(comparison.rows.front().axesText(), std::string("M=0"));
        QCOMPARE(comparison.rows.back().latest().hardware, std::string("Other GPU"));
        QCOMPARE(comparison.countOf(ComparisonVerdict::New), std::size_t{2});
        QCOMPARE(comparison.ratios, std::size_t{2});
        QVERIFY(std::abs(comparison.ratioMean.mean - 1) < 1e-12);   // 2 and 1/2
        QCOMPARE(comparison.regressions(0.5), std::size_t{2});
        QCOMPARE(comparison.regressions(1.5), std::size_t{1});      // the failure stays one
        QCOMPARE(comparison.a, std::string("solution s"));
        QVERIFY(comparison.differences.empty());
        const Comparison again = compared(builder.load(), {"solution=s"}, {"solution=t"});
        QCOMPARE(again.rows.front().interval.low, comparison.rows.front().interval.low);
    }
    void gpusAreComparedForEachSolution()
    {
        DatasetBuilder builder;
        withTwoSolutions(builder);
        for (const char* solution : {"s", "t"}) {
            builder.trace({.definition = "g", .solution = solution, .uuid = "u", .hardware = "H", .judge = judgeRecord(around(1)), .libs = {{"torch", "2.9"}, {"triton", "3"}}});
            builder.trace({.definition = "g", .solution = solution, .uuid = "u", .hardware = "I", .judge = judgeRecord(around(3)), .libs = {{"torch", "2.10"}, {"triton", "3"}}});
        }
        const Comparison comparison = compared(builder.load(), {"hardware=H"}, {"hardware=I"});
        QVERIFY(comparison.isBySolution);
        QVERIFY(!comparison.isByHardware);
        QCOMPARE(verdictsOf(comparison), (Names{"SLOWER", "SLOWER"}));
        QCOMPARE(comparison.rows[1].a->solution, std::string("t"));
        QVERIFY(std::abs(comparison.ratioMean.mean - 3) < 1e-9);
        QCOMPARE(comparison.differences.size(), std::size_t{2});
        QCOMPARE(comparison.differences[0].name, std::string("hardware"));
        QCOMPARE(comparison.differences[1].name, std::string("torch"));
        QCOMPARE(comparison.differences[1].b, (std::set<std::string>{"2.10"}));
    }
    void ofSeveralSolutionsTheFastestThatPassedCounts()
    {
        DatasetBuilder builder;
        withTwoSolutions(builder);
        builder.solution({.name = "t2", .definition = "g", .author = "bob"}).solution({.name = "a3", .definition = "g", .author = "bob"});
        builder.trace({.definition = "g", .solution = "s", .uuid = "u", .judge = judgeRecord(around(1))});
        builder.trace({.definition = "g", .solution = "t", .uuid = "u", .latencyMs = 4, .judge = judgeRecord(around(4))});
        builder.trace({.definition = "g", .solution = "t2", .uuid = "u", .latencyMs = 2, .judge = judgeRecord(around(2))});
        builder.trace({.definition = "g", .solution = "a3", .uuid = "u", .status = Status::Timeout});
        const Comparison comparison = compared(builder.load(), {"author=ann"}, {"author=bob"});
        QCOMPARE(comparison.rows.size(), std::size_t{1});
        QCOMPARE(comparison.rows[0].b->solution, std::string("t2"));
        QCOMPARE(comparison.rows[0].b->solutionCount, std::size_t{3});
        QVERIFY(std::abs(comparison.rows[0].ratio - 2) < 1e-9);
    }
    void runsAreToldApartByTime()
    {
        DatasetBuilder builder;
        withTwoSolutions(builder);
        const auto add = [&builder](const std::string& time, double latency) {
            builder.trace({.definition = "g", .solution = "s", .uuid = "u", .latencyMs = latency, .timestamp = time, .judge = judgeRecord(around(latency))});
        };
        for (const char* day : {"01", "02", "03"}) add(std::string("2026-01-") + day + "T00:00:00", 1);
        for (const char* day : {"01", "02", "03"}) add(std::string("2026-02-") + day + "T00:00:00", 1.04);
        const auto dataset = builder.load();
        const Names a{"until=2026-01-31T00:00:00"};
        const Names b{"since=2026-02-01T00:00:00"};
        const Comparison newest = compared(dataset, a, b);
        QCOMPARE(verdictsOf(newest), Names{"SAME"});
        QCOMPARE(newest.rows[0].a->runs, std::size_t{1});
        QCOMPARE(newest.b, std::string("since 2026-02-01T00:00:00"));
        const Comparison all = compared(dataset, a, b, {.policy = SelectionPolicy::All});
        QCOMPARE(verdictsOf(all), Names{"SLOWER"});
        QCOMPARE(all.rows[0].a->runs, std::size_t{3});
    }
    void pausesTellRunsApart()
    {
        DatasetBuilder builder;
        withTwoSolutions(builder);
        const auto add = [&builder](const std::string& time, double latency) {
            builder.trace({.definition = "g", .solution = "s", .uuid = "u", .latencyMs = latency, .timestamp = time, .judge = judgeRecord(around(latency))});
        };
        add("2026-01-01T01:00:00", 2);   // files need not be in the order of time
        add("2026-01-01T00:10:00", 1);
        add("2026-01-01T00:00:00", 1);
        add("2026-01-01T00:40:00", 1);
        add("2026-01-03T00:00:00", 4);
        add("some day", 9);
        builder.trace({.definition = "g", .solution = "s", .uuid = "u", .timestamp = "2026-01-09T00:00:00", .evaluated = false});
        const auto dataset = builder.load();
        const auto runs = measurementRuns(*dataset);
        QCOMPARE(runs.size(), std::size_t{2});
        QCOMPARE(runs[0].traces, std::size_t{4});
        QCOMPARE(timestampText(runs[0].start), std::string("2026-01-01T00:00:00"));
        QCOMPARE(timestampText(runs[0].end), std::string("2026-01-01T01:00:00"));
        QCOMPARE(measurementRuns(*dataset, 1'000'000).size(), std::size_t{5});
        const Comparison comparison = compared(dataset, {"run=previous"}, {"run=last"});
        QCOMPARE(verdictsOf(comparison), Names{"SLOWER"});
        QCOMPARE(comparison.rows[0].ratio, 2.0);   // the newest trace of the first run has 2 ms
        QCOMPARE(compared(dataset, {"run=1"}, {"run=2"}).rows[0].ratio, 2.0);
        for (const char* part : {"run=0", "run=3", "run=first", "run=1x"}) {
            ComparisonSide side{dataset, {}};
            const auto added = addToSide(side, part);
            QVERIFY(!added);
            QVERIFY2(added.error().reason.find("write last, previous, or a number from 1 (the oldest) to 2") != std::string::npos, added.error().reason.c_str());
        }
    }
    void rowsAreChosenByVerdictTypeAndWords()
    {
        DatasetBuilder builder;
        withTwoSolutions(builder);
        builder.definition({.name = "n", .opType = "rmsnorm"}).solution({.name = "ns", .definition = "n", .author = "ann"}).solution({.name = "nt", .definition = "n", .author = "bob"});
        const auto add = [&builder](const char* definition, const char* solution, std::int64_t m, double latency, Status status = Status::Passed) {
            builder.trace({.definition = definition, .solution = solution, .uuid = "u" + std::to_string(m), .latencyMs = latency, .status = status, .axes = {{"M", m}}, .judge = judgeRecord(around(latency))});
        };
        add("g", "s", 1, 1);
        add("g", "t", 1, 2);
        add("g", "s", 12, 1);
        add("g", "t", 12, 1, Status::Timeout);
        add("n", "ns", 1, 1);
        add("n", "nt", 1, 8);
        std::size_t seen = 0;
        auto found = compareSides(sideOf(builder.load(), {"author=ann"}), sideOf(builder.load(), {"author=bob"}), {}, {},
                                  [&seen](std::size_t done, std::size_t total) { seen = std::max(seen, total == 3 ? done : 0); });
        QVERIFY(found);
        QCOMPARE(seen, std::size_t{3});
        Comparison& comparison = *found;
        using Rows = std::vector<std::size_t>;
        QCOMPARE(selectRows(comparison, {}), (Rows{0, 1, 2}));
        QCOMPARE(selectRows(comparison, {.verdicts = {ComparisonVerdict::Slower}}), (Rows{0, 2}));
        QCOMPARE(selectRows(comparison, {.opTypes = {"rmsnorm"}}), Rows{2});
        QCOMPARE(selectRows(comparison, {.text = " M=1  TimeOut"}), Rows{1});
        QCOMPARE(selectRows(comparison, {.text = "now_failing"}), Rows{1});
        QCOMPARE(selectRows(comparison, {.opTypes = {"gemm"}, .text = "nothing like this"}), Rows{});
        const ComparisonSummary slower = summarizeRows(comparison, {0, 2});
        QCOMPARE(slower.ratios, std::size_t{2});
        QVERIFY(std::abs(slower.ratioMean.mean - 4) < 1e-9);   // of 2 and 8
        keepRows(comparison, {1});
        QCOMPARE(verdictsOf(comparison), Names{"NOW_FAILING"});
        QCOMPARE(comparison.countOf(ComparisonVerdict::Slower), std::size_t{0});
        QCOMPARE(comparison.ratios, std::size_t{0});
        for (const ComparisonVerdict verdict : kVerdictsByWeight) QVERIFY(comparisonVerdictFromString(toString(verdict)) == verdict);
        QVERIFY(!comparisonVerdictFromString("slower"));
    }
    void otherDatasetsMatchByAxesWhereUuidsDiffer()
    {
        DatasetBuilder one;
        DatasetBuilder other;
        const auto add = [](DatasetBuilder& builder, const char* uuid, std::int64_t m) {
            builder.trace({.definition = "g", .solution = "s", .uuid = uuid, .axes = {{"M", m}}, .judge = judgeRecord(around(1))});
        };
        withTwoSolutions(one);
        withTwoSolutions(other);
        add(one, "u1", 1);
        add(other, "v1", 1);   // the same workload under another uuid
        add(one, "u2", 2);
        add(other, "v2", 2);
        add(other, "v3", 2);   // two of them: which one it is, nobody knows
        add(one, "u4", 4);
        add(other, "v4", 4);
        other.workload({.definition = "g", .uuid = "u4", .axes = {{"M", 4}}});   // known there, so v4 is another one
        const Comparison comparison = compared(one.load(), {}, {}, {}, other.load());
        QCOMPARE(verdictsOf(comparison), (Names{"SAME", "MISSING", "NEW", "NEW", "MISSING", "NEW"}));
        QVERIFY(comparison.rows[0].isMatchedByAxes);
        QCOMPARE(comparison.rows[0].b->workloadUuid, std::string("v1"));
        QVERIFY2(comparison.rows[0].reason.find("matched by equal axes") != std::string::npos, comparison.rows[0].reason.c_str());
    }
    void sidesThatMakeNoSenseAreRefused_data()
    {
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("why");
        QTest::newRow("no value") << "solution" << "write KEY=VALUE";
        QTest::newRow("no such key") << "colour=red" << "there is no key 'colour'";
        QTest::newRow("unknown name") << "author=anm" << "did you mean 'ann'";
        QTest::newRow("no time") << "since=yesterday" << "is no time such as";
        QTest::newRow("unknown GPU") << "hardware=X" << "hardware 'X'";
    }
    void sidesThatMakeNoSenseAreRefused()
    {
        QFETCH(QString, part);
        QFETCH(QString, why);
        DatasetBuilder builder;
        withTwoSolutions(builder).trace({.definition = "g", .solution = "s", .uuid = "u"});
        ComparisonSide side{builder.load(), {}};
        const auto added = addToSide(side, part.toStdString());
        QVERIFY(!added);
        QCOMPARE(added.error().code, ErrorCode::Usage);
        QVERIFY2(QString::fromStdString(added.error().reason).contains(why), added.error().reason.c_str());
    }
    void emptySidesAndUnclearGpusAreErrors()
    {
        DatasetBuilder builder;
        withTwoSolutions(builder);
        for (const char* hardware : {"H", "I", "J"}) builder.trace({.definition = "g", .solution = "s", .uuid = "u", .hardware = hardware});
        const auto dataset = builder.load();
        const auto none = compareSides(sideOf(dataset, {"solution=s"}), sideOf(dataset, {"solution=t"}));
        QVERIFY(!none);
        QVERIFY2(none.error().reason.find("side B (solution t) selects no result") != std::string::npos, none.error().reason.c_str());
        const auto unclear = compareSides(sideOf(dataset, {"hardware=H", "hardware=I"}), sideOf(dataset, {"hardware=J"}));
        QVERIFY(!unclear);
        QVERIFY2(unclear.error().reason.find("which GPU") != std::string::npos, unclear.error().reason.c_str());
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = compareSides(sideOf(dataset, {}), sideOf(dataset, {}), {}, stop.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    }
    void samplesOfStrangersAreChecked_data()
    {
        QTest::addColumn<QString>("judge");
        QTest::addColumn<int>("count");
        QTest::newRow("two trials") << R"({"time":{"samples_us":[[1,2],[3]]}})" << 3;
        QTest::newRow("none") << R"({"time":null})" << 0;
        QTest::newRow("no record") << "7" << 0;
        QTest::newRow("a text among them") << R"({"time":{"samples_us":[[1,"2"]]}})" << 0;
        QTest::newRow("negative") << R"({"time":{"samples_us":[[1,-2]]}})" << 0;
        QTest::newRow("not nested") << R"({"time":{"samples_us":[1,2]}})" << 0;
    }
    void samplesOfStrangersAreChecked()
    {
        QFETCH(QString, judge);
        QFETCH(int, count);
        Evaluation evaluation;
        evaluation.unknownKeys["judge"] = Json::parse(judge.toStdString());
        const std::vector<double> samples = judgeSamplesMs(evaluation);
        QCOMPARE(samples.size(), static_cast<std::size_t>(count));
        if (count > 0) QCOMPARE(samples[2], 0.003);
    }

    /// What the specs say, looked at one by one, agrees with what comes out of the tables and files.
    void agreesWithASlowSecondComputation()
    {
        std::mt19937 random(11);
        const auto below = [&random](unsigned count) { return random() % count; };
        for (int round = 0; round < 6; ++round) {
            DatasetBuilder builder;
            builder.definition({.name = "g"}).definition({.name = "h"});
            for (const char* definition : {"g", "h"}) {
                for (const char* author : {"ann", "bob"}) builder.solution({.name = std::string(definition) + author, .definition = definition, .author = author});
            }
            struct Made {
                std::string definition, author, uuid, hardware;
                int second;
                bool passed;
                double latencyMs;
            };
            std::vector<Made> made;
            for (int i = 0; i < 60; ++i) {
                const Made one{below(2) ? "g" : "h", below(2) ? "ann" : "bob", std::string(1, static_cast<char>('a' + below(4))), below(2) ? "H" : "I", i,
                               below(4) != 0, 0.5 + 0.25 * static_cast<double>(below(8))};
                made.push_back(one);
                builder.trace({.definition = one.definition, .solution = one.definition + one.author, .uuid = one.uuid, .latencyMs = one.latencyMs,
                               .status = one.passed ? Status::Passed : Status::Timeout, .hardware = one.hardware,
                               .timestamp = "2026-01-01T00:00:" + std::string(i < 10 ? "0" : "") + std::to_string(i),
                               .judge = judgeRecord(around(one.latencyMs, 31))});
            }
            std::map<std::tuple<std::string, std::string, std::string>, std::pair<const Made*, const Made*>> newest;
            for (const Made& one : made) {   // later ones replace earlier ones
                auto& pair = newest[{one.definition, one.hardware, one.uuid}];
                (one.author == "ann" ? pair.first : pair.second) = &one;
            }
            const Comparison comparison = compared(builder.load(), {"author=ann"}, {"author=bob"});
            QCOMPARE(comparison.rows.size(), newest.size());
            auto row = comparison.rows.begin();
            double product = 1;
            int ratios = 0;
            for (const auto& [key, pair] : newest) {
                const auto& [a, b] = pair;
                QCOMPARE(row->definition, std::get<0>(key));
                QCOMPARE(row->latest().workloadUuid, std::get<2>(key));
                std::string expected = !a ? "NEW" : !b ? "MISSING" : a->passed && !b->passed ? "NOW_FAILING" : !a->passed && b->passed ? "NOW_PASSING" : !a->passed ? "STILL_FAILING" : "";
                if (expected.empty()) {
                    // The spread is 1 % and steps are at least a tenth: what differs, differs clearly.
                    expected = a->latencyMs < b->latencyMs ? "SLOWER" : a->latencyMs > b->latencyMs ? "FASTER" : "SAME";
                    product *= b->latencyMs / a->latencyMs;
                    ++ratios;
                    QVERIFY(std::abs(row->ratio - b->latencyMs / a->latencyMs) < 1e-6);
                } else {
                    QVERIFY(std::isnan(row->ratio));
                }
                QCOMPARE(std::string(toString(row->verdict)), expected);
                ++row;
            }
            QVERIFY(ratios > 0);
            QCOMPARE(comparison.ratios, static_cast<std::size_t>(ratios));
            QVERIFY(std::abs(comparison.ratioMean.mean - std::pow(product, 1.0 / ratios)) < 1e-6);
        }
    }
};

QTEST_GUILESS_MAIN(TestComparison)
#include "test_comparison.moc"
