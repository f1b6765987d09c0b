// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/svg_plots.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/report/html_text.h"
#include "core/report/report.h"
#include "core/report/svg_ink.h"
#include "core/report/table_file.h"

namespace tracedeck {

namespace {

constexpr double kPlotWidth = 1080;
constexpr double kPlotLeft = 66;
constexpr double kPlotRight = 14;
constexpr double kPlotTop = 12;
constexpr double kPlotHeight = 280;
constexpr double kLetterWidth = 6.9;     ///< of the 11 pixels that texts are high, roughly
constexpr double kLegendLine = 18;
constexpr double kSlantedLabels = 84;
constexpr std::size_t kLongestSlanted = 18;
constexpr std::size_t kLongestLegend = 46;

/// Places of round numbers on a logarithmic scale: 1, 2, 5 of each decade, fewer where there are many decades.
std::vector<double> logarithmicTicks(double low, double high)
{
    const double decades = std::log10(high / low);
    std::vector<double> ticks;
    for (int power = static_cast<int>(std::floor(std::log10(low))); power <= static_cast<int>(std::ceil(std::log10(high))); ++power) {
        for (const double digit : {1.0, 2.0, 5.0}) {
            if (digit > 1 && decades > 4) continue;
            const double tick = digit * std::pow(10.0, power);
            if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push_back(tick);
        }
    }
    return ticks;
}

/// As short as a tick's label can be.
std::string tickText(double value)
{
    return std::abs(value) >= 1e-4 && std::abs(value) < 1e6 ? shortestNumber(std::stod(fmt::format("{:.3g}", value))) : fmt::format("{:g}", value);
}

/// A ratio in a cell of a heat map: two digits where the cell has room for them.
std::string cellText(double ratio)
{
    if (ratio >= 100) return fmt::format("{:.0f}", ratio);
    if (ratio >= 10) return fmt::format("{:.1f}", ratio);
    return ratio >= 0.095 ? fmt::format("{:.2f}", ratio) : fmt::format("{:.1g}", ratio);
}

/// A line of a plot: one value a workload, NaN for none.
struct PlotLine {
    std::size_t color = 0;
    std::string name;
    std::vector<double> values;
    std::vector<std::string> titles;   ///< of each place that has a value or a failure
    std::vector<char> failed;
};

/// The vertical logarithmic scale of a plot.
class LogScale {
public:
    LogScale(double low, double high) : m_low(low), m_high(high)
    {
        constexpr double kAir = 1.12;
        m_low /= kAir;
        m_high *= kAir;
        if (m_high / m_low < 2) {   // all the same: not a scale of noise
            const double middle = std::sqrt(m_low * m_high);
            m_low = middle / std::sqrt(2.0);
            m_high = middle * std::sqrt(2.0);
        }
    }
    [[nodiscard]] double y(double value) const { return kPlotTop + kPlotHeight * (1 - std::log(value / m_low) / std::log(m_high / m_low)); }
    [[nodiscard]] std::vector<double> ticks() const { return logarithmicTicks(m_low, m_high); }

private:
    double m_low;
    double m_high;
};

/// Names and values of the axes that differ between workloads; all of them where none does.
std::vector<std::string> workloadLabels(const ReportMachine& machine)
{
    std::set<std::string> varying;
    for (const std::size_t number : machine.measured) {
        for (const auto& axis : machine.map.workloads[number].axes) {
            const auto& first = machine.map.workloads[machine.measured.front()].axes;
            if (std::find(first.begin(), first.end(), axis) == first.end()) varying.insert(axis.first);
        }
    }
    std::vector<std::string> labels;
    for (const std::size_t number : machine.measured) {
        std::string label;
        for (const auto& [name, value] : machine.map.workloads[number].axes) {
            if (!varying.empty() && !varying.contains(name)) continue;
            label += fmt::format("{}{}={}", label.empty() ? "" : " ", name, value);
        }
        labels.push_back(label.empty() ? machine.map.workloads[number].uuid.substr(0, 8) : label);
    }
    return labels;
}

std::vector<PlotLine> linesOf(const ReportMachine& machine, WorkloadPlot plot)
{
    const HeatMap& map = machine.map;
    std::vector<PlotLine> lines;
    for (const std::size_t solution : machine.solutions) {
        if (lines.size() == kMostPlotSeries) break;
        PlotLine line{solution, shortSolutionName(map.solutions[solution].name, map.question.definition), {}, {}, {}};
        bool hasPoint = false;
        for (const std::size_t workload : machine.measured) {
            const HeatMapCell& cell = map.at(workload, solution);
            const double value = plot == WorkloadPlot::LatencyMs ? cell.latencyMs : cell.ratio;
            const bool isShown = std::isfinite(value) && value > 0;
            line.values.push_back(isShown ? value : std::nan(""));
            // Failures are in the plot of latencies.
            const bool isCross = cell.isFailed() && plot == WorkloadPlot::LatencyMs;
            line.failed.push_back(isCross ? 1 : 0);
            std::string title;
            if (isShown || isCross) {
                title = fmt::format("{}\n{}", line.name,
                                    !isShown                          ? std::string(toString(cell.status))
                                    : plot == WorkloadPlot::LatencyMs ? readableNumber(value) + " ms"
                                                                      : readableNumber(value) + " ×");
                hasPoint = true;
            }
            line.titles.push_back(std::move(title));
        }
        if (hasPoint) lines.push_back(std::move(line));
    }
    return lines;
}

struct Legend {
    std::string svg;
    double height = 0;
};

/// Names below the plot, in columns that fit.
Legend legendOf(const std::vector<std::pair<std::size_t, std::string>>& entries, double top, const SvgInk& ink)
{
    std::size_t longest = 0;
    for (const auto& [color, name] : entries) longest = std::max(longest, std::min(name.size(), kLongestLegend));
    const double width = 34 + kLetterWidth * static_cast<double>(longest);
    const auto columns = std::max<std::size_t>(1, static_cast<std::size_t>((kPlotWidth - kPlotLeft) / width));
    Legend legend;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double x = kPlotLeft + width * static_cast<double>(i % columns);
        const double y = top + kLegendLine * static_cast<double>(i / columns) + kLegendLine / 2;
        legend.svg += fmt::format("<path{} fill=\"none\" stroke-width=\"2.5\" d=\"M{} {}h18\"/><text{} x=\"{}\" y=\"{}\">{}</text>", ink.series(entries[i].first), coordinate(x),
                                  coordinate(y), ink.strongText(), coordinate(x + 23), coordinate(y + 4), htmlText(shortened(entries[i].second, kLongestLegend)));
    }
    legend.height = kLegendLine * static_cast<double>((entries.size() + columns - 1) / columns);
    return legend;
}

std::string horizontalGrid(const std::vector<double>& ticks, const std::function<double(double)>& place, const std::function<std::string(double)>& label, const SvgInk& ink)
{
    std::string svg;
    for (const double tick : ticks) {
        const std::string y = coordinate(place(tick));
        svg += fmt::format("<path{} d=\"M{} {}H{}\"/><text{} x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", ink.grid(), coordinate(kPlotLeft), y,
                           coordinate(kPlotWidth - kPlotRight), ink.text(), coordinate(kPlotLeft - 6), coordinate(place(tick) + 4), label(tick));
    }
    return svg;
}

/// A line with its points and crosses; gaps where there is nothing.
void appendLine(std::string& svg, const PlotLine& line, const std::vector<double>& xs, const LogScale& scale, const SvgInk& ink)
{
    std::string path;
    bool isDrawing = false;
    for (std::size_t i = 0; i < line.values.size(); ++i) {
        if (std::isnan(line.values[i])) {
            isDrawing = false;
            continue;
        }
        path += fmt::format("{}{} {}", isDrawing ? "L" : "M", coordinate(xs[i]), coordinate(scale.y(line.values[i])));
        isDrawing = true;
    }
    if (!path.empty()) svg += fmt::format("<path{} fill=\"none\" stroke-width=\"1.6\" d=\"{}\"/>", ink.series(line.color), path);
    for (std::size_t i = 0; i < line.values.size(); ++i) {
        if (line.titles[i].empty()) continue;
        const std::string title = htmlLines(line.titles[i]);
        if (!std::isnan(line.values[i])) {
            svg += fmt::format("<circle{} cx=\"{}\" cy=\"{}\" r=\"3\"><title>{}</title></circle>", ink.dot(line.color), coordinate(xs[i]), coordinate(scale.y(line.values[i])), title);
        } else if (line.failed[i] != 0) {
            svg += fmt::format("<path{} d=\"M{} {}l7 7m0 -7l-7 7\"><title>{}</title></path>", ink.cross(line.color), coordinate(xs[i] - 3.5),
                               coordinate(kPlotTop + kPlotHeight - 9), title);
        }
    }
}

/// Below the plot, thinned out where there is no room for all; `height` is what they take.
std::string horizontalLabels(const std::vector<std::string>& labels, const std::vector<double>& xs, const SvgInk& ink, double& height)
{
    const double slot = (kPlotWidth - kPlotLeft - kPlotRight) / static_cast<double>(std::max<std::size_t>(1, labels.size()));
    std::size_t longest = 0;
    for (const std::string& label : labels) longest = std::max(longest, label.size());
    const bool isSlanted = kLetterWidth * static_cast<double>(longest) + 8 > slot;
    constexpr double kNarrowestSlot = 15;
    const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(kNarrowestSlot / slot)));
    const double y = kPlotTop + kPlotHeight + 16;
    std::string svg;
    for (std::size_t i = 0; i < labels.size(); i += step) {
        if (!isSlanted) {
            svg += fmt::format("<text{} x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", ink.text(), coordinate(xs[i]), coordinate(y), htmlText(labels[i]));
            continue;
        }
        svg += fmt::format("<text{} text-anchor=\"end\" transform=\"translate({} {}) rotate(-40)\">{}</text>", ink.text(), coordinate(xs[i] + 4), coordinate(y - 3),
                           htmlText(shortened(labels[i], kLongestSlanted)));
    }
    height = isSlanted ? kSlantedLabels : 28;
    return svg;
}

}  // namespace

