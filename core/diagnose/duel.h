// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/diagnose/judge_session.h"
#include "core/model/json.h"
#include "core/model/result.h"
#include "core/score/paired_ratio.h"

namespace tracedeck {

/// Solutions of one definition set against each other on one workload.
///
/// What "interleaved" means: a solution has a process of its own, so calls can't alternate one by one. A round is one evaluation of each solution
/// right after the other, its checks included, on the same inputs; every second round goes the other way round, so that what drifts (heat, clocks)
/// strikes both alike. A round gives one time a solution, and only ratios within a round are compared.
struct DuelRequest {
    DiagnosisTarget target;                ///< `solution` means nothing here; its trials are one a round
    std::vector<std::string> solutions;    ///< two or more, each once
    double secondsLimit = 600;             ///< no round begins after this
    std::size_t mostRounds = 400;
    double margin = 0.01;                  ///< a share below which a difference does not count
    double confidence = 0.95;              ///< of all that is said, all looks at the growing data together
};

struct DuelSide {
    std::string solution;
    std::vector<double> latenciesMs;       ///< one a round
    double medianMs = 0;                   ///< of these; NaN without
    std::string failure;                   ///< why it is out; empty: it is not
    PairedRatio toLeader;                  ///< its time ÷ the leader's; the leader itself has 1
};

/// Where a duel stands, or how it ended.
struct DuelReport {
    enum class End { Running, Clear, TimeIsOver, RoundsAreOver, Failed, Cancelled } end = End::Running;
    std::string device;
    std::string hardware;
    std::string workload;
    std::vector<DuelSide> sides;           ///< in the order of the request
    std::size_t leader = 0;                ///< index of the one with the least geometric mean
    std::size_t rounds = 0;                ///< that all sides have ended
    std::size_t looks = 0;                 ///< at which a verdict was possible
    double margin = 0;
    double confidence = 0;
    double seconds = 0;
    std::string busyWith;                  ///< while it runs

    /// One sentence: who is faster, by how much, or why nobody can tell.
    [[nodiscard]] std::string verdict() const;
};
[[nodiscard]] std::string_view toString(DuelReport::End end);   ///< clear, time, rounds, failed, cancelled, running

/// Rounds after which the data is looked at: 4, then a quarter more each time, so that there are few looks to pay for.
[[nodiscard]] bool isDuelLook(std::size_t rounds);

/// Fills leader, medians and ratios from the rounds so far. `look`: which look at the data this is.
void judgeDuel(DuelReport& report, std::size_t look);

/// Goes on until every other solution is surely slower than the leader or the same, or a limit is reached. `onUpdate` is called on this thread after
/// every evaluation. A solution that fails is out; with fewer than two left the duel ends. Cancelled: a report with that end, if a round has ended; nothing
/// of it is stored. Error: it could not begin.
[[nodiscard]] Result<DuelReport> runDuel(const DuelRequest& request, const std::function<void(const DuelReport&)>& onUpdate = {}, std::stop_token stop = {});
[[nodiscard]] std::string duelText(const DuelReport& report);
[[nodiscard]] Json encodeDuel(const DuelReport& report);

}  // namespace tracedeck
