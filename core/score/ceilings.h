// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/json.h"
#include "core/model/result.h"
#include "core/score/work_estimate.h"

namespace tracedeck {

/// What one kind of GPU can do at most, and who says so.
struct Ceilings {
    std::string name;             ///< a hardware name as traces have it, or a part of such names
    DevicePeaks peaks;            ///< memory in bytes a second, operations a second by the operands' dtype; no cache
    double launchMs = 0.001;      ///< no kernel is shorter
    std::string source;           ///< for people
};

/// The entries of a user's file alone, in its order; none when it is not there. Errors as CeilingTable::read().
[[nodiscard]] Result<std::vector<Ceilings>> readCeilings(const std::filesystem::path& file);
/// Writes such a file as a whole; without entries it is removed. Error InvalidInput with the field: an entry without a name, two of one name, or a figure that is
/// no number above 0.
[[nodiscard]] Result<void> writeCeilings(const std::filesystem::path& file, const std::vector<Ceilings>& entries);

/// Ceilings by hardware name.
class CeilingTable {
public:
    /// Figures of data sheets: dense products, without sparsity, at the highest clock.
    [[nodiscard]] static const CeilingTable& dataSheets();
    /// The same with the entries of a file laid over them (documentText). A file that is not there adds nothing. Error: it can't be
    /// read, or InvalidInput with the field.
    [[nodiscard]] static Result<CeilingTable> read(const std::filesystem::path& file);

    /// The entry of this name, else the one with the longest name that is a part of it, as whole words. Null when there is none.
    [[nodiscard]] const Ceilings* find(std::string_view hardware) const;
    [[nodiscard]] const std::vector<Ceilings>& entries() const { return m_entries; }
    /// {gpus: [{name, memory_gb_per_s, tflops: {dtype: number}, launch_us, source}]}: 10^9 bytes and 10^12 operations a second.
    [[nodiscard]] Json document() const;

private:
    std::vector<Ceilings> m_entries;
};

}  // namespace tracedeck
