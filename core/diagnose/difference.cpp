// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnose/difference.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/model/text.h"
#include "core/report/text_table.h"

namespace tracedeck {

namespace {

std::string figure(double value)
{
    return fmt::format("{:.4g}", value);
}

/// Ten steps of grey: how large a share of a cell is wrong.
std::string mapText(const ErrorMap& map)
{
    constexpr std::string_view kSteps = " .:-=+*#%@";
    constexpr std::uint32_t kMostLines = 24;
    std::string text;
    const std::uint32_t lines = std::min(map.cellRows, kMostLines);
    for (std::uint32_t line = 0; line < lines; ++line) {
        text += "  |";
        const std::uint32_t first = line * map.cellRows / lines;
        const std::uint32_t last = std::max(first + 1, (line + 1) * map.cellRows / lines);
        for (std::uint32_t column = 0; column < map.cellColumns; ++column) {
            double share = 0;
            for (std::uint32_t row = first; row < last; ++row) share = std::max(share, map.wrongShare[std::size_t{row} * map.cellColumns + column]);
            const auto step = share <= 0 ? std::size_t{0} : 1 + static_cast<std::size_t>(std::min(share, 1.0) * static_cast<double>(kSteps.size() - 2));
            text += kSteps[std::min(step, kSteps.size() - 1)];
        }
        text += "|\n";
    }
    return text;
}

std::string histogramText(const std::vector<ErrorBin>& bins)
{
    constexpr double kWidth = 40;
    std::uint64_t most = 1;
    for (const ErrorBin& bin : bins) most = std::max(most, bin.count);
    std::string text;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const ErrorBin& bin = bins[i];
        if (bin.count == 0) continue;
        const std::string label = bin.low == 0 && bin.high == 0 ? "equal"
                                  : std::isinf(bin.low)         ? "not finite"
                                  : bin.high > 1e300            ? fmt::format(">= {:.0e}", bin.low)
                                                                : fmt::format("{:.0e} … {:.0e}", bin.low, bin.high);
        const auto length = static_cast<std::size_t>(std::ceil(kWidth * static_cast<double>(bin.count) / static_cast<double>(most)));
        text += fmt::format("  {:<17} {:>12}  {}\n", label, bin.count, std::string(length, '#'));
    }
    return text;
}

std::string outputText(const TensorDifference& output)
{
    const double share = output.lookedAt == 0 ? 0 : static_cast<double>(output.wrong) / static_cast<double>(output.lookedAt);
    std::string text = fmt::format("Output {} {} {}\n  {} of {} elements are wrong ({:.3g} %; atol {:g}, rtol {:g}), {} equal bit for bit\n",
                                   printable(output.output), printable(output.dtype), shapeText(output.shape), output.wrong, output.lookedAt, share * 100,
                                   output.atol, output.rtol, output.equal);
    if (output.lookedAt < output.elements) text += fmt::format("  only the first {} of {} elements were looked at\n", output.lookedAt, output.elements);
    if (output.notFinite > 0) text += fmt::format("  {} elements are NaN or infinite\n", output.notFinite);
    if (output.unwritten > 0) text += fmt::format("  {} elements were never written\n", output.unwritten);
    text += fmt::format("  largest error {} absolute, {} relative; mean {}, bias {}\n", figure(output.maxAbsolute), figure(output.maxRelative),
                        figure(output.meanAbsolute), figure(output.bias));
    if (!output.worst.empty()) {
        TextTable table({{"Index", TextTable::Align::Left}, {"Expected", TextTable::Align::Right}, {"Got", TextTable::Align::Right},
                         {"Absolute", TextTable::Align::Right}, {"Relative", TextTable::Align::Right}, {"", TextTable::Align::Left}});
        for (const WorstElement& element : output.worst) {
            table.addRow({shapeText(element.index), figure(element.expected), figure(element.got), figure(element.absolute), figure(element.relative),
                          element.isWrong ? "wrong" : "within tolerance"});
        }
        text += "\nWorst elements:\n" + table.toString();
    }
    if (output.wrong > 0) {
        text += fmt::format("\nWhere the errors are ({} rows × {} columns, darker = a larger share is wrong):\n{}", output.map.rows, output.map.columns,
                            mapText(output.map));
    }
    return text + "\nAbsolute errors:\n" + histogramText(output.histogram);
}

}  // namespace

