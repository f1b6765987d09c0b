// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <map>
#include <set>

#include "core/judge/call_loop.h"
#include "core/judge/cuda_host/call_times.h"
#include "core/judge/timing.h"

using namespace tracedeck;
using namespace tracedeck::judge;
using tracedeck::cudahost::Activity;
using tracedeck::cudahost::CallWindow;
using tracedeck::cudahost::timesOfCalls;

namespace {

/// One list of nanoseconds a trial, all counted.
judge::Series seriesOf(const std::vector<std::vector<double>>& trials)
{
    judge::Series series;
    for (std::size_t trial = 0; trial < trials.size(); ++trial) {
        for (const double time : trials[trial]) {
            series.push_back({static_cast<int>(trial), true, CallMode::Live, false, time, std::nullopt});
        }
    }
    return series;
}

SeriesCall claimed(double span, double sum, double judgeNs, std::uint32_t activities = 1)
{
    return {0, true, CallMode::Live, false, judgeNs, ClaimedTimes{span, sum, activities}};
}

}  // namespace

class TestCallTimes : public QObject {
    Q_OBJECT
private slots:
    void latencyIsTheMeanOfTrialMedians();
    void aSeriesThatDriftsIsTold();
    void warmUpsDoNotCount();
    void claimsAreBoundedByTheJudgesClock();
    void callsWithoutGpuWorkTakeTheJudgesTime();
    void claimsAreNotShorterThanTheQueuedCalls_data();
    void claimsAreNotShorterThanTheQueuedCalls();
    void queuedCallsThatSynchroniseOrAreLateSayNothing();
    void workThatIsNotInTheQueueIsClaimedOnly();
    void queuedCallsGiveTheDevicesOwnTime();
    void gapsMakeAResultLaunchBound();
    void wideQuartilesAreNoisy();
    void claimsBelongToTheLastCalls();
    void aSeriesHasWhatItsConfigAsksFor_data();
    void aSeriesHasWhatItsConfigAsksFor();
    void auditsLieBetweenBatches();
    void batchesAreBelievedAsFarAsSingleCallsGo_data();
    void batchesAreBelievedAsFarAsSingleCallsGo();
    void workThatIsPutOffToTheLastCallOfABatchIsNotBelieved();
    void announcedInputsAreBelievedAsFarAsLateOnesGo_data();
    void announcedInputsAreBelievedAsFarAsLateOnesGo();
    void activitiesBelongToTheCallThatTheyBeganIn();
    void copiesOfResultsAreLeftOut();
    void timesOfAHostAreChecked_data();
    void timesOfAHostAreChecked();
};

void TestCallTimes::latencyIsTheMeanOfTrialMedians()
{
    // Medians 2 and 5 ms (the mean of the middle two), each less 1 ms of round trip.
    const TimeSummary summary = summarise(seriesOf({{1e6, 2e6, 90e6}, {4e6, 6e6, 3e6, 60e6}}), 1e6);
    QCOMPARE(summary.latencyMs, (1.0 + 4.0) / 2);
    QCOMPARE(summary.liveMs, (2.0 + 5.0) / 2);
    QCOMPARE(summary.count, std::size_t{7});
    QCOMPARE(summary.p50, 3.0);
    QCOMPARE(summary.samples.size(), std::size_t{2});
    QCOMPARE(summary.samples[1], (std::vector<double>{3, 5, 2, 59}));
    QCOMPARE(summary.medianInterval.low, 0.0 + 1e-6);   // of seven samples the least and the greatest; the least was all round trip
    QCOMPARE(summary.medianInterval.high, 89.0);
    QVERIFY(!summary.shape.drifts);
    // Never zero or negative, however long the round trip.
    QCOMPARE(summarise(seriesOf({{100.0}}), 5000.0).latencyMs, 1e-6);
}

