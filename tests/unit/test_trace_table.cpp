// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/store/trace_table.h"

using namespace tracedeck;

namespace {

Trace makeTrace(const std::string& uuid, const std::string& solution = "s")
{
    Trace trace;
    trace.definition = "d";
    trace.workload.uuid = uuid;
    trace.workload.axes = {{"N", 4096}, {"M", 16}};
    trace.solution = solution;
    trace.evaluation = Evaluation{};
    trace.evaluation->environment.hardware = "h";
    trace.evaluation->timestamp = "t" + uuid;
    return trace;
}

}  // namespace

class TestTraceTable : public QObject {
    Q_OBJECT
private slots:
    void rowsAreSmallAndComplete()
    {
        QCOMPARE(sizeof(TraceRow), std::size_t{64});
        TraceTable table;
        Trace trace = makeTrace("u");
        trace.evaluation->status = Status::Passed;
        trace.evaluation->correctness = Correctness{0.25, 0.5, std::nullopt, std::nullopt, nullptr, Json::object()};
        trace.evaluation->performance = Performance{1, 2, 3, Json::object()};
        table.append(trace, TraceTable::makeLocation(7, 123456789012));
        const TraceRow& row = table.row(0);
        QCOMPARE(table.definitionName(row), std::string("d"));
        QCOMPARE(table.workloadUuid(row), std::string("u"));
        QCOMPARE(std::string(table.solutionName(row)), std::string("s"));
        QCOMPARE(std::string(table.hardwareName(row)), std::string("h"));
        QCOMPARE(std::string(table.timestamp(row)), std::string("tu"));
        QCOMPARE(table.axesText(row), std::string("M=16;N=4096"));
        QCOMPARE(table.axisValue(row, "N").value_or(-1), std::int64_t{4096});
        QVERIFY(!table.axisValue(row, "K"));
        QCOMPARE(row.latencyMs, 1.0);
        QCOMPARE(row.referenceLatencyMs, 2.0);
        QCOMPARE(row.speedupFactor, 3.0);
        QCOMPARE(row.maxAbsoluteError, 0.5);
        QCOMPARE(row.maxRelativeError, 0.25);
        QCOMPARE(TraceTable::fileOf(row), std::uint32_t{7});
        QCOMPARE(TraceTable::offsetOf(row), std::uint64_t{123456789012});
        QCOMPARE(int{row.flags}, TraceFlag::kHasEvaluation | TraceFlag::kHasSolution | TraceFlag::kHasCorrectness | TraceFlag::kHasPerformance);
    }

    void whatIsMissingIsSaid()
    {
        TraceTable table;
        Trace trace = makeTrace("u");
        trace.evaluation->status = Status::Passed;   // without performance
        trace.evaluation->environment.hardware.clear();
        trace.evaluation->timestamp.clear();
        table.append(trace, 0);
        QVERIFY(table.row(0).flags & TraceFlag::kInconsistent);
        QVERIFY(table.hardwareName(table.row(0)).empty());
        QVERIFY(table.timestamp(table.row(0)).empty());
        QVERIFY(table.row(0).latencyMs != table.row(0).latencyMs);
        trace.solution.reset();
        table.append(trace, 0);
        QVERIFY(table.solutionName(table.row(1)).empty());
        trace.solution = "s";
        trace.evaluation.reset();
        table.append(trace, 0);
        QCOMPARE(int{table.row(2).flags}, int{TraceFlag::kHasSolution});
    }

    void equalWorkloadsAreOne()
    {
        TraceTable table;
        table.append(makeTrace("u"), 0);
        table.append(makeTrace("u", "other"), 0);
        table.append(makeTrace("v"), 0);
        Trace trace = makeTrace("u");
        trace.workload.axes["M"] = 17;
        table.append(trace, 0);
        QCOMPARE(table.workloadKeys().size(), std::size_t{3});
        QCOMPARE(table.row(0).workload, table.row(1).workload);
        QVERIFY(table.row(0).workload != table.row(3).workload);
    }

