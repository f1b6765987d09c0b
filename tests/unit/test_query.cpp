// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/store/query.h"
#include "core/store/row_order.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;


namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Rows by name: each trace of the filter data set has its own workload uuid.
QString uuids(const Dataset& dataset, const RowIndex& rows)
{
    QStringList texts;
    for (const std::uint32_t row : rows) texts << QString::fromStdString(dataset.traces().workloadUuid(dataset.traces().row(row)));
    return texts.join(' ');
}

RowIndex allRows(const Dataset& dataset)
{
    return filterTraces(dataset, {});
}

/// One file, so that load order is the order of the calls. uuids are a, b, c …
std::shared_ptr<const Dataset> loadFilterData()
{
    DatasetBuilder builder;
    builder.definition({.name = "gemm_n4"}).definition({.name = "norm_h8", .opType = "rmsnorm"});
    builder.solution({.name = "fast", .definition = "gemm_n4", .author = "Ann", .language = "triton"});
    builder.solution({.name = "slow", .definition = "gemm_n4", .author = "bob"});
    builder.solution({.name = "norm", .definition = "norm_h8", .author = "bob"});
    const std::string file = "traces/all.jsonl";
    builder.trace({.definition = "gemm_n4", .solution = "fast", .uuid = "a", .latencyMs = 2, .axes = {{"M", 16}}, .maxAbsoluteError = 0.5,
                   .hardware = "GPU A", .timestamp = "2026-01-03T00:00:00", .file = file});
    builder.trace({.definition = "gemm_n4", .solution = "slow", .uuid = "b", .latencyMs = 10, .axes = {{"M", 1}}, .maxAbsoluteError = kInfinity,
                   .hardware = "GPU B", .timestamp = "2026-01-01T00:00:00", .file = file});
    builder.trace({.definition = "norm_h8", .solution = "norm", .uuid = "c", .latencyMs = 1, .axes = {{"batch", 16}, {"M", 2}},
                   .maxAbsoluteError = kNaN, .hardware = "GPU A", .timestamp = "2026-01-02T00:00:00", .file = file});
    builder.trace({.definition = "gemm_n4", .solution = "slow", .uuid = "d", .status = Status::Timeout, .axes = {{"M", 16}},
                   .hardware = "GPU A", .timestamp = "2026-01-04T00:00:00", .file = file});
    builder.trace({.definition = "unknown_def", .solution = "stranger", .uuid = "e", .latencyMs = 3, .axes = {{"M", 160}},
                   .hardware = "GPU C", .timestamp = "sometime", .file = file});
    builder.trace({.definition = "gemm_n4", .solution = "fast", .uuid = "f", .axes = {{"M", 3}}, .evaluated = false, .file = file});
    return builder.load();
}

/// "solution@x=y …" with ! for a failed point; a series per line.
QString seriesText(const std::vector<Series>& series)
{
    QStringList lines;
    for (const Series& one : series) {
        QStringList parts{QString::fromStdString(one.solution + (one.hardware.empty() ? "" : " on " + one.hardware)) + ":"};
        for (const SeriesPoint& point : one.points) {
            parts << QString("%1=%2(%3)").arg(point.x).arg(point.failed ? "!" : QString::number(point.y)).arg(QString::fromStdString(point.workloadUuid));
        }
        lines << parts.join(' ');
    }
    return lines.join('\n');
}

}  // namespace