void TestCallTimes::aSeriesThatDriftsIsTold()
{
    std::vector<double> rising;
    for (int i = 0; i < 30; ++i) rising.push_back(1e6 + 1e4 * i);
    const TimeSummary summary = summarise(seriesOf({rising}), 0);
    QVERIFY(summary.shape.drifts);
    QCOMPARE(std::round(summary.shape.driftShare * 1000), 191.0);   // medians 1.245 and 1.045
    QCOMPARE(std::round(summary.medianInterval.low * 100), 109.0);   // the 10th of 30
    QCOMPARE(std::round(summary.medianInterval.high * 100), 120.0);
}

void TestCallTimes::warmUpsDoNotCount()
{
    judge::Series series = seriesOf({{9e6, 1e6, 1e6}});
    series.front().isCounted = false;
    const TimeSummary summary = summarise(series, 0);
    QCOMPARE(summary.latencyMs, 1.0);
    QCOMPARE(summary.count, std::size_t{2});
}

void TestCallTimes::claimsAreBoundedByTheJudgesClock()
{
    // The second claim is longer than the judge's time by more than two clocks may differ.
    const TimeSummary summary = summarise({claimed(5000, 5000, 9000), claimed(50'000, 50'000, 9000), claimed(5000, 5000, 9000)}, 0);
    QCOMPARE(summary.unsupportedClaims, std::size_t{1});
    QCOMPARE(summary.samples[0], (std::vector<double>{5000e-6, 9000e-6, 5000e-6}));
    // Within the allowance it is believed.
    QCOMPARE(summarise({claimed(9500, 9500, 9000)}, 0).latencyMs, 9500e-6);
}

void TestCallTimes::callsWithoutGpuWorkTakeTheJudgesTime()
{
    const TimeSummary summary = summarise({claimed(0, 0, 7000, 0)}, 0);
    QCOMPARE(summary.withoutActivity, std::size_t{1});
    QCOMPARE(summary.latencyMs, 7000e-6);
}

void TestCallTimes::claimsAreNotShorterThanTheQueuedCalls_data()
{
    QTest::addColumn<double>("claimedNs");
    QTest::addColumn<double>("copiesNs");
    QTest::addColumn<double>("latencyNs");
    QTest::addColumn<bool>("isTooShort");
    // 106.7 µs behind a blocked stream, less 3 % and 10 µs: 93.499 µs at least.
    QTest::newRow("honest: events of an H100 said 104.2") << 104'200.0 << 0.0 << 104'200.0 << false;
    QTest::newRow("longer, for its launches") << 150'000.0 << 0.0 << 150'000.0 << false;
    QTest::newRow("at the bound") << 93'500.0 << 0.0 << 93'500.0 << false;
    QTest::newRow("a tenth is claimed") << 10'000.0 << 0.0 << 93'499.0 << true;
    QTest::newRow("copies of results explain it") << 80'000.0 << 20'000.0 << 80'000.0 << false;
    QTest::newRow("copies of results do not explain it") << 10'000.0 << 20'000.0 << 73'499.0 << true;
}