Result<DifferenceReport> findDifference(const DiagnosisTarget& target, const DiagnosisProgress& onProgress, std::stop_token stop)
{
    auto session = JudgeSession::open(target, onProgress, std::move(stop));
    if (!session) return session.error();
    auto solution = (*session)->solution(target.solution);
    if (!solution) return solution.error();
    auto built = (*session)->build(**solution);
    if (!built) return built.error();
    auto answer = (*session)->evaluate(**solution, *built, {{"difference", true}});
    if (!answer) return answer.error();
    return decodeDifferenceReport(answer->value("difference", Json()));
}

Result<ToleranceReport> testTolerance(const DiagnosisTarget& target, const DiagnosisProgress& onProgress, std::stop_token stop)
{
    DiagnosisTarget workload = target;
    workload.solution.clear();
    auto session = JudgeSession::open(std::move(workload), onProgress, std::move(stop));
    if (!session) return session.error();
    if (onProgress) onProgress("trying what computes nothing");
    auto answer = (*session)->ask({{"op", "tolerance"}}, "tolerance");
    if (!answer) return answer.error();
    return decodeToleranceReport(answer->value("report", Json()));
}

std::string differenceText(const DifferenceReport& report)
{
    std::string text = fmt::format("Checked without timing: {}\n", printable(report.status));
    if (!report.missing.empty()) text += "There is nothing to compare: " + printable(report.missing) + ".\n";
    if (report.trial >= 0 && !report.outputs.empty()) text += fmt::format("Call {}:\n", report.trial + 1);
    for (const TensorDifference& output : report.outputs) text += "\n" + outputText(output);
    if (!report.log.empty()) {
        text += "\nLog:\n";
        std::size_t begin = 0;
        while (begin < report.log.size()) {
            const std::size_t end = std::min(report.log.find('\n', begin), report.log.size());
            text += "  " + printable(report.log.substr(begin, end - begin)) + "\n";
            begin = end + 1;
        }
    }
    return text;
}

std::string toleranceText(const ToleranceReport& report)
{
    std::string text = fmt::format("Evaluator {}, atol {:g}, rtol {:g}, {} checked call{}\n", printable(report.evaluator), report.atol, report.rtol, report.calls,
                                   report.calls == 1 ? "" : "s");
    if (!report.missing.empty()) return text + "Nothing could be tried: " + printable(report.missing) + ".\n";
    TextTable table({{"Output", TextTable::Align::Left}, {"In its place", TextTable::Align::Left}, {"", TextTable::Align::Left},
                     {"Matched", TextTable::Align::Right}, {"Absolute", TextTable::Align::Right}, {"Relative", TextTable::Align::Right}});
    for (const DegenerateTrial& trial : report.trials) {
        table.addRow({trial.output, trial.candidate, trial.passes ? "PASSES" : "fails", fmt::format("{:.4f}", trial.matchedRatio), figure(trial.maxAbsolute),
                      figure(trial.maxRelative)});
    }
    text += "\n" + table.toString() + "\n";
    const auto weak = report.weakOutputs();
    if (report.provesNothing()) return text + "A pass on this workload proves nothing: every output can be had without computing it. Ask for tighter tolerances.\n";
    if (!weak.empty()) return text + fmt::format("Some outputs can be had without computing them: {}\n", printable(fmt::format("{}", fmt::join(weak, ", "))));
    return text + "Nothing degenerate passes.\n";
}

}  // namespace tracedeck
