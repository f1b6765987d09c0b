// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/normal_map.h"

#include <algorithm>
#include <array>

#include "core/judge/number_formats.h"

namespace tracedeck::judge {

Result<void> checkNormalMap(DType dtype, std::uint64_t elements, std::uint64_t bytes)
{
    if (dtype != DType::Float32 && dtype != DType::Float16 && dtype != DType::BFloat16) {
        return Error{ErrorCode::Unsupported, "random contents of dtype " + std::string(toString(dtype)) + " can't be given another distribution", {}, 0, {}};
    }
    if (byteSize(dtype, elements) > bytes) {
        return Error{ErrorCode::InvalidInput, "a buffer is smaller than its tensor", {}, 0, {}};
    }
    return {};
}

Result<void> mapNormalsCpu(std::span<std::byte> data, DType dtype, std::uint64_t elements, const NormalMap& map)
{
    if (auto possible = checkNormalMap(dtype, elements, data.size()); !possible) {
        return possible;
    }
    std::array<float, 1024> values{};
    for (std::uint64_t begin = 0; begin < elements; begin += values.size()) {
        const auto part = std::span(values).first(static_cast<std::size_t>(std::min<std::uint64_t>(values.size(), elements - begin)));
        decodeToFloat(dtype, data, static_cast<std::size_t>(begin), part);
        for (std::size_t i = 0; i < part.size(); ++i) {
            part[i] = mapNormal(map, part[i], begin + i);
        }
        encodeFromFloat(dtype, part, static_cast<std::size_t>(begin), data);
    }
    return {};
}

}  // namespace tracedeck::judge
