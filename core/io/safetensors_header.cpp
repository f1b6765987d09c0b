// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/safetensors_header.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "core/io/json_parse.h"

namespace tracedeck {

namespace {

constexpr std::size_t kMaximumRank = 64;
constexpr std::size_t kMaximumNesting = 127;
/// Half a million tensors have fewer. Keeps a header of 100 MB from taking many times that in memory.
constexpr std::size_t kMaximumValues = std::size_t{1} << 22U;

/// (name, bits) in ascending rank.
constexpr std::array<std::pair<std::string_view, std::uint64_t>, 22> kDTypes{
    {{"BOOL", 8},   {"F4", 4},      {"F6_E2M3", 6},     {"F6_E3M2", 6},     {"U8", 8},   {"I8", 8},
     {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8},     {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"I16", 16},
     {"U16", 16},   {"F16", 16},    {"BF16", 16},       {"I32", 32},        {"U32", 32}, {"F32", 32},
     {"C64", 64},   {"F64", 64},    {"I64", 64},        {"U64", 64}}};

auto findDType(std::string_view name)
{
    return std::find_if(kDTypes.begin(), kDTypes.end(), [&](const auto& dtype) { return dtype.first == name; });
}

Error invalid(std::string reason, const std::string& tensor = {})
{
    return Error{ErrorCode::InvalidInput, std::move(reason), {}, 0, tensor};
}

std::optional<std::uint64_t> plainInteger(const Json& value)
{
    if (!value.is_number_unsigned()) return std::nullopt;
    return value.get<std::uint64_t>();
}

Result<SafetensorsEntry> readEntry(const std::string& name, const Json& json)
{
    SafetensorsEntry entry;
    entry.name = name;
    if (!json.is_object()) return invalid("invalid JSON: the entry is not an object", name);
    const auto dtype = json.find("dtype");
    if (dtype == json.end() || !dtype->is_string()) return invalid("invalid JSON: the entry has no dtype", name);
    entry.dtype = dtype->get<std::string>();
    if (!safetensorsBits(entry.dtype)) return invalid("invalid JSON: unknown dtype '" + entry.dtype + "'", name);
    const auto shape = json.find("shape");
    if (shape == json.end() || !shape->is_array()) return invalid("invalid JSON: the entry has no shape", name);
    if (shape->size() > kMaximumRank) return invalid("the shape has more than 64 dimensions", name);
    for (const Json& element : *shape) {
        const auto dimension = plainInteger(element);
        if (!dimension) return invalid("invalid JSON: a dimension is not a plain integer of at least 0", name);
        if (*dimension > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            return invalid("overflow: a dimension does not fit in 63 bits", name);
        }
        entry.shape.push_back(static_cast<std::int64_t>(*dimension));
    }
    const auto offsets = json.find("data_offsets");
    if (offsets == json.end() || !offsets->is_array() || offsets->size() != 2) {
        return invalid("invalid JSON: data_offsets must be two integers", name);
    }
    const auto begin = plainInteger((*offsets)[0]);
    const auto end = plainInteger((*offsets)[1]);
    if (!begin || !end) return invalid("invalid JSON: data_offsets must be two plain integers of at least 0", name);
    entry.begin = *begin;
    entry.end = *end;
    return entry;
}

Result<void> readMetadata(const Json& json, SafetensorsMetadata& metadata)
{
    if (json.is_null()) return {};
    if (!json.is_object()) return invalid("invalid JSON: the metadata is not an object", "__metadata__");
    for (const auto& [key, value] : json.items()) {
        if (!value.is_string()) return invalid("invalid JSON: the metadata value '" + key + "' is not a string", "__metadata__");
        metadata[key] = value.get<std::string>();
    }
    return {};
}

/// Rules 8 to 10.
Result<void> checkSize(const SafetensorsEntry& entry)
{
    constexpr std::uint64_t kMaximum = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t bits = 1;
    const auto multiply = [&bits](std::uint64_t factor) {
        if (factor != 0 && bits > kMaximum / factor) return false;
        bits *= factor;
        return true;
    };
    for (const std::int64_t dimension : entry.shape) {
        if (!multiply(static_cast<std::uint64_t>(dimension))) return invalid("overflow: the shape has too many elements", entry.name);
    }
    if (!multiply(*safetensorsBits(entry.dtype))) return invalid("overflow: the shape has too many elements", entry.name);
    if (bits % 8 != 0) return invalid("misaligned: the elements do not fill whole bytes", entry.name);
    if (entry.end - entry.begin != bits / 8) {
        return invalid("size mismatch: shape and dtype need " + std::to_string(bits / 8) + " bytes, the offsets give " +
                           std::to_string(entry.end - entry.begin),
                       entry.name);
    }
    return {};
}

Result<void> checkLayout(const std::vector<SafetensorsEntry>& entries, std::uint64_t dataBytes)
{
    std::vector<const SafetensorsEntry*> sorted;
    sorted.reserve(entries.size());
    for (const SafetensorsEntry& entry : entries) sorted.push_back(&entry);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
        return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
    });
    std::uint64_t position = 0;
    for (const SafetensorsEntry* entry : sorted) {
        if (entry->begin != position || entry->end < entry->begin) {
            return invalid("invalid offset: expected the tensor to begin at byte " + std::to_string(position) + ", got " +
                               std::to_string(entry->begin) + " to " + std::to_string(entry->end),
                           entry->name);
        }
        position = entry->end;
        if (auto checked = checkSize(*entry); !checked) return checked;
    }
    if (position != dataBytes) {
        return invalid("incomplete buffer: the tensors need " + std::to_string(position) + " data bytes, the file has " +
                       std::to_string(dataBytes));
    }
    return {};
}

}  // namespace

std::optional<std::uint64_t> safetensorsBits(std::string_view dtype)
{
    const auto* found = findDType(dtype);
    return found == kDTypes.end() ? std::nullopt : std::optional(found->second);
}

std::size_t safetensorsRank(std::string_view dtype)
{
    return static_cast<std::size_t>(findDType(dtype) - kDTypes.begin());
}

Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view header, std::uint64_t dataBytes)
{
    if (!simdjson::validate_utf8(header.data(), header.size())) return invalid("invalid header: it is not UTF-8");
    const auto json = parseJsonText(header, JsonRules{kMaximumNesting, false, false, kMaximumValues});
    if (!json) return invalid("invalid JSON in the header: " + json.error().reason);
    const auto* members = json->get_ptr<const Json::object_t*>();
    if (members == nullptr) return invalid("invalid JSON in the header: it is not an object");
    SafetensorsHeader read;
    read.entries.reserve(members->size());
    for (const auto& [name, value] : *members) {
        if (name == "__metadata__") {
            if (auto checked = readMetadata(value, read.metadata); !checked) return checked.error();
            continue;
        }
        auto entry = readEntry(name, value);
        if (!entry) return entry.error();
        read.entries.push_back(std::move(*entry));
    }
    if (auto checked = checkLayout(read.entries, dataBytes); !checked) return checked.error();
    return read;
}

}  // namespace tracedeck
