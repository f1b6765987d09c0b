// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/io/trace_fields.h"
#include "core/model/trace.h"
#include "core/store/id_index.h"
#include "core/store/shared_array.h"

namespace tracedeck {

/// Deduplicated texts; ids are dense and stable. Copies share what was there when share() was called.
class StringPool {
public:
    std::uint32_t intern(std::string_view text);
    [[nodiscard]] const std::string& text(std::uint32_t id) const
    {
        return id < m_sharedSize ? m_shared->m_texts[id] : m_texts[id - m_sharedSize];
    }
    /// kNone when the text is not in the pool.
    [[nodiscard]] std::uint32_t find(std::string_view text) const;
    [[nodiscard]] std::size_t size() const { return m_sharedSize + m_texts.size(); }
    /// Makes later copies cheap: they share the texts that are in the pool now. Once, when a pool is complete.
    void share();
    [[nodiscard]] std::size_t capacityBytes() const;
    static constexpr std::uint32_t kNone = IdIndex::kNone;

private:
    [[nodiscard]] std::uint32_t find(std::string_view text, std::size_t hash) const;

    std::shared_ptr<const StringPool> m_shared;   ///< texts with ids below m_sharedSize; has none shared itself
    std::uint32_t m_sharedSize = 0;
    std::deque<std::string> m_texts;              ///< a deque, so that what text() gave stays valid
    IdIndex m_ids;
};

/// Texts that are nearly all different (times of day): stored end to end, not deduplicated. Copies share the memory.
class TextList {
public:
    std::uint32_t add(std::string_view text);
    [[nodiscard]] std::string_view text(std::uint32_t index) const;
    [[nodiscard]] std::size_t size() const { return m_ends.size(); }
    [[nodiscard]] std::size_t byteCount() const { return m_bytes.size(); }
    void reserve(std::size_t texts, std::size_t bytes);
    /// Room for the texts of other lists, to be filled by several threads before anyone looks at them.
    struct Room {
        std::span<char> bytes;
        std::span<std::uint64_t> ends;
        std::uint64_t bytesBefore = 0;

        /// Splits off the first part, which fits `list`.
        Room takeFor(const TextList& list);
        void fill(const TextList& list) const;
    };
    /// The first text in it gets the number that size() had.
    [[nodiscard]] Room grow(std::size_t texts, std::size_t bytes);
    [[nodiscard]] std::size_t capacityBytes() const { return m_bytes.capacityBytes() + m_ends.capacityBytes(); }

private:
    SharedArray<char> m_bytes;
    SharedArray<std::uint64_t> m_ends;
};

/// A (definition, uuid, axes) that occurs in workload or trace lines.
struct WorkloadKey {
    std::uint32_t definition = StringPool::kNone;   ///< in TraceTable::names()
    std::uint32_t uuid = StringPool::kNone;
    std::vector<std::pair<std::uint32_t, std::int64_t>> axes;   ///< (axis name id, value), sorted by axis name

    bool operator==(const WorkloadKey&) const = default;
};

/// Flags of a trace row.
namespace TraceFlag {
inline constexpr std::uint8_t kHasEvaluation = 1;
inline constexpr std::uint8_t kHasSolution = 2;
inline constexpr std::uint8_t kHasCorrectness = 4;
inline constexpr std::uint8_t kHasPerformance = 8;
/// A tolerated contradiction (for example PASSED without performance): shown, never scored.
inline constexpr std::uint8_t kInconsistent = 16;
inline constexpr std::uint8_t kLaunchBound = 32;   ///< see TraceFields::isLaunchBound
inline constexpr unsigned kTimingMethodShift = 6;  ///< the two highest bits are a TimingMethod
}  // namespace TraceFlag

/// Everything about one trace that a table or chart needs; the full line is read back with Dataset::readTrace.
/// 64 bytes. Times in milliseconds.
struct TraceRow {
    double latencyMs = std::numeric_limits<double>::quiet_NaN();
    double referenceLatencyMs = std::numeric_limits<double>::quiet_NaN();
    double speedupFactor = std::numeric_limits<double>::quiet_NaN();
    double maxAbsoluteError = std::numeric_limits<double>::quiet_NaN();
    double maxRelativeError = std::numeric_limits<double>::quiet_NaN();
    std::uint64_t location = 0;        ///< file index (high 20 bits) and byte offset (low 44 bits)
    std::uint32_t workload = 0;        ///< index into TraceTable::workloadKeys()
    std::uint32_t solution = StringPool::kNone;
    std::uint32_t timestamp = StringPool::kNone;   ///< see TraceTable::timestamp()
    std::uint16_t hardware = 0xFFFF;   ///< index into TraceTable::hardwareNames()
    Status status = Status::RuntimeError;
    std::uint8_t flags = 0;
};
static_assert(sizeof(TraceRow) <= 64);
[[nodiscard]] constexpr TimingMethod timingMethodOf(const TraceRow& row) { return static_cast<TimingMethod>(row.flags >> TraceFlag::kTimingMethodShift); }

class TraceTable;
struct PooledFigure;

/// Some consecutive rows of a table, all of one file, to be put together with others.
struct TraceRowRange {
    const TraceTable* table = nullptr;
    std::size_t first = 0;
    std::size_t count = 0;
    std::uint32_t file = 0;   ///< number that the file has in the new table
};

/// Columnar-by-intent store of evaluated traces in load order, with the interned names they refer to. Built once,
/// then shared as const: readers on any thread need no lock. A copy that grows by some rows (results of a run) shares the
/// rest with its origin.
class TraceTable {
public:
    [[nodiscard]] std::size_t size() const { return m_rows.size(); }
    [[nodiscard]] const TraceRow& row(std::size_t index) const { return m_rows[index]; }
    [[nodiscard]] std::span<const TraceRow> rows() const { return m_rows.span(); }
    [[nodiscard]] const StringPool& names() const { return m_names; }
    [[nodiscard]] const std::vector<WorkloadKey>& workloadKeys() const { return m_workloads->keys; }
    [[nodiscard]] const std::vector<std::string>& hardwareNames() const { return m_hardware; }

