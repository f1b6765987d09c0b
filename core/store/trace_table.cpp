// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/trace_table.h"

#include <algorithm>

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
    return static_cast<std::uint8_t>(flags);
}

}  // namespace

StringPool::StringPool(const StringPool& other) : m_texts(other.m_texts)
{
    m_ids.reserve(m_texts.size());
    std::uint32_t id = 0;
    for (const std::string& text : m_texts) m_ids.emplace(text, id++);
}

StringPool& StringPool::operator=(const StringPool& other)
{
    if (this != &other) *this = StringPool(other);
    return *this;
}

std::uint32_t StringPool::intern(std::string_view text)
{
    if (const auto found = m_ids.find(text); found != m_ids.end()) return found->second;
    const auto id = static_cast<std::uint32_t>(m_texts.size());
    m_texts.emplace_back(text);
    m_ids.emplace(m_texts.back(), id);
    return id;
}

std::uint32_t StringPool::find(std::string_view text) const
{
    const auto found = m_ids.find(text);
    return found == m_ids.end() ? kNone : found->second;
}

std::uint32_t TextList::add(std::string_view text)
{
    m_bytes += text;
    m_ends.push_back(m_bytes.size());
    return static_cast<std::uint32_t>(m_ends.size() - 1);
}

std::string_view TextList::text(std::uint32_t index) const
{
    const std::uint64_t begin = index == 0 ? 0 : m_ends[index - 1];
    return std::string_view(m_bytes).substr(begin, m_ends[index] - begin);
}

const std::string& TraceTable::definitionName(const TraceRow& row) const
{
    return m_names.text(m_workloads[row.workload].definition);
}

const std::string& TraceTable::workloadUuid(const TraceRow& row) const
{
    return m_names.text(m_workloads[row.workload].uuid);
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
    for (const auto& [axisName, value] : m_workloads[row.workload].axes) {
        if (axisName == name) return value;
    }
    return std::nullopt;
}

std::string TraceTable::axesText(const TraceRow& row) const
{
    std::string text;
    for (const auto& [name, value] : m_workloads[row.workload].axes) {
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
    m_scratch.definition = m_names.intern(fields.definition);
    m_scratch.uuid = m_names.intern(fields.workloadUuid);
    m_scratch.axes.clear();
    for (const auto& [name, value] : fields.axes) m_scratch.axes.emplace_back(m_names.intern(name), value);

    TraceRow row;
    row.latencyMs = fields.latencyMs;
    row.referenceLatencyMs = fields.referenceLatencyMs;
    row.speedupFactor = fields.speedupFactor;
    row.maxAbsoluteError = fields.maxAbsoluteError;
    row.maxRelativeError = fields.maxRelativeError;
    row.location = location;
    row.workload = internWorkload(m_scratch);
    if (fields.solution) row.solution = m_names.intern(*fields.solution);
    if (!fields.timestamp.empty()) row.timestamp = m_timestamps.add(fields.timestamp);
    if (!fields.hardware.empty()) row.hardware = internHardware(fields.hardware);
    row.status = fields.status;
    row.flags = flagsOf(fields);
    m_rows.push_back(row);
}

void TraceTable::append(const TraceTable& other)
{
    std::vector<std::uint32_t> names(other.m_names.size());
    for (std::uint32_t id = 0; id < names.size(); ++id) names[id] = m_names.intern(other.m_names.text(id));
    std::vector<std::uint16_t> hardware;
    for (const std::string& name : other.m_hardware) hardware.push_back(internHardware(name));
    std::vector<std::uint32_t> workloads;
    workloads.reserve(other.m_workloads.size());
    for (const WorkloadKey& key : other.m_workloads) {
        m_scratch.definition = names[key.definition];
        m_scratch.uuid = names[key.uuid];
        m_scratch.axes.clear();
        for (const auto& [name, value] : key.axes) m_scratch.axes.emplace_back(names[name], value);
        workloads.push_back(internWorkload(m_scratch));
    }
    // No reserve() here: asked for exactly what is needed each time, it would copy the table once a part.
    for (TraceRow row : other.m_rows) {
        row.workload = workloads[row.workload];
        if (row.solution != StringPool::kNone) row.solution = names[row.solution];
        if (row.timestamp != StringPool::kNone) row.timestamp = m_timestamps.add(other.m_timestamps.text(row.timestamp));
        if (row.hardware != kNoHardware) row.hardware = hardware[row.hardware];
        m_rows.push_back(row);
    }
}

std::uint32_t TraceTable::internWorkload(const WorkloadKey& key)
{
    const std::size_t hash = hashOf(key);
    const auto [begin, end] = m_workloadIds.equal_range(hash);
    for (auto known = begin; known != end; ++known) {
        if (m_workloads[known->second] == key) return known->second;
    }
    const auto index = static_cast<std::uint32_t>(m_workloads.size());
    m_workloads.push_back(key);
    m_workloadIds.emplace(hash, index);
    return index;
}

std::uint16_t TraceTable::internHardware(std::string_view name)
{
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
