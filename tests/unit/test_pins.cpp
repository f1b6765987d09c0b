// SPDX-License-Identifier: GPL-3.0-or-later
// Pinned baselines: how times differ from each, against an oracle that looks at every pair of traces.
#include <QTest>

#include <cmath>
#include <random>

#include "core/model/timestamp.h"
#include "core/report/report.h"
#include "core/report/report_tables.h"
#include "core/score/light_times.h"
#include "core/score/light_table.h"
#include "core/score/pins.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using tracedeck::test::DatasetBuilder;

namespace {

/// Two runs, an hour apart, of `old` (ann), `fast` and `slow` (ben) on two workloads and two machines.
void fillTwoRuns(DatasetBuilder& builder)
{
    builder.definition({.name = "d"}).definition({.name = "e"});
    builder.solution({.name = "old", .definition = "d", .author = "ann"}).solution({.name = "fast", .definition = "d", .author = "ben"});
    builder.solution({.name = "slow", .definition = "d", .author = "ben"}).solution({.name = "other", .definition = "e", .author = "ben"});
    const auto add = [&builder](const char* solution, const char* uuid, double latency, const char* hardware, const char* time, Status status = Status::Passed) {
        const char* definition = std::string_view(solution) == "other" ? "e" : "d";
        builder.trace({.definition = definition, .solution = solution, .uuid = uuid, .latencyMs = latency, .status = status, .hardware = hardware, .timestamp = time});
    };
    add("old", "w1", 4, "H", "2026-01-01T10:00:00");
    add("old", "w2", 8, "H", "2026-01-01T10:00:01");
    add("fast", "w1", 2, "H", "2026-01-01T10:00:02");
    add("fast", "w1", 9, "B", "2026-01-01T10:00:03");
    add("other", "w1", 5, "H", "2026-01-01T10:00:04");   // the same uuid of another definition
    add("fast", "w1", 1, "H", "2026-01-01T12:00:00");
    add("fast", "w2", 2, "H", "2026-01-01T12:00:01");
    add("slow", "w1", 3, "H", "2026-01-01T12:00:02");
    add("slow", "w2", 1, "H", "2026-01-01T12:00:03", Status::IncorrectNumerical);
}

std::uint32_t rowAt(const Dataset& dataset, std::string_view timestamp)
{
    for (std::uint32_t row = 0; row < dataset.traces().size(); ++row) {
        if (dataset.traces().timestamp(dataset.traces().row(row)) == timestamp) return row;
    }
    throw std::runtime_error("no such trace");
}

}  // namespace

