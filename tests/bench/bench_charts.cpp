// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how long a chart takes to draw itself anew while one pans and zooms: 1,000,000 points in a latency chart, 100 curves of
// 5,000 steps in a fast_p chart. 60 frames a second allow 16.7 ms. Prints a table, and JSON with --json FILE.
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "ui/charts/fast_p_chart.h"
#include "ui/charts/latency_chart.h"

using namespace tracedeck;
using namespace tracedeck::ui;

namespace {

constexpr double kFrameMs = 1000.0 / 60;
constexpr int kSolutions = 10;
constexpr int kPointsOfSolution = 100'000;
constexpr std::size_t kCurves = 100;
constexpr std::size_t kSteps = 5'000;
constexpr int kFrames = 60;

struct Figure {
    const char* name;
    double median;
    double slowest;
};

/// Draws after each step; the times in ms.
Figure measure(const char* name, ZoomChart& chart, const std::function<void(int)>& step)
{
    std::vector<double> times;
    for (int i = 0; i < kFrames; ++i) {
        QElapsedTimer timer;
        timer.start();
        step(i);
        chart.replot(QCustomPlot::rpImmediateRefresh);
        times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(times.begin(), times.end());
    return {name, times[times.size() / 2], times.back()};
}

/// To and fro by a tenth of what is in sight.
void pan(ZoomChart& chart, int step)
{
    for (QCPAxis* axis : {chart.xAxis, chart.yAxis}) {
        const QCPRange range = axis->range();
        const double share = (step / 10 % 2 == 0 ? 0.1 : -0.1) / 10;
        if (axis->scaleType() == QCPAxis::stLogarithmic) axis->scaleRange(1, range.center());
        else axis->moveRange(range.size() * share);
    }
}

std::vector<Series> manyPoints()
{
    std::mt19937_64 random(1);
    std::lognormal_distribution<double> spread(0, 0.3);
    std::vector<Series> made;
    for (int s = 0; s < kSolutions; ++s) {
        Series series;
        series.solution = "solution " + std::to_string(s);
        series.author = "author";
        series.hardware = "GPU";
        for (int i = 0; i < kPointsOfSolution; ++i) {
            const double x = 1 + i;
            series.points.push_back({.x = x, .y = (0.01 + 1e-5 * x) * (1 + 0.2 * s) * spread(random), .row = static_cast<std::uint32_t>(s * kPointsOfSolution + i), .workloadUuid = {}});
        }
        made.push_back(std::move(series));
    }
    return made;
}

std::shared_ptr<const FastPReport> manyCurves()
{
    std::mt19937_64 random(2);
    std::lognormal_distribution<double> spread(0, 0.5);
    auto report = std::make_shared<FastPReport>();
    for (std::size_t c = 0; c < kCurves; ++c) {
        FastPCurve curve;
        curve.name = "author " + std::to_string(c);
        std::vector<double> ratios;
        for (std::size_t i = 0; i < kSteps; ++i) ratios.push_back(spread(random) * (1 + 0.01 * static_cast<double>(c)));
        std::sort(ratios.begin(), ratios.end());
        curve.attempted = curve.total = kSteps;
        curve.greatestRatio = ratios.back();
        curve.ratios = std::move(ratios);
        report->curves.push_back(std::move(curve));
    }
    return report;
}

}  // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", qgetenv("QT_QPA_PLATFORM").isEmpty() ? QByteArray("offscreen") : qgetenv("QT_QPA_PLATFORM"));
    QApplication application(argc, argv);
    std::vector<Figure> figures;
    {
        LatencyChart chart;
        chart.resize(1600, 900);
        chart.show();
        ChartContent content;
        content.definition = QStringLiteral("definition");
        content.axis = QStringLiteral("M");
        content.series = manyPoints();
        chart.setContent(std::move(content));
        for (const bool isLogarithmic : {false, true}) {
            chart.setLogarithmic(isLogarithmic, isLogarithmic);
            chart.resetZoom();
            figures.push_back(measure(isLogarithmic ? "1,000,000 points, logarithmic, pan" : "1,000,000 points, pan", chart, [&](int i) { pan(chart, i); }));
            chart.resetZoom();
            figures.push_back(measure(isLogarithmic ? "1,000,000 points, logarithmic, zoom" : "1,000,000 points, zoom", chart, [&](int i) { chart.zoomBy(i < kFrames / 2 ? 0.9 : 1 / 0.9); }));
        }
    }
    {
        FastPChart chart;
        chart.resize(1600, 900);
        chart.show();
        chart.setReport(manyCurves());
        figures.push_back(measure("100 curves of 5,000 steps, pan", chart, [&](int i) { pan(chart, i); }));
        chart.resetZoom();
        figures.push_back(measure("100 curves of 5,000 steps, zoom", chart, [&](int i) { chart.zoomBy(i < kFrames / 2 ? 0.9 : 1 / 0.9); }));
    }
    QJsonArray lines;
    std::printf("%-40s %10s %10s   (%.1f ms are allowed)\n", "one frame", "median", "slowest", kFrameMs);
    for (const Figure& figure : figures) {
        std::printf("%-40s %7.1f ms %7.1f ms   %s\n", figure.name, figure.median, figure.slowest, figure.median <= kFrameMs ? "ok" : "TOO SLOW");
        lines.append(QJsonObject{{QStringLiteral("name"), QString::fromUtf8(figure.name)}, {QStringLiteral("median_ms"), figure.median}, {QStringLiteral("slowest_ms"), figure.slowest}});
    }
    const QStringList arguments = QApplication::arguments();
    if (const auto at = arguments.indexOf(QStringLiteral("--json")); at >= 0 && at + 1 < arguments.size()) {
        QFile file(arguments[at + 1]);
        if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(lines).toJson()) < 0) {
            std::fprintf(stderr, "could not write %s\n", qPrintable(file.fileName()));
            return 1;
        }
    }
    return 0;
}