class TestQuery : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { m_data = loadFilterData(); }

    void filterKeepsWhatMatches_data()
    {
        QTest::addColumn<TraceFilter>("filter");
        QTest::addColumn<QString>("expected");
        const auto text = [](const char* words) { return TraceFilter{.text = words}; };
        QTest::newRow("nothing asked") << TraceFilter{} << "a b c d e f";
        QTest::newRow("one definition") << TraceFilter{.definitions = {"gemm_n4"}} << "a b d f";
        QTest::newRow("two definitions") << TraceFilter{.definitions = {"gemm_n4", "unknown_def"}} << "a b d e f";
        QTest::newRow("unknown definition") << TraceFilter{.definitions = {"nothing"}} << "";
        QTest::newRow("one solution") << TraceFilter{.solutions = {"slow"}} << "b d";
        QTest::newRow("solution and definition") << TraceFilter{.definitions = {"norm_h8"}, .solutions = {"slow"}} << "";
        QTest::newRow("author: exact case") << TraceFilter{.authors = {"Ann"}} << "a f";
        QTest::newRow("author: other case") << TraceFilter{.authors = {"ann"}} << "";
        QTest::newRow("hardware") << TraceFilter{.hardware = {"GPU B", "GPU C"}} << "b e";
        QTest::newRow("uuids") << TraceFilter{.workloadUuids = {"c", "f"}} << "c f";
        QTest::newRow("status passed: not without evaluation") << TraceFilter{.statuses = {Status::Passed}} << "a b c e";
        QTest::newRow("status runtime error: not without evaluation") << TraceFilter{.statuses = {Status::RuntimeError}} << "";
        QTest::newRow("status timeout") << TraceFilter{.statuses = {Status::Timeout}} << "d";
        QTest::newRow("axis") << TraceFilter{.axes = {{"M", 16}}} << "a d";
        QTest::newRow("two axes") << TraceFilter{.axes = {{"M", 2}, {"batch", 16}}} << "c";
        QTest::newRow("unknown axis") << TraceFilter{.axes = {{"Z", 16}}} << "";
        QTest::newRow("op_type: not of an unknown definition") << TraceFilter{.opTypes = {"gemm"}} << "a b d f";
        QTest::newRow("two op_types") << TraceFilter{.opTypes = {"gemm", "rmsnorm"}} << "a b c d f";
        QTest::newRow("language: not of an unknown solution") << TraceFilter{.languages = {"triton"}} << "a f";
        QTest::newRow("unknown language") << TraceFilter{.languages = {"Triton"}} << "";
        QTest::newRow("latency, both ends included") << TraceFilter{.ranges = {{TraceColumn::Latency, {2, 3}}}} << "a e";
        QTest::newRow("any latency: not without one") << TraceFilter{.ranges = {{TraceColumn::Latency, {}}}} << "a b c e";
        QTest::newRow("reference latency") << TraceFilter{.ranges = {{TraceColumn::ReferenceLatency, {1e9, 2e9}}}} << "";
        QTest::newRow("error: infinity is one, NaN is none") << TraceFilter{.ranges = {{TraceColumn::MaxAbsoluteError, {.least = 0.5}}}} << "a b";
        QTest::newRow("two ranges") << TraceFilter{.ranges = {{TraceColumn::Latency, {.greatest = 9}}, {TraceColumn::MaxAbsoluteError, {.greatest = 0.5}}}} << "a e";
        QTest::newRow("times: not words") << TraceFilter{.ranges = {{TraceColumn::Timestamp, {.least = 1767312000e6}}}} << "a c d";   // 2026-01-02
        QTest::newRow("range of no number") << TraceFilter{.ranges = {{TraceColumn::Author, {}}}} << "";
        QTest::newRow("range and word") << TraceFilter{.text = "bob", .ranges = {{TraceColumn::Latency, {.least = 2}}}} << "b";
        QTest::newRow("blank text") << text("  \t ") << "a b c d e f";
        QTest::newRow("word in a definition, any case") << text("GEMM") << "a b d f";
        QTest::newRow("word in an author, any case") << text("ann") << "a f";
        QTest::newRow("word in hardware") << text("gpu") << "a b c d e";
        QTest::newRow("word in a status") << text("timeout") << "d";
        QTest::newRow("word in a uuid or elsewhere") << text("stranger") << "e";
        QTest::newRow("two words in different fields") << text("bob timeout") << "d";
        QTest::newRow("words that no row joins") << text("norm timeout") << "";
        QTest::newRow("axis word is exact") << text("m=16") << "a d";
        QTest::newRow("axis word of another axis") << text("batch=16") << "c";
        QTest::newRow("half-typed axis word") << text("m=") << "a b c d e f";
        QTest::newRow("part of the axes' text") << text("=16;") << "";
        QTest::newRow("axes as the report writes them") << text("M=2;batch=16") << "c";
        QTest::newRow("text and field") << TraceFilter{.hardware = {"GPU A"}, .text = "slow"} << "d";
    }
    void filterKeepsWhatMatches()
    {
        QFETCH(TraceFilter, filter);
        QFETCH(QString, expected);
        QCOMPARE(uuids(*m_data, filterTraces(*m_data, filter)), expected);
    }

    void filterTakesMoreThanSixtyFourWords()
    {
        std::string text;
        for (int i = 0; i < 70; ++i) text += i % 2 == 0 ? "gemm " : "m=16 ";
        QCOMPARE(uuids(*m_data, filterTraces(*m_data, {.text = text})), "a d");
        QCOMPARE(uuids(*m_data, filterTraces(*m_data, {.text = text + " nowhere"})), "");
        QCOMPARE(uuids(*m_data, filterTraces(*m_data, {.text = text + " timeout"})), "d");
    }

    void filterStopsWhenAsked()
    {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(filterTraces(*m_data, {}, stop.get_token()).empty());
    }

    void sortStopsWhenAsked()
    {
        std::stop_source stop;
        stop.request_stop();
        RowIndex rows = allRows(*m_data);
        sortTraces(*m_data, rows, {{TraceColumn::Latency, true}}, stop.get_token());
        std::sort(rows.begin(), rows.end());
        QVERIFY(rows == allRows(*m_data));   // none is lost
    }

    void sortOrdersAndKeepsMissingLast_data()
    {
        QTest::addColumn<TraceColumn>("column");
        QTest::addColumn<QString>("ascending");
        QTest::addColumn<QString>("descending");
        QTest::newRow("definition") << TraceColumn::Definition << "a b d f c e" << "e c a b d f";
        QTest::newRow("op_type") << TraceColumn::OpType << "a b d f c e" << "c a b d f e";
        QTest::newRow("solution") << TraceColumn::Solution << "a f c b d e" << "e b d c a f";
        QTest::newRow("language") << TraceColumn::Language << "b c d a f e" << "a f b c d e";
        QTest::newRow("author") << TraceColumn::Author << "a f b c d e" << "b c d a f e";
        QTest::newRow("workload") << TraceColumn::Workload << "a b c d e f" << "f e d c b a";
        QTest::newRow("axes by number") << TraceColumn::Axes << "b c f a d e" << "e a d f c b";
        QTest::newRow("status") << TraceColumn::Status << "a b c e d f" << "d a b c e f";
        QTest::newRow("latency") << TraceColumn::Latency << "c a e b d f" << "b e a c d f";
        QTest::newRow("reference latency: all equal") << TraceColumn::ReferenceLatency << "a b c e d f" << "a b c e d f";
        QTest::newRow("speedup") << TraceColumn::Speedup << "b e a c d f" << "c a e b d f";
        QTest::newRow("absolute error: NaN above infinity") << TraceColumn::MaxAbsoluteError << "e a b c d f" << "c b a e d f";
        QTest::newRow("hardware") << TraceColumn::Hardware << "a c d b e f" << "e b a c d f";
        QTest::newRow("timestamp") << TraceColumn::Timestamp << "b c a d e f" << "e d a c b f";
    }
    void sortOrdersAndKeepsMissingLast()
    {
        QFETCH(TraceColumn, column);
        QFETCH(QString, ascending);
        QFETCH(QString, descending);
        RowIndex rows = allRows(*m_data);
        sortTraces(*m_data, rows, {{column, false}});
        QCOMPARE(uuids(*m_data, rows), ascending);
        rows = allRows(*m_data);
        sortTraces(*m_data, rows, {{column, true}});
        QCOMPARE(uuids(*m_data, rows), descending);
    }

    void sortByTwoKeysIsStable()
    {
        RowIndex rows = allRows(*m_data);
        sortTraces(*m_data, rows, {{TraceColumn::Hardware, false}, {TraceColumn::Latency, true}});
        QCOMPARE(uuids(*m_data, rows), "a c d b e f");
        sortTraces(*m_data, rows, {{TraceColumn::Hardware, true}, {TraceColumn::Definition, false}, {TraceColumn::Latency, false}});
        QCOMPARE(uuids(*m_data, rows), "e b a d c f");
        sortTraces(*m_data, rows, {});
        QCOMPARE(uuids(*m_data, rows), "e b a d c f");
    }

    void radixSortAgreesWithTheStandardSort_data()
    {
        QTest::addColumn<quint32>("count");
        QTest::newRow("one thread") << 5000U;
        QTest::newRow("several threads") << 250'003U;
    }
    void radixSortAgreesWithTheStandardSort()
    {
        QFETCH(quint32, count);
        std::mt19937_64 random(7);
        std::vector<KeyedRow> rows;
        for (std::uint32_t i = 0; i < count; ++i) {
            const double value = i % 3 == 0 ? static_cast<double>(random() % 50) - 25 : std::ldexp(static_cast<double>(random()), -static_cast<int>(random() % 90)) - 1;
            rows.push_back({i % 11 == 0 ? kMissingKey : orderedKey(value), i});
        }
        auto expected = rows;
        std::stable_sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
        sortByKey(rows);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QCOMPARE(rows[i].row, expected[i].row);
            QCOMPARE(rows[i].key, expected[i].key);
        }
    }

    void rowsPickedFromAnOrderAreAsIfSortedAgain_data() { manyRowsSortAndSelectAsFewDo_data(); }
    void rowsPickedFromAnOrderAreAsIfSortedAgain()
    {
        QFETCH(TraceColumn, column);
        const std::vector<TraceSort> keys{{column, true}, {TraceColumn::Latency, false}};
        RowIndex ordered = allRows(*m_data);
        sortTraces(*m_data, ordered, keys);
        for (unsigned pattern = 0; pattern < 200; ++pattern) {
            RowIndex subset;
            for (const std::uint32_t row : allRows(*m_data))
                if ((row * 2654435761U >> 7U) % 5 <= pattern % 6 && (row + pattern) % 7 != 0) subset.push_back(row);
            const auto picked = inOrderOf(ordered, subset, ordered.size());
            sortTraces(*m_data, subset, keys);
            QVERIFY(picked.has_value());
            QCOMPARE(*picked, subset);
        }
        const RowIndex all = allRows(*m_data);
        const RowIndex fewer(ordered.begin() + 1, ordered.end());
        QVERIFY(!inOrderOf(fewer, all, all.size()));
        QCOMPARE(inOrderOf(fewer, {}, all.size()), std::optional(RowIndex{}));
    }

    void sortingStopsWhenAskedToAndLosesNoRow()
    {
        std::stop_source stop;
        stop.request_stop();
        std::vector<KeyedRow> rows{{3, 0}, {1, 1}, {2, 2}};
        sortByKey(rows, stop.get_token());
        std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
        for (std::uint32_t i = 0; i < 3; ++i) QCOMPARE(rows[i].row, i);
    }

    /// Rows that come often, so that the work is shared among threads, give what one of each gives.
    void manyRowsSortAndSelectAsFewDo_data()
    {
        QTest::addColumn<TraceColumn>("column");
        for (const TraceColumn column : {TraceColumn::Definition, TraceColumn::OpType, TraceColumn::Author, TraceColumn::Axes, TraceColumn::Status,
                                         TraceColumn::Latency, TraceColumn::Hardware, TraceColumn::Timestamp}) {
            QTest::newRow(std::to_string(static_cast<int>(column)).c_str()) << column;
        }
    }
    void manyRowsSortAndSelectAsFewDo()
    {
        QFETCH(TraceColumn, column);
        constexpr std::size_t kRepeats = 40'000;
        RowIndex few = allRows(*m_data);
        RowIndex many;
        for (std::size_t i = 0; i < kRepeats; ++i) many.insert(many.end(), few.begin(), few.end());
        sortTraces(*m_data, few, {{column, true}});
        sortTraces(*m_data, many, {{column, true}});
        QCOMPARE(many.size(), few.size() * kRepeats);
        // Each value's rows stand together; within them the order of the input is kept, repeat by repeat.
        RowIndex firsts;
        for (const std::uint32_t row : many) {
            if (std::find(firsts.begin(), firsts.end(), row) == firsts.end()) firsts.push_back(row);
            if (firsts.size() == few.size()) break;
        }
        QCOMPARE(firsts, few);
        for (const SelectionPolicy policy : {SelectionPolicy::Newest, SelectionPolicy::NewestPassing, SelectionPolicy::LowestMedian, SelectionPolicy::MiddleRun}) {
            QCOMPARE(selectTraces(*m_data, many, policy).size(), selectTraces(*m_data, few, policy).size() * kRepeats);
        }
    }

    void selectingStopsWhenAskedTo()
    {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(selectTraces(*m_data, allRows(*m_data), SelectionPolicy::Newest, stop.get_token()).empty());
        QVERIFY(!selectTraces(*m_data, allRows(*m_data), SelectionPolicy::Newest).empty());
    }

    void keysOrderLikeTheirNumbers()
    {
        const std::vector<double> ascending{-kInfinity, -2, -1e-300, 0, 1e-300, 1, 1.5, 1e300, kInfinity, kNaN};
        for (std::size_t i = 1; i < ascending.size(); ++i) QVERIFY(orderedKey(ascending[i - 1]) < orderedKey(ascending[i]));
        QCOMPARE(orderedKey(-0.0), orderedKey(0.0));
        QVERIFY(orderedKey(kNaN) <= kGreatestKey);
        QVERIFY(kGreatestKey < kMissingKey);
    }

    void authorComesFromTheSolution()
    {
        QStringList authors;
        for (const TraceRow& row : m_data->traces().rows()) authors << QString::fromStdString(authorOf(*m_data, row));
        QCOMPARE(authors, (QStringList{"Ann", "bob", "bob", "bob", "", "Ann"}));
    }

    void timestampsCompareAcrossFormsAndZones_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("valid");
        QTest::addColumn<qlonglong>("microseconds");
        QTest::newRow("epoch") << "1970-01-01T00:00:00" << true << 0LL;
        QTest::newRow("blank for T") << "1970-01-01 00:00:01" << true << 1000000LL;
        QTest::newRow("fraction") << "1970-01-01T00:00:00.25" << true << 250000LL;
        QTest::newRow("nanoseconds are cut") << "1970-01-01T00:00:00.123456789" << true << 123456LL;
        QTest::newRow("Z") << "1970-01-02T00:00:00Z" << true << 86400000000LL;
        QTest::newRow("zone") << "1970-01-01T02:00:00+02:00" << true << 0LL;
        QTest::newRow("zone without colon, fraction") << "1970-01-01T00:00:00.5-0130" << true << 5400500000LL;
        QTest::newRow("leap day") << "2024-02-29T00:00:00" << true << 1709164800000000LL;
        QTest::newRow("no leap day") << "2023-02-29T00:00:00" << false << 0LL;
        QTest::newRow("date only") << "2023-02-20" << false << 0LL;
        QTest::newRow("words") << "sometime" << false << 0LL;
        QTest::newRow("empty") << "" << false << 0LL;
        QTest::newRow("hour 24") << "1970-01-01T24:00:00" << false << 0LL;
        QTest::newRow("bad zone") << "1970-01-01T00:00:00+2" << false << 0LL;
        QTest::newRow("trailing text") << "1970-01-01T00:00:00 or so" << false << 0LL;
    }
    void timestampsCompareAcrossFormsAndZones()
    {
        QFETCH(QString, text);
        QFETCH(bool, valid);
        QFETCH(qlonglong, microseconds);
        const auto parsed = timestampMicroseconds(text.toStdString());
        QCOMPARE(parsed.has_value(), valid);
        QCOMPARE(isTimestamp(text.toStdString()), valid);
        if (parsed) QCOMPARE(static_cast<qlonglong>(*parsed), microseconds);
    }

    void timestampsAreToldFromOtherTexts()
    {
        int valid = 0;
        for (const char* known : {"2026-01-31T12:00:00.123456", "2024-02-29 23:59:60", "2026-12-28T23:59:60.999999", "2026-02-28T00:00:00.000000", "2026-01-01T00:00:00.5+02:00"}) {
            const std::string text = known;
            for (std::size_t i = 0; i < text.size(); ++i) {
                for (int byte = 0; byte < 256; ++byte) {
                    std::string changed = text;
                    changed[i] = static_cast<char>(byte);
                    QVERIFY2(isTimestamp(changed) == timestampMicroseconds(changed).has_value(), changed.c_str());
                    if (isTimestamp(changed)) ++valid;
                }
                QVERIFY2(isTimestamp(text.substr(0, i)) == timestampMicroseconds(text.substr(0, i)).has_value(), known);
            }
            QVERIFY(isTimestamp(text));
        }
        QVERIFY(valid > 500);
        for (int month = 0; month < 15; ++month) {
            for (int day = 0; day < 35; ++day) {
                const std::string text = QString("2023-%1-%2T10:20:30.405060").arg(month, 2, 10, QChar('0')).arg(day, 2, 10, QChar('0')).toStdString();
                QVERIFY2(isTimestamp(text) == timestampMicroseconds(text).has_value(), text.c_str());
            }
        }
    }

    void policySelectsOneTraceAGroup_data()
    {
        QTest::addColumn<SelectionPolicy>("policy");
        QTest::addColumn<QString>("latencies");
        QTest::newRow("newest") << SelectionPolicy::Newest << "3 ! 9 7 6 -";
        QTest::newRow("newest that passed") << SelectionPolicy::NewestPassing << "3 5 9 7 6 -";
        QTest::newRow("lowest median") << SelectionPolicy::LowestMedian << "1 5 9 7 6 -";
        QTest::newRow("middle run") << SelectionPolicy::MiddleRun << "1 5 9 7 6 -";
        QTest::newRow("all") << SelectionPolicy::All << "1 3 5 ! 9 ! 7 6 -";
    }
    void policySelectsOneTraceAGroup()
    {
        QFETCH(SelectionPolicy, policy);
        QFETCH(QString, latencies);
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "s", .definition = "d"}).solution({.name = "t", .definition = "d"});
        const auto add = [&builder](const char* solution, const char* uuid, double latency, const char* hardware, const char* time,
                                    Status status = Status::Passed, bool evaluated = true) {
            builder.trace({.definition = "d", .solution = solution, .uuid = uuid, .latencyMs = latency, .status = status, .hardware = hardware,
                           .timestamp = time, .evaluated = evaluated});
        };
        add("s", "u", 1, "A", "2026-01-01T00:00:00");
        add("s", "u", 3, "A", "2026-01-01T00:00:00.5");             // newer by half a second
        add("s", "v", 5, "A", "2026-01-02T00:00:00");
        add("s", "v", 0, "A", "2026-01-02T01:00:00", Status::Timeout);   // a failure after a pass counts
        add("s", "u", 9, "B", "2025-01-01T00:00:00");                   // another machine: its own group
        add("t", "v", 0, "A", "2026-01-03T00:00:00", Status::RuntimeError);
        add("t", "v", 7, "A", "2026-01-03T00:00:00");                   // same time: the later line
        add("t", "u", 6, "A", "no time");
        add("t", "u", 0, "A", "2026-01-09T00:00:00", Status::Passed, false);   // no outcome, no machine
        const auto dataset = builder.load();
        QStringList texts;
        for (const std::uint32_t index : selectTraces(*dataset, allRows(*dataset), policy)) {
            const TraceRow& row = dataset->traces().row(index);
            if ((row.flags & TraceFlag::kHasEvaluation) == 0) texts << "-";
            else texts << (row.status == Status::Passed ? QString::number(row.latencyMs) : "!");
        }
        QCOMPARE(texts.join(' '), latencies);
    }

    void chartSeriesOfEachMeasure_data()
    {
        QTest::addColumn<QString>("axis");
        QTest::addColumn<ChartMeasure>("measure");
        QTest::addColumn<QString>("hardware");
        QTest::addColumn<QString>("expected");
        QTest::newRow("latency over M on A") << "M" << ChartMeasure::LatencyMs << "A"
                                             << "base: 1=4(w1) 8=8(w2) 8=6(w3) 64=!(w4)\ns: 1=2(w1) 8=!(w2) 8=3(w3) 64=5(w4)\nstranger: 8=1(w2)";
        QTest::newRow("ratio over M on A") << "M" << ChartMeasure::RatioToBaseline << "A"
                                           << "base: 1=1(w1) 8=1(w2) 8=1(w3) 64=!(w4)\ns: 1=2(w1) 8=!(w2) 8=2(w3)\nstranger: 8=8(w2)";
        QTest::newRow("latency by workload on A") << "" << ChartMeasure::LatencyMs << "A"
                                                  << "base: 1=8(w2) 2=4(w1) 3=6(w3) 4=!(w4)\ns: 1=!(w2) 2=2(w1) 3=3(w3) 4=5(w4)\nstranger: 1=1(w2)";
        QTest::newRow("speedup: 0 is no value") << "M" << ChartMeasure::SpeedupToReference << "A"
                                                << "base: 1=0.5(w1) 8=0.25(w2) 64=!(w4)\ns: 1=1(w1) 8=!(w2) 8=0.75(w3) 64=0.4(w4)\nstranger: 8=2(w2)";
        QTest::newRow("ratio on both: machines apart") << "M" << ChartMeasure::RatioToBaseline << ""
                                                       << "base on A: 1=1(w1) 8=1(w2) 8=1(w3) 64=!(w4)\ns on A: 1=2(w1) 8=!(w2) 8=2(w3)\nstranger on A: 8=8(w2)";
        QTest::newRow("latency on B") << "M" << ChartMeasure::LatencyMs << "B" << "s: 1=0.5(w1)";
        QTest::newRow("ratio on B: no baseline there") << "M" << ChartMeasure::RatioToBaseline << "B" << "";
        QTest::newRow("unknown axis") << "Z" << ChartMeasure::LatencyMs << "A" << "";
        QTest::newRow("unknown hardware") << "M" << ChartMeasure::LatencyMs << "C" << "";
    }
    void chartSeriesOfEachMeasure()
    {
        QFETCH(QString, axis);
        QFETCH(ChartMeasure, measure);
        QFETCH(QString, hardware);
        QFETCH(QString, expected);
        const auto dataset = chartData();
        const auto series = chartSeries(*dataset, "d", axis.toStdString(), measure, hardware.toStdString(), "base", SelectionPolicy::Newest);
        QCOMPARE(seriesText(series), expected);
        for (const Series& one : series) {
            for (const SeriesPoint& point : one.points) {
                QCOMPARE(dataset->traces().workloadUuid(dataset->traces().row(point.row)), point.workloadUuid);
                QCOMPARE(std::isnan(point.y), point.failed);
            }
        }
    }

    /// Latest trace against the baseline, as in the viewer's reference table: ratios 1.25 and 1, w3 failed, w4 has no baseline.
    void ratiosOfTheViewerReferenceData()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "B", .definition = "d", .author = "baseline"}).solution({.name = "S", .definition = "d", .author = "zed"});
        const auto add = [&builder](const char* solution, const char* uuid, double latency, const char* time, Status status = Status::Passed) {
            builder.workload({.definition = "d", .uuid = uuid});
            builder.trace({.definition = "d", .solution = solution, .uuid = uuid, .latencyMs = latency, .status = status, .timestamp = time});
        };
        add("B", "w1", 1, "2026-01-01T00:00:00");
        add("B", "w2", 2, "2026-01-01T00:00:00");
        add("B", "w3", 4, "2026-01-01T00:00:00");
        add("B", "w4", 0, "2026-01-01T00:00:00", Status::RuntimeError);
        add("S", "w1", 0.5, "2026-01-01T00:00:00");
        add("S", "w1", 0.8, "2026-01-02T00:00:00");
        add("S", "w2", 2, "2026-01-01T00:00:00");
        add("S", "w3", 0, "2026-01-01T00:00:00", Status::IncorrectNumerical);
        add("S", "w4", 1, "2026-01-01T00:00:00");
        const auto dataset = builder.load();
        QCOMPARE(seriesText(chartSeries(*dataset, "d", "", ChartMeasure::RatioToBaseline, "", "B", SelectionPolicy::Newest)),
                 "B: 1=1(w1) 2=1(w2) 3=1(w3) 4=!(w4)\nS: 1=1.25(w1) 2=1(w2) 3=!(w3)");
        QCOMPARE(seriesText(chartSeries(*dataset, "d", "", ChartMeasure::RatioToBaseline, "", "B", SelectionPolicy::LowestMedian)),
                 "B: 1=1(w1) 2=1(w2) 3=1(w3) 4=!(w4)\nS: 1=2(w1) 2=1(w2) 3=!(w3)");
        QCOMPARE(seriesText(chartSeries(*dataset, "d", "", ChartMeasure::RatioToBaseline, "", "B", SelectionPolicy::All)),
                 "B: 1=1(w1) 2=1(w2) 3=1(w3) 4=!(w4)\nS: 1=2(w1) 1=1.25(w1) 2=1(w2) 3=!(w3)");
        const StatusCounts counts = countStatuses(*dataset, dataset->traceRowsOfSolution("S"));
        QCOMPARE(counts.total(), std::size_t{5});
        QCOMPARE(counts.of(Status::Passed), std::size_t{4});
        QCOMPARE(counts.of(Status::IncorrectNumerical), std::size_t{1});
    }

    void workloadsThatOnlyTracesKnowFollowTheListedOnes()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "s", .definition = "d"}).workload({.definition = "d", .uuid = "listed"});
        builder.trace({.definition = "d", .solution = "s", .uuid = "unlisted", .latencyMs = 2});
        builder.trace({.definition = "d", .solution = "s", .uuid = "listed", .latencyMs = 3});
        const auto dataset = builder.load();
        QCOMPARE(seriesText(chartSeries(*dataset, "d", "", ChartMeasure::LatencyMs, "", "", SelectionPolicy::Newest)), "s: 1=3(listed) 2=2(unlisted)");
    }

    void axisValuesComeFromWorkloadsAndTraces()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).definition({.name = "other"}).solution({.name = "s", .definition = "d"});
        builder.workload({.definition = "d", .uuid = "u", .axes = {{"M", 64}}}).workload({.definition = "d", .uuid = "v", .axes = {{"M", 1}}});
        builder.workload({.definition = "other", .uuid = "x", .axes = {{"M", 5}}});
        builder.trace({.definition = "d", .solution = "s", .uuid = "w", .axes = {{"M", 8}}});
        const auto dataset = builder.load();
        QCOMPARE(axisValuesOf(*dataset, "d", "M"), (std::vector<std::int64_t>{1, 8, 64}));
        QVERIFY(axisValuesOf(*dataset, "d", "K").empty());
        QVERIFY(axisValuesOf(*dataset, "nothing", "M").empty());
    }

    void hardwareAndCounts()
    {
        QCOMPARE(hardwareOf(*m_data), (std::vector<std::string>{"GPU A", "GPU B", "GPU C"}));
        QCOMPARE(hardwareOf(*m_data, "gemm_n4"), (std::vector<std::string>{"GPU A", "GPU B"}));
        QVERIFY(hardwareOf(*m_data, "nothing").empty());
        const DefinitionCounts counts = countsOf(*m_data, "gemm_n4");
        QCOMPARE(counts.solutions, std::size_t{2});
        QCOMPARE(counts.workloads, std::size_t{0});
        QCOMPARE(QString::fromStdString(describeStatusCounts(counts.traces)), "2 PASSED, 1 TIMEOUT, 1 without evaluation");
        QCOMPARE(counts.traces.total(), std::size_t{4});
        QCOMPARE(QString::fromStdString(describeStatusCounts({})), "no traces");
        QCOMPARE(countStatuses(*m_data).total(), std::size_t{6});
        QVERIFY(countStatuses(*m_data) == countStatuses(*m_data, allRows(*m_data)));
    }

