// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/io/file_descriptor.h"
#include "core/io/mapped_file.h"
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

/// Free texts of a file, by key.
using SafetensorsMetadata = std::map<std::string, std::string>;

/// A safetensors file; every header rule of data model §6.2 is checked in open(). The header is read, the data is mapped.
class SafetensorsFile {
public:
    /// Error NotFound also for a Git LFS pointer: the content was not downloaded.
    static Result<std::shared_ptr<const SafetensorsFile>> open(const std::filesystem::path& path);
    ~SafetensorsFile();
    [[nodiscard]] const std::vector<SafetensorsEntry>& entries() const { return m_entries; }
    [[nodiscard]] const SafetensorsMetadata& metadata() const { return m_metadata; }
    [[nodiscard]] const SafetensorsEntry* find(const std::string& name) const;
    /// The mapped bytes. Only for processes that may die when someone shortens the file meanwhile; read() is safe from that.
    [[nodiscard]] std::span<const std::byte> data(const SafetensorsEntry& entry) const;
    /// Copies the tensor's bytes; `destination` has exactly their size. Error when the file got shorter.
    Result<void> read(const SafetensorsEntry& entry, std::span<std::byte> destination) const;
    /// The same for a part of them, from the byte `offset` of the tensor on.
    Result<void> readPart(const SafetensorsEntry& entry, std::uint64_t offset, std::span<std::byte> destination) const;

private:
    SafetensorsFile() = default;
    std::filesystem::path m_path;
    FileDescriptor m_descriptor;
    MappedFile m_file;
    std::size_t m_dataStart = 0;
    std::vector<SafetensorsEntry> m_entries;
    std::unordered_map<std::string_view, std::size_t> m_byName;   ///< names of m_entries → index
    SafetensorsMetadata m_metadata;
};

/// True when the file begins with the Git LFS pointer text: its content was not downloaded.
[[nodiscard]] bool isLfsPointer(const std::filesystem::path& path);
/// Definition dtype for a header dtype (`BF16` → bfloat16); std::nullopt where the format has none.
[[nodiscard]] std::optional<DType> dtypeFromSafetensors(const std::string& name);
[[nodiscard]] std::string safetensorsName(DType dtype);

struct TensorToWrite {
    std::string name;
    DType dtype = DType::Float32;
    std::vector<std::int64_t> shape;   ///< logical elements, as in SafetensorsEntry
    std::span<const std::byte> data;
};
/// Temporary sibling and rename; makes folders as needed, refuses to overwrite (data model §6.3, §3.7).
Result<void> writeSafetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors, const SafetensorsMetadata& metadata = {});
/// Joins a workload's blob path to the root; Error when it would leave the root, by `..`, as an absolute path or through a
/// link. The file need not exist.
[[nodiscard]] Result<std::filesystem::path> resolveBlobPath(const std::filesystem::path& root, const std::string& path);

/// Folders in which SOL-ExecBench looks for tensors (dialect §4.3): that of the problem, the dataset, and the one that the
/// environment variable FLASHINFER_TRACE_DIR names.
[[nodiscard]] std::vector<std::filesystem::path> blobRoots(const std::filesystem::path& problemFolder, const std::filesystem::path& root);
/// Looks in each of the folders for the path, then for the path without its first part, and so on: the first file that is there.
/// Error InvalidInput: the path leads out of every folder; NotFound: it is nowhere, and where it was looked for.
[[nodiscard]] Result<std::filesystem::path> findBlob(const std::vector<std::filesystem::path>& roots, const std::string& path);

}  // namespace tracedeck
