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
        TraceTable joined;
        const TraceTable* const parts[] = {&first, &second};
        joined.reserveFor(parts);
        joined.append(first);
        joined.append(second);
        QCOMPARE(joined.size(), std::size_t{3});
        const char* const uuids[] = {"u", "v", "u"};
        const char* const solutions[] = {"s", "x", "s"};
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(joined.workloadUuid(joined.row(i)), std::string(uuids[i]));
            QCOMPARE(std::string(joined.solutionName(joined.row(i))), std::string(solutions[i]));
            QCOMPARE(std::string(joined.timestamp(joined.row(i))), std::string("t") + uuids[i]);
            QCOMPARE(joined.row(i).location, std::uint64_t{i + 1});
        }
        QCOMPARE(joined.row(0).workload, joined.row(2).workload);
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
