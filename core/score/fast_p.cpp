// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/fast_p.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/score/fast_p_presets.h"
#include "core/score/workload_groups.h"

namespace tracedeck {

namespace {

constexpr std::array<std::pair<FastPPreset, std::string_view>, 3> kPresetNames{
    {{FastPPreset::Site, "site"}, {FastPPreset::WinP, "winp"}, {FastPPreset::KernelBench, "kernelbench"}}};
/// Where the site pins p at first.
constexpr double kSitePin = 0.95;

double medianOf(const std::vector<double>& ascending)
{
    if (ascending.empty()) return 0;
    const std::size_t middle = ascending.size() / 2;
    return ascending.size() % 2 == 1 ? ascending[middle] : (ascending[middle - 1] + ascending[middle]) / 2;
}

void finishCurve(FastPCurve& curve)
{
    std::sort(curve.ratios.begin(), curve.ratios.end());
    double logarithms = 0;
    std::size_t count = 0;
    for (const double ratio : curve.ratios) {
        if (!(ratio > 0)) continue;
        logarithms += std::log(ratio);
        ++count;
    }
    if (count > 0) curve.geometricMean = std::exp(logarithms / static_cast<double>(count));
}

}  // namespace

std::string_view toString(FastPPreset preset)
{
    for (const auto& [value, name] : kPresetNames) {
        if (value == preset) return name;
    }
    return {};
}

std::optional<FastPPreset> fastPPresetFromString(std::string_view name)
{
    for (const auto& [value, known] : kPresetNames) {
        if (known == name) return value;
    }
    return std::nullopt;
}

std::string describeRule(FastPPreset preset, const std::string& baselineAuthor)
{
    switch (preset) {
    case FastPPreset::Site:
        return "Share of the workloads attempted on which the latency of the baseline by '" + baselineAuthor +
               "' (its first trace) ÷ the latency of the last passing trace is at least p; a failure counts as 0.";
    case FastPPreset::WinP:
        return "Share of the workloads attempted on which the lowest latency of '" + baselineAuthor +
               "' ÷ the lowest own latency is above p; where '" + baselineAuthor + "' has no passing trace, the fastest stands in for it.";
    case FastPPreset::KernelBench:
        return "Share of all workloads on which the newest trace passed and the newest latency of the baseline by '" + baselineAuthor +
               "' on the same hardware ÷ its own is above p; what is missing counts as failed.";
    }
    return {};
}

std::string FastPReport::ruleText() const
{
    return describeRule(preset, baselineAuthor) + (scope.policy == SelectionPolicy::All ? std::string() : " " + describePolicy(scope.policy));
}

std::size_t FastPCurve::countAtLeast(double p) const
{
    return static_cast<std::size_t>(ratios.end() - std::lower_bound(ratios.begin(), ratios.end(), p));
}

std::size_t FastPCurve::countAbove(double p) const
{
    return static_cast<std::size_t>(ratios.end() - std::upper_bound(ratios.begin(), ratios.end(), p));
}

double FastPReport::shareAt(const FastPCurve& curve, double p) const
{
    if (curve.total == 0) return 0;
    return static_cast<double>(isStrict() ? curve.countAbove(p) : curve.countAtLeast(p)) / static_cast<double>(curve.total);
}

std::vector<std::pair<double, double>> FastPReport::steps(const FastPCurve& curve) const
{
    std::vector<std::pair<double, double>> points{{0, shareAt(curve, 0)}};
    for (const double ratio : curve.ratios) {
        if (ratio > points.back().first) points.emplace_back(ratio, shareAt(curve, ratio));
    }
    return points;
}

double FastPReport::sampledShareAt(const FastPCurve& curve, double p) const
{
    constexpr double kSamplesPerUnit = 300;
    constexpr double kMaximumSamples = 5000;
    const double range = std::max(1.0, curve.greatestRatio);
    if (!std::isfinite(range)) return shareAt(curve, p);   // no even spacing exists
    const double last = std::min(kMaximumSamples, std::max(kSamplesPerUnit, std::ceil(kSamplesPerUnit * range))) - 1;
    const auto sample = [range, last](double index) { return range * index / last; };
    double index = std::clamp(std::floor(p / range * last), 0.0, last);
    while (index > 0 && sample(index - 1) >= p) --index;   // rounding may be off by one
    while (index < last && sample(index) < p) ++index;
    return shareAt(curve, sample(index));
}

std::vector<FastPRank> rankAtP(const FastPReport& report, double p, bool sampled)
{
    std::vector<FastPRank> ranks;
    for (std::size_t i = 0; i < report.curves.size(); ++i) {
        const FastPCurve& curve = report.curves[i];
        const double share = sampled ? report.sampledShareAt(curve, p) : report.shareAt(curve, p);
        ranks.push_back({0, false, i, share, static_cast<std::size_t>(std::llround(share * static_cast<double>(curve.total)))});
    }
    std::sort(ranks.begin(), ranks.end(), [&report](const FastPRank& a, const FastPRank& b) {
        return a.share != b.share ? a.share > b.share : report.curves[a.curve].name < report.curves[b.curve].name;
    });
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const bool likePrevious = i > 0 && ranks[i - 1].share == ranks[i].share;
        ranks[i].rank = likePrevious ? ranks[i - 1].rank : static_cast<int>(i) + 1;
        ranks[i].tied = likePrevious || (i + 1 < ranks.size() && ranks[i + 1].share == ranks[i].share);
    }
    return ranks;
}

