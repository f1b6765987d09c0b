// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/model/result.h"
#include "core/score/rank_table.h"
#include "core/store/dataset.h"
#include "core/store/query.h"

namespace tracedeck {

// Several baselines at once: what somebody pinned, and how every other time differs from it (V-33).

struct Pin {
    enum class Kind {
        Trace,      ///< one measurement: the time of a solution on one workload
        Solution,   ///< its time on each workload
        Author,     ///< the lowest time of the author's solutions on each workload
        Run         ///< of each solution what it took on the workload in that run
    };
    Kind kind = Kind::Solution;
    std::string name{};        ///< of the solution (of a trace, too) or the author
    std::string workload{};    ///< uuid, of a trace
    std::string timestamp{};   ///< of a trace; empty: of the newest one that passed
    std::int64_t moment = 0;   ///< of a run: one in it, in microseconds since 1970

    bool operator==(const Pin&) const = default;
};
/// More pins than these at once say nothing to anybody.
constexpr std::size_t kMostPins = 8;

/// `solution=NAME`, `author=NAME`, `run=TIME`, `trace=SOLUTION:UUID` or `trace=SOLUTION:UUID@TIMESTAMP`.
[[nodiscard]] std::string pinText(const Pin& pin);
/// The other way round; also `run=last`, `run=previous` and `run=N` (1 is the oldest). Error Usage: it is none of these, or the dataset has nothing of this name.
[[nodiscard]] Result<Pin> pinFromText(const Dataset& dataset, std::string_view text);
/// Several of them. Error also: one twice, or more than kMostPins.
[[nodiscard]] Result<std::vector<Pin>> pinsFromTexts(const Dataset& dataset, const std::vector<std::string>& texts);
/// The pin of one trace.
[[nodiscard]] Pin pinOfTrace(const Dataset& dataset, const TraceRow& row);

/// The times of all pins. Times are set against each other on the same definition, workload uuid and hardware only, of a run also on the same solution. Immutable;
/// any thread may ask.
class PinnedLatencies {
public:
    PinnedLatencies() = default;
    /// By the policy (of All: the newest ones), except that a trace is what it is, and that of a run the newest one that passed counts. When the token is set,
    /// times may be missing.
    PinnedLatencies(const Dataset& dataset, std::vector<Pin> pins, SelectionPolicy policy, const std::stop_token& stop = {});

    [[nodiscard]] const std::vector<Pin>& pins() const { return m_pins; }
    [[nodiscard]] std::size_t size() const { return m_pins.size(); }
    /// Milliseconds; NaN where the pin has no time.
    [[nodiscard]] double latencyMs(std::size_t pin, const TraceRow& row) const;
    /// The row's latency ÷ the pin's − 1, below 0: the row is faster. NaN where one of them has no time that counts.
    [[nodiscard]] double change(std::size_t pin, const TraceRow& row) const;
    /// Whether the pin's time for this row is the row's own.
    [[nodiscard]] bool isBase(std::size_t pin, std::uint32_t index, const TraceRow& row) const;

private:
    struct Key {
        std::uint32_t group = 0;      ///< of definition and workload uuid
        std::uint32_t solution = 0;   ///< of a run; kNone for all
        std::uint16_t hardware = 0;

        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };
    struct Base {
        double latencyMs = 0;
        std::uint32_t row = 0;
    };
    using Bases = std::unordered_map<Key, Base, KeyHash>;
    [[nodiscard]] RowIndex rowsOf(const Dataset& dataset, const Pin& pin, SelectionPolicy policy, const std::stop_token& stop) const;
    [[nodiscard]] Key keyOf(std::size_t pin, const TraceRow& row) const;
    [[nodiscard]] const Base* find(std::size_t pin, const TraceRow& row) const;

    std::vector<Pin> m_pins;
    std::vector<Bases> m_bases;                ///< one a pin
    std::vector<std::uint32_t> m_groups;       ///< by TraceRow::workload
};

/// Of each solution or author among `rows`, which a policy selected, what the best time on each workload and hardware comes to against each pin.
[[nodiscard]] std::map<std::string, std::vector<PinnedChange>> pinnedChanges(const Dataset& dataset, const RowIndex& rows, RankBy by, const PinnedLatencies& pinned);
/// Gives the rows of a ranking their changes, over the traces of its scope.
void addPinnedChanges(RankTable& table, const Dataset& dataset, const PinnedLatencies& pinned);
/// Rows of a scope that its policy selects, in load order.
[[nodiscard]] RowIndex rowsInScope(const Dataset& dataset, const RankingScope& scope, const std::stop_token& stop = {});

}  // namespace tracedeck