std::string shortSolutionName(const std::string& solution, const std::string& definition)
{
    constexpr std::size_t kWorthwhile = 4;
    const auto at = definition.size() < kWorthwhile ? std::string::npos : solution.find(definition);
    if (at == std::string::npos || solution.size() == definition.size()) return solution;
    return solution.substr(0, at) + "…" + solution.substr(at + definition.size());
}

std::string ratioText(const HeatMap& map)
{
    switch (map.question.measure) {
    case HeatMeasure::Baseline: return "latency of the baseline " + map.baselineSolution + " ÷ own latency";
    case HeatMeasure::Reference: return "latency of the reference ÷ own latency, as the traces have it (speedup_factor)";
    case HeatMeasure::Best: break;
    }
    return "latency of the fastest ÷ own latency";
}

std::string workloadPlotSvg(const ReportMachine& machine, WorkloadPlot plot, PlotLook look)
{
    const SvgInk ink(look);
    const std::vector<PlotLine> lines = linesOf(machine, plot);
    double low = plot == WorkloadPlot::Ratio ? 1 : std::nan("");
    double high = low;
    bool hasValue = false;
    for (const PlotLine& line : lines) {
        for (const double value : line.values) {
            if (std::isnan(value)) continue;
            low = std::fmin(low, value);
            high = std::fmax(high, value);
            hasValue = true;
        }
    }
    if (!hasValue) return {};
    const LogScale scale(low, high);
    const std::size_t count = machine.measured.size();
    std::vector<double> xs;
    for (std::size_t i = 0; i < count; ++i) {
        xs.push_back(kPlotLeft + (kPlotWidth - kPlotLeft - kPlotRight) * (static_cast<double>(i) + 0.5) / static_cast<double>(count));
    }
    std::string body = horizontalGrid(scale.ticks(), [&scale](double tick) { return scale.y(tick); }, tickText, ink);
    if (plot == WorkloadPlot::Ratio) {
        body += fmt::format("<path{} stroke-dasharray=\"5 4\" d=\"M{} {}H{}\"/>", ink.axis(), coordinate(kPlotLeft), coordinate(scale.y(1)), coordinate(kPlotWidth - kPlotRight));
    }
    body += fmt::format("<path{} d=\"M{} {}H{}\"/>", ink.axis(), coordinate(kPlotLeft), coordinate(kPlotTop + kPlotHeight), coordinate(kPlotWidth - kPlotRight));
    body += fmt::format("<text{} x=\"6\" y=\"{}\">{}</text>", ink.text(), coordinate(kPlotTop + 4), plot == WorkloadPlot::LatencyMs ? "ms" : "×");
    for (const PlotLine& line : lines) appendLine(body, line, xs, scale, ink);
    double labelHeight = 0;
    body += horizontalLabels(workloadLabels(machine), xs, ink, labelHeight);
    std::vector<std::pair<std::size_t, std::string>> entries;
    for (const PlotLine& line : lines) entries.emplace_back(line.color, line.name);
    const double legendTop = kPlotTop + kPlotHeight + labelHeight;
    const Legend legend = legendOf(entries, legendTop, ink);
    const std::string label = fmt::format("{} of {} on {} by workload", plot == WorkloadPlot::LatencyMs ? "Latency" : "Ratio", machine.map.question.definition, machine.map.question.hardware);
    return ink.begin(kPlotWidth, legendTop + legend.height + 4, label) + body + legend.svg + "</svg>";
}

