// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include <cmath>

#include "core/report/report.h"
#include "core/store/grouping.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

/// Two authors, two machines, one failure, one trace of an unknown solution, one that was never evaluated.
std::shared_ptr<const Dataset> loadGroups()
{
    DatasetBuilder builder;
    builder.definition({.name = "gemm"}).definition({.name = "norm", .opType = "rmsnorm"});
    builder.solution({.name = "a1", .definition = "gemm", .author = "ann", .language = "triton"});
    builder.solution({.name = "b1", .definition = "gemm", .author = "bob"});
    builder.solution({.name = "b2", .definition = "norm", .author = "bob"});
    const std::string file = "traces/all.jsonl";
    builder.trace({.definition = "gemm", .solution = "a1", .uuid = "u", .latencyMs = 2, .axes = {{"M", 16}}, .speedup = 4, .hardware = "A", .file = file});
    builder.trace({.definition = "gemm", .solution = "b1", .uuid = "u", .latencyMs = 8, .axes = {{"M", 16}}, .speedup = 1, .hardware = "A", .file = file});
    builder.trace({.definition = "gemm", .solution = "b1", .uuid = "v", .latencyMs = 4, .axes = {{"M", 2}}, .speedup = 0, .hardware = "B", .file = file});
    builder.trace({.definition = "norm", .solution = "b2", .uuid = "w", .latencyMs = 1, .axes = {{"N", 5}}, .speedup = 9, .hardware = "A", .file = file});
    builder.trace({.definition = "gemm", .solution = "a1", .uuid = "v", .status = Status::Timeout, .axes = {{"M", 2}}, .hardware = "A", .file = file});
    builder.trace({.definition = "gemm", .solution = "stranger", .uuid = "u", .latencyMs = 16, .axes = {{"M", 16}}, .speedup = 0.5, .hardware = "B", .file = file});
    builder.trace({.definition = "norm", .solution = "b2", .uuid = "x", .axes = {{"N", 5}}, .evaluated = false, .file = file});
    return builder.load();
}

QString textOf(const Dataset& dataset, const std::vector<GroupKey>& keys, const std::vector<TraceGroup>& groups)
{
    QStringList lines;
    for (const TraceGroup& group : groups) {
        QStringList parts;
        for (const GroupKey& key : keys) parts << QString::fromStdString(groupText(dataset, group, key));
        const NumberSummary& latency = group.measures[0];
        lines << QStringLiteral("%1: %2/%3 n=%4 median=%5 mean=%6 min=%7 max=%8 geomean=%9 speedups=%10")
                     .arg(parts.join(','))
                     .arg(group.statuses.of(Status::Passed))
                     .arg(group.statuses.total())
                     .arg(latency.count)
                     .arg(latency.median)
                     .arg(latency.mean)
                     .arg(latency.least)
                     .arg(latency.greatest)
                     .arg(latency.geometricMean)
                     .arg(group.measures[1].count);
    }
    return lines.join('\n');
}

RowIndex allRows(const Dataset& dataset)
{
    return filterTraces(dataset, {});
}

}  // namespace

