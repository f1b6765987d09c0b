// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/gui_test.h"
#include "core/report/report.h"
#include "ui/charts/chart_legend.h"
#include "ui/charts/fast_p_chart.h"
#include "ui/charts/latency_chart.h"
#include "ui/charts/measure_ticker.h"
#include "ui/pages/charts_page.h"
#include "ui/style/series_colors.h"

using namespace tracedeck;
using namespace tracedeck::ui;
using namespace tracedeck::test;

namespace {

/// A definition with a baseline, a faster solution with one failure, and traces of two machines.
void fill(DatasetBuilder& builder)
{
    builder.definition({.name = "gemm_n4"}).definition({.name = "lonely", .opType = "rmsnorm"});
    builder.solution({.name = "base", .definition = "gemm_n4", .author = "baseline"});
    builder.solution({.name = "quick", .definition = "gemm_n4"});
    builder.solution({.name = "alone", .definition = "lonely"});
    const std::int64_t sizes[] = {1, 16, 256, 4096};
    for (int i = 0; i < 4; ++i) {
        const std::string uuid = "w" + std::to_string(i);
        const double baseMs = 0.01 * std::pow(4, i);
        builder.workload({.definition = "gemm_n4", .uuid = uuid, .axes = {{"M", sizes[i]}}});
        builder.trace({.definition = "gemm_n4", .solution = "base", .uuid = uuid, .latencyMs = baseMs, .axes = {{"M", sizes[i]}},
                       .referenceLatencyMs = 2 * baseMs, .hardware = "Main GPU"});
        builder.trace({.definition = "gemm_n4", .solution = "quick", .uuid = uuid, .latencyMs = baseMs / 2,
                       .status = i == 2 ? Status::IncorrectNumerical : Status::Passed, .axes = {{"M", sizes[i]}},
                       .referenceLatencyMs = 2 * baseMs, .hardware = "Main GPU"});
    }
    builder.trace({.definition = "gemm_n4", .solution = "quick", .uuid = "w0", .latencyMs = 9, .axes = {{"M", 1}}, .hardware = "Other GPU"});
    builder.workload({.definition = "lonely", .uuid = "w-lonely", .axes = {{"M", 3}}});
    builder.trace({.definition = "lonely", .solution = "alone", .uuid = "w-lonely", .axes = {{"M", 3}}, .hardware = "Main GPU"});
}

ChartContent contentOf(const DatasetBuilder& builder, ChartMeasure measure = ChartMeasure::LatencyMs)
{
    ChartContent content;
    content.dataset = builder.load();
    content.definition = QStringLiteral("gemm_n4");
    content.axis = QStringLiteral("M");
    content.hardware = QStringLiteral("Main GPU");
    content.measure = measure;
    content.baseline = QStringLiteral("base");
    content.series = chartSeries(*content.dataset, "gemm_n4", "M", measure, "Main GPU", "base", SelectionPolicy::Newest);
    return content;
}

std::size_t seriesOf(const std::vector<Series>& series, const std::string& solution)
{
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (series[i].solution == solution) return i;
    }
    return series.size();
}

bool settled(const ChartsPage& page)
{
    return QTest::qWaitFor([&] { return !page.isBusy(); }, 20'000);
}

QByteArray contentOfFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// A shown chart with its layout made, log in both directions.
std::unique_ptr<LatencyChart> shownChart(const DatasetBuilder& builder)
{
    auto chart = std::make_unique<LatencyChart>();
    chart->resize(800, 500);
    chart->setContent(contentOf(builder));
    chart->setLogarithmic(true, true);
    chart->show();
    chart->replot(QCustomPlot::rpImmediateRefresh);
    return chart;
}

}  // namespace

