// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/dialect.h"

namespace tracedeck {

/// Element types that a definition may name; Float64 and Float4E2M1FNx2 only in the SOL-ExecBench dialect. `Unknown` stands for legacy or foreign names (such as `uint8`): shown, never run.
enum class DType : std::uint8_t {
    Float32, Float16, BFloat16, Float8E4M3FN, Float8E5M2, Float4E2M1, Int64, Int32, Int16, Int8, Bool, Float64, Float4E2M1FNx2, Unknown
};

/// Name as written in a definition, for example `bfloat16`; "unknown" for DType::Unknown.
[[nodiscard]] std::string_view toString(DType dtype);
/// Exact, case-sensitive. std::nullopt for anything that the dialect does not name.
[[nodiscard]] std::optional<DType> dtypeFromString(std::string_view name, Dialect dialect = Dialect::FlashInferTrace);
/// Bits of one element of a shape; float4_e2m1 has 4 (two elements a byte), float4_e2m1fn_x2, whose shapes count such pairs,
/// 8; 0 for Unknown.
[[nodiscard]] int bitWidth(DType dtype);
[[nodiscard]] bool isFloating(DType dtype);
/// Bytes of `elements` values, rounded up.
[[nodiscard]] std::uint64_t byteSize(DType dtype, std::uint64_t elements);

}  // namespace tracedeck