    void tablesJoin()
    {
        TraceTable first;
        TraceTable second;
        first.append(makeTrace("u"), 1);
        second.append(makeTrace("v", "x"), 2);
        second.append(makeTrace("u"), 3);
        const TraceRowRange ranges[] = {{&first, 0, 1, 0}, {&second, 0, 2, 7}};
        const TraceTable joined = TraceTable::assemble(ranges, 2);
        QCOMPARE(joined.size(), std::size_t{3});
        const char* const uuids[] = {"u", "v", "u"};
        const char* const solutions[] = {"s", "x", "s"};
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(joined.workloadUuid(joined.row(i)), std::string(uuids[i]));
            QCOMPARE(std::string(joined.solutionName(joined.row(i))), std::string(solutions[i]));
            QCOMPARE(std::string(joined.timestamp(joined.row(i))), std::string("t") + uuids[i]);
            QCOMPARE(joined.row(i).location, TraceTable::makeLocation(i == 0 ? 0 : 7, i + 1));
        }
        QCOMPARE(joined.row(0).workload, joined.row(2).workload);
    }

    void partsOfTablesJoinWithWhatTheyNeedOnly()
    {
        TraceTable old;
        for (const char* uuid : {"a", "b", "c"}) old.append(makeTrace(uuid, std::string("s") + uuid), 0);
        const TraceRowRange ranges[] = {{&old, 2, 1, 0}, {&old, 0, 1, 0}};
        const TraceTable joined = TraceTable::assemble(ranges, 1);
        QCOMPARE(joined.size(), std::size_t{2});
        QCOMPARE(joined.workloadUuid(joined.row(0)), std::string("c"));
        QCOMPARE(std::string(joined.timestamp(joined.row(1))), std::string("ta"));
        QCOMPARE(joined.workloadKeys().size(), std::size_t{2});
        QVERIFY(joined.names().find("sb") == StringPool::kNone);
    }

    void tablesGrowInTheMiddleAndAtTheEnd()
    {
        TraceTable first;
        for (const char* uuid : {"a", "b"}) first.append(makeTrace(uuid), 0);
        const TraceRowRange whole[] = {{&first, 0, 2, 0}};
        const TraceTable old = TraceTable::assemble(whole, 1);
        TraceTable added;
        added.append(makeTrace("x", "new"), 5);
        const TraceRowRange middle[] = {{&old, 0, 1, 0}, {&added, 0, 1, 3}, {&old, 1, 1, 0}};
        const TraceTable grown = TraceTable::assembleGrown(old, middle, 1);
        QCOMPARE(grown.size(), std::size_t{3});
        QCOMPARE(grown.workloadUuid(grown.row(1)), std::string("x"));
        QCOMPARE(std::string(grown.timestamp(grown.row(1))), std::string("tx"));
        QCOMPARE(grown.workloadUuid(grown.row(2)), std::string("b"));
        QCOMPARE(std::string(grown.timestamp(grown.row(2))), std::string("tb"));
        QCOMPARE(TraceTable::fileOf(grown.row(1)), 3U);
        const TraceRowRange atEnd[] = {{&old, 0, 1, 0}, {&old, 1, 1, 0}, {&added, 0, 1, 3}};
        const TraceTable longer = TraceTable::assembleGrown(old, atEnd, 1);
        QCOMPARE(longer.workloadUuid(longer.row(2)), std::string("x"));
        QVERIFY(longer.rows().data() == old.rows().data());   // nothing was copied
        QCOMPARE(old.size(), std::size_t{2});
    }

    void commonRowsCompareWhatTheTextsSay()
    {
        TraceTable a;
        TraceTable b;
        b.append(makeTrace("z"), 9);   // other numbers for the same names
        for (const char* uuid : {"u", "v", "w"}) a.append(makeTrace(uuid), 1);
        for (const char* uuid : {"u", "v", "x"}) b.append(makeTrace(uuid), 1);
        QCOMPARE(a.commonRows(0, 3, b, 1), std::size_t{2});
        QCOMPARE(a.commonRows(1, 2, b, 2), std::size_t{1});
        QCOMPARE(a.commonRows(0, 3, b, 0), std::size_t{0});
        TraceTable moved;
        moved.append(makeTrace("u"), 2);
        QCOMPARE(a.commonRows(0, 1, moved, 0), std::size_t{0});
    }

    void copiesGrowWithoutTouchingTheirOrigin()
    {
        TraceTable origin;
        for (int i = 0; i < 100; ++i) origin.append(makeTrace("u" + std::to_string(i)), 0);
        origin.share();
        TraceTable left = origin;
        TraceTable right = origin;
        left.append(makeTrace("left"), 1);
        right.append(makeTrace("right"), 2);
        left.append(makeTrace("left again", "new solution"), 3);
        QCOMPARE(origin.size(), std::size_t{100});
        QCOMPARE(origin.workloadKeys().size(), std::size_t{100});
        QCOMPARE(left.workloadUuid(left.row(100)), std::string("left"));
        QCOMPARE(std::string(left.solutionName(left.row(101))), std::string("new solution"));
        QCOMPARE(right.workloadUuid(right.row(100)), std::string("right"));
        QCOMPARE(std::string(right.timestamp(right.row(100))), std::string("tright"));
        for (std::size_t i = 0; i < 100; ++i) {
            for (const TraceTable* table : {&origin, &left, &right}) {
                QCOMPARE(table->workloadUuid(table->row(i)), "u" + std::to_string(i));
                QCOMPARE(std::string(table->timestamp(table->row(i))), "tu" + std::to_string(i));
            }
        }
        QVERIFY(origin.names().find("left") == StringPool::kNone);
        QVERIFY(left.names().find("u5") == origin.names().find("u5"));
    }

    void grownCopiesShareTheMemoryOfTheirOrigin()
    {
        SharedArray<int> origin;
        for (int i = 0; i < 1000; ++i) origin.push_back(i);
        origin.reserve(2000);
        const int* const memory = origin.span().data();
        SharedArray<int> grown = origin;
        grown.push_back(1000);
        QVERIFY(grown.span().data() == memory);
        SharedArray<int> other = origin;
        other.push_back(-1);   // the place is taken: this copy moves away
        QVERIFY(other.span().data() != memory);
        QCOMPARE(grown[1000], 1000);
        QCOMPARE(other[1000], -1);
        QCOMPARE(origin.size(), std::size_t{1000});
        QVERIFY(std::equal(origin.span().begin(), origin.span().end(), other.span().begin()));
    }

    void largeArraysAreSharedTheSameWay()
    {
        constexpr std::size_t kCount = 3'000'000;   // 12 MB, which has large pages
        SharedArray<int> origin;
        for (std::size_t i = 0; i < kCount; ++i) origin.push_back(static_cast<int>(i));
        origin.reserve(2 * kCount);
        const SharedArray<int> before = origin;
        const std::span<int> room = origin.grow(2);
        room[0] = -1;
        room[1] = -2;
        QVERIFY(before.span().data() == origin.span().data());
        QCOMPARE(before.size(), kCount);
        QCOMPARE(origin[kCount + 1], -2);
        for (std::size_t i = 0; i < kCount; i += 1009) QCOMPARE(origin[i], static_cast<int>(i));
    }

    void idsAreFoundByTheirHash()
    {
        IdIndex index;
        std::vector<std::size_t> things;
        QCOMPARE(index.find(0, [](std::uint32_t) { return true; }), IdIndex::kNone);
        // Many of them have the same hash, or one that falls on the same place.
        const auto hashOf = [](std::size_t thing) { return thing % 3 == 0 ? std::size_t{7} : thing % 3 == 1 ? thing << 20U : thing * 0x9E3779B97F4A7C15; };
        for (std::size_t thing = 0; thing < 3000; ++thing) {
            QCOMPARE(index.find(hashOf(thing), [&](std::uint32_t id) { return things[id] == thing; }), IdIndex::kNone);
            index.add(hashOf(thing), static_cast<std::uint32_t>(things.size()));
            things.push_back(thing);
        }
        for (std::size_t thing = 0; thing < 3000; ++thing) {
            QCOMPARE(index.find(hashOf(thing), [&](std::uint32_t id) { return things[id] == thing; }), static_cast<std::uint32_t>(thing));
        }
    }

    void manyHardwareNamesDoNotBreakTheTable()
    {
        TraceTable table;
        Trace trace = makeTrace("u");
        for (int i = 0; i < 66000; ++i) {
            trace.evaluation->environment.hardware = "h" + std::to_string(i);
            table.append(trace, 0);
        }
        QCOMPARE(std::string(table.hardwareName(table.row(5))), std::string("h5"));
        QCOMPARE(std::string(table.hardwareName(table.row(65999))), std::string("(other hardware)"));
    }
};

QTEST_GUILESS_MAIN(TestTraceTable)
#include "test_trace_table.moc"