class TestPins : public QObject {
    Q_OBJECT
private slots:
    void textsOfPinsReadBack_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("written");
        QTest::newRow("solution") << "solution=fast" << "solution=fast";
        QTest::newRow("author") << "author=ben" << "author=ben";
        QTest::newRow("last run") << "run=last" << "run=2026-01-01T12:00:00";
        QTest::newRow("first run") << "run=1" << "run=2026-01-01T10:00:00";
        QTest::newRow("time in a run") << "run=2026-01-01T10:00:02" << "run=2026-01-01T10:00:02";
        QTest::newRow("trace") << "trace=fast:w1" << "trace=fast:w1";
        QTest::newRow("one of several traces") << "trace=fast:w1@2026-01-01T10:00:02" << "trace=fast:w1@2026-01-01T10:00:02";
    }
    void textsOfPinsReadBack()
    {
        QFETCH(QString, text);
        QFETCH(QString, written);
        DatasetBuilder builder;
        fillTwoRuns(builder);
        const auto dataset = builder.load();
        const auto pin = pinFromText(*dataset, text.toStdString());
        QVERIFY2(pin, pin ? "" : pin.error().reason.c_str());
        QCOMPARE(QString::fromStdString(pinText(*pin)), written);
        const auto again = pinFromText(*dataset, pinText(*pin));
        QVERIFY(again && *again == *pin);
    }
    void whatIsNoPinIsRefused_data()
    {
        QTest::addColumn<QStringList>("texts");
        QTest::addColumn<QString>("part");
        QTest::newRow("no kind") << QStringList{"fast"} << "must be solution=";
        QTest::newRow("unknown solution") << QStringList{"solution=faster"} << "no solution 'faster'";
        QTest::newRow("unknown author") << QStringList{"author="} << "no solution by ''";
        QTest::newRow("unknown run") << QStringList{"run=7"} << "from 1 to 2";
        QTest::newRow("time between the runs") << QStringList{"run=2026-01-01T11:00:00"} << "no run";
        QTest::newRow("no pair") << QStringList{"trace=fast"} << "trace=SOLUTION:UUID";
        QTest::newRow("unknown workload") << QStringList{"trace=fast:w9"} << "no trace";
        QTest::newRow("twice") << QStringList{"author=ben", "author=ben"} << "pinned twice";
        QTest::newRow("too many") << QStringList(9, "author=ben") << "at most 8";
    }
    void whatIsNoPinIsRefused()
    {
        QFETCH(QStringList, texts);
        QFETCH(QString, part);
        DatasetBuilder builder;
        fillTwoRuns(builder);
        std::vector<std::string> list;
        for (const QString& text : texts) list.push_back(text.toStdString());
        const auto pins = pinsFromTexts(*builder.load(), list);
        QVERIFY(!pins);
        QVERIFY2(QString::fromStdString(pins.error().reason).contains(part), pins.error().reason.c_str());
    }

    void changesAreThoseOfOnePairOneMachine_data()
    {
        QTest::addColumn<QString>("pin");
        QTest::addColumn<QString>("trace");     // its time of day
        QTest::addColumn<double>("base");       // NaN: none
        QTest::addColumn<bool>("isBase");
        const double none = std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("newest of the solution") << "solution=fast" << "12:00:02" << 1.0 << false;
        QTest::newRow("another machine") << "solution=old" << "10:00:03" << none << false;
        QTest::newRow("its own machine") << "solution=fast" << "10:00:03" << 9.0 << true;
        QTest::newRow("older one of the solution itself") << "solution=fast" << "10:00:02" << 1.0 << false;
        QTest::newRow("another definition") << "solution=old" << "10:00:04" << none << false;
        QTest::newRow("best of the author") << "author=ben" << "10:00:00" << 1.0 << false;
        QTest::newRow("the author's other one failed") << "author=ben" << "10:00:01" << 2.0 << false;
        QTest::newRow("run, same solution") << "run=1" << "12:00:00" << 2.0 << false;
        QTest::newRow("run without this solution") << "run=1" << "12:00:02" << none << false;
        QTest::newRow("trace, for everybody") << "trace=fast:w1@2026-01-01T10:00:02" << "10:00:00" << 2.0 << false;
        QTest::newRow("trace, on its workload only") << "trace=fast:w1@2026-01-01T10:00:02" << "10:00:01" << none << false;
        QTest::newRow("trace, itself") << "trace=fast:w1@2026-01-01T10:00:02" << "10:00:02" << 2.0 << true;
    }
    void changesAreThoseOfOnePairOneMachine()
    {
        QFETCH(QString, pin);
        QFETCH(QString, trace);
        QFETCH(double, base);
        QFETCH(bool, isBase);
        DatasetBuilder builder;
        fillTwoRuns(builder);
        const auto dataset = builder.load();
        const auto pins = pinsFromTexts(*dataset, {pin.toStdString()});
        QVERIFY(pins);
        const PinnedLatencies pinned(*dataset, *pins, SelectionPolicy::Newest);
        const std::uint32_t index = rowAt(*dataset, "2026-01-01T" + trace.toStdString());
        const TraceRow& row = dataset->traces().row(index);
        QCOMPARE(std::isnan(pinned.latencyMs(0, row)), std::isnan(base));
        if (!std::isnan(base)) QCOMPARE(pinned.change(0, row), row.latencyMs / base - 1);
        QCOMPARE(pinned.isBase(0, index, row), isBase);
    }
    void aTraceThatFailedHasNoChange()
    {
        DatasetBuilder builder;
        fillTwoRuns(builder);
        const auto dataset = builder.load();
        const PinnedLatencies pinned(*dataset, {{.kind = Pin::Kind::Solution, .name = "old"}}, SelectionPolicy::Newest);
        QVERIFY(std::isnan(pinned.change(0, dataset->traces().row(rowAt(*dataset, "2026-01-01T12:00:03")))));
        QVERIFY(std::isnan(pinned.change(1, dataset->traces().row(0))));   // there is no second pin
        QVERIFY(!PinnedLatencies().isBase(0, 0, dataset->traces().row(0)));
    }

    void meansAreThoseOfAnOracle()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d"});
        for (const char* solution : {"a1", "a2", "b1"}) builder.solution({.name = solution, .definition = "d", .author = std::string(1, *solution)});
        std::mt19937 random(7);
        for (int i = 0; i < 300; ++i) {
            const std::string solution = std::array{"a1", "a2", "b1"}[random() % 3];
            builder.trace({.definition = "d", .solution = solution, .uuid = "w" + std::to_string(random() % 6), .latencyMs = 0.1 + static_cast<double>(random() % 1000) / 100,
                           .status = random() % 5 == 0 ? Status::Timeout : Status::Passed, .hardware = random() % 2 == 0 ? "H" : "B",
                           .timestamp = timestampText(std::int64_t{1'700'000'000'000'000} + i * std::int64_t{1'000'000})});
        }
        const auto dataset = builder.load();
        const TraceTable& traces = dataset->traces();
        const RankingScope scope{.definition = "d", .policy = SelectionPolicy::Newest};
        const RowIndex rows = rowsInScope(*dataset, scope);
        const PinnedLatencies pinned(*dataset, {{.kind = Pin::Kind::Author, .name = "b"}, {.kind = Pin::Kind::Solution, .name = "a2"}}, scope.policy);
        const auto changes = pinnedChanges(*dataset, rows, RankBy::Author, pinned);
        const auto best = [&](const std::string& workload, std::string_view hardware, const auto& belongs) {
            double least = std::numeric_limits<double>::infinity();
            for (const std::uint32_t index : rows) {
                const TraceRow& row = traces.row(index);
                if (row.status == Status::Passed && traces.workloadUuid(row) == workload && traces.hardwareName(row) == hardware && belongs(row)) least = std::min(least, row.latencyMs);
            }
            return least;
        };
        double product = 1;
        std::size_t pairs = 0;
        for (int workload = 0; workload < 6; ++workload) {
            for (const std::string hardware : {"H", "B"}) {
                const double ofA = best("w" + std::to_string(workload), hardware, [&](const TraceRow& row) { return authorOf(*dataset, row) == "a"; });
                const double ofB = best("w" + std::to_string(workload), hardware, [&](const TraceRow& row) { return authorOf(*dataset, row) == "b"; });
                if (!std::isfinite(ofA) || !std::isfinite(ofB)) continue;
                product *= ofA / ofB;
                ++pairs;
            }
        }
        QVERIFY(pairs > 5);
        QCOMPARE(changes.at("a")[0].pairs, pairs);
        QVERIFY(std::abs(changes.at("a")[0].change - (std::pow(product, 1.0 / static_cast<double>(pairs)) - 1)) < 1e-12);
        QVERIFY(changes.at("b")[0].isBase);
        QCOMPARE(changes.at("b")[0].change, 0.0);
        QVERIFY(!changes.at("b")[1].isBase);
    }

    void reportsHaveAColumnForEachPin()
    {
        DatasetBuilder builder;
        fillTwoRuns(builder);
        const auto dataset = builder.load();
        const RowIndex rows = rowsInScope(*dataset, {.policy = SelectionPolicy::Newest});
        const auto pins = pinsFromTexts(*dataset, {"solution=old", "run=1"});
        QVERIFY(pins);
        const PinnedLatencies pinned(*dataset, *pins, SelectionPolicy::Newest);
        TableToWrite table = tracesTable(*dataset, rows);
        appendPinColumns(table, *dataset, rows, pinned);
        const QString csv = QString::fromStdString(tableText(table, TableFormat::Csv));
        const QString markdown = QString::fromStdString(tableText(table, TableFormat::Markdown));
        QVERIFY(csv.section('\n', 0, 0).endsWith(",change_vs solution=old,change_vs run=2026-01-01T10:00:00"));
        QVERIFY(csv.contains("2026-01-01T12:00:00,true,-0.75,-0.5\n"));   // 1 ms against 4 and against 2
        QVERIFY(csv.contains("2026-01-01T12:00:02,true,-0.25,\n"));       // the first run had no `slow`
        QVERIFY(markdown.contains("| -75.0 % | -50.0 % |"));

        RankTable ranked;
        ranked.by = RankBy::Solution;
        ranked.scope.policy = SelectionPolicy::Newest;
        ranked.rows.resize(2);
        ranked.rows[0].name = "fast";
        ranked.rows[1].name = "unknown";
        addPinnedChanges(ranked, *dataset, pinned);
        QCOMPARE(ranked.rows[0].changes[0].pairs, std::size_t{2});
        QCOMPARE(ranked.rows[0].changes[0].change, -0.75);   // 1 ÷ 4 and 2 ÷ 8
        QCOMPARE(ranked.rows[1].changes[1].pairs, std::size_t{0});
        const Json document = rankDocument(ranked);
        QCOMPARE(document.at("rows")[0].at("changes").at("solution=old").at("change").get<double>(), -0.75);
        QVERIFY(document.at("rows")[1].at("changes").at("solution=old").at("change").is_null());
        QVERIFY(rankText(ranked).find("vs solution=old") != std::string::npos);
        QVERIFY(rankText(ranked).find("-75.0 %") != std::string::npos);
        QVERIFY(tableText(rankTableToWrite(ranked), TableFormat::Csv).find("change_vs solution=old") != std::string::npos);
    }

    void tracesAreSortedByAFigure()
    {
        DatasetBuilder builder;
        fillTwoRuns(builder);
        const auto dataset = builder.load();
        const PinnedLatencies pinned(*dataset, {{.kind = Pin::Kind::Solution, .name = "fast"}}, SelectionPolicy::Newest);
        RowIndex rows = rowsInScope(*dataset, {});
        for (const bool descending : {false, true}) {
            sortTraces(*dataset, rows, {{.descending = descending, .figure = [&](const TraceRow& row) { return pinned.change(0, row); }}});
            double last = descending ? std::numeric_limits<double>::infinity() : -1;
            bool isMissing = false;
            for (const std::uint32_t index : rows) {
                const double change = pinned.change(0, dataset->traces().row(index));
                QVERIFY(!isMissing || std::isnan(change));   // what has none comes last in either direction
                isMissing = std::isnan(change);
                QVERIFY(isMissing || (descending ? change <= last : change >= last));
                if (!isMissing) last = change;
            }
            QVERIFY(isMissing);
        }
    }

    void sharesOfTheSpeedOfLightAreThoseOfTheTable()
    {
        DatasetBuilder builder;
        builder.definition({.name = "d", .opType = "rmsnorm", .constAxes = {{"N", 4096}}}).solution({.name = "s", .definition = "d"});
        builder.trace({.definition = "d", .solution = "s", .uuid = "w", .latencyMs = 1, .axes = {{"M", 4096}}, .hardware = "NVIDIA H200"});
        builder.trace({.definition = "d", .solution = "s", .uuid = "v", .latencyMs = 1, .status = Status::Timeout, .axes = {{"M", 64}}, .hardware = "NVIDIA H200"});
        builder.trace({.definition = "d", .solution = "s", .uuid = "w", .latencyMs = 1, .axes = {{"M", 4096}}, .hardware = "a toaster"});
        const auto dataset = builder.load();
        const RowIndex rows = rowsInScope(*dataset, {});
        const LightTimes light(*dataset, rows, CeilingTable::dataSheets());
        const auto table = lightTable(*dataset, {});
        QVERIFY(table);
        QCOMPARE(table->rows.size(), std::size_t{1});
        QCOMPARE(light.lightMs(dataset->traces().row(table->rows[0].row)), table->rows[0].lightMs);
        QCOMPARE(light.share(dataset->traces().row(table->rows[0].row)), table->rows[0].share());
        QVERIFY(std::isnan(light.share(dataset->traces().row(1))));   // failed
        QVERIFY(std::isnan(light.share(dataset->traces().row(2))));   // nothing is known of its hardware
        TableToWrite written = tracesTable(*dataset, rows);
        appendLightColumn(written, *dataset, rows, light);
        QVERIFY(tableText(written, TableFormat::Csv).find(",light_share\n") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestPins)
#include "test_pins.moc"
