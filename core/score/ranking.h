// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

/// The format's score (data model §3.2).
struct SpeedupMetrics {
    double averageSpeedup = 0;
    int definitions = 0;
    int workloads = 0;
    double successRate = 0;   ///< 0…1
    double winRate = 0;       ///< 0…1
    std::map<std::string, std::string> bestSolutions;   ///< definition → solution; empty for a solution's score
};

/// What a ranking looks at. opType and definition exclude each other, as in the format.
struct RankingScope {
    std::string opType{};       ///< empty: any
    std::string definition{};   ///< empty: any
    std::string hardware{};     ///< empty: any (the format's rule, which mixes machines); else only traces measured on it
    /// Traces that a rule gets to see; All: every one, and the rule chooses by itself.
    SelectionPolicy policy = SelectionPolicy::All;
};

/// Whose reading of the format's score a figure follows.
enum class RankingRule {
    Format,   ///< what cannot be scored and traces without a usable latency are left out and listed or counted, the rest is ranked
    Compat    ///< flashinfer-bench to the letter: one definition without a single baseline, or one unsound trace, fails the whole call
};
[[nodiscard]] std::string_view toString(RankingRule rule);   ///< `format` or `flashinfer-bench`, as in documents
/// One sentence or two that say how scores come about, for people. `machines`: how many kinds of hardware are in the scope.
[[nodiscard]] std::string describeRule(RankingRule rule, const std::string& baselineAuthor, std::size_t machines);

/// Definitions of a scope, ascending by name: the order in which an author's means are summed. Error Usage: both an op_type
/// and a definition are given; NotFound: the definition is not in the dataset. An unknown op_type gives none.
[[nodiscard]] Result<std::vector<const Definition*>> definitionsInScope(const Dataset& dataset, const RankingScope& scope);
/// Error Usage: a name that was given (those that are not empty) is not in the dataset; it says which ones there are. A typing
/// error must not look like an empty result.
[[nodiscard]] Result<void> checkScopeNames(const Dataset& dataset, const RankingScope& scope, const std::string& baselineAuthor);
/// data model §3.3: the only solution of the definition by this author. Error when none or several.
[[nodiscard]] Result<const Solution*> baselineOf(const Dataset& dataset, const std::string& definition, const std::string& baselineAuthor);
/// An author who could be the baseline of some definitions: with one solution there, which passed somewhere.
struct BaselineCandidate {
    std::string author;
    std::size_t definitions = 0;
};
/// Who could be the baseline in a scope (on its hardware), the one for most definitions first, then by name. Empty for an unknown scope.
[[nodiscard]] std::vector<BaselineCandidate> baselineCandidates(const Dataset& dataset, const RankingScope& scope);
/// data model §3.4. nullopt: not scored (unknown, the baseline itself, or no workload in common with it). Rows with
/// TraceFlag::kInconsistent count as if they were not there; a PASSED one without a positive latency is an error
/// (RankingRule::Compat).
[[nodiscard]] Result<std::optional<SpeedupMetrics>> solutionScore(const Dataset& dataset, const std::string& solution, const std::string& baselineAuthor);
/// data model §3.5. nullopt: no definition of the scope gives the author a score.
[[nodiscard]] Result<std::optional<SpeedupMetrics>> authorScore(const Dataset& dataset, const std::string& author, const std::string& baselineAuthor, const RankingScope& scope);

struct Ranking {
    std::vector<std::pair<std::string, SpeedupMetrics>> authors;   ///< best first, then by name
    std::vector<Problem> unscored;   ///< what the tolerant form left out and why; `error.field` is the name of the definition
    RankingRule rule = RankingRule::Format;
    std::size_t leftOut = 0;         ///< PASSED traces without a usable latency, which did not count (RankingRule::Format)
    std::size_t machines = 0;        ///< kinds of hardware among the traces looked at; the format mixes them
};
/// data model §3.6, exactly (RankingRule::Compat): one definition without a single baseline fails the whole call.
[[nodiscard]] Result<Ranking> rankAuthors(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope);
/// RankingRule::Format: the same, but definitions without a single baseline are left out and listed in `unscored`, and PASSED
/// traces without a usable latency are left out and counted in `leftOut`: every score is finite.
[[nodiscard]] Result<Ranking> rankAuthorsTolerant(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope);

/// Either of the two, by `rule`, with the traces that scope.policy selects already at hand.
[[nodiscard]] Result<Ranking> rankAuthors(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope, RankingRule rule,
                                          const CountedTraces& counted);

struct Summary {
    std::size_t total = 0;
    std::size_t passed = 0;
    std::size_t failed = 0;
    std::size_t totalInScope = 0;    ///< the same for the traces in the scope only, its policy included
    std::size_t passedInScope = 0;
    std::string baselineAuthor{};
    RankingScope scope{};
    Ranking ranking{};

    /// How the scores came about, for people.
    [[nodiscard]] std::string ruleText() const;
};
/// data model §3.2; total, passed and failed ignore the scope, as in the format. Without any trace: zeros, nothing is checked.
[[nodiscard]] Result<Summary> summarize(const Dataset& dataset, const std::string& baselineAuthor, const RankingScope& scope,
                                        RankingRule rule = RankingRule::Format);

/// data model §3.1 get_best_trace: row of the winner, or nullopt. `hardware` and `counted` (ours) restrict the candidates.
/// RankingRule::Format (not the default here) passes over traces that cannot be true: no usable latency, or a speedup that
/// is not finite.
[[nodiscard]] std::optional<std::uint32_t> bestTrace(const Dataset& dataset, const std::string& definition, const AxisValues& axes = {},
                                                     double maxAbsoluteError = 0.01, double maxRelativeError = 0.01,
                                                     const std::string& hardware = {}, RankingRule rule = RankingRule::Compat,
                                                     const CountedTraces& counted = {});
/// How many PASSED traces of the scope, whatever its policy, and of those that count have no usable latency. Unknown names select nothing.
[[nodiscard]] std::size_t countUnusableLatencies(const Dataset& dataset, const RankingScope& scope, const CountedTraces& counted = {});
/// data model §3.1 filter_traces.
[[nodiscard]] std::vector<std::uint32_t> passingTraces(const Dataset& dataset, const std::string& definition, double atol = 0.01, double rtol = 0.01);
/// Authors that own a solution, ascending; the format's default baseline author is "baseline", else "flashinfer".
[[nodiscard]] std::vector<std::string> authorsOf(const Dataset& dataset);
[[nodiscard]] std::string defaultBaselineAuthor(const Dataset& dataset);

}  // namespace tracedeck
