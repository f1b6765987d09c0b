// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnose/duel.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>

#include "core/report/text_table.h"

namespace tracedeck {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFirstLook = 4;

Error duelError(std::string field, std::string reason)
{
    return Error{ErrorCode::Usage, std::move(reason), {}, 0, std::move(field)};
}

Result<void> checkDuel(const DuelRequest& request)
{
    if (std::set<std::string>(request.solutions.begin(), request.solutions.end()).size() != request.solutions.size())
        return duelError("solution", "a solution can't be set against itself: name each once");
    if (request.solutions.size() < 2) return duelError("solution", "a duel needs two solutions or more");
    if (!(request.margin > 0) || request.margin > 0.5) return duelError("margin", "must be above 0 and at most 50 %");
    if (!(request.confidence >= 0.5) || request.confidence >= 1) return duelError("confidence", "must be from 0.5 on and below 1");
    if (!(request.secondsLimit > 0)) return duelError("time_limit", "must be above 0");
    if (request.mostRounds < 2) return duelError("max_rounds", "must be at least 2");
    return {};
}

double geometricMeanOf(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values) sum += std::log(value);
    return values.empty() ? std::numeric_limits<double>::infinity() : std::exp(sum / static_cast<double>(values.size()));
}

/// The stored time of a passed evaluation. Error: the words why there is none.
Result<double> latencyIn(const Json& answer)
{
    const Json& evaluation = answer.at("evaluation");
    const Json status = evaluation.value("status", Json());
    const Json note = answer.value("note", Json());
    const Json log = evaluation.value("log", Json());
    if (status == "PASSED") {
        const Json performance = evaluation.value("performance", Json());
        const Json latency = performance.is_object() ? performance.value("latency_ms", Json()) : Json();
        if (latency.is_number() && latency.get<double>() > 0) return latency.get<double>();
        return Error{ErrorCode::Unsupported, note.is_string() && !note.get<std::string>().empty() ? note.get<std::string>() : "it was not timed", {}, 0, {}};
    }
    std::string words = status.is_string() ? status.get<std::string>() : "it failed";
    std::string why = note.is_string() && !note.get<std::string>().empty() ? note.get<std::string>() : log.is_string() ? log.get<std::string>() : std::string();
    while (!why.empty() && why.back() == '\n') why.pop_back();
    if (const auto line = why.rfind('\n'); line != std::string::npos) why = why.substr(line + 1);
    return Error{ErrorCode::ProcessFailed, why.empty() ? words : words + ": " + why.substr(0, 500), {}, 0, {}};
}

class DuelRun {
public:
    DuelRun(const DuelRequest& request, const std::function<void(const DuelReport&)>& onUpdate, std::stop_token stop)
        : m_request(request), m_onUpdate(onUpdate), m_stop(std::move(stop))
    {
    }

    Result<DuelReport> run()
    {
        if (auto valid = checkDuel(m_request); !valid) return valid.error();
        if (auto prepared = prepare(); !prepared) return prepared.error();
        while (m_report.end == DuelReport::End::Running) {
            if (auto ended = runRound(); !ended) {
                if (ended.error().code != ErrorCode::Cancelled || m_report.rounds == 0) return ended.error();
                m_report.end = DuelReport::End::Cancelled;
            }
        }
        m_report.busyWith.clear();
        judgeDuel(m_report, std::max<std::size_t>(m_report.looks, 1));
        m_report.seconds = elapsed();
        return std::move(m_report);
    }

private:
    [[nodiscard]] double elapsed() const { return std::chrono::duration<double>(Clock::now() - m_begin).count(); }
    void tell(const std::string& busyWith)
    {
        m_report.busyWith = busyWith;
        m_report.seconds = elapsed();
        if (m_onUpdate) m_onUpdate(m_report);
    }

    Result<void> prepare()
    {
        DiagnosisTarget target = m_request.target;
        target.solution.clear();
        target.request.overrides.numTrials = 1;
        m_report.margin = m_request.margin;
        m_report.confidence = m_request.confidence;
        m_report.workload = target.workload;
        for (const std::string& name : m_request.solutions) {
            m_report.sides.emplace_back();
            m_report.sides.back().solution = name;
        }
        auto session = JudgeSession::open(std::move(target), [this](const std::string& what) { tell(what); }, m_stop);
        if (!session) return session.error();
        m_session = std::move(*session);
        m_report.device = m_session->device();
        m_report.hardware = m_session->hardware();
        for (const std::string& name : m_request.solutions) {
            auto solution = m_session->solution(name);
            if (!solution) return solution.error();
            auto built = m_session->build(**solution);
            if (!built) return built.error();
            m_solutions.push_back(*solution);
            m_built.push_back(std::move(*built));
        }
        return {};
    }