class TestCharts : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareGuiTest(); }
    void init() { failOnQtWarnings(); }

    void ticksAreRoundAndNameTheirUnit()
    {
        QCustomPlot plot;
        plot.resize(600, 400);
        plot.replot();
        plot.yAxis->setScaleType(QCPAxis::stLogarithmic);
        plot.yAxis->setRange(0.004, 3);
        MeasureTicker ticker(plot.yAxis);
        ticker.setKind(MeasureTicker::Kind::DurationMs);
        QVector<double> ticks;
        QVector<double> subTicks;
        QVector<QString> labels;
        ticker.generate(plot.yAxis->range(), QLocale::c(), QLatin1Char('g'), 6, ticks, &subTicks, &labels);
        QCOMPARE(labels, (QVector<QString>{QStringLiteral("10\u202Fµs"), QStringLiteral("100\u202Fµs"), QStringLiteral("1\u202Fms")}));
        QVERIFY(!subTicks.isEmpty());
        // A zoom into less than a decade still has several labels.
        plot.yAxis->setRange(0.011, 0.019);
        ticker.generate(plot.yAxis->range(), QLocale::c(), QLatin1Char('g'), 6, ticks, &subTicks, &labels);
        QVERIFY2(ticks.size() >= 3, qPrintable(QStringList(labels.toList()).join(u' ')));
        for (const double tick : ticks) {
            QVERIFY(plot.yAxis->range().contains(tick));
        }
    }

    void ticksSitOnTheDataWhereThereIsRoom()
    {
        QCustomPlot plot;
        plot.resize(700, 400);
        plot.xAxis->setScaleType(QCPAxis::stLogarithmic);
        plot.xAxis->setRange(1, 8192);
        plot.replot();
        MeasureTicker ticker(plot.xAxis);
        ticker.setDataValues({1, 7, 8, 64, 8192});
        QVector<double> ticks;
        QVector<QString> labels;
        ticker.generate(plot.xAxis->range(), QLocale::c(), QLatin1Char('g'), 6, ticks, nullptr, &labels);
        QCOMPARE(labels, (QVector<QString>{QStringLiteral("1"), QStringLiteral("7"), QStringLiteral("64"), QStringLiteral("8192")}));
    }

    void pointUnderThePointerIsReadOut()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto chart = shownChart(builder);
        const std::size_t quick = seriesOf(chart->content().series, "quick");
        const QPointF position = chart->positionOf(quick, 1);
        QVERIFY(chart->axisRect()->rect().contains(position.toPoint()));
        const auto hit = chart->hitAt(position + QPointF(3, 2));
        QVERIFY(hit);
        QCOMPARE(hit->series, quick);
        QCOMPARE(hit->point, std::size_t(1));
        QVERIFY(!chart->hitAt(QPointF(chart->axisRect()->rect().topLeft()) + QPointF(60, 5)));
        QVERIFY(chart->readOut().isEmpty());
        QTest::mouseMove(chart.get(), position.toPoint());
        QTRY_VERIFY(!chart->readOut().isEmpty());
        const QString text = chart->readOut().replace(QChar(0x202F), QLatin1Char(' '));
        for (const QString& part : {QStringLiteral("quick"), QStringLiteral("M=16"), QStringLiteral("20 µs"), QStringLiteral("passed"),
                                    QStringLiteral("Main GPU"), QStringLiteral("4.000×")}) {
            QVERIFY2(text.contains(part), qPrintable(part + QStringLiteral(" is not in: ") + text));
        }
    }

    void failuresLieAtTheLowerEdge()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto chart = shownChart(builder);
        const std::size_t quick = seriesOf(chart->content().series, "quick");
        QVERIFY(chart->content().series[quick].points[2].failed);
        const QPointF failure = chart->positionOf(quick, 2);
        QVERIFY(chart->axisRect()->bottom() - failure.y() < 30);
        for (std::size_t i = 0; i < chart->content().series.size(); ++i) {
            for (std::size_t p = 0; p < chart->content().series[i].points.size(); ++p) {
                if (!chart->content().series[i].points[p].failed) {
                    QVERIFY(chart->positionOf(i, p).y() < failure.y());
                }
            }
        }
        const auto hit = chart->hitAt(failure);
        QVERIFY(hit);
        QCOMPARE(hit->point, std::size_t(2));
        QVERIFY(chart->describe().contains(QStringLiteral("quick: M = 256, failed")));
    }

    void hiddenLinesAreNeitherDrawnNorHit()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto chart = shownChart(builder);
        const std::size_t base = seriesOf(chart->content().series, "base");
        const QColor color = seriesColor(QStringLiteral("base"));
        const auto pixelsOf = [&] {
            chart->replot(QCustomPlot::rpImmediateRefresh);
            const QImage image = chart->grab().toImage();
            int count = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    count += image.pixelColor(x, y).rgb() == color.rgb() ? 1 : 0;
                }
            }
            return count;
        };
        QVERIFY(pixelsOf() > 50);
        const QPointF position = chart->positionOf(base, 3);
        QCOMPARE(chart->hitAt(position)->series, base);
        chart->setHidden({QStringLiteral("base")});
        QCOMPARE(pixelsOf(), 0);
        const auto hit = chart->hitAt(chart->positionOf(base, 3), 4);
        QVERIFY(!hit || hit->series != base);
    }

    void wheelZoomsAndDoubleClickShowsAll()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto chart = shownChart(builder);
        const QCPRange home = chart->xAxis->range();
        QSignalSpy zoomed(chart.get(), &ZoomChart::zoomedChanged);
        const QPoint middle = chart->axisRect()->center();
        QWheelEvent wheel(middle, chart->mapToGlobal(middle), {}, QPoint(0, 240), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(chart.get(), &wheel);
        QVERIFY(chart->xAxis->range().lower > home.lower);
        QVERIFY(chart->isZoomed());
        // New rows do not take the zoom away, another axis does.
        const QCPRange near = chart->xAxis->range();
        chart->setContent(contentOf(builder));
        QCOMPARE(chart->xAxis->range().lower, near.lower);
        QTest::mouseDClick(chart.get(), Qt::LeftButton, {}, middle);
        QVERIFY(!chart->isZoomed());
        QCOMPARE(chart->xAxis->range().lower, home.lower);
        QCOMPARE(zoomed.count(), 2);
    }

    void draggingABoxZoomsIntoIt()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto chart = shownChart(builder);
        const QRect area = chart->axisRect()->rect();
        const QPoint from = area.topLeft() + QPoint(area.width() / 4, area.height() / 4);
        const QPoint to = area.topLeft() + QPoint(area.width() / 2, area.height() / 2);
        const double expectedLow = chart->xAxis->pixelToCoord(from.x());
        QSignalSpy picked(chart.get(), &LatencyChart::tracePicked);
        QTest::mousePress(chart.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(chart.get(), to);
        QTest::mouseRelease(chart.get(), Qt::LeftButton, {}, to);
        QVERIFY(chart->isZoomed());
        QVERIFY(std::abs(chart->xAxis->range().lower / expectedLow - 1) < 0.02);
        QCOMPARE(picked.count(), 0);
        QTest::keyClick(chart.get(), Qt::Key_0);
        QVERIFY(!chart->isZoomed());
        QTest::keyClick(chart.get(), Qt::Key_Plus);
        QVERIFY(chart->isZoomed());
    }

    void clickAndEnterPickATrace()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto chart = shownChart(builder);
        const std::size_t base = seriesOf(chart->content().series, "base");
        QSignalSpy picked(chart.get(), &LatencyChart::tracePicked);
        QTest::mouseClick(chart.get(), Qt::LeftButton, {}, chart->positionOf(base, 0).toPoint());
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked.at(0).at(0).toUInt(), chart->content().series[base].points[0].row);
        QTest::keyClick(chart.get(), Qt::Key_Right, Qt::ControlModifier);
        QTest::keyClick(chart.get(), Qt::Key_Return);
        QCOMPARE(picked.count(), 2);
    }

    void aColorFollowsTheTheme()
    {
        DatasetBuilder builder;
        fill(builder);
        const auto chart = shownChart(builder);
        const QColor light = chart->graph(0)->pen().color();
        QCOMPARE(light, seriesColor(QString::fromStdString(chart->content().series[0].solution), false));
        applyTheme(ThemeChoice::Dark);
        QTRY_COMPARE(chart->graph(0)->pen().color(), seriesColor(QString::fromStdString(chart->content().series[0].solution), true));
        QVERIFY(chart->grab().toImage().pixelColor(chart->axisRect()->center()).lightness() < 128);
        applyTheme(ThemeChoice::Light);
        QTRY_COMPARE(chart->graph(0)->pen().color(), light);
    }

    void legendTogglesAndIsolates()
    {
        DatasetBuilder builder;
        fill(builder);
        ChartLegend legend;
        legend.resize(240, 200);
        legend.setSeries(contentOf(builder).series);
        legend.show();
        QSignalSpy changed(&legend, &ChartLegend::hiddenChanged);
        const auto spot = [&](const QString& solution) {
            return legend.visualItemRect(legend.findItems(solution, Qt::MatchExactly).value(0)).center();
        };
        QTest::mouseClick(legend.viewport(), Qt::LeftButton, {}, spot(QStringLiteral("base")));
        QCOMPARE(legend.hidden(), QSet<QString>{QStringLiteral("base")});
        QTest::mouseClick(legend.viewport(), Qt::LeftButton, {}, spot(QStringLiteral("base")));
        QVERIFY(legend.hidden().isEmpty());
        QCOMPARE(changed.count(), 2);
        QTest::mouseClick(legend.viewport(), Qt::LeftButton, Qt::ControlModifier, spot(QStringLiteral("base")));
        QCOMPARE(legend.hidden(), QSet<QString>{QStringLiteral("quick")});
        QTest::mouseClick(legend.viewport(), Qt::LeftButton, Qt::ControlModifier, spot(QStringLiteral("base")));
        QVERIFY(legend.hidden().isEmpty());
        // A double click arrives as click, double click, release.
        QTest::mouseClick(legend.viewport(), Qt::LeftButton, {}, spot(QStringLiteral("quick")));
        QTest::mouseDClick(legend.viewport(), Qt::LeftButton, {}, spot(QStringLiteral("quick")));
        QCOMPARE(legend.hidden(), QSet<QString>{QStringLiteral("base")});
        legend.showAll();
        legend.setCurrentItem(legend.topLevelItem(0));
        QTest::keyClick(&legend, Qt::Key_Space);
        QCOMPARE(legend.hidden().size(), 1);
    }

    void machinesAreNeverMixedSilently()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        ChartsPage page(&workspace);
        page.resize(1000, 600);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        workspace.setCurrentDefinition(QStringLiteral("gemm_n4"));
        QVERIFY(settled(page));
        QCOMPARE(page.shownHardware(), QStringLiteral("Main GPU"));
        const QString note = page.findChild<QLabel*>(QStringLiteral("chartNote"))->text();
        QVERIFY2(note.contains(QStringLiteral("Main GPU")) && note.contains(QStringLiteral("Other GPU")), qPrintable(note));
        QCOMPARE(page.series().size(), std::size_t(2));
        workspace.setHardware(QStringLiteral("Other GPU"));
        QVERIFY(settled(page));
        QCOMPARE(page.series().size(), std::size_t(1));
        QCOMPARE(page.series()[0].points.size(), std::size_t(1));
        QCOMPARE(page.series()[0].points[0].y, 9.0);
    }

    void measuresAndAxesCanBeChosen()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        ChartsPage page(&workspace);
        page.resize(1000, 600);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        workspace.setHardware(QStringLiteral("Main GPU"));
        workspace.setBaselineAuthor(QStringLiteral("baseline"));
        workspace.setCurrentDefinition(QStringLiteral("gemm_n4"));
        QVERIFY(settled(page));
        QCOMPARE(page.findChild<QComboBox*>(QStringLiteral("chartX"))->currentData().toString(), QStringLiteral("M"));
        page.setMeasure(ChartMeasure::RatioToBaseline);
        QVERIFY(settled(page));
        const std::size_t quick = seriesOf(page.series(), "quick");
        QCOMPARE(page.series()[quick].points[0].y, 2.0);
        page.setMeasure(ChartMeasure::SpeedupToReference);
        page.setAxis(QString());
        QVERIFY(settled(page));
        QCOMPARE(page.series()[quick].points[0].y, 4.0);
        QCOMPARE(page.series()[quick].points[3].x, 4.0);   // position, not the value of M
        // Without a baseline there is a reason instead of a chart.
        page.setMeasure(ChartMeasure::RatioToBaseline);
        workspace.setCurrentDefinition(QStringLiteral("lonely"));
        QVERIFY(settled(page));
        QVERIFY(page.series().empty());
        const auto* empty = page.findChild<QLabel*>(QStringLiteral("chartEmpty"));
        QVERIFY(empty->isVisible());
        QVERIFY2(empty->text().contains(QStringLiteral("baseline")), qPrintable(empty->text()));
    }

    void oneChartAGpuOnTheSameScales()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        ChartsPage page(&workspace);
        page.resize(1200, 600);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        workspace.setCurrentDefinition(QStringLiteral("gemm_n4"));
        page.setFacets(true);
        QVERIFY(settled(page));
        const std::vector<LatencyChart*> charts = page.shownCharts();
        QCOMPARE(charts.size(), std::size_t{2});
        QCOMPARE(charts[0]->content().hardware, QStringLiteral("Main GPU"));
        QCOMPARE(charts[1]->content().hardware, QStringLiteral("Other GPU"));
        QCOMPARE(charts[1]->content().series.size(), std::size_t{1});
        QVERIFY(charts[0]->isVisible() && charts[1]->isVisible());
        QCOMPARE(charts[0]->yAxis->range().upper, charts[1]->yAxis->range().upper);
        QCOMPARE(charts[0]->xAxis->range().lower, charts[1]->xAxis->range().lower);
        QCOMPARE(page.legend()->topLevelItemCount(), 2);   // a solution once, whatever the machines
        page.legend()->toggle(QStringLiteral("quick"));
        QVERIFY(charts[1]->hidden().contains(QStringLiteral("quick")));
        page.legend()->showAll();
        const QTemporaryDir folder;
        QVERIFY(page.exportPicture(folder.filePath(QStringLiteral("facets.png"))));
        QVERIFY(QImage(folder.filePath(QStringLiteral("facets.png"))).width() >= 2 * 1900);
        QVERIFY(page.exportPicture(folder.filePath(QStringLiteral("facets.svg"))));
        QVERIFY(contentOfFile(folder.filePath(QStringLiteral("facets.svg"))).contains("Other GPU"));
        page.setFacets(false);
        QVERIFY(settled(page));
        QCOMPARE(page.shownCharts().size(), std::size_t{1});
        QVERIFY(!charts[1]->isVisible());
    }

    /// The figures are those of chartAnswer(), tested with it; here they reach the chart with their units.
    void timesSizesAndBandsReachTheChart()
    {
        DatasetBuilder builder;
        builder.definition({.name = "gemm_n4"}).solution({.name = "quick", .definition = "gemm_n4"});
        for (const std::int64_t m : {1, 8}) {
            builder.trace({.definition = "gemm_n4", .solution = "quick", .uuid = "w" + std::to_string(m), .latencyMs = 1, .axes = {{"M", m}}, .hardware = "Main GPU",
                           .judge = R"({"version":1,"time":{"method":"cupti","queued_ms":0.5,"p10":0.9,"p90":1.25}})"});
        }
        Workspace workspace;
        ChartsPage page(&workspace);
        page.resize(1000, 600);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        workspace.setCurrentDefinition(QStringLiteral("gemm_n4"));
        QVERIFY(settled(page));
        QCOMPARE(page.series()[0].points[0].high, 1.25);
        QCOMPARE(page.chart()->graphCount(), 6);   // line, points, failures, both edges of the band, rings around what is marked
        page.setCallTime(CallTime::Queued);
        page.setMeasure(ChartMeasure::Bandwidth);
        page.setAbscissa(ChartAbscissa::Bytes);
        QVERIFY(settled(page));
        QCOMPARE(page.series()[0].points[0].x, 32.0);            // 4 + 4 floats
        QCOMPARE(page.series()[0].points[0].y, 32.0 / 0.5e-3);
        const QString text = page.chart()->describe().replace(QChar(0x202F), QLatin1Char(' '));
        QVERIFY2(text.contains(QStringLiteral("= 32 B, 64 kB/s")), qPrintable(text));
        page.setCallTime(CallTime::Kernels);
        QVERIFY(settled(page));
        QVERIFY(page.series().empty());
        const QString why = page.findChild<QLabel*>(QStringLiteral("chartEmpty"))->text();
        QVERIFY2(why.contains(QStringLiteral("has this time in its record")), qPrintable(why));
        const QTemporaryDir folder;
        page.setCallTime(CallTime::Queued);
        QVERIFY(settled(page));
        QVERIFY(page.exportPoints(folder.filePath(QStringLiteral("points.csv"))));
        QVERIFY(contentOfFile(folder.filePath(QStringLiteral("points.csv"))).contains("quick,ann,Main GPU,M=1,w1,32,64000,,,PASSED,"));
    }

    void rooflineLiesOverThePoints()
    {
        DatasetBuilder builder;
        builder.file("definitions/gemm/product.json", R"({"name":"product","op_type":"gemm","axes":{"M":{"type":"var"},"N":{"type":"const","value":4096},"K":{"type":"const","value":4096}},
            "inputs":{"A":{"shape":["M","K"],"dtype":"float16"},"B":{"shape":["N","K"],"dtype":"float16"}},"outputs":{"C":{"shape":["M","N"],"dtype":"float16"}},
            "reference":"def run(A, B):\n    return A @ B.T\n"})");
        builder.solution({.name = "quick", .definition = "product"});
        for (const std::int64_t m : {16, 256, 4096}) {
            builder.trace({.definition = "product", .solution = "quick", .uuid = "w" + std::to_string(m), .latencyMs = m < 1000 ? 0.02 : 0.25, .axes = {{"M", m}}, .hardware = "NVIDIA H100 80GB HBM3"});
        }
        Workspace workspace;
        ChartsPage page(&workspace);
        page.resize(1000, 600);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        workspace.setCurrentDefinition(QStringLiteral("product"));
        page.setAbscissa(ChartAbscissa::Intensity);
        page.setMeasure(ChartMeasure::Throughput);
        QVERIFY(settled(page));
        QCOMPARE(page.chart()->content().roofs.size(), std::size_t{1});
        const QCPGraph* roof = page.chart()->graph(page.chart()->graphCount() - 1);
        const double bend = 989.4e12 / 3352e9;   // operations a byte
        for (auto at = roof->data()->constBegin(); at != roof->data()->constEnd(); ++at) {
            QVERIFY(std::fabs(at->value / (at->key < bend ? at->key * 3352e9 : 989.4e12) - 1) < 1e-9);
        }
        for (const SeriesPoint& point : page.series()[0].points) QVERIFY(point.y <= std::min(989.4e12, point.x * 3352e9));
        const QByteArray pictures = qgetenv("TRACEDECK_TEST_PICTURES");
        if (!pictures.isEmpty()) QVERIFY(page.grab().save(QString::fromLocal8Bit(pictures) + QStringLiteral("/roofline.png")));
        page.setMeasure(ChartMeasure::LightShare);
        page.setAxis(QStringLiteral("M"));
        QVERIFY(settled(page));
        QCOMPARE(page.chart()->content().roofs.size(), std::size_t{1});
        QVERIFY(page.series()[0].points[2].y > 0.5 && page.series()[0].points[2].y < 0.6);   // 137 GFLOP in 0.25 ms
        QVERIFY2(page.chart()->describe().contains(QLatin1Char('%')), qPrintable(page.chart()->describe()));
        if (!pictures.isEmpty()) QVERIFY(page.grab().save(QString::fromLocal8Bit(pictures) + QStringLiteral("/light.png")));
        page.setMeasure(ChartMeasure::LatencyMs);
        QVERIFY(settled(page));
        QVERIFY(page.chart()->content().roofs.empty());
    }

    /// Many points are drawn in another way, which must show the same.
    void manyPointsLieWhereFewDo()
    {
        LatencyChart chart;
        chart.resize(900, 600);
        chart.show();
        ChartContent content;
        content.definition = QStringLiteral("many");
        content.axis = QStringLiteral("M");
        for (const char* name : {"one", "other"}) {
            Series series;
            series.solution = name;
            const double level = series.solution == "one" ? 1 : 3;
            for (int i = 0; i < 60'000; ++i) series.points.push_back({.x = 1.0 + i, .y = level * (1 + 0.2 * std::sin(i / 2800.0)), .workloadUuid = {}});
            content.series.push_back(std::move(series));
        }
        chart.setContent(std::move(content));
        for (const bool isLogarithmic : {false, true}) {
            chart.setLogarithmic(isLogarithmic, isLogarithmic);
            chart.replot();
            const QImage picture = chart.grab().toImage();
            const QColor color = seriesColor(QStringLiteral("one"));
            for (std::size_t point = 50; point < 60'000; point += 3989) {
                const QPoint at = chart.positionOf(0, point).toPoint();
                bool isThere = false;
                for (int dx = -2; dx <= 2; ++dx) {
                    for (int dy = -2; dy <= 2; ++dy) isThere = isThere || picture.pixelColor(at + QPoint(dx, dy)) == color;
                }
                QVERIFY2(isThere, qPrintable(QStringLiteral("point %1").arg(point)));
                QVERIFY(picture.pixelColor(at - QPoint(0, 60)) != color);
            }
        }
        chart.setHidden({QStringLiteral("one")});
        chart.replot();
        const QImage hidden = chart.grab().toImage();
        const QRgb gone = seriesColor(QStringLiteral("one")).rgb();
        int left = 0;
        for (int y = 0; y < hidden.height(); ++y) {
            for (int x = 0; x < hidden.width(); ++x) left += hidden.pixel(x, y) == gone ? 1 : 0;
        }
        QCOMPARE(left, 0);
        // As a vector picture, too.
        const QTemporaryDir folder;
        QVERIFY(chart.savePdf(folder.filePath(QStringLiteral("many.pdf")), 900, 600));
        QVERIFY(QFileInfo(folder.filePath(QStringLiteral("many.pdf"))).size() < 2'000'000);
    }

    void manyStepsAreExact_data()
    {
        QTest::addColumn<bool>("isStrict");
        QTest::newRow("at least p") << false;
        QTest::newRow("above p") << true;
    }
    void manyStepsAreExact()
    {
        QFETCH(bool, isStrict);
        auto report = std::make_shared<FastPReport>();
        report->preset = isStrict ? FastPPreset::KernelBench : FastPPreset::Site;
        FastPCurve curve;
        curve.name = "author";
        // A few large steps among many small ones.
        for (int i = 0; i < 24'000; ++i) curve.ratios.push_back(i < 12'000 ? 0.5 : i < 18'000 ? 0.5 + (i - 12'000) * 1e-4 : 1.4);
        curve.attempted = curve.total = curve.comparable = curve.ratios.size();
        curve.greatestRatio = curve.ratios.back();
        report->curves.push_back(curve);
        FastPChart chart;
        chart.resize(900, 600);
        chart.show();
        chart.setReport(report);
        chart.setPin(0.05);
        chart.replot();
        const QImage picture = chart.grab().toImage();
        const QColor color = seriesColor(QStringLiteral("author"));
        for (const double p : {0.2, 0.45, 0.6, 0.8, 1.0, 1.2, 1.35}) {
            const QPoint at(static_cast<int>(std::lround(chart.xAxis->coordToPixel(p))), static_cast<int>(std::lround(chart.yAxis->coordToPixel(100 * report->shareAt(curve, p)))));
            bool isThere = false;
            for (int dy = -2; dy <= 2; ++dy) isThere = isThere || picture.pixelColor(at + QPoint(0, dy)) == color;
            QVERIFY2(isThere, qPrintable(QString::number(p)));
            QVERIFY2(picture.pixelColor(at + QPoint(0, 12)) != color, qPrintable(QString::number(p)));
        }
    }

    void clickOnThePageSetsTheCurrentTrace()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        ChartsPage page(&workspace);
        page.resize(1000, 600);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        workspace.setCurrentDefinition(QStringLiteral("gemm_n4"));
        QVERIFY(settled(page));
        page.chart()->replot(QCustomPlot::rpImmediateRefresh);
        QTest::mouseClick(page.chart(), Qt::LeftButton, {}, page.chart()->positionOf(0, 0).toPoint());
        QCOMPARE(workspace.currentTrace(), static_cast<qint64>(page.series()[0].points[0].row));
    }

    void picturesAndDataAreExported()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        ChartsPage page(&workspace);
        page.resize(1000, 600);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        workspace.setCurrentDefinition(QStringLiteral("gemm_n4"));
        QVERIFY(settled(page));
        const QTemporaryDir folder;
        const QString png = folder.filePath(QStringLiteral("chart.png"));
        QVERIFY(page.exportPicture(png));
        const QImage image(png);
        QVERIFY(image.width() >= 1900);
        const QColor line = seriesColor(QStringLiteral("base"));
        bool drawn = false;
        for (int y = 0; y < image.height() && !drawn; ++y) {
            for (int x = 0; x < image.width() && !drawn; ++x) {
                drawn = image.pixelColor(x, y).rgb() == line.rgb();
            }
        }
        QVERIFY(drawn);
        const QString svg = folder.filePath(QStringLiteral("chart.svg"));
        QVERIFY(page.exportPicture(svg));
        QVERIFY(QSvgRenderer(svg).isValid());
        QVERIFY(contentOfFile(svg).contains("gemm_n4"));
        const QString pdf = folder.filePath(QStringLiteral("chart.pdf"));
        QVERIFY(page.exportPicture(pdf));
        QVERIFY(contentOfFile(pdf).startsWith("%PDF-"));
        const auto refused = page.exportPicture(folder.filePath(QStringLiteral("chart.bmp")));
        QVERIFY(!refused);
        QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("chart.bmp"))));

        page.legend()->toggle(QStringLiteral("base"));
        const QString csv = folder.filePath(QStringLiteral("chart.csv"));
        QVERIFY(page.exportCsv(csv));
        RowIndex rows;
        for (const SeriesPoint& point : page.series()[seriesOf(page.series(), "quick")].points) {
            rows.push_back(point.row);
        }
        QCOMPARE(contentOfFile(csv), QByteArray::fromStdString(csvReport(*workspace.dataset(), rows)));
    }

    void landedTracesAppearInTheChart()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        ChartsPage page(&workspace);
        QVERIFY(openDataset(workspace, builder.root()));
        workspace.setCurrentDefinition(QStringLiteral("lonely"));
        QVERIFY(settled(page));
        QCOMPARE(page.series().size(), std::size_t(1));
        const auto landed = landTrace(builder, {.definition = "lonely", .solution = "alone", .uuid = "w-new", .axes = {{"M", 5}},
                                                .hardware = "Main GPU", .file = "traces/ann/rmsnorm/lonely.jsonl"});
        workspace.addTraces({landed});
        QTRY_COMPARE_WITH_TIMEOUT(page.series()[0].points.size(), std::size_t(2), 10'000);
    }

    void growthKeepsZoomAndPointAndIsShownAtOnce()
    {
        DatasetBuilder builder;
        fill(builder);
        Workspace workspace;
        ChartsPage page(&workspace);
        page.resize(900, 600);
        page.show();
        QVERIFY(openDataset(workspace, builder.root()));
        workspace.setCurrentDefinition(QStringLiteral("gemm_n4"));
        workspace.setHardware(QStringLiteral("Main GPU"));
        QVERIFY(settled(page));
        page.chart()->replot();
        QTest::keyClick(page.chart(), Qt::Key_Plus);
        QTest::keyClick(page.chart(), Qt::Key_Right, Qt::ControlModifier);
        const QCPRange x = page.chart()->xAxis->range();
        const QCPRange y = page.chart()->yAxis->range();
        const QString pointedAt = page.chart()->readOut();
        QVERIFY(!pointedAt.isEmpty());
        QSignalSpy shown(&page, &ChartsPage::seriesShown);
        constexpr int kLanded = 60;
        for (int i = 0; i < kLanded; ++i) {
            workspace.addTraces({landTrace(builder, {.definition = "gemm_n4", .solution = "base", .uuid = "new" + std::to_string(i),
                                                     .axes = {{"M", 100 + i}}, .hardware = "Main GPU",
                                                     .file = "traces/baseline/gemm/gemm_n4.jsonl"})});
        }
        QTRY_VERIFY_WITH_TIMEOUT(page.series()[seriesOf(page.series(), "base")].points.size() == std::size_t(4 + kLanded) && !page.isBusy(), 10'000);
        QVERIFY2(shown.count() <= kLanded / 4, qPrintable(QString::number(shown.count())));
        QCOMPARE(page.chart()->xAxis->range(), x);
        QCOMPARE(page.chart()->yAxis->range(), y);
        QCOMPARE(page.chart()->readOut(), pointedAt);
    }

    void nothingOverlapsInALowChart_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<ChartMeasure>("measure");
        QTest::addColumn<bool>("logarithmic");
        for (const QSize& size : {QSize(240, 160), QSize(300, 200), QSize(500, 190), QSize(900, 600)}) {
            for (const auto measure : {ChartMeasure::LatencyMs, ChartMeasure::SpeedupToReference}) {
                for (const bool logarithmic : {true, false}) {
                    QTest::addRow("%d x %d, measure %d, %s", size.width(), size.height(), static_cast<int>(measure), logarithmic ? "log" : "linear")
                        << size << measure << logarithmic;
                }
            }
        }
    }
    void nothingOverlapsInALowChart()
    {
        QFETCH(QSize, size);
        QFETCH(ChartMeasure, measure);
        QFETCH(bool, logarithmic);
        DatasetBuilder builder;
        fill(builder);
        LatencyChart chart;
        chart.resize(size);
        chart.setContent(contentOf(builder, measure));
        chart.setLogarithmic(logarithmic, logarithmic);
        chart.show();
        for (int i = 0; i < 3; ++i) {   // titles follow the layout before
            chart.replot();
        }
        QCPItemText* failed = nullptr;
        for (int i = 0; i < chart.itemCount(); ++i) {
            if (auto* text = qobject_cast<QCPItemText*>(chart.item(i)); text && text->text().contains(QStringLiteral("failed")) && text->visible()) {
                failed = text;
            }
        }
        QVERIFY(failed);
        const QRectF word(failed->topLeft->pixelPosition(), failed->bottomRight->pixelPosition());
        QVERIFY(QRectF(chart.rect()).contains(word));
        for (const QCPAxis* axis : {chart.xAxis, chart.yAxis}) {
            const bool vertical = axis == chart.yAxis;
            const QFontMetrics titleMetrics(axis->labelFont());
            const int room = vertical ? chart.height() : chart.width();
            const int title = titleMetrics.horizontalAdvance(axis->label());
            const double middle = vertical ? chart.axisRect()->center().y() : chart.axisRect()->center().x();
            QVERIFY2(middle - title / 2.0 >= 0 && middle + title / 2.0 <= room, qPrintable(axis->label()));
            const QFontMetrics metrics(axis->tickLabelFont());
            double lastEnd = -1e9;
            int labels = 0;
            for (qsizetype tick = 0; tick < axis->tickVector().size(); ++tick) {
                const QString label = axis->tickVectorLabels()[tick];
                if (label.isEmpty()) {
                    continue;
                }
                ++labels;
                const double at = axis->coordToPixel(axis->tickVector()[tick]);
                const double half = (vertical ? metrics.ascent() : metrics.horizontalAdvance(label)) / 2.0;
                if (vertical) {
                    QVERIFY2(at + half <= word.top() + 3 || at - half >= word.bottom() - 3, qPrintable(label + QStringLiteral(" lies over the failures")));
                }
                const double start = vertical ? -at - half : at - half;
                QVERIFY2(start >= lastEnd, qPrintable(label + QStringLiteral(" lies over the label before")));
                lastEnd = start + 2 * half;
            }
            QVERIFY(labels > 0);
        }
        if (!chart.yAxis->label().isEmpty()) {
            // The title is left of the word.
            QVERIFY(word.left() >= QFontMetrics(chart.yAxis->labelFont()).height());
        }
    }
};

QTEST_MAIN(TestCharts)
#include "test_charts.moc"
