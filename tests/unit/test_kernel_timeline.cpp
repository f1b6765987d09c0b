// SPDX-License-Identifier: GPL-3.0-or-later
// Timelines that are kept in a dataset, and what reports show of them.
#include <QtTest>

#include <filesystem>

#include "core/report/dataset_report.h"
#include "core/report/html_report.h"
#include "core/report/kernel_timeline.h"
#include "core/report/svg_plots.h"
#include "core/store/joined_dataset.h"
#include "tests/support/dataset_builder.h"

using namespace tracedeck;
using namespace tracedeck::test;

namespace {

Timeline timeline()
{
    Timeline two;
    two.entries = {{TimelineEntry::Kind::Kernel, "kernel<b>(float*)", 0, 2.5, {8, 1, 1}, {256, 1, 1}, 32, 1024, 0, 0, 7}, {TimelineEntry::Kind::Copy, "device to device", 3, 1, {}, {}, 0, 0, 0, 4096, 7}};
    two.spanUs = 4;
    two.busyUs = 3.5;
    two.confinement = "full";
    return two;
}

void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "add_n4", .opType = "activation"});
    builder.solution({.name = "fast", .definition = "add_n4"});
    builder.workload({.definition = "add_n4", .uuid = "w1", .axes = {{"M", 16}}});
    builder.trace({.definition = "add_n4", .solution = "fast", .uuid = "w1", .axes = {{"M", 16}}});
}

}  // namespace

class TestKernelTimeline : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenIsReadAgain()
    {
        const auto again = timelineFromJson(encodeTimeline(timeline()));
        QVERIFY2(again.has_value(), again ? "" : again.error().toString().c_str());
        QCOMPARE(encodeTimeline(*again), encodeTimeline(timeline()));
        QCOMPARE(again->gapsUs(), 0.5);
        QCOMPARE(again->entries[0].block, (std::vector<std::int64_t>{256, 1, 1}));
    }

    void faultsNameTheField_data()
    {
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("field");
        QTest::newRow("no entries") << R"({"entries": 7})" << "entries";
        QTest::newRow("negative span") << R"({"span_us": -1})" << "span_us";
        QTest::newRow("busy is a text") << R"({"busy_us": "much"})" << "busy_us";
        QTest::newRow("an entry is a number") << R"({"entries": [3]})" << "entries.0";
        QTest::newRow("unknown kind") << R"({"entries": [{"kind": "nap"}]})" << "entries.0.kind";
        QTest::newRow("no start") << R"({"entries": [{"kind": "copy", "name": "x"}]})" << "entries.0.start_us";
        QTest::newRow("half a grid") << R"({"entries": [{"kind": "kernel", "name": "x", "start_us": 0, "duration_us": 1, "registers": 1, "shared_bytes": 0, "local_bytes": 0, "bytes": 0, "stream": 0, "grid": [1], "block": []}]})"
                                     << "entries.0.grid";
    }
    void faultsNameTheField()
    {
        QFETCH(QString, change);
        QFETCH(QString, field);
        Json json = encodeTimeline(timeline());
        json.update(Json::parse(change.toStdString()));
        const auto read = timelineFromJson(json);
        QVERIFY(!read);
        QCOMPARE(QString::fromStdString(read.error().field), field);
    }

    void namesStayInTheirFolder()
    {
        DatasetBuilder builder;
        fill(builder);
        QVERIFY(!timelineFile(builder.root(), "..", "fast"));
        QVERIFY(!timelineFile(builder.root(), "add_n4", "../../fast"));
        QVERIFY(!keepTimeline(builder.root(), "add_n4", "a/b", {timeline(), "w1", ""}));
        std::filesystem::create_directories(builder.root() / "tracedeck");
        std::filesystem::create_directory_symlink("/tmp", builder.root() / "tracedeck" / "timelines");
        QVERIFY(!keepTimeline(builder.root(), "add_n4", "fast", {timeline(), "w1", ""}));
        QVERIFY(!std::filesystem::exists("/tmp/add_n4/fast.json"));
    }

    void reportsShowWhatWasKept()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto before = datasetReport(builder.load(), {});
        QVERIFY(before.has_value());
        QVERIFY(htmlReport(*before).html.find("Kernel timeline") == std::string::npos);
        const std::string source = builder.load()->findSolution("fast")->contentHash();
        QVERIFY(keepTimeline(builder.root(), "add_n4", "fast", {timeline(), "w1", source}).has_value());
        const auto kept = readTimeline(builder.root(), "add_n4", "fast");
        QVERIFY(kept && *kept);
        QCOMPARE((*kept)->workload, std::string("w1"));
        for (const HtmlForm form : {HtmlForm::Browser, HtmlForm::Paper}) {
            const auto report = datasetReport(builder.load(), {});
            const std::string html = htmlReport(*report, form).html;
            QVERIFY(html.find("Kernel timeline") != std::string::npos);
            QVERIFY(html.find("2 activities in 4 µs; nothing ran for 0.5 µs of them.") != std::string::npos);
            QVERIFY(html.find("kernel<b>") == std::string::npos);   // a name is no markup
            QVERIFY(html.find("kernel&lt;b&gt;(float*)") != std::string::npos);
            QVERIFY(html.find("its sources have changed since") == std::string::npos);
        }
        QVERIFY(keepTimeline(builder.root(), "add_n4", "fast", {timeline(), "w1", "another"}).has_value());
        QVERIFY(htmlReport(*datasetReport(builder.load(), {})).html.find("its sources have changed since") != std::string::npos);
    }

    void foldersShownTogetherKeepTheirOwn()
    {
        DatasetBuilder other;
        other.definition({.name = "add_n4", .opType = "activation"});   // shown from here; the solution is in the other folder alone
        DatasetBuilder builder;
        fill(builder);
        QVERIFY(keepTimeline(builder.root(), "add_n4", "fast", {timeline(), "w1", ""}).has_value());
        const auto report = datasetReport(joinDatasets({other.load(), builder.load()}), {});
        QVERIFY(report.has_value());
        QVERIFY(htmlReport(*report).html.find("Kernel timeline") != std::string::npos);
    }

    void whatCannotBeReadIsSaid()
    {
        DatasetBuilder builder;
        fill(builder);
        builder.file("tracedeck/timelines/add_n4/fast.json", R"({"span_us": 1, "busy_us": 1, "entries": [{"kind": "nap"}]})");
        const auto report = datasetReport(builder.load(), {});
        QVERIFY(report.has_value());
        const std::string html = htmlReport(*report).html;
        QVERIFY(html.find("entries.0.kind") != std::string::npos && html.find("fast.json") != std::string::npos);
        QVERIFY(html.find(builder.root().string()) == std::string::npos);   // nothing of this machine
    }

    void picturesStayOfBoundedSize()
    {
        Timeline many;
        for (int i = 0; i < 5000; ++i) many.entries.push_back({TimelineEntry::Kind::Kernel, "k", static_cast<double>(i), 0.5, {1, 1, 1}, {1, 1, 1}, 1, 0, 0, 0, 0});
        many.spanUs = 5000;
        many.busyUs = 2500;
        const std::string svg = timelineSvg(many, PlotLook::Page);
        QVERIFY(!svg.empty() && svg.size() < 40'000);
        QVERIFY(timelineSvg({}, PlotLook::Page).empty());
    }
};

QTEST_APPLESS_MAIN(TestKernelTimeline)
#include "test_kernel_timeline.moc"