private:
    /// Four workloads, two of them with M = 8; w4 without a passing baseline; one trace on machine B.
    static std::shared_ptr<const Dataset> chartData()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"}).solution({.name = "base", .definition = "d", .author = "baseline"}).solution({.name = "s", .definition = "d", .author = "zed"});
        const std::map<std::string, std::int64_t> axis{{"w1", 1}, {"w2", 8}, {"w3", 8}, {"w4", 64}};
        for (const char* uuid : {"w2", "w1", "w3", "w4"}) builder.workload({.definition = "d", .uuid = uuid, .axes = {{"M", axis.at(uuid)}}});
        const auto add = [&](const char* solution, const char* uuid, double latency, double speedup = -1, Status status = Status::Passed,
                             const char* hardware = "A") {
            builder.trace({.definition = "d", .solution = solution, .uuid = uuid, .latencyMs = latency, .status = status,
                           .axes = {{"M", axis.at(uuid)}}, .speedup = speedup < 0 ? std::optional<double>{} : speedup, .hardware = hardware});
        };
        add("base", "w1", 4);
        add("base", "w2", 8);
        add("base", "w3", 6, 0);
        add("base", "w4", 0, 0, Status::Timeout);
        add("s", "w4", 5);
        add("s", "w3", 3, 0.75);
        add("s", "w2", 0, 0, Status::CompileError);
        add("s", "w1", 2);
        add("s", "w1", 0.5, 2, Status::Passed, "B");
        add("stranger", "w2", 1);
        return builder.load();
    }

    std::shared_ptr<const Dataset> m_data;
};

QTEST_GUILESS_MAIN(TestQuery)
#include "test_query.moc"