    /// One evaluation of each side. Error: nobody's fault, or cancelled.
    Result<void> runRound()
    {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < m_report.sides.size(); ++i) {
            if (m_report.sides[i].failure.empty()) order.push_back(i);
        }
        if (m_report.rounds % 2 == 1) std::ranges::reverse(order);
        std::vector<double> times(m_report.sides.size(), 0);
        const std::string contents = fmt::format("round {}", m_report.rounds);
        for (const std::size_t side : order) {
            tell(fmt::format("round {}: {}", m_report.rounds + 1, m_report.sides[side].solution));
            auto answer = m_session->evaluate(*m_solutions[side], m_built[side], {{"contents", contents}});
            if (!answer) return answer.error();
            auto latency = latencyIn(*answer);
            if (!latency) m_report.sides[side].failure = latency.error().reason;
            else times[side] = *latency;
        }
        std::size_t standing = 0;
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (!m_report.sides[i].failure.empty()) continue;
            m_report.sides[i].latenciesMs.push_back(times[i]);
            ++standing;
        }
        ++m_report.rounds;
        if (isDuelLook(m_report.rounds)) ++m_report.looks;
        judgeDuel(m_report, std::max<std::size_t>(m_report.looks, 1));
        if (standing < 2) m_report.end = DuelReport::End::Failed;
        else if (isDuelLook(m_report.rounds) && isClear()) m_report.end = DuelReport::End::Clear;
        else if (m_report.rounds >= m_request.mostRounds) m_report.end = DuelReport::End::RoundsAreOver;
        else if (elapsed() >= m_request.secondsLimit) m_report.end = DuelReport::End::TimeIsOver;
        tell({});
        return {};
    }

    [[nodiscard]] bool isClear() const
    {
        for (std::size_t i = 0; i < m_report.sides.size(); ++i) {
            const DuelSide& side = m_report.sides[i];
            if (i == m_report.leader || !side.failure.empty()) continue;
            if (side.toLeader.verdict == LatencyVerdict::CannotTell) return false;
        }
        return true;
    }

    const DuelRequest& m_request;
    const std::function<void(const DuelReport&)>& m_onUpdate;
    std::stop_token m_stop;
    Clock::time_point m_begin = Clock::now();
    DuelReport m_report;
    std::unique_ptr<JudgeSession> m_session;
    std::vector<const Solution*> m_solutions;
    std::vector<JudgeSession::Built> m_built;
};

std::string ratioText(const PairedRatio& ratio)
{
    if (!ratio.interval.isKnown()) return fmt::format("{:.3f}×", ratio.ratio);
    return fmt::format("{:.3f}× ({:.3f} … {:.3f})", ratio.ratio, ratio.interval.low, ratio.interval.high);
}

}  // namespace

std::string_view toString(DuelReport::End end)
{
    switch (end) {
    case DuelReport::End::Running: return "running";
    case DuelReport::End::Clear: return "clear";
    case DuelReport::End::TimeIsOver: return "time";
    case DuelReport::End::RoundsAreOver: return "rounds";
    case DuelReport::End::Failed: return "failed";
    case DuelReport::End::Cancelled: return "cancelled";
    }
    return "";
}

bool isDuelLook(std::size_t rounds)
{
    std::size_t look = kFirstLook;
    while (look < rounds) look = std::max(look + 1, look + look / 4);
    return look == rounds;
}

void judgeDuel(DuelReport& report, std::size_t look)
{
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < report.sides.size(); ++i) {
        DuelSide& side = report.sides[i];
        side.medianMs = median(side.latenciesMs);
        const double mean = geometricMeanOf(side.latenciesMs);
        if (side.failure.empty() && mean < least) {
            least = mean;
            report.leader = i;
        }
    }
    const std::size_t pairs = report.sides.size() * (report.sides.size() - 1) / 2;
    const double confidence = confidenceOfLook(report.confidence, look, pairs);
    for (DuelSide& side : report.sides) side.toLeader = comparePaired(report.sides[report.leader].latenciesMs, side.latenciesMs, report.margin, confidence);
}

