// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/physics.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace tracedeck::judge {

namespace {

/// Larger ones are no offsets.
constexpr std::uint64_t kMostIntegers = 10'000'000;

std::vector<std::int64_t> integersOf(const std::vector<std::byte>& bytes, DType dtype)
{
    const std::size_t width = dtype == DType::Int64 ? sizeof(std::int64_t) : sizeof(std::int32_t);
    std::vector<std::int64_t> values(bytes.size() / width);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (dtype == DType::Int64) {
            std::memcpy(&values[i], bytes.data() + i * width, width);
        } else {
            std::int32_t value = 0;
            std::memcpy(&value, bytes.data() + i * width, width);
            values[i] = value;
        }
    }
    return values;
}

bool areDistinct(std::vector<std::int64_t> values)
{
    std::sort(values.begin(), values.end());
    return std::adjacent_find(values.begin(), values.end()) == values.end();
}

}  // namespace

WorkFacts factsOf(const InputPlan& plan)
{
    WorkFacts facts;
    for (const InputSlot& slot : plan.entries()) {
        const DType dtype = slot.layout.dtype;
        if (slot.isScalar || slot.isGenerated || (dtype != DType::Int32 && dtype != DType::Int64)) {
            continue;
        }
        const bool isPages = slot.layout.name == "kv_indices";
        if (slot.fixed && slot.layout.elements <= kMostIntegers) {
            std::vector<std::int64_t> values = integersOf(*slot.fixed, dtype);
            facts.pagesAreDistinct = facts.pagesAreDistinct || (isPages && areDistinct(values));
            facts.integers[slot.layout.name] = std::move(values);
        } else if (isPages && slot.indexRule && slot.indexRule->meaning == IndexMeaning::DistinctNumbers) {
            facts.pagesAreDistinct = slot.layout.elements <= static_cast<std::uint64_t>(slot.indexRule->greatest) + 1;
        }
    }
    return facts;
}

std::optional<TimeFloor> timeFloor(const Definition& definition, const AxisValues& axes, const InputPlan& plan, const DevicePeaks& peaks)
{
    const auto work = estimateWork(definition, axes, factsOf(plan));
    if (!work) {
        return std::nullopt;
    }
    TimeFloor floor{hardFloorMs(*work, peaks), softFloorMs(*work, peaks), {}};
    if (!(floor.hardMs > 0) && !(floor.softMs > 0)) {
        return std::nullopt;
    }
    floor.why = fmt::format("{:.4g} MB must be read and {:.4g} MB written, at {:.4g} GB/s", work->neededInputBytes / 1e6, work->outputBytes / 1e6,
                            peaks.memoryBytesPerSecond / 1e9);
    if (work->operations && peaks.operationsPerSecond.contains(work->operand)) {
        floor.why += fmt::format("; {} = {:.4g} operations, at {:.4g} TFLOP/s", work->formula, *work->operations, peaks.operationsPerSecond.at(work->operand) / 1e12);
    }
    return floor;
}

}  // namespace tracedeck::judge
