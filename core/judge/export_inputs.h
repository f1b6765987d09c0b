// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/judge/workload_session.h"
#include "core/model/json.h"
#include "core/model/result.h"

namespace tracedeck::judge {

/// Writes the inputs of one call of an opened workload into a folder that nobody else can write to, for a call of a solution outside of any
/// evaluation. Gives {`inputs`: [{`name`, `dtype`, `shape`, `file`} or {`name`, `value`}], `outputs`: [{`name`, `dtype`, `declared`, `shape`}]}. The contents
/// are those of no evaluation. Expected outputs are never written.
[[nodiscard]] Result<Json> exportInputs(WorkloadSession& session, const std::filesystem::path& folder, std::uint32_t call);

}  // namespace tracedeck::judge
