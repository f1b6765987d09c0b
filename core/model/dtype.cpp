// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/dtype.h"

#include <array>
#include <limits>
#include <string>

namespace tracedeck {

namespace {

struct DTypeFacts {
    std::string_view name;
    int bits;
    bool floating;
};

/// In the order of the enumeration.
constexpr std::array<DTypeFacts, 14> kFacts{{{"float32", 32, true},
                                             {"float16", 16, true},
                                             {"bfloat16", 16, true},
                                             {"float8_e4m3fn", 8, true},
                                             {"float8_e5m2", 8, true},
                                             {"float4_e2m1", 4, true},
                                             {"int64", 64, false},
                                             {"int32", 32, false},
                                             {"int16", 16, false},
                                             {"int8", 8, false},
                                             {"bool", 8, false},
                                             {"float64", 64, true},
                                             {"float4_e2m1fn_x2", 8, true},
                                             {"unknown", 0, false}}};

const DTypeFacts& factsOf(DType dtype)
{
    return kFacts.at(static_cast<std::size_t>(dtype));
}

}  // namespace

std::string_view toString(DType dtype)
{
    return factsOf(dtype).name;
}

std::optional<DType> dtypeFromString(std::string_view name, Dialect dialect)
{
    const DType end = dialect == Dialect::SolExecBench ? DType::Unknown : DType::Float64;
    for (std::size_t i = 0; i < static_cast<std::size_t>(end); ++i) {
        if (kFacts[i].name == name) return static_cast<DType>(i);
    }
    return std::nullopt;
}

int bitWidth(DType dtype)
{
    return factsOf(dtype).bits;
}

bool isFloating(DType dtype)
{
    return factsOf(dtype).floating;
}

std::uint64_t byteSize(DType dtype, std::uint64_t elements)
{
    const auto bits = static_cast<std::uint64_t>(factsOf(dtype).bits);
    // Eight elements take `bits` bytes: dividing first keeps the product in range for every size that can exist.
    const std::uint64_t groups = elements / 8;
    if (bits != 0 && groups > (std::numeric_limits<std::uint64_t>::max() - 64) / bits) {
        return std::numeric_limits<std::uint64_t>::max();
    }
    return groups * bits + (elements % 8 * bits + 7) / 8;
}

}  // namespace tracedeck
