// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/dtype.h"
#include "core/model/result.h"

namespace tracedeck {

struct SafetensorsEntry {
    std::string name;
    std::string dtype;                   ///< as the header says, for example `BF16`
    std::vector<std::int64_t> shape;     ///< logical elements; the packed F4 keeps its logical last dimension here
    std::uint64_t begin = 0;             ///< relative to the first data byte
    std::uint64_t end = 0;
};

/// A memory-mapped safetensors file; every header rule of data model §6.2 is checked in open().
class SafetensorsFile {
public:
    static Result<std::shared_ptr<const SafetensorsFile>> open(const std::filesystem::path& path);
    ~SafetensorsFile();
    [[nodiscard]] const std::vector<SafetensorsEntry>& entries() const { return m_entries; }
    [[nodiscard]] const SafetensorsEntry* find(const std::string& name) const;
    [[nodiscard]] std::span<const std::byte> data(const SafetensorsEntry& entry) const;

private:
    SafetensorsFile() = default;
    const std::byte* m_map = nullptr;
    std::size_t m_size = 0;
    std::size_t m_dataStart = 0;
    std::vector<SafetensorsEntry> m_entries;
};

/// True when the file begins with the Git LFS pointer text: its content was not downloaded.
[[nodiscard]] bool isLfsPointer(const std::filesystem::path& path);
/// Definition dtype for a header dtype (`BF16` → bfloat16); std::nullopt where the format has none.
[[nodiscard]] std::optional<DType> dtypeFromSafetensors(const std::string& name);
[[nodiscard]] std::string safetensorsName(DType dtype);

struct TensorToWrite {
    std::string name;
    DType dtype = DType::Float32;
    std::vector<std::int64_t> shape;
    std::span<const std::byte> data;
};
/// Temporary sibling and rename; refuses to overwrite (data model §6.3, §3.7).
Result<void> writeSafetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors);
/// Joins a workload's blob path to the root; Error when it would leave the root.
[[nodiscard]] Result<std::filesystem::path> resolveBlobPath(const std::filesystem::path& root, const std::string& path);

}  // namespace tracedeck