std::string fastPSvg(const FastPReport& report, PlotLook look)
{
    if (report.curves.empty()) return {};
    const SvgInk ink(look);
    // To where something still happens, but not to a single outlier's ratio.
    double greatest = 1.5;
    for (const FastPCurve& curve : report.curves) {
        if (!curve.ratios.empty()) greatest = std::max(greatest, curve.ratios[(curve.ratios.size() - 1) * 9 / 10] * 1.1);
    }
    greatest = std::min(greatest, 10.0);
    const auto x = [greatest](double p) { return kPlotLeft + (kPlotWidth - kPlotLeft - kPlotRight) * std::min(p, greatest) / greatest; };
    const auto y = [](double share) { return kPlotTop + kPlotHeight * (1 - share / 1.02); };
    std::string body = horizontalGrid({0, 0.25, 0.5, 0.75, 1}, y, [](double share) { return fmt::format("{:.0f} %", share * 100); }, ink);
    const double step = greatest > 5 ? 1 : greatest > 2.5 ? 0.5 : 0.25;
    for (double p = 0; p <= greatest + 1e-9; p += step) {
        body += fmt::format("<path{} d=\"M{} {}V{}\"/><text{} x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>", ink.grid(), coordinate(x(p)), coordinate(kPlotTop),
                            coordinate(kPlotTop + kPlotHeight), ink.text(), coordinate(x(p)), coordinate(kPlotTop + kPlotHeight + 16), tickText(p));
    }
    std::vector<std::pair<std::size_t, std::string>> entries;
    for (std::size_t i = 0; i < std::min(report.curves.size(), kMostPlotSeries); ++i) {
        const auto steps = report.steps(report.curves[i]);
        std::string path;

        for (std::size_t s = 0; s < steps.size() && (s == 0 || steps[s - 1].first < greatest); ++s) {
            const auto& [p, to] = steps[s];
            // Between two points the share is that of the right one (≥); of the left one under the strict rules.
            if (s == 0) path = fmt::format("M{} {}", coordinate(x(p)), coordinate(y(to)));
            else if (!report.isStrict()) path += fmt::format("V{}H{}", coordinate(y(to)), coordinate(x(p)));
            else path += fmt::format("H{}V{}", coordinate(x(p)), coordinate(y(to)));
        }
        if (!steps.empty() && steps.back().first < greatest) path += report.isStrict() ? fmt::format("H{}", coordinate(x(greatest))) : fmt::format("V{}H{}", coordinate(y(0)), coordinate(x(greatest)));
        body += fmt::format("<path{} fill=\"none\" stroke-width=\"1.8\" d=\"{}\"><title>{}</title></path>", ink.series(i), path, htmlText(report.curves[i].name));
        entries.emplace_back(i, report.curves[i].name);
    }
    const double legendTop = kPlotTop + kPlotHeight + 28;
    const Legend legend = legendOf(entries, legendTop, ink);
    return ink.begin(kPlotWidth, legendTop + legend.height + 4, "Share of workloads that are at least p times as fast as the baseline") + body + legend.svg + "</svg>";
}

