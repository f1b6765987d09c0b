// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tracedeck {

/// Element types that a definition may name. `Unknown` stands for legacy or foreign names (such as `uint8`): shown, never run.
enum class DType : std::uint8_t {
    Float32, Float16, BFloat16, Float8E4M3FN, Float8E5M2, Float4E2M1, Int64, Int32, Int16, Int8, Bool, Unknown
};

/// Name as written in a definition, for example `bfloat16`; "unknown" for DType::Unknown.
[[nodiscard]] std::string_view toString(DType dtype);
/// Exact, case-sensitive. std::nullopt for anything that the format does not name.
[[nodiscard]] std::optional<DType> dtypeFromString(std::string_view name);
/// Bits of one element; float4_e2m1 has 4 (two elements a byte); 0 for Unknown.
[[nodiscard]] int bitWidth(DType dtype);
[[nodiscard]] bool isFloating(DType dtype);
/// Bytes of `elements` values, rounded up.
[[nodiscard]] std::uint64_t byteSize(DType dtype, std::uint64_t elements);

}  // namespace tracedeck
