// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <numeric>
#include <set>

#include "core/judge/cpu_plan.h"

using namespace tracedeck::judge;

namespace {

std::vector<int> first(int count)
{
    std::vector<int> processors(static_cast<std::size_t>(count));
    std::iota(processors.begin(), processors.end(), 0);
    return processors;
}

std::vector<int> alone(int processor)
{
    return {processor};
}

/// Eight cores: processor i and i + 8 share one.
std::vector<int> pairsOfSixteen(int processor)
{
    return {processor % 8, processor % 8 + 8};
}

}  // namespace

class TestCpuPlan : public QObject {
    Q_OBJECT
private slots:
    void oneJudgeHasOneProcessorAndItsHostsTheOthers();
    void theJudgesSiblingStaysIdle();
    void sharesHaveNoCoreInCommon_data();
    void sharesHaveNoCoreInCommon();
    void tooFewProcessorsAreSharedByAll();
    void thereIsAlwaysAPlan();
};

void TestCpuPlan::oneJudgeHasOneProcessorAndItsHostsTheOthers()
{
    const CpuPlan two = CpuPlan::of({3, 5}, alone, 0, 1);
    QCOMPARE(two.judge, std::vector<int>{3});
    QCOMPARE(two.hosts, std::vector<int>{5});
    QVERIFY(!two.yields);
    QCOMPARE(two.hostThreads(), 1);
    const CpuPlan one = CpuPlan::of({3}, alone, 0, 1);
    QCOMPARE(one.judge, std::vector<int>{3});
    QCOMPARE(one.hosts, std::vector<int>{3});
    QVERIFY(one.yields);
}

void TestCpuPlan::theJudgesSiblingStaysIdle()
{
    const CpuPlan plan = CpuPlan::of(first(16), pairsOfSixteen, 0, 1);
    QCOMPARE(plan.judge, std::vector<int>{0});
    QCOMPARE(plan.hosts.size(), std::size_t{14});
    QVERIFY(std::ranges::find(plan.hosts, 8) == plan.hosts.end());
    // Two processors of one core: there is nothing to leave idle.
    QCOMPARE(CpuPlan::of({0, 8}, pairsOfSixteen, 0, 1).hosts, std::vector<int>{8});
}

void TestCpuPlan::sharesHaveNoCoreInCommon_data()
{
    QTest::addColumn<int>("judges");
    for (const int judges : {2, 3, 4, 8}) QTest::addRow("%d judges", judges) << judges;
}

void TestCpuPlan::sharesHaveNoCoreInCommon()
{
    QFETCH(int, judges);
    std::set<int> cores;
    for (int judge = 0; judge < judges; ++judge) {
        const CpuPlan plan = CpuPlan::of(first(16), pairsOfSixteen, static_cast<std::size_t>(judge), static_cast<std::size_t>(judges));
        QVERIFY(!plan.yields);
        QCOMPARE(plan.judge.size(), std::size_t{1});
        QVERIFY(!plan.hosts.empty());
        std::set<int> own;
        for (const int processor : plan.judge) own.insert(processor % 8);
        for (const int processor : plan.hosts) own.insert(processor % 8);
        for (const int core : own) QVERIFY2(cores.insert(core).second, qPrintable(QString::number(core)));
    }
}

void TestCpuPlan::tooFewProcessorsAreSharedByAll()
{
    for (const std::size_t judge : {std::size_t{0}, std::size_t{1}}) {
        const CpuPlan plan = CpuPlan::of(first(3), alone, judge, 2);
        // The second share has two processors, the first has one.
        QCOMPARE(plan.yields, judge == 0);
    }
    std::set<int> judges;
    for (std::size_t judge = 0; judge < 4; ++judge) {
        const CpuPlan plan = CpuPlan::of(first(4), alone, judge, 4);
        QVERIFY(plan.yields);
        QCOMPARE(plan.hosts, first(4));
        judges.insert(plan.judge.front());
    }
    QCOMPARE(judges.size(), std::size_t{4});
}

void TestCpuPlan::thereIsAlwaysAPlan()
{
    QCOMPARE(CpuPlan::of({}, alone, 0, 1).judge, std::vector<int>{0});
    QCOMPARE(CpuPlan::of(first(2), alone, 7, 0).judge, std::vector<int>{0});
    const CpuPlan here = CpuPlan::detect(0, 1);
    QVERIFY(!here.judge.empty() && !here.hosts.empty());
}

QTEST_GUILESS_MAIN(TestCpuPlan)
#include "test_cpu_plan.moc"