Result<FastPReport> fastP(const Dataset& given, FastPPreset preset, RankBy by, const std::string& baselineAuthor, const RankingScope& scope)
{
    const Dataset& dataset = scope.policy == SelectionPolicy::All ? given.plainReference() : given;
    const auto definitions = definitionsInScope(dataset, scope);
    if (!definitions) return definitions.error();
    const CountedTraces counted(dataset, scope.policy);
    FastPReport report{preset, by, baselineAuthor, scope, 0, countUnusableLatencies(dataset, scope, counted), 0, {}, {}};
    switch (preset) {
    case FastPPreset::Site: addSiteCurves(report, dataset, *definitions, counted); break;
    case FastPPreset::WinP: addWinPCurves(report, dataset, *definitions, counted); break;
    case FastPPreset::KernelBench: addKernelBenchCurves(report, dataset, *definitions, counted); break;
    }
    for (FastPCurve& curve : report.curves) finishCurve(curve);
    const auto weight = [&report](const FastPCurve& curve) {
        return report.preset == FastPPreset::WinP ? medianOf(curve.ratios) : report.shareAt(curve, kSitePin);
    };
    std::sort(report.curves.begin(), report.curves.end(), [&weight](const FastPCurve& a, const FastPCurve& b) {
        const double left = weight(a);
        const double right = weight(b);
        return left != right ? left > right : a.name < b.name;
    });
    return report;
}

OutcomeCounts outcomeCounts(const Dataset& dataset, const std::string& solution)
{
    OutcomeCounts counts;
    for (const std::uint32_t index : dataset.traceRowsOfSolution(solution)) {
        const TraceRow& row = dataset.traces().row(index);
        ++counts.total;
        if ((row.flags & TraceFlag::kHasEvaluation) == 0) {
            ++counts.other;
            continue;
        }
        switch (row.status) {
        case Status::Passed: ++counts.passed; break;
        case Status::IncorrectShape:
        case Status::IncorrectNumerical:
        case Status::IncorrectDtype: ++counts.incorrect; break;
        case Status::RuntimeError:
        case Status::CompileError:
        case Status::Timeout: ++counts.runtimeError; break;
        case Status::InvalidReference:
        case Status::RewardHack:
        case Status::Other: ++counts.other; break;
        }
    }
    return counts;
}

Result<std::vector<WorkloadVerdict>> workloadVerdicts(const Dataset& dataset, const Solution& solution, const std::string& baselineAuthor, double p)
{
    const auto baseline = baselineOf(dataset, solution.definition, baselineAuthor);
    if (!baseline) return baseline.error();
    const TraceTable& traces = dataset.traces();
    const auto firstOf = [&traces](const WorkloadGroup& group, const std::string& name) -> const TraceRow* {
        for (const std::uint32_t index : group.rows) {
            if (traces.solutionName(traces.row(index)) == name) return &traces.row(index);
        }
        return nullptr;
    };
    std::vector<WorkloadVerdict> verdicts;
    for (const WorkloadGroup& group : workloadGroups(dataset, solution.definition, {})) {
        const TraceRow* candidate = firstOf(group, solution.name);
        if (candidate == nullptr) continue;
        const TraceRow* base = firstOf(group, (*baseline)->name);
        WorkloadVerdict verdict{traces.names().text(group.uuid)};
        const double ratio = base == nullptr ? std::nan("") : usableLatency(*base) / usableLatency(*candidate);
        if (candidate->status != Status::Passed) {
            verdict.verdict = FasterVerdict::Incorrect;
        } else if (!std::isnan(ratio)) {
            verdict.ratio = ratio;
            verdict.verdict = ratio >= p ? FasterVerdict::Faster : FasterVerdict::Slower;
        }
        verdicts.push_back(std::move(verdict));
    }
    return verdicts;
}

}  // namespace tracedeck
