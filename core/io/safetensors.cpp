// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/contained_path.h"
#include "core/io/safetensors.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <system_error>

#include "core/io/json_codec.h"
#include "core/io/read_file.h"
#include "core/io/safetensors_header.h"
#include "core/io/temporary_file.h"
#include "core/model/definition.h"
#include "core/model/text.h"

namespace tracedeck {

namespace {

constexpr std::string_view kLfsPointer = "version https://git-lfs.github.com/spec/v1";
constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMaximumHeader = 100'000'000;

constexpr std::array<std::pair<DType, const char*>, 11> kNames{{{DType::Float32, "F32"},
                                                               {DType::Float16, "F16"},
                                                               {DType::BFloat16, "BF16"},
                                                               {DType::Float8E4M3FN, "F8_E4M3"},
                                                               {DType::Float8E5M2, "F8_E5M2"},
                                                               {DType::Float4E2M1, "F4"},
                                                               {DType::Int64, "I64"},
                                                               {DType::Int32, "I32"},
                                                               {DType::Int16, "I16"},
                                                               {DType::Int8, "I8"},
                                                               {DType::Bool, "BOOL"}}};

Error blobError(const std::filesystem::path& path, std::string reason, std::string tensor = {})
{
    return Error{ErrorCode::InvalidInput, std::move(reason), toValidUtf8(path.string()), 0, std::move(tensor)};
}

bool beginsWithLfsPointer(const OpenedFile& file, const std::filesystem::path& path)
{
    std::array<char, kLfsPointer.size()> start{};
    const auto got = readAt(file.descriptor, path, start.data(), start.size(), 0);
    return got && std::string_view(start.data(), *got) == kLfsPointer;
}

std::uint64_t littleEndian(const std::array<char, kLengthBytes>& bytes)
{
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// Header text for tensors in writing order, padded so that the data begins at a multiple of 8.
Result<std::string> headerFor(const std::filesystem::path& path, const std::vector<const TensorToWrite*>& tensors, const SafetensorsMetadata& metadata)
{
    Json header = Json::object();
    // Names are distinct (checked below): the map's own insertion would compare each with all before it.
    auto& members = static_cast<Json::object_t::Container&>(header.get_ref<Json::object_t&>());
    for (const auto& [key, value] : metadata) {
        if (toValidUtf8(key) != key || toValidUtf8(value) != value) return blobError(path, "the metadata is not UTF-8", "__metadata__");
    }
    if (!metadata.empty()) members.emplace_back("__metadata__", metadata);
    std::uint64_t position = 0;
    std::set<std::string_view> names;
    for (const TensorToWrite* tensor : tensors) {
        if (tensor->name == "__metadata__") return blobError(path, "a tensor cannot have this name", tensor->name);
        if (!names.insert(tensor->name).second) return blobError(path, "two tensors have the same name", tensor->name);
        if (toValidUtf8(tensor->name) != tensor->name) return blobError(path, "the name of a tensor is not UTF-8");
        const std::uint64_t elements = elementCount(tensor->shape);
        if (std::any_of(tensor->shape.begin(), tensor->shape.end(), [](std::int64_t d) { return d < 0; })) {
            return blobError(path, "a dimension is negative", tensor->name);
        }
        const auto bits = static_cast<std::uint64_t>(bitWidth(tensor->dtype));
        if (bits % 8 != 0 && elements * bits % 8 != 0) {
            return blobError(path, "misaligned: the elements do not fill whole bytes", tensor->name);
        }
        if (byteSize(tensor->dtype, elements) != tensor->data.size()) {
            return blobError(path, "size mismatch: shape and dtype need " + std::to_string(byteSize(tensor->dtype, elements)) +
                                       " bytes, " + std::to_string(tensor->data.size()) + " were given",
                             tensor->name);
        }
        members.emplace_back(tensor->name, Json{{"dtype", safetensorsName(tensor->dtype)},
                                                {"shape", tensor->shape},
                                                {"data_offsets", {position, position + tensor->data.size()}}});
        position += tensor->data.size();
    }
    std::string text = header.dump();
    text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
    return text;
}

}  // namespace

SafetensorsFile::~SafetensorsFile() = default;

Result<std::shared_ptr<const SafetensorsFile>> SafetensorsFile::open(const std::filesystem::path& path)
{
    auto opened = openForReading(path);
    if (!opened) return opened.error();
    if (beginsWithLfsPointer(*opened, path)) {
        Error error = blobError(path, "not downloaded: this is a Git LFS pointer; run 'git lfs pull' in the dataset folder");
        error.code = ErrorCode::NotFound;
        return error;
    }
    if (opened->size < kLengthBytes) return blobError(path, "header too small: the file has fewer than 8 bytes");
    std::array<char, kLengthBytes> lengthBytes{};
    auto got = readAt(opened->descriptor, path, lengthBytes.data(), lengthBytes.size(), 0);
    if (!got) return got.error();
    const std::uint64_t length = littleEndian(lengthBytes);
    if (length > kMaximumHeader) return blobError(path, "header too large: " + std::to_string(length) + " bytes");
    if (kLengthBytes + length > opened->size) return blobError(path, "invalid header length: it is longer than the file");
    std::string header(static_cast<std::size_t>(length), '\0');
    got = readAt(opened->descriptor, path, header.data(), header.size(), kLengthBytes);
    if (!got) return got.error();
    if (*got != header.size()) return blobError(path, "invalid header length: the file got shorter");
    auto parsed = parseSafetensorsHeader(header, opened->size - kLengthBytes - length);
    if (!parsed) {
        Error error = parsed.error();
        error.file = toValidUtf8(path.string());
        return error;
    }
    auto mapped = MappedFile::map(opened->descriptor, path, static_cast<std::size_t>(opened->size));
    if (!mapped) return mapped.error();
    std::shared_ptr<SafetensorsFile> file(new SafetensorsFile);
    file->m_path = path;
    file->m_descriptor = std::move(opened->descriptor);
    file->m_file = std::move(*mapped);
    file->m_dataStart = kLengthBytes + header.size();
    file->m_entries = std::move(parsed->entries);
    file->m_metadata = std::move(parsed->metadata);
    for (std::size_t i = 0; i < file->m_entries.size(); ++i) file->m_byName.emplace(file->m_entries[i].name, i);
    return std::shared_ptr<const SafetensorsFile>(std::move(file));
}

const SafetensorsEntry* SafetensorsFile::find(const std::string& name) const
{
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : &m_entries[found->second];
}

std::span<const std::byte> SafetensorsFile::data(const SafetensorsEntry& entry) const
{
    return m_file.bytes().subspan(m_dataStart + static_cast<std::size_t>(entry.begin),
                                  static_cast<std::size_t>(entry.end - entry.begin));
}

Result<void> SafetensorsFile::read(const SafetensorsEntry& entry, std::span<std::byte> destination) const
{
    if (destination.size() != entry.end - entry.begin) {
        return blobError(m_path, "the tensor has " + std::to_string(entry.end - entry.begin) + " bytes, room was made for " +
                                     std::to_string(destination.size()),
                         entry.name);
    }
    return readPart(entry, 0, destination);
}

Result<void> SafetensorsFile::readPart(const SafetensorsEntry& entry, std::uint64_t offset, std::span<std::byte> destination) const
{
    if (const std::uint64_t size = entry.end - entry.begin; offset > size || destination.size() > size - offset) {
        return blobError(m_path, "the tensor ends before byte " + std::to_string(offset + destination.size()), entry.name);
    }
    const auto got = readAt(m_descriptor, m_path, reinterpret_cast<char*>(destination.data()), destination.size(),
                            m_dataStart + entry.begin + offset);
    if (!got) return got.error();
    if (*got != destination.size()) return blobError(m_path, "incomplete buffer: the file got shorter", entry.name);
    return {};
}

bool isLfsPointer(const std::filesystem::path& path)
{
    const auto file = openForReading(path);
    return file && beginsWithLfsPointer(*file, path);
}

std::optional<DType> dtypeFromSafetensors(const std::string& name)
{
    for (const auto& [dtype, text] : kNames) {
        if (text == name) return dtype;
    }
    return std::nullopt;
}

std::string safetensorsName(DType dtype)
{
    for (const auto& [known, text] : kNames) {
        if (known == dtype) return text;
    }
    return {};
}

Result<void> writeSafetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors, const SafetensorsMetadata& metadata)
{
    std::vector<const TensorToWrite*> sorted;
    for (const TensorToWrite& tensor : tensors) {
        if (safetensorsName(tensor.dtype).empty()) return blobError(path, "the dtype cannot be stored", tensor.name);
        sorted.push_back(&tensor);
    }
    std::sort(sorted.begin(), sorted.end(), [](const TensorToWrite* a, const TensorToWrite* b) {
        const std::size_t rankA = safetensorsRank(safetensorsName(a->dtype));
        const std::size_t rankB = safetensorsRank(safetensorsName(b->dtype));
        return rankA != rankB ? rankA > rankB : a->name < b->name;
    });
    const auto header = headerFor(path, sorted, metadata);
    if (!header) return header.error();

    std::error_code code;
    std::filesystem::create_directories(path.parent_path(), code);
    if (code && !path.parent_path().empty()) return systemError(path.parent_path(), "the folder cannot be made", code.value());
    auto file = TemporaryFile::create(path);
    if (!file) return file.error();
    std::string length(kLengthBytes, '\0');
    for (std::size_t i = 0; i < length.size(); ++i) length[i] = static_cast<char>(header->size() >> (8U * i) & 0xFFU);
    if (auto written = file->write(length + *header); !written) return written;
    for (const TensorToWrite* tensor : sorted) {
        const std::string_view bytes(reinterpret_cast<const char*>(tensor->data.data()), tensor->data.size());
        if (auto written = file->write(bytes); !written) return written;
    }
    return file->commit(TemporaryFile::Existing::Refuse);
}

Result<std::filesystem::path> resolveBlobPath(const std::filesystem::path& root, const std::string& path)
{
    auto resolved = resolveContained(root, path);
    if (resolved || resolved.error().field.empty()) return resolved;
    Error error = resolved.error();
    error.reason = "the blob path '" + toValidUtf8(path) + "' " + error.reason;
    return error;
}

std::vector<std::filesystem::path> blobRoots(const std::filesystem::path& problemFolder, const std::filesystem::path& root)
{
    std::vector<std::filesystem::path> roots{problemFolder};
    if (root != problemFolder) roots.push_back(root);
    if (const char* folder = std::getenv("FLASHINFER_TRACE_DIR"); folder != nullptr && *folder != '\0') roots.emplace_back(folder);
    return roots;
}

Result<std::filesystem::path> findBlob(const std::vector<std::filesystem::path>& roots, const std::string& path)
{
    std::optional<Error> refused;
    bool isInside = false;
    std::string searched;
    for (const std::filesystem::path& root : roots) {
        std::string rest = path;
        while (!rest.empty()) {
            const auto resolved = resolveBlobPath(root, rest);
            std::error_code code;
            if (resolved && std::filesystem::exists(*resolved, code)) return resolved;
            // Only the whole path says where it means to lead.
            if (rest.size() == path.size()) {
                if (!resolved) {
                    refused = resolved.error();
                    break;
                }
                isInside = true;
            }
            const std::size_t slash = std::filesystem::path(path).is_absolute() ? std::string::npos : rest.find('/');
            rest = slash == std::string::npos ? std::string() : rest.substr(slash + 1);
        }
        searched += (searched.empty() ? "" : ", ") + toValidUtf8(root.string());
    }
    if (!isInside && refused) return *refused;
    return Error{ErrorCode::NotFound,
                 "the blob '" + toValidUtf8(path) + "' is not there; it was looked for in " + searched + " (FLASHINFER_TRACE_DIR adds a folder)",
                 {}, 0, "path"};
}

}  // namespace tracedeck