class TestGrouping : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { m_data = loadGroups(); }

    void groupsHaveTheNumbersOfTheirTraces_data()
    {
        QTest::addColumn<QStringList>("by");
        QTest::addColumn<QString>("expected");
        QTest::newRow("nothing: one group") << QStringList{}
                                            << ": 5/7 n=5 median=4 mean=6.2 min=1 max=16 geomean=4 speedups=4";
        QTest::newRow("author, unknown last") << QStringList{"author"}
                                              << "ann: 1/2 n=1 median=2 mean=2 min=2 max=2 geomean=2 speedups=1\n"
                                                 "bob: 3/4 n=3 median=4 mean=4.33333 min=1 max=8 geomean=3.1748 speedups=2\n"
                                                 ": 1/1 n=1 median=16 mean=16 min=16 max=16 geomean=16 speedups=1";
        QTest::newRow("hardware") << QStringList{"hardware"}
                                  << "A: 3/4 n=3 median=2 mean=3.66667 min=1 max=8 geomean=2.51984 speedups=3\n"
                                     "B: 2/2 n=2 median=10 mean=10 min=4 max=16 geomean=8 speedups=1\n"
                                     ": 0/1 n=0 median=nan mean=nan min=nan max=nan geomean=nan speedups=0";
        QTest::newRow("op_type and author") << QStringList{"op_type", "author"}
                                            << "gemm,ann: 1/2 n=1 median=2 mean=2 min=2 max=2 geomean=2 speedups=1\n"
                                               "gemm,bob: 2/2 n=2 median=6 mean=6 min=4 max=8 geomean=5.65685 speedups=1\n"
                                               "gemm,: 1/1 n=1 median=16 mean=16 min=16 max=16 geomean=16 speedups=1\n"
                                               "rmsnorm,bob: 1/2 n=1 median=1 mean=1 min=1 max=1 geomean=1 speedups=1";
        QTest::newRow("an axis, by number, without it last") << QStringList{"axis:M"}
                                                                   << "2: 1/2 n=1 median=4 mean=4 min=4 max=4 geomean=4 speedups=0\n"
                                                                      "16: 3/3 n=3 median=8 mean=8.66667 min=2 max=16 geomean=6.3496 speedups=3\n"
                                                                      ": 1/2 n=1 median=1 mean=1 min=1 max=1 geomean=1 speedups=1";
        QTest::newRow("an axis that nobody has") << QStringList{"axis:Z"}
                                                 << ": 5/7 n=5 median=4 mean=6.2 min=1 max=16 geomean=4 speedups=4";
    }
    void groupsHaveTheNumbersOfTheirTraces()
    {
        QFETCH(QStringList, by);
        QFETCH(QString, expected);
        std::vector<GroupKey> keys;
        for (const QString& name : by) {
            const auto key = groupKeyFromString(name.toStdString());
            QVERIFY(key);
            QCOMPARE(toString(*key), name.toStdString());
            keys.push_back(*key);
        }
        const auto groups = groupTraces(*m_data, allRows(*m_data), keys, {TraceColumn::Latency, TraceColumn::Speedup});
        QCOMPARE(textOf(*m_data, keys, groups), expected);
    }

    /// Counts and medians of rows that come often, shared among threads.
    void manyRowsGroupAsFewDo()
    {
        constexpr std::size_t kRepeats = 40'000;
        const RowIndex few = allRows(*m_data);
        RowIndex many;
        for (std::size_t i = 0; i < kRepeats; ++i) many.insert(many.end(), few.begin(), few.end());
        const std::vector<GroupKey> keys{{TraceColumn::Solution, {}}, {TraceColumn::Hardware, {}}};
        const auto expected = groupTraces(*m_data, few, keys, {TraceColumn::Latency});
        const auto groups = groupTraces(*m_data, many, keys, {TraceColumn::Latency});
        QCOMPARE(groups.size(), expected.size());
        for (std::size_t i = 0; i < groups.size(); ++i) {
            QCOMPARE(groups[i].firstRow, expected[i].firstRow);
            QCOMPARE(groups[i].statuses.total(), expected[i].statuses.total() * kRepeats);
            QCOMPARE(groups[i].measures[0].count, expected[i].measures[0].count * kRepeats);
            if (expected[i].measures[0].count > 0) QCOMPARE(groups[i].measures[0].median, expected[i].measures[0].median);
        }
    }

    void groupingStopsWhenAskedTo()
    {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(groupTraces(*m_data, allRows(*m_data), {{TraceColumn::Author, {}}}, {}, stop.get_token()).empty());
    }

    void noRowsHaveNoGroups()
    {
        QVERIFY(groupTraces(*m_data, {}, {{TraceColumn::Author, {}}}, {TraceColumn::Latency}).empty());
        QVERIFY(groupTraces(*m_data, {}, {}, {}).empty());
    }

    void columnsOfNumbersAndUnknownNamesAreNoKeys()
    {
        for (const char* name : {"latency_ms", "timestamp", "axis:", "", "Author", "nonsense"}) QVERIFY2(!groupKeyFromString(name), name);
        for (const std::string& name : groupColumnNames()) QVERIFY2(groupKeyFromString(name), name.c_str());
    }

    void theDocumentHasNullForWhatIsNotThere()
    {
        const Json document = groupsDocument(*m_data, allRows(*m_data), {{TraceColumn::Hardware, {}}});
        QCOMPARE(document.at("by"), Json({"hardware"}));
        QCOMPARE(document.at("groups").size(), std::size_t{3});
        const Json& first = document.at("groups")[0];
        QCOMPARE(first.at("values"), Json({"A"}));
        QCOMPARE(first.at("statuses"), Json({{"PASSED", 3}, {"TIMEOUT", 1}}));
        QCOMPARE(first.at("latency_ms").at("median"), Json(2.0));
        const Json& last = document.at("groups")[2];
        QCOMPARE(last.at("values"), Json({nullptr}));
        QCOMPARE(last.at("latency_ms"), Json(nullptr));
        QVERIFY(groupsText(*m_data, allRows(*m_data), {{TraceColumn::Hardware, {}}}).find("hardware") == 0);
    }

private:
    std::shared_ptr<const Dataset> m_data;
};

QTEST_GUILESS_MAIN(TestGrouping)
#include "test_grouping.moc"
