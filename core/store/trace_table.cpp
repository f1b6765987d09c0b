// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_table.h"

#include <algorithm>
#include <functional>

namespace tracedeck {

namespace {

constexpr std::uint16_t kNoHardware = 0xFFFF;
constexpr unsigned kOffsetBits = 44;

std::size_t hashOf(const WorkloadKey& key)
{
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL;
    const auto mix = [&hash](std::uint64_t value) {
        hash ^= value;
        hash *= 0xFF51AFD7ED558CCDULL;
        hash ^= hash >> 32U;
    };
    mix(key.definition);
    mix(key.uuid);
    for (const auto& [name, value] : key.axes) {
        mix(name);
        mix(static_cast<std::uint64_t>(value));
    }
    return static_cast<std::size_t>(hash);
}

std::uint8_t flagsOf(const TraceFields& fields)
{
    unsigned flags = 0;
    if (fields.hasEvaluation) flags |= TraceFlag::kHasEvaluation;
    if (fields.solution) flags |= TraceFlag::kHasSolution;
    if (fields.hasCorrectness) flags |= TraceFlag::kHasCorrectness;
    if (fields.hasPerformance) flags |= TraceFlag::kHasPerformance;
    if (fields.isInconsistent()) flags |= TraceFlag::kInconsistent;
    if (fields.isLaunchBound) flags |= TraceFlag::kLaunchBound;
    flags |= static_cast<unsigned>(fields.timingMethod) << TraceFlag::kTimingMethodShift;
    return static_cast<std::uint8_t>(flags);
}

}  // namespace

std::uint32_t StringPool::intern(std::string_view text)
{
    const std::size_t hash = std::hash<std::string_view>()(text);
    if (const std::uint32_t known = find(text, hash); known != kNone) return known;
    const auto id = static_cast<std::uint32_t>(size());
    m_texts.emplace_back(text);
    m_ids.add(hash, id);
    return id;
}

std::uint32_t StringPool::find(std::string_view text) const
{
    return find(text, std::hash<std::string_view>()(text));
}

std::uint32_t StringPool::find(std::string_view text, std::size_t hash) const
{
    const std::uint32_t id = m_ids.find(hash, [&](std::uint32_t known) { return m_texts[known - m_sharedSize] == text; });
    return id == kNone && m_shared ? m_shared->find(text, hash) : id;
}

void StringPool::share()
{
    if (m_shared) return;
    const auto count = static_cast<std::uint32_t>(m_texts.size());
    auto texts = std::make_shared<StringPool>(std::move(*this));
    *this = StringPool();
    m_shared = std::move(texts);
    m_sharedSize = count;
}

std::size_t StringPool::capacityBytes() const
{
    std::size_t bytes = m_ids.capacityBytes();
    for (const std::string& text : m_texts) bytes += sizeof(std::string) + (text.capacity() > 15 ? text.capacity() + 1 : 0);
    return bytes + (m_shared ? m_shared->capacityBytes() : 0);
}

std::uint32_t TextList::add(std::string_view text)
{
    m_bytes.append(std::span(text.data(), text.size()));
    m_ends.push_back(m_bytes.size());
    return static_cast<std::uint32_t>(m_ends.size() - 1);
}

std::string_view TextList::text(std::uint32_t index) const
{
    const std::uint64_t begin = index == 0 ? 0 : m_ends[index - 1];
    return std::string_view(m_bytes.span().data() + begin, m_ends[index] - begin);
}

TextList::Room TextList::grow(std::size_t texts, std::size_t bytes)
{
    const std::uint64_t before = m_bytes.size();
    return {m_bytes.grow(bytes), m_ends.grow(texts), before};
}

TextList::Room TextList::Room::takeFor(const TextList& list)
{
    const Room first{bytes.first(list.byteCount()), ends.first(list.size()), bytesBefore};
    bytes = bytes.subspan(list.byteCount());
    ends = ends.subspan(list.size());
    bytesBefore += list.byteCount();
    return first;
}

void TextList::Room::fill(const TextList& list) const
{
    const std::span<const char> from = list.m_bytes.span();
    std::copy(from.begin(), from.end(), bytes.begin());
    const std::span<const std::uint64_t> fromEnds = list.m_ends.span();
    std::transform(fromEnds.begin(), fromEnds.end(), ends.begin(), [this](std::uint64_t end) { return bytesBefore + end; });
}

void TextList::reserve(std::size_t texts, std::size_t bytes)
{
    m_ends.reserve(texts);
    m_bytes.reserve(bytes);
}

const std::string& TraceTable::definitionName(const TraceRow& row) const
{
    return m_names.text(m_workloads->keys[row.workload].definition);
}

const std::string& TraceTable::workloadUuid(const TraceRow& row) const
{
    return m_names.text(m_workloads->keys[row.workload].uuid);
}

std::string_view TraceTable::solutionName(const TraceRow& row) const
{
    return row.solution == StringPool::kNone ? std::string_view() : std::string_view(m_names.text(row.solution));
}

std::string_view TraceTable::hardwareName(const TraceRow& row) const
{
    return row.hardware == kNoHardware ? std::string_view() : std::string_view(m_hardware[row.hardware]);
}

std::string_view TraceTable::timestamp(const TraceRow& row) const
{
    return row.timestamp == StringPool::kNone ? std::string_view() : m_timestamps.text(row.timestamp);
}

std::optional<std::int64_t> TraceTable::axisValue(const TraceRow& row, std::string_view axis) const
{
    const std::uint32_t name = m_names.find(axis);
    for (const auto& [axisName, value] : m_workloads->keys[row.workload].axes) {
        if (axisName == name) return value;
    }
    return std::nullopt;
}

std::string TraceTable::axesText(const TraceRow& row) const
{
    std::string text;
    for (const auto& [name, value] : m_workloads->keys[row.workload].axes) {
        if (!text.empty()) text += ';';
        text += m_names.text(name);
        text += '=';
        text += std::to_string(value);
    }
    return text;
}

std::uint64_t TraceTable::makeLocation(std::uint32_t file, std::uint64_t byteOffset)
{
    return std::uint64_t{file} << kOffsetBits | byteOffset;
}

void TraceTable::append(const Trace& trace, std::uint64_t location)
{
    append(fieldsOf(trace), location);
}

void TraceTable::append(const TraceFields& fields, std::uint64_t location)
{
    TraceRow row;
    row.latencyMs = fields.latencyMs;
    row.referenceLatencyMs = fields.referenceLatencyMs;
    row.speedupFactor = fields.speedupFactor;
    row.maxAbsoluteError = fields.maxAbsoluteError;
    row.maxRelativeError = fields.maxRelativeError;
    row.location = location;
    row.workload = workloadOf(fields);
    if (fields.solution) row.solution = internRecent(*fields.solution, m_lastSolution);
    if (!fields.timestamp.empty()) row.timestamp = m_timestamps.add(fields.timestamp);
    if (!fields.hardware.empty()) row.hardware = internHardware(fields.hardware);
    row.status = fields.status;
    row.flags = flagsOf(fields);
    m_rows.push_back(row);
}

std::uint32_t TraceTable::internRecent(std::string_view text, std::uint32_t& last)
{
    if (last == StringPool::kNone || m_names.text(last) != text) last = m_names.intern(text);
    return last;
}

std::uint32_t TraceTable::workloadOf(const TraceFields& fields)
{
    const std::uint32_t definition = internRecent(fields.definition, m_lastDefinition);
    const bool repeats = fields.workloadRepeat != TraceFields::kNoRepeat;
    if (repeats && fields.workloadRepeat < m_repeated.size() && m_repeated[fields.workloadRepeat].definition == definition) {
        return m_repeated[fields.workloadRepeat].workload;
    }
    m_scratch.definition = definition;
    m_scratch.uuid = m_names.intern(fields.workloadUuid);
    m_scratch.axes.clear();
    for (const auto& [name, value] : fields.axes) m_scratch.axes.emplace_back(m_names.intern(name), value);
    const std::uint32_t workload = internWorkload(m_scratch);
    if (repeats) {
        if (fields.workloadRepeat >= m_repeated.size()) m_repeated.resize(fields.workloadRepeat + 1);
        m_repeated[fields.workloadRepeat] = {definition, workload};
    }
    return workload;
}

std::size_t TraceTable::internedBytes() const
{
    std::size_t bytes = m_names.capacityBytes();
    for (const WorkloadKey& key : m_workloads->keys) bytes += sizeof(WorkloadKey) + key.axes.capacity() * sizeof(key.axes[0]);
    bytes += m_workloads->ids.capacityBytes();
    for (const std::string& name : m_hardware) bytes += sizeof(std::string) + name.capacity();
    return bytes;
}

std::uint32_t TraceTable::internWorkload(const WorkloadKey& key)
{
    const std::size_t hash = hashOf(key);
    const std::uint32_t known = m_workloads->ids.find(hash, [&](std::uint32_t index) { return m_workloads->keys[index] == key; });
    if (known != IdIndex::kNone) return known;
    if (m_workloads.use_count() > 1) m_workloads = std::make_shared<Workloads>(*m_workloads);
    const auto index = static_cast<std::uint32_t>(m_workloads->keys.size());
    m_workloads->keys.push_back(key);
    m_workloads->ids.add(hash, index);
    return index;
}

std::uint16_t TraceTable::internHardware(std::string_view name)
{
    // There are few machines.
    for (std::size_t i = 0; i < std::min<std::size_t>(m_hardware.size(), 8); ++i) {
        if (m_hardware[i] == name) return static_cast<std::uint16_t>(i);
    }
    if (!m_hardware.empty() && m_hardware.back() == name) return static_cast<std::uint16_t>(m_hardware.size() - 1);
    std::string key(name);
    if (const auto found = m_hardwareIds.find(key); found != m_hardwareIds.end()) return found->second;
    // The last number but one takes all names beyond what 16 bits can tell apart.
    if (m_hardware.size() == kNoHardware - 1U) key = "(other hardware)";
    if (m_hardware.size() == kNoHardware) return kNoHardware - 1;
    const auto index = static_cast<std::uint16_t>(m_hardware.size());
    m_hardware.push_back(key);
    m_hardwareIds.emplace(std::move(key), index);
    return index;
}

}  // namespace tracedeck