std::string heatMapSvg(const ReportMachine& machine, PlotLook look)
{
    const HeatMap& map = machine.map;
    const std::size_t rows = std::min(machine.measured.size(), kMostHeatWorkloads);
    const std::size_t columns = std::min(machine.solutions.size(), kMostHeatSolutions);
    if (rows == 0 || columns == 0) return {};
    const SvgInk ink(look);
    const std::vector<std::string> labels = workloadLabels(machine);
    constexpr std::size_t kLongestRow = 30;
    constexpr std::size_t kLongestTitle = 30;
    constexpr double kCellHeight = 19;
    std::size_t longestRow = 0;
    std::size_t longestTitle = 0;
    for (std::size_t r = 0; r < rows; ++r) longestRow = std::max(longestRow, std::min(labels[r].size(), kLongestRow));
    std::vector<std::string> titles;
    for (std::size_t c = 0; c < columns; ++c) {
        titles.push_back(shortened(shortSolutionName(map.solutions[machine.solutions[c]].name, map.question.definition), kLongestTitle));
        longestTitle = std::max(longestTitle, titles.back().size());
    }
    const double left = 12 + kLetterWidth * static_cast<double>(longestRow);
    const double slant = kLetterWidth * static_cast<double>(longestTitle) * std::sin(0.87);   // of 50 degrees
    const double top = 14 + slant;
    const double cell = std::clamp((kPlotWidth - left) / static_cast<double>(columns), 30.0, 64.0);
    const double doubling = map.greatestDoubling();
    std::string body;
    for (std::size_t c = 0; c < columns; ++c) {
        body += fmt::format("<text{} transform=\"translate({} {}) rotate(-50)\">{}</text>", ink.strongText(), coordinate(left + cell * (static_cast<double>(c) + 0.5)), coordinate(top - 5),
                            htmlText(titles[c]));
    }
    body += fmt::format("<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", ink.emptyCell(), coordinate(left), coordinate(top), coordinate(cell * static_cast<double>(columns) - 1),
                        coordinate(kCellHeight * static_cast<double>(rows) - 1));
    std::string texts;
    for (std::size_t r = 0; r < rows; ++r) {
        const double y = top + kCellHeight * static_cast<double>(r);
        body += fmt::format("<text{} x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", ink.text(), coordinate(left - 6), coordinate(y + 13), htmlText(shortened(labels[r], kLongestRow)));
        for (std::size_t c = 0; c < columns; ++c) {
            const HeatMapCell& one = map.at(machine.measured[r], machine.solutions[c]);
            if (!one.isRun()) continue;
            const double x = left + cell * static_cast<double>(c);
            const bool hasRatio = std::isfinite(one.ratio);
            const int level = hasRatio ? heatLevel(one.ratio, doubling) : 0;
            const std::string fill = hasRatio ? ink.heat(level) : one.isFailed() ? ink.failedCell() : ink.emptyCell();
            body += fmt::format("<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", fill, coordinate(x), coordinate(y), coordinate(cell - 1), coordinate(kCellHeight - 1));
            const std::string text = hasRatio ? cellText(one.ratio) : one.isFailed() ? std::string("×") : std::string("–");
            texts += fmt::format("<text{} x=\"{}\" y=\"{}\">{}</text>", hasRatio ? ink.inkOnHeat(level) : one.isFailed() ? ink.failedText() : ink.text(), coordinate(x + (cell - 1) / 2), coordinate(y + 13), text);
        }
    }
    body += "<g text-anchor=\"middle\">" + texts + "</g>";
    const double width = left + cell * static_cast<double>(columns) + slant;
    return ink.begin(std::max(width, 240.0), top + kCellHeight * static_cast<double>(rows) + 4, fmt::format("Ratios of all solutions of {} on {} by workload", map.question.definition, map.question.hardware)) +
           body + "</svg>";
}

}  // namespace tracedeck
