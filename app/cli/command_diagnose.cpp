// SPDX-License-Identifier: GPL-3.0-or-later
// `tracedeck diagnose …`: a closer look at one solution on one workload.
#include <unistd.h>

#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "app/cli/interrupts.h"
#include "app/cli/target_options.h"
#include "core/diagnose/difference.h"
#include "core/diagnose/generated_code.h"
#include "core/diagnose/profile.h"
#include "core/diagnose/sanitizer.h"
#include "core/diagnose/timeline.h"
#include "core/report/text_table.h"

namespace tracedeck::cli {

namespace {

struct DiagnoseOptions {
    TargetOptions target;
    std::vector<std::string> checks;
    std::string architecture;
    bool showSass = false;
    bool showPtx = false;
    std::string set = "basic";
    std::string reportFolder;
    bool keeps = false;
};

/// What a look found, for either kind of output.
struct Findings {
    std::string text;
    Json json;
    bool isWell = true;   ///< false: exit code 1
};
using Look = std::function<Result<Findings>(const DiagnosisTarget&, const DiagnoseOptions&, const DiagnosisProgress&, std::stop_token)>;

ExitCode runLook(const DiagnoseOptions& options, const Look& look)
{
    InterruptStop stop;
    auto target = makeTarget(options.target);
    if (!target) return fail(target.error());
    const bool tells = ::isatty(STDERR_FILENO) == 1;
    auto findings = look(*target, options, [tells](const std::string& what) {
        if (tells) std::fprintf(stderr, "%s …\n", printable(what).c_str());
    }, stop.token());
    if (wasInterrupted()) return interruptExitCode();
    if (!findings) return fail(targetError(findings.error(), options.target));
    const ExitCode printed = finishOutput(writeStdout(options.target.json ? jsonText(findings->json) : findings->text));
    return printed == ExitCode::Done && !findings->isWell ? ExitCode::Failed : printed;
}

Result<Findings> lookAtDifference(const DiagnosisTarget& target, const DiagnoseOptions&, const DiagnosisProgress& onProgress, std::stop_token stop)
{
    auto report = findDifference(target, onProgress, std::move(stop));
    if (!report) return report.error();
    return Findings{differenceText(*report), encodeDifferenceReport(*report), report->status == "PASSED"};
}

Result<Findings> lookAtTolerance(const DiagnosisTarget& target, const DiagnoseOptions&, const DiagnosisProgress& onProgress, std::stop_token stop)
{
    auto report = testTolerance(target, onProgress, std::move(stop));
    if (!report) return report.error();
    return Findings{toleranceText(*report), encodeToleranceReport(*report), report->missing.empty() && report->weakOutputs().empty()};
}

Result<Findings> lookWithSanitizer(const DiagnosisTarget& target, const DiagnoseOptions& options, const DiagnosisProgress& onProgress, std::stop_token stop)
{
    std::vector<SanitizerCheck> checks;
    for (const std::string& name : options.checks) checks.push_back(*sanitizerCheckFromString(name));
    if (checks.empty()) checks = {SanitizerCheck::Memory, SanitizerCheck::Races, SanitizerCheck::Initialisation, SanitizerCheck::Synchronisation};
    auto reports = runSanitizer(target, checks, onProgress, std::move(stop));
    if (!reports) return reports.error();
    return Findings{sanitizerText(*reports), encodeSanitizerReports(*reports), std::ranges::all_of(*reports, &SanitizerReport::isClean)};
}

Result<Findings> lookAtCode(const DiagnosisTarget& target, const DiagnoseOptions& options, const DiagnosisProgress& onProgress, std::stop_token stop)
{
    auto code = inspectCode(target, options.architecture, onProgress, std::move(stop));
    if (!code) return code.error();
    Findings findings{generatedCodeText(*code), encodeGeneratedCode(*code), true};
    if (options.showSass) {
        findings.text += "\n" + code->sass;
        findings.json["sass"] = code->sass;
    }
    if (options.showPtx) {
        findings.text += "\n" + code->ptx;
        findings.json["ptx"] = code->ptx;
    }
    return findings;
}

Result<Findings> lookWithProfiler(const DiagnosisTarget& target, const DiagnoseOptions& options, const DiagnosisProgress& onProgress, std::stop_token stop)
{
    auto report = profileCall(target, options.set, options.reportFolder, onProgress, std::move(stop));
    if (!report) return report.error();
    return Findings{profileText(*report), encodeProfile(*report), report->error.empty()};
}

Result<Findings> lookAtTimeline(const DiagnosisTarget& target, const DiagnoseOptions& options, const DiagnosisProgress& onProgress, std::stop_token stop)
{
    auto timeline = recordTimeline(target, onProgress, std::move(stop));
    if (!timeline) return timeline.error();
    if (options.keeps && timeline->error.empty()) {
        if (auto kept = keepTimelineOf(target, *timeline); !kept) return kept.error();
    }
    return Findings{timelineText(*timeline), encodeTimeline(*timeline), timeline->error.empty()};
}

}  // namespace

void addDiagnoseCommand(CLI::App& app, CommandContext& context)
{
    CLI::App* diagnose = app.add_subcommand("diagnose", "Look closer at one solution on one workload; nothing is added to the dataset");
    diagnose->require_subcommand(1);
    const auto add = [&](const char* name, const char* text, bool needsSolution, const Look& look) {
        auto options = std::make_shared<DiagnoseOptions>();
        CLI::App* command = diagnose->add_subcommand(name, text);
        addTargetOptions(*command, options->target, needsSolution, true);
        command->callback([options, look, &context] { context.action = [options, look] { return runLook(*options, look); }; });
        return std::pair{command, options};
    };
    add("difference", "How the outputs of a failing solution differ from the expected ones: worst elements, where, how far (exit 1: it fails)", true, lookAtDifference);
    add("tolerance", "Whether zeros, a constant, copied inputs or the outputs of another call pass the workload's check (exit 1: something does)", false, lookAtTolerance);
    auto [sanitize, sanitizeOptions] = add("sanitize", "Call it once under compute-sanitizer (exit 1: something was found)", true, lookWithSanitizer);
    sanitize->add_option("--checks", sanitizeOptions->checks, "memcheck, racecheck, initcheck, synccheck (default: all)")
        ->type_name("NAME")
        ->check(CLI::IsMember({"memcheck", "racecheck", "initcheck", "synccheck"}));
    auto [code, codeOptions] = add("code", "What the compiler made of a compiled solution: registers, shared memory, spills, SASS, PTX", true, lookAtCode);
    code->add_option("--arch", codeOptions->architecture, "Compute capability to compile for, such as 9.0 (default: the device's)")->type_name("X.Y");
    code->add_flag("--sass", codeOptions->showSass, "Print the machine code, too");
    code->add_flag("--ptx", codeOptions->showPtx, "Print the intermediate code, too");
    auto [profile, profileOptions] = add("profile", "Profile one call with Nsight Compute: speed of light, occupancy, what warps wait for", true, lookWithProfiler);
    profile->add_option("--set", profileOptions->set, "basic (default), detailed, full or roofline")->type_name("NAME")->check(CLI::IsMember({"basic", "detailed", "full", "roofline"}));
    profile->add_option("--report-folder", profileOptions->reportFolder, "Where the report for ncu-ui is kept (default: the cache folder)")->type_name("DIR");
    auto [timeline, timelineOptions] = add("timeline", "What the GPU does in one call: kernels, copies, when and how large (CUPTI)", true, lookAtTimeline);
    timeline->add_flag("--keep", timelineOptions->keeps, "Keep it in the dataset (tracedeck/timelines) for reports, in place of an earlier one of the solution");
}

}  // namespace tracedeck::cli
