// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnose/sanitizer.h"

#include <array>
#include <fmt/format.h>
#include <utility>

#include "core/run/diagnosis_tools.h"
#include "core/model/text.h"
#include "core/report/text_table.h"

namespace tracedeck {

namespace {

constexpr std::array kCheckNames{std::pair{SanitizerCheck::Memory, std::string_view("memcheck")}, std::pair{SanitizerCheck::Races, std::string_view("racecheck")},
                                 std::pair{SanitizerCheck::Initialisation, std::string_view("initcheck")},
                                 std::pair{SanitizerCheck::Synchronisation, std::string_view("synccheck")}};
constexpr int kPrintLimit = 1000;
constexpr int kPaddingBytes = 128;   // between allocations, so that a stray by one element is none into the next tensor

std::vector<std::string> sanitizerCommand(const std::string& program, SanitizerCheck check)
{
    std::vector<std::string> command{program,           "--tool", std::string(toString(check)),  "--target-processes", "all",
                                     "--print-limit",   std::to_string(kPrintLimit), "--check-exit-code", "no"};
    if (check == SanitizerCheck::Memory) command.insert(command.end(), {"--padding", std::to_string(kPaddingBytes)});
    return command;
}

}  // namespace

std::string_view toString(SanitizerCheck check)
{
    return std::ranges::find(kCheckNames, check, &std::pair<SanitizerCheck, std::string_view>::first)->second;
}

std::optional<SanitizerCheck> sanitizerCheckFromString(std::string_view name)
{
    for (const auto& [check, known] : kCheckNames) {
        if (known == name) return check;
    }
    return std::nullopt;
}

Result<std::vector<SanitizerReport>> runSanitizer(const DiagnosisTarget& target, const std::vector<SanitizerCheck>& checks,
                                                  const DiagnosisProgress& onProgress, std::stop_token stop)
{
    auto program = findTool(DiagnosisTool::ComputeSanitizer);
    if (!program) return program.error();
    SoloOptions options;
    options.keepsLines = true;
    options.ownAllocations = true;
    auto solo = SoloCall::prepare(target, options, onProgress, stop);
    if (!solo) return solo.error();
    std::vector<SanitizerReport> reports;
    for (const SanitizerCheck check : checks) {
        if (onProgress) onProgress(fmt::format("{} of {}", toString(check), target.solution));
        auto outcome = (*solo)->run(sanitizerCommand(program->string(), check), SoloWalls::Files, target.request.timeoutSeconds, stop);
        if (!outcome) return outcome.error();
        SanitizerReport report;
        report.check = check;
        report.program = program->string();
        report.output = parseSanitizerOutput(outcome->run.output);
        report.error = outcome->error;
        report.confinement = outcome->confinement;
        report.log = toValidUtf8(outcome->run.output);
        if (report.error.empty() && !report.output.hasSummary) {
            report.error = report.output.problems.empty() ? fmt::format("the tool printed no summary ({})", outcome->run.exit.toString()) : report.output.problems.front();
        }
        reports.push_back(std::move(report));
    }
    return reports;
}

std::string sanitizerText(const std::vector<SanitizerReport>& reports)
{
    std::string text;
    for (const SanitizerReport& report : reports) {
        text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", toString(report.check),
                            report.isClean()                  ? "nothing found"
                            : report.output.findings.empty() ? "no finding, but it did not end well"
                                                             : fmt::format("{} errors in {} places", report.output.errors, report.output.findings.size()));
        text += "  confinement: " + printable(report.confinement) + "\n";
        if (!report.error.empty()) text += "  the call: " + printable(report.error.substr(0, 2000)) + "\n";
        for (const std::string& problem : report.output.problems) text += "  " + printable(problem) + "\n";
        if (report.output.findings.empty()) continue;
        TextTable table({{"Count", TextTable::Align::Right}, {"What", TextTable::Align::Left}, {"Kernel", TextTable::Align::Left},
                         {"Source", TextTable::Align::Left}, {"Address", TextTable::Align::Left}, {"First seen", TextTable::Align::Left}});
        for (const SanitizerFinding& finding : report.output.findings) {
            table.addRow({std::to_string(finding.count), finding.kind, finding.kernel, finding.place(), finding.address, finding.thread});
        }
        text += table.toString();
        for (const SanitizerFinding& finding : report.output.findings) {
            for (const std::string& detail : finding.details) text += "  " + printable(finding.place().empty() ? finding.kernel : finding.place()) + ": " + printable(detail) + "\n";
        }
    }
    return text;
}

Json encodeSanitizerReports(const std::vector<SanitizerReport>& reports)
{
    Json list = Json::array();
    for (const SanitizerReport& report : reports) {
        Json findings = Json::array();
        for (const SanitizerFinding& finding : report.output.findings) {
            findings.push_back({{"kind", finding.kind},
                                {"kernel", finding.kernel},
                                {"file", finding.file},
                                {"line", finding.line},
                                {"thread", finding.thread},
                                {"address", finding.address},
                                {"details", finding.details},
                                {"count", finding.count}});
        }
        list.push_back({{"check", toString(report.check)},
                        {"clean", report.isClean()},
                        {"errors", report.output.errors},
                        {"error", report.error},
                        {"problems", report.output.problems},
                        {"confinement", report.confinement},
                        {"findings", std::move(findings)}});
    }
    return list;
}

}  // namespace tracedeck
