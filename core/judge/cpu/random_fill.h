// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/judge/device.h"
#include "core/model/dtype.h"
#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck::judge {

/// Whether random contents of this dtype exist (error Unsupported) and fit into so many bytes (InvalidInput).
Result<void> checkRandomFill(DType dtype, std::uint64_t elements, std::uint64_t bytes);

/// Fills `data` with the format's distribution of the dtype (benchmark §1.2), keyed by seed, call and tensor. The same
/// key gives the same bytes on every machine. Error Unsupported for float4_e2m1 and unknown dtypes.
Result<void> fillRandomCpu(std::span<std::byte> data, DType dtype, std::uint64_t elements, const ContentKey& key);

/// One draw of the same distribution as a host number (a random scalar input).
Result<Json> drawScalar(DType dtype, const ContentKey& key);

}  // namespace tracedeck::judge