    [[nodiscard]] const std::string& definitionName(const TraceRow& row) const;
    [[nodiscard]] const std::string& workloadUuid(const TraceRow& row) const;
    [[nodiscard]] std::string_view solutionName(const TraceRow& row) const;    ///< empty when none
    [[nodiscard]] std::string_view hardwareName(const TraceRow& row) const;    ///< empty when unknown
    [[nodiscard]] std::string_view timestamp(const TraceRow& row) const;
    /// Value of an axis in the row's workload.
    [[nodiscard]] std::optional<std::int64_t> axisValue(const TraceRow& row, std::string_view axis) const;
    /// `M=16;N=4096`, names sorted (the form of report csv).
    [[nodiscard]] std::string axesText(const TraceRow& row) const;

    /// Adds one evaluated trace; `location` from makeLocation. Fields with a workloadRepeat must all come from one reader.
    void append(const Trace& trace, std::uint64_t location);
    void append(const TraceFields& fields, std::uint64_t location);
    /// Makes room for rows that append() is going to add.
    void reserve(std::size_t rows) { m_rows.reserve(rows); }
    /// One table with all these rows in this order, its copies made cheap. Uses up to `threads` threads.
    [[nodiscard]] static TraceTable assemble(std::span<const TraceRowRange> ranges, unsigned threads);
    /// The same, for ranges that hold every row of `old` in its order and with its file numbers, and rows of other tables
    /// between or after them: the texts and, where rows only follow, the rows too are shared with `old`.
    [[nodiscard]] static TraceTable assembleGrown(const TraceTable& old, std::span<const TraceRowRange> ranges, unsigned threads);
    /// Gives rows other times, in memory of this copy's own; the speedup follows. Nothing happens when there are none.
    void replaceTimes(const std::unordered_map<std::uint32_t, PooledFigure>& figures);
    /// Makes later copies cheap. Once, when the table is complete.
    void share() { m_names.share(); }
    /// Whether rows of two tables say the same, wherever their lines are.
    [[nodiscard]] static bool isSameTrace(const TraceTable& tableA, const TraceRow& a, const TraceTable& tableB, const TraceRow& b);
    /// How many of the first `count` rows from `first` on are the same, place in the file included, as the rows of `other`
    /// from `otherFirst` on, up to the first one that is not.
    [[nodiscard]] std::size_t commonRows(std::size_t first, std::size_t count, const TraceTable& other, std::size_t otherFirst) const;
    /// Bytes that the rows and what only they have (times of day) take; bytes of the interned texts and workloads.
    [[nodiscard]] std::size_t rowCapacityBytes() const { return m_rows.capacityBytes() + m_timestamps.capacityBytes(); }
    [[nodiscard]] std::size_t internedBytes() const;
    static std::uint64_t makeLocation(std::uint32_t file, std::uint64_t byteOffset);
    static std::uint32_t fileOf(const TraceRow& row) { return static_cast<std::uint32_t>(row.location >> 44U); }
    static std::uint64_t offsetOf(const TraceRow& row) { return row.location & ((std::uint64_t{1} << 44U) - 1); }

private:
    struct Workloads {
        std::vector<WorkloadKey> keys;
        IdIndex ids;
    };
    class RowCopier;
    std::uint32_t internWorkload(const WorkloadKey& key);
    std::uint16_t internHardware(std::string_view name);
    void reserveFor(std::span<const TraceRowRange> ranges);
    void appendRanges(std::span<const TraceRowRange> ranges, const TraceTable* shared, unsigned threads);
    SharedArray<TraceRow> m_rows;
    StringPool m_names;
    TextList m_timestamps;
    std::shared_ptr<Workloads> m_workloads = std::make_shared<Workloads>();   ///< copied before the first change when shared
    std::vector<std::string> m_hardware;
    std::unordered_map<std::string, std::uint16_t> m_hardwareIds;
    std::uint32_t internRecent(std::string_view text, std::uint32_t& last);
    std::uint32_t workloadOf(const TraceFields& fields);
    WorkloadKey m_scratch;   ///< keeps its memory from row to row while the table is built
    // What the last rows had, as the next one often has it too.
    std::uint32_t m_lastDefinition = StringPool::kNone;
    std::uint32_t m_lastSolution = StringPool::kNone;
    struct RepeatedWorkload {
        std::uint32_t definition = StringPool::kNone;
        std::uint32_t workload = 0;
    };
    std::vector<RepeatedWorkload> m_repeated;   ///< by TraceFields::workloadRepeat
};

}  // namespace tracedeck
