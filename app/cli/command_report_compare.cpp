// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/cli/command_support.h"
#include "app/cli/commands.h"
#include "core/model/text.h"
#include "core/report/comparison_report.h"
#include "core/score/policy_view.h"
#include "core/score/ranking.h"

namespace tracedeck::cli {

namespace {

/// `5`, `5%` or `5 %`; nothing for another text or a negative number.
std::optional<double> shareFromPercent(std::string_view text)
{
    text = trimWhitespace(text);
    if (text.ends_with('%')) text = trimWhitespace(text.substr(0, text.size() - 1));
    double percent = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), percent);
    if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(percent) || percent < 0) return std::nullopt;
    constexpr double kPerCent = 100;
    return percent / kPerCent;
}

struct CompareOptions {
    std::vector<std::string> local;
    std::vector<std::string> sides;      ///< folders of A and B
    std::string other;
    std::vector<std::string> a;
    std::vector<std::string> b;
    std::string opType;
    std::string definition;
    std::string select = "newest";
    std::vector<std::string> verdicts;   ///< of the rows to print; empty: all
    std::string threshold;               ///< `5` or `5%`; empty: no gate
    std::string outFile;
    OutputForm form;

    [[nodiscard]] std::optional<double> allowedShare() const { return threshold.empty() ? std::nullopt : shareFromPercent(threshold); }   // the option checked it

    [[nodiscard]] SelectionPolicy policy() const
    {
        return policyOfText(select).value_or(SelectionPolicy::Newest);   // the option checked the name
    }
    [[nodiscard]] ComparisonFilter filter() const
    {
        ComparisonFilter filter;
        for (const std::string& name : verdicts) {
            if (const auto verdict = comparisonVerdictFromString(name)) filter.verdicts.insert(*verdict);   // the option checked the name
        }
        return filter;
    }
};

Result<ComparisonSide> sideFor(const CompareOptions& options, std::shared_ptr<const Dataset> dataset, const std::vector<std::string>& selection)
{
    if (const auto checked = checkScopeNames(*dataset, {options.opType, options.definition, {}}, {}); !checked) return checked.error();
    ComparisonSide side{std::move(dataset), {}};
    if (!options.definition.empty()) side.filter.definitions.insert(options.definition);
    if (!options.opType.empty()) side.filter.opTypes.insert(options.opType);
    for (const std::string& part : selection) {
        if (const auto added = addToSide(side, part); !added) return added.error();
    }
    return side;
}

std::string formOf(const CompareOptions& options, const Comparison& comparison)
{
    if (options.form.isJson()) return jsonText(comparisonDocument(comparison));
    if (options.form.isMarkdown()) return comparisonMarkdown(comparison, options.allowedShare());
    if (options.form.table()) return tableText(comparisonTable(comparison), *options.form.table());
    // A gate's log wants what it stopped at, not every row that is as it was.
    if (options.allowedShare() && options.verdicts.empty()) return comparisonGateText(comparison, *options.allowedShare());
    return comparisonText(comparison);
}

ExitCode runCompare(const CompareOptions& options)
{
    const auto usage = [](const char* reason) { return fail({ErrorCode::Usage, reason, {}, 0, {}}); };
    if (options.local.size() > 1) return usage("report compare takes --local once; --with DIR names the dataset of side B");
    if (!options.sides.empty() && (!options.local.empty() || !options.other.empty())) return usage("name the folders either as A and B or by --local and --with");
    const std::vector<std::string> local = options.sides.empty() ? options.local : std::vector<std::string>{options.sides.front()};
    const std::string otherFolder = options.sides.size() > 1 ? options.sides.back() : options.other;
    if (options.a == options.b && otherFolder.empty()) return usage("A and B are the same: say with --a and --b, or with a second folder, how they differ");
    const auto datasets = openForPolicy(local, options.select);
    if (!datasets) return fail(datasets.error());
    auto other = datasets->front();
    if (!otherFolder.empty()) {
        auto opened = openForPolicy({otherFolder}, options.select);
        if (!opened) return fail(opened.error());
        other = opened->front();
    }
    auto a = sideFor(options, datasets->front(), options.a);
    if (!a) return fail(a.error());
    auto b = sideFor(options, std::move(other), options.b);
    if (!b) return fail(b.error());
    auto comparison = compareSides(std::move(*a), std::move(*b), {.policy = options.policy()});
    if (!comparison) return fail(comparison.error());
    const std::size_t results = comparison->rows.size();
    const std::optional<double> allowed = options.allowedShare();
    const std::size_t regressions = comparison->regressions(allowed.value_or(0));
    if (!options.verdicts.empty()) keepRows(*comparison, selectRows(*comparison, options.filter()));
    const ExitCode written = finishOutput(writeOutput(formOf(options, *comparison), options.outFile));
    if (written != ExitCode::Done || !allowed || regressions == 0) return written;
    return fail({ErrorCode::InvalidInput,
                 fmt::format("{} of {} results of B are slower by more than {} % with certainty, or fail where A passed", regressions, results, *allowed * 100),
                 {}, 0, {}},
                ExitCode::Failed);
}

}  // namespace

void addReportCompareCommand(CLI::App& report, CommandContext& context)
{
    auto options = std::make_shared<CompareOptions>();
    CLI::App* command = report.add_subcommand("compare", "What of B is faster, slower, the same, new, missing or failing, set against A");
    command->add_option("folders", options->sides, "Folders of the datasets of A and B; one alone: of both")->expected(0, 2)->type_name("A B");
    addLocalOption(*command, options->local);
    const std::string keys = "; may be given several times: solution=, author=, hardware=, run=last|previous|N, since=TIME, until=TIME";
    command->add_option("--a", options->a, "What A is: KEY=VALUE" + keys)->allow_extra_args(false)->type_name("KEY=VALUE");
    command->add_option("--b", options->b, "What B is: KEY=VALUE" + keys)->allow_extra_args(false)->type_name("KEY=VALUE");
    command->add_option("--with", options->other, "Dataset of B, where it is another one")->type_name("DIR");
    CLI::Option* opType = command->add_option("--op-type", options->opType, "Only definitions of this op_type")->type_name("T");
    command->add_option("--definition", options->definition, "Only this definition")->type_name("D")->excludes(opType);
    command->add_option("--select,--policy", options->select,
                        "Which of several traces of a solution on a workload counts; all: the newest one's status and the times of all that passed")
        ->check(policyCheck())
        ->capture_default_str();
    std::vector<std::string> names;
    for (const ComparisonVerdict verdict : kVerdictsByWeight) names.emplace_back(toString(verdict));
    command->add_option("--verdict", options->verdicts, "Print only results with this verdict; may be given several times")
        ->allow_extra_args(false)
        ->check(CLI::IsMember(names));
    const CLI::Validator isPercent([](const std::string& text) { return shareFromPercent(text) ? std::string() : "'" + text + "' is no number of per cent such as 5 or 5%"; }, "");
    command->add_option("--fail-on-regression,--threshold", options->threshold,
                        "Exit code 1 when a result of B is slower than A's by more than so many per cent with certainty, or fails where A passed; the text is then what got worse")
        ->check(isPercent)
        ->type_name("PERCENT");
    addFormOptions(*command, options->form, true);
    command->add_option("--out", options->outFile, "Write to this file instead of standard output")->type_name("FILE");
    command->callback([options, &context] { context.action = [options] { return runCompare(*options); }; });
}

}  // namespace tracedeck::cli