void TestCallTimes::claimsAreNotShorterThanTheQueuedCalls()
{
    QFETCH(double, claimedNs);
    QFETCH(double, copiesNs);
    QFETCH(double, latencyNs);
    QFETCH(bool, isTooShort);
    const double busyNs = std::min(claimedNs, 104'200.0);
    judge::Series series{claimed(claimedNs, busyNs, 300'000), claimed(claimedNs, busyNs, 300'000), claimed(claimedNs, busyNs, 300'000)};
    for (const double time : {106'700.0, 106'600.0, 107'000.0, 106'700.0, 106'900.0}) {
        series.push_back({1, false, CallMode::Queued, false, time, ClaimedTimes{claimedNs, claimedNs, 1}});
    }
    const TimeSummary summary = summarise(series, 0, copiesNs);
    QCOMPARE(std::round(summary.latencyMs * 1e6), latencyNs);
    QCOMPARE(std::round(summary.p50 * 1e6), latencyNs);
    QCOMPARE(summary.tooShortMs.has_value(), isTooShort);
    QCOMPARE(std::round(summary.leastMs.value() * 1e6), 93'499.0 - copiesNs);
    // Four queued calls would have said nothing.
    series.pop_back();
    const TimeSummary unsupported = summarise(series, 0, copiesNs);
    QVERIFY(!unsupported.leastMs && !unsupported.tooShortMs);
    QVERIFY(unsupported.hasNoLeast && !summary.hasNoLeast);
    QCOMPARE(std::round(unsupported.latencyMs * 1e6), claimedNs);
}

void TestCallTimes::queuedCallsThatSynchroniseOrAreLateSayNothing()
{
    judge::Series series{claimed(10'000, 10'000, 300'000)};
    for (int i = 0; i < kQueuedCalls; ++i) {
        SeriesCall call{1, false, CallMode::Queued, i % 2 == 0, 106'700, ClaimedTimes{10'000, 10'000, 1}};
        call.isLate = !call.hostSynchronises;
        series.push_back(call);
    }
    const TimeSummary summary = summarise(series, 0);
    QVERIFY(!summary.leastMs && !summary.queuedMs && summary.hasNoLeast);
    QCOMPARE(summary.hostSynchronising, std::size_t{8});
    QCOMPARE(summary.lateWhenQueued, std::size_t{7});
}

void TestCallTimes::workThatIsNotInTheQueueIsClaimedOnly()
{
    judge::Series series{claimed(68'000, 66'000, 110'000)};
    for (int i = 0; i < kQueuedCalls; ++i) series.push_back({1, false, CallMode::Queued, false, 5'000, ClaimedTimes{68'000, 66'000, 1}});
    const TimeSummary summary = summarise(series, 0);
    QVERIFY(summary.hasNoLeast && !summary.leastMs);
    QCOMPARE(summary.latencyMs, 0.068);
    // Launch-bound: the span is long, the kernels would fit.
    series.front().claim->sum = 3'000;
    QVERIFY(!summarise(series, 0).hasNoLeast);
    // No GPU, no claims.
    QVERIFY(!summarise(seriesOf({{1e6}}), 0).hasNoLeast);
}

void TestCallTimes::queuedCallsGiveTheDevicesOwnTime()
{
    judge::Series series{claimed(100'000, 20'000, 200'000, 5)};
    for (const double span : {30'000.0, 32'000.0, 31'000.0}) {
        series.push_back({1, false, CallMode::Queued, false, 40'000, ClaimedTimes{span, 20'000, 5}});
    }
    series.push_back({1, false, CallMode::Queued, true, 900'000, ClaimedTimes{500'000, 20'000, 5}});
    const TimeSummary summary = summarise(series, 0);
    QCOMPARE(summary.queuedMs.value(), 31'000e-6);
    QCOMPARE(summary.hostSynchronising, std::size_t{1});
    QCOMPARE(summary.count, std::size_t{1});
    QCOMPARE(summary.latencyMs, 0.1);
}

void TestCallTimes::gapsMakeAResultLaunchBound()
{
    QVERIFY(summarise({claimed(100'000, 79'000, 200'000, 2)}, 0).isLaunchBound);
    QVERIFY(!summarise({claimed(100'000, 81'000, 200'000, 2)}, 0).isLaunchBound);
    // Events know nothing of single kernels.
    const TimeSummary events = summarise({claimed(100'000, 0, 200'000)}, 0);
    QVERIFY(!events.isLaunchBound);
    QVERIFY(!events.kernelsMs.has_value());
}

void TestCallTimes::wideQuartilesAreNoisy()
{
    QVERIFY(!summarise(seriesOf({{100, 101, 102, 103, 900}}), 0).isNoisy);
    QVERIFY(summarise(seriesOf({{100e3, 110e3, 120e3, 130e3, 140e3}}), 0).isNoisy);
}

void TestCallTimes::claimsBelongToTheLastCalls()
{
    judge::Series series = seriesOf({{1, 1}});
    attachClaims(series, {{10, 10, 1}, {20, 20, 1}, {30, 30, 1}});
    QCOMPARE(series[0].claim->span, 20.0);
    QCOMPARE(series[1].claim->span, 30.0);
}

void TestCallTimes::aSeriesHasWhatItsConfigAsksFor_data()
{
    QTest::addColumn<bool>("isGpu");
    QTest::addColumn<std::size_t>("slotCount");
    QTest::addColumn<int>("audits");
    QTest::addColumn<int>("queued");
    QTest::addColumn<bool>("isBatched");
    QTest::newRow("cpu") << false << std::size_t{1} << kAuditCalls << 0 << false;
    QTest::newRow("gpu, one by one") << true << std::size_t{1} << 0 << kQueuedCalls << false;
    QTest::newRow("gpu, batches") << true << std::size_t{4} << kAuditCalls << kQueuedCalls << true;
    QTest::newRow("gpu, one batch a trial") << true << std::size_t{100} << kAuditCalls << kQueuedCalls << true;
}

void TestCallTimes::aSeriesHasWhatItsConfigAsksFor()
{
    QFETCH(bool, isGpu);
    QFETCH(std::size_t, slotCount);
    EvalConfig config;
    config.warmupRuns = 3;
    config.iterations = 7;
    config.numTrials = 2;
    const auto plan = planSeries(config, isGpu, slotCount);
    QCOMPARE(static_cast<int>(plan.size()), timedCallCount(config, isGpu, slotCount));
    int audits = 0;
    int queued = 0;
    std::map<int, std::vector<bool>> trials;
    for (const PlannedCall& call : plan) {
        if (call.isAudit) {
            ++audits;
            QVERIFY(!call.isCounted && !call.isBatched && call.mode == CallMode::Live);
            continue;
        }
        QTEST(call.isBatched, "isBatched");
        if (call.mode == CallMode::Queued) {
            ++queued;
            QVERIFY(!call.isCounted);
        } else {
            QCOMPARE(queued, 0);
            trials[call.trial].push_back(call.isCounted);
        }
    }
    QTEST(audits, "audits");
    QTEST(queued, "queued");
    const std::vector<bool> right{false, false, false, true, true, true, true, true, true, true};
    QCOMPARE(trials, (std::map<int, std::vector<bool>>{{0, right}, {1, right}}));
}

void TestCallTimes::auditsLieBetweenBatches()
{
    EvalConfig config;
    config.warmupRuns = 2;
    config.iterations = 8;
    config.numTrials = 3;
    std::set<std::size_t> places;
    for (int run = 0; run < 200; ++run) {
        std::size_t inBatch = 0;
        int trial = 0;
        std::size_t batched = 0;
        for (const PlannedCall& call : planSeries(config, true, 4)) {
            if (call.isAudit) {
                // A batch of 4, 4 or (a trial's last) 2 has ended.
                QVERIFY2(inBatch % 10 == 0 || inBatch % 10 == 4 || inBatch % 10 == 8, qPrintable(QString::number(inBatch)));
                places.insert(batched);
            } else {
                inBatch = call.trial == trial ? inBatch + 1 : 1;
                trial = call.trial;
                ++batched;
            }
        }
    }
    // Everywhere, as chance has it: 6 of 9 places in each of 200 runs.
    QCOMPARE(places, (std::set<std::size_t>{0, 4, 8, 10, 14, 18, 20, 24, 28}));
    // A reference has none.
    QCOMPARE(timedCallCount(config, true, 4, false), 30 + kQueuedCalls);
    QVERIFY(std::ranges::none_of(planSeries(config, true, 4, false), &PlannedCall::isAudit));
}

void TestCallTimes::batchesAreBelievedAsFarAsSingleCallsGo_data()
{
    QTest::addColumn<double>("batchedSpan");
    QTest::addColumn<double>("batchedSum");
    QTest::addColumn<double>("singleSpan");
    QTest::addColumn<double>("singleSum");
    QTest::addColumn<int>("activities");
    QTest::addColumn<bool>("isBelieved");
    QTest::newRow("alike") << 100e3 << 100e3 << 101e3 << 101e3 << 1 << true;
    QTest::newRow("slower in batches") << 150e3 << 150e3 << 101e3 << 101e3 << 1 << true;
    QTest::newRow("as much faster as a switch of contexts makes") << 10.1e3 << 10.1e3 << 13e3 << 13e3 << 1 << true;
    QTest::newRow("faster than that") << 9.9e3 << 9.9e3 << 13e3 << 13e3 << 1 << false;
    QTest::newRow("kernels that overlap look busy") << 10e3 << 100e3 << 100e3 << 100e3 << 1 << false;
    QTest::newRow("many kernels allow so much and no more") << 60e3 << 60e3 << 100e3 << 100e3 << 500 << false;
    QTest::newRow("the work of many calls in the first one") << 2e3 << 2e3 << 100e3 << 100e3 << 1 << false;
    QTest::newRow("a fifth faster") << 80e3 << 80e3 << 100e3 << 100e3 << 1 << false;
    QTest::newRow("gaps between launches alone") << 60e3 << 20e3 << 100e3 << 21e3 << 5 << true;
    QTest::newRow("no sums") << 60e3 << 0.0 << 100e3 << 0.0 << 1 << false;
}

void TestCallTimes::batchesAreBelievedAsFarAsSingleCallsGo()
{
    QFETCH(double, batchedSpan);
    QFETCH(double, batchedSum);
    QFETCH(double, singleSpan);
    QFETCH(double, singleSum);
    QFETCH(int, activities);
    QFETCH(bool, isBelieved);
    const auto count = static_cast<std::uint32_t>(activities);
    judge::Series series;
    for (int call = 0; call < 10; ++call) series.push_back(claimed(batchedSpan, batchedSum, 900e3, count));
    for (int call = 0; call < 3; ++call) {
        series.push_back({0, false, CallMode::Live, false, 900e3, ClaimedTimes{singleSpan, singleSum, count}, true});
    }
    const TimeSummary summary = summarise(series, 0);
    QCOMPARE(summary.singleMs.value(), singleSpan / 1e6);
    QCOMPARE(summary.latencyMs, (isBelieved ? batchedSpan : singleSpan) / 1e6);
    QCOMPARE(summary.count, std::size_t{isBelieved ? 10U : 3U});
    QCOMPARE(summary.disbelievedMs.has_value(), !isBelieved);
}

void TestCallTimes::workThatIsPutOffToTheLastCallOfABatchIsNotBelieved()
{
    // Of every ten calls nine do nothing and the last one does the work of all.
    judge::Series series;
    for (int call = 0; call < 50; ++call) {
        series.push_back(call % 10 == 9 ? claimed(1e6, 1e6, 1.1e6, 10) : claimed(0, 0, 15e3, 0));
    }
    for (int call = 0; call < kAuditCalls; ++call) {
        series.push_back({0, false, CallMode::Live, false, 150e3, ClaimedTimes{100e3, 100e3, 1}, true});
    }
    const TimeSummary summary = summarise(series, 0);
    QCOMPARE(summary.latencyMs, 0.1);
    QCOMPARE(summary.disbelievedMs.value(), 0.015);
}

void TestCallTimes::announcedInputsAreBelievedAsFarAsLateOnesGo_data()
{
    QTest::addColumn<double>("counted");
    QTest::addColumn<QList<double>>("late");
    QTest::addColumn<bool>("isBelieved");
    QTest::addColumn<bool>("worksAhead");
    const auto six = [](double time) { return QList<double>(6, time); };
    QTest::newRow("alike") << 1e6 << six(1.01e6) << true << false;
    QTest::newRow("late ones quicker") << 2e6 << six(1e6) << true << false;
    QTest::newRow("a tenth faster") << 900e3 << six(1e6) << true << false;
    QTest::newRow("a third faster") << 650e3 << six(1e6) << false << false;
    QTest::newRow("done before") << 2e3 << six(1e6) << false << true;
    QTest::newRow("too short to tell") << 2e3 << six(25e3) << true << false;
    QTest::newRow("most late ones are slow by chance") << 100e3 << QList<double>{100e3, 101e3, 9e6, 9e6, 9e6, 9e6} << true << false;
    QTest::newRow("one late one is quick") << 2e3 << QList<double>{2e3, 1e6, 1e6, 1e6, 1e6, 1e6} << false << true;
    QTest::newRow("too few late ones") << 2e3 << QList<double>(5, 1e6) << true << false;
}

void TestCallTimes::announcedInputsAreBelievedAsFarAsLateOnesGo()
{
    QFETCH(double, counted);
    QFETCH(QList<double>, late);
    QFETCH(bool, isBelieved);
    QFETCH(bool, worksAhead);
    constexpr double kRoundTripNs = 500;
    judge::Series series;
    for (int call = 0; call < 20; ++call) series.push_back({0, true, CallMode::Live, false, counted + kRoundTripNs, std::nullopt, false});
    for (const double time : late) series.push_back({0, false, CallMode::Live, false, time + kRoundTripNs, std::nullopt, true});
    const TimeSummary summary = summarise(series, kRoundTripNs);
    QCOMPARE(summary.disbelievedMs.has_value(), !isBelieved);
    QCOMPARE(summary.worksAhead, worksAhead);
    QCOMPARE(summary.count, isBelieved ? std::size_t{20} : static_cast<std::size_t>(late.size()));
    std::ranges::sort(late);
    QVERIFY(qAbs(summary.p50 - (isBelieved ? counted : (late[2] + late[3]) / 2) / 1e6) < 1e-9);
}

void TestCallTimes::activitiesBelongToTheCallThatTheyBeganIn()
{
    // A switch-in kernel, two overlapping kernels, then the next call's.
    const std::vector<Activity> activities{{100, 105, true}, {200, 260, false}, {240, 300, false}, {1000, 1003, true}, {1100, 1150, false}};
    const auto times = timesOfCalls({{0, 400, false, false}, {0, 1200, false, false}, {0, 2000, false, false}}, activities);
    QCOMPARE(times.size(), std::size_t{3});
    QCOMPARE(times[0].span, 100.0);
    QCOMPARE(times[0].sum, 120.0);
    QCOMPARE(times[0].activities, 2U);
    QCOMPARE(times[1].span, 50.0);
    QCOMPARE(times[2].activities, 0U);
    QCOMPARE(times[2].span, 0.0);
}

void TestCallTimes::copiesOfResultsAreLeftOut()
{
    const std::vector<Activity> activities{{100, 200, false}, {250, 260, false}, {500, 600, false}, {605, 615, false}};
    const auto times = timesOfCalls({{230, 300, false, true}, {0, 700, true, true}}, activities);
    QCOMPARE(times[0].span, 100.0);
    QCOMPARE(times[0].activities, 1U);
    // Nobody saw when the queued call ended: as many copies as in the live one.
    QCOMPARE(times[1].span, 100.0);
    QCOMPARE(times[1].queued, 1U);
}

void TestCallTimes::timesOfAHostAreChecked_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<bool>("isFine");
    QTest::newRow("right") << R"({"times":[[1.5,1.0,1,0],[2,2,3,1]]})" << true;
    QTest::newRow("missing") << R"({})" << false;
    QTest::newRow("too few") << R"({"times":[[1,1,1,0]]})" << false;
    QTest::newRow("text") << R"({"times":[["1",1,1,0],[1,1,1,0]]})" << false;
    QTest::newRow("negative") << R"({"times":[[-1,1,1,0],[1,1,1,0]]})" << false;
    QTest::newRow("endless") << R"({"times":[[1e300,1,1,0],[1,1,1,0]]})" << false;
    QTest::newRow("negative count") << R"({"times":[[1,1,-1,0],[1,1,1,0]]})" << false;
}

void TestCallTimes::timesOfAHostAreChecked()
{
    QFETCH(QString, body);
    QFETCH(bool, isFine);
    const auto claims = readTimes(Json::parse(body.toStdString()), 2);
    QCOMPARE(claims.has_value(), isFine);
    if (isFine) {
        QCOMPARE((*claims)[1].activities, 3U);
    }
}

QTEST_GUILESS_MAIN(TestCallTimes)
#include "test_call_times.moc"