std::string DuelReport::verdict() const
{
    if (sides.empty() || rounds == 0) return "No round has ended yet.";
    const DuelSide& first = sides[leader];
    if (!first.failure.empty()) return "Every solution failed.";
    std::string text;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const DuelSide& side = sides[i];
        if (i == leader) continue;
        text += text.empty() ? "" : " ";
        if (!side.failure.empty()) text += fmt::format("{} is out: {}.", side.solution, side.failure);
        else if (side.toLeader.verdict == LatencyVerdict::Slower) text += fmt::format("{} is faster than {}: {} takes {}.", first.solution, side.solution, side.solution, ratioText(side.toLeader));
        else if (side.toLeader.verdict == LatencyVerdict::Same) text += fmt::format("{} and {} are the same within {:g} %.", first.solution, side.solution, margin * 100);
        else text += fmt::format("{} and {} can't be told apart yet: {} takes {}.", first.solution, side.solution, side.solution, ratioText(side.toLeader));
    }
    return text;
}

Result<DuelReport> runDuel(const DuelRequest& request, const std::function<void(const DuelReport&)>& onUpdate, std::stop_token stop)
{
    return DuelRun(request, onUpdate, std::move(stop)).run();
}

std::string duelText(const DuelReport& report)
{
    std::string text = fmt::format("{} rounds on {} ({}) in {:.0f} s; ended: {}\n", report.rounds, printable(report.device), printable(report.hardware), report.seconds,
                                   report.end == DuelReport::End::Clear           ? "the verdict is clear"
                                   : report.end == DuelReport::End::TimeIsOver    ? "the time is over"
                                   : report.end == DuelReport::End::RoundsAreOver ? "so many rounds were wanted"
                                   : report.end == DuelReport::End::Cancelled     ? "cancelled"
                                   : report.end == DuelReport::End::Failed        ? "fewer than two solutions are left"
                                                                                  : "it still runs");
    TextTable table({{"Solution", TextTable::Align::Left}, {"Median, ms", TextTable::Align::Right}, {"÷ leader", TextTable::Align::Right}, {"from", TextTable::Align::Right},
                     {"to", TextTable::Align::Right}, {"Verdict", TextTable::Align::Left}});
    for (std::size_t i = 0; i < report.sides.size(); ++i) {
        const DuelSide& side = report.sides[i];
        const bool isLeader = i == report.leader && side.failure.empty();
        const bool isKnown = side.toLeader.interval.isKnown() && !isLeader;
        table.addRow({side.solution, std::isnan(side.medianMs) ? "–" : fmt::format("{:.6g}", side.medianMs), std::isnan(side.toLeader.ratio) ? "–" : fmt::format("{:.4f}", side.toLeader.ratio),
                      isKnown ? fmt::format("{:.4f}", side.toLeader.interval.low) : "", isKnown ? fmt::format("{:.4f}", side.toLeader.interval.high) : "",
                      !side.failure.empty() ? "out: " + side.failure : isLeader ? "leader" : std::string(toString(side.toLeader.verdict))});
    }
    return text + "\n" + table.toString() + fmt::format("\n{}\n", printable(report.verdict())) +
           fmt::format("A round is one evaluation of each, one after the other, on the same inputs; differences below {:g} % do not count; {:g} % confidence over all looks.\n",
                       report.margin * 100, report.confidence * 100);
}

Json encodeDuel(const DuelReport& report)
{
    const auto orNull = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
    Json sides = Json::array();
    for (const DuelSide& side : report.sides) {
        sides.push_back({{"solution", side.solution},
                         {"median_ms", orNull(side.medianMs)},
                         {"latencies_ms", side.latenciesMs},
                         {"failure", side.failure},
                         {"ratio_to_leader", orNull(side.toLeader.ratio)},
                         {"low", orNull(side.toLeader.interval.low)},
                         {"high", orNull(side.toLeader.interval.high)},
                         {"verdict", toString(side.toLeader.verdict)}});
    }
    return {{"end", toString(report.end)},
            {"device", report.device},
            {"hardware", report.hardware},
            {"workload_uuid", report.workload},
            {"leader", report.leader < report.sides.size() ? Json(report.sides[report.leader].solution) : Json(nullptr)},
            {"rounds", report.rounds},
            {"looks", report.looks},
            {"margin", report.margin},
            {"confidence", report.confidence},
            {"seconds", report.seconds},
            {"verdict", report.verdict()},
            {"sides", std::move(sides)}};
}

}  // namespace tracedeck
