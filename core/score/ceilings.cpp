// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/score/ceilings.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <system_error>

#include <fmt/format.h>

#include "core/io/json_parse.h"
#include "core/io/read_file.h"
#include "core/io/trace_writer.h"

namespace tracedeck {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = 4U << 20U;
constexpr double kGiga = 1e9;
constexpr double kTera = 1e12;
constexpr double kMicrosecondsInMillisecond = 1e3;

/// Of a data sheet: GB/s, TFLOP/s of float16 and bfloat16, of TF32 (which bounds float32: a definition does not forbid it), of float8 and int8.
Ceilings sheet(const char* name, double memory, double half, double tensor32, double eight)
{
    Ceilings ceilings{.name = name, .peaks = {}, .source = "data sheet"};
    ceilings.peaks.memoryBytesPerSecond = memory * kGiga;
    ceilings.peaks.operationsPerSecond = {{DType::Float16, half * kTera}, {DType::BFloat16, half * kTera}, {DType::Float32, tensor32 * kTera}};
    if (eight > 0) {
        for (const DType dtype : {DType::Float8E4M3FN, DType::Float8E5M2, DType::Int8}) ceilings.peaks.operationsPerSecond[dtype] = eight * kTera;
    }
    return ceilings;
}

Error fieldError(const fs::path& file, std::string field, std::string reason)
{
    return {ErrorCode::InvalidInput, std::move(reason), file.string(), 0, std::move(field)};
}

/// A number above 0 under `key`; nothing when there is none. Error: something else is there.
Result<std::optional<double>> positiveMember(const Json& object, const char* key, const fs::path& file, const std::string& place)
{
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return std::optional<double>();
    const double value = found->is_number() ? found->get<double>() : 0;
    if (!(value > 0) || !std::isfinite(value)) return fieldError(file, place + "." + key, "must be a number greater than 0");
    return std::optional(value);
}

Result<Ceilings> readEntry(const Json& entry, const fs::path& file, const std::string& place)
{
    if (!entry.is_object()) return fieldError(file, place, "must be an object");
    Ceilings ceilings{.name = textMember(entry, "name"), .peaks = {}, .source = textMember(entry, "source")};
    if (ceilings.name.empty()) return fieldError(file, place + ".name", "must be the hardware's name as traces have it, or a part of it");
    if (ceilings.source.empty()) ceilings.source = file.filename().string();
    const auto memory = positiveMember(entry, "memory_gb_per_s", file, place);
    if (!memory) return memory.error();
    ceilings.peaks.memoryBytesPerSecond = memory->value_or(0) * kGiga;
    const auto launch = positiveMember(entry, "launch_us", file, place);
    if (!launch) return launch.error();
    if (*launch) ceilings.launchMs = **launch / kMicrosecondsInMillisecond;
    if (const auto rates = entry.find("tflops"); rates != entry.end()) {
        if (!rates->is_object()) return fieldError(file, place + ".tflops", "must be an object: dtype → number");
        for (const auto& [name, unused] : rates->items()) {
            const auto dtype = dtypeFromString(name);
            if (!dtype) return fieldError(file, place + ".tflops." + name, "is no dtype of the format");
            const auto rate = positiveMember(*rates, name.c_str(), file, place + ".tflops");
            if (!rate) return rate.error();
            if (*rate) ceilings.peaks.operationsPerSecond[*dtype] = **rate * kTera;
        }
    }
    return ceilings;
}

/// What is 0 is not known, and left out.
Json ceilingsJson(const Ceilings& entry)
{
    Json rates = Json::object();
    for (const auto& [dtype, rate] : entry.peaks.operationsPerSecond) {
        if (rate > 0) rates[std::string(toString(dtype))] = rate / kTera;
    }
    Json json = {{"name", entry.name}};
    if (entry.peaks.memoryBytesPerSecond > 0) json["memory_gb_per_s"] = entry.peaks.memoryBytesPerSecond / kGiga;
    json["tflops"] = std::move(rates);
    json["launch_us"] = entry.launchMs * kMicrosecondsInMillisecond;
    json["source"] = entry.source;
    return json;
}

/// Whether the name stands in the text as words of its own: "L4" is not in "NVIDIA L40S".
bool holdsWords(std::string_view text, std::string_view name)
{
    const auto isWord = [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; };
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !isWord(text[at - 1]) || !isWord(name.front())) && (end == text.size() || !isWord(text[end]) || !isWord(name.back()))) return true;
    }
    return false;
}

}  // namespace

const CeilingTable& CeilingTable::dataSheets()
{
    static const CeilingTable kTable = [] {
        CeilingTable table;
        table.m_entries = {
            sheet("A100-SXM4-40GB", 1555, 312, 156, 0),    sheet("A100-PCIE-40GB", 1555, 312, 156, 0), sheet("A100-SXM4-80GB", 2039, 312, 156, 0),
            sheet("A100 80GB PCIe", 1935, 312, 156, 0),    sheet("H100 80GB HBM3", 3352, 989.4, 494.7, 1978.9),
            sheet("H100 PCIe", 2039, 756, 378, 1513),      sheet("H100 NVL", 3938, 835.5, 417.5, 1671), sheet("H200", 4800, 989.4, 494.7, 1978.9),
            sheet("GH200 480GB", 4000, 989.4, 494.7, 1978.9), sheet("B200", 8000, 2250, 1125, 4500),   sheet("L40S", 864, 362, 183, 733),
            sheet("L4", 300, 121, 60, 242),
        };
        return table;
    }();
    return kTable;
}

Result<std::vector<Ceilings>> readCeilings(const fs::path& file)
{
    std::vector<Ceilings> entries;
    if (file.empty()) return entries;
    const auto read = readJsonFile(file, kMostBytes);
    if (!read) return read.error();
    if (!*read) return entries;
    const Json& document = **read;
    const auto list = document.is_object() ? document.find("gpus") : document.end();
    if (!document.is_object() || list == document.end() || !list->is_array()) return fieldError(file, "gpus", "must be a list of GPUs: {\"gpus\": [{\"name\": …, \"memory_gb_per_s\": …, \"tflops\": {…}}]}");
    for (std::size_t i = 0; i < list->size(); ++i) {
        auto entry = readEntry((*list)[i], file, fmt::format("gpus[{}]", i));
        if (!entry) return entry.error();
        entries.push_back(*std::move(entry));
    }
    return entries;
}

Result<void> writeCeilings(const fs::path& file, const std::vector<Ceilings>& entries)
{
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Ceilings& entry = entries[i];
        const std::string place = fmt::format("gpus[{}]", i);
        const auto isRate = [](double value) { return value >= 0 && std::isfinite(value); };
        if (entry.name.empty()) return fieldError(file, place + ".name", "must be the hardware's name as traces have it, or a part of it");
        if (std::any_of(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(i), [&](const Ceilings& other) { return other.name == entry.name; })) return fieldError(file, place + ".name", fmt::format("'{}' is there twice", entry.name));
        if (!isRate(entry.peaks.memoryBytesPerSecond)) return fieldError(file, place + ".memory_gb_per_s", "must be a number greater than 0");
        if (!(entry.launchMs > 0) || !std::isfinite(entry.launchMs)) return fieldError(file, place + ".launch_us", "must be a number greater than 0");
        for (const auto& [dtype, rate] : entry.peaks.operationsPerSecond) {
            if (!isRate(rate)) return fieldError(file, place + ".tflops." + std::string(toString(dtype)), "must be a number greater than 0");
        }
    }
    std::error_code failure;
    if (entries.empty()) {
        fs::remove(file, failure);
        return failure ? Result<void>(systemError(file, "could not remove the file", failure.value())) : Result<void>();
    }
    fs::create_directories(file.parent_path(), failure);
    if (failure) return systemError(file.parent_path(), "could not make the folder", failure.value());
    Json gpus = Json::array();
    for (const Ceilings& entry : entries) gpus.push_back(ceilingsJson(entry));
    return writeFileAtomically(file, Json{{"gpus", std::move(gpus)}}.dump(2) + "\n");
}

Result<CeilingTable> CeilingTable::read(const fs::path& file)
{
    CeilingTable table = dataSheets();
    auto own = readCeilings(file);
    if (!own) return own.error();
    for (Ceilings& entry : *own) {
        std::erase_if(table.m_entries, [&](const Ceilings& other) { return other.name == entry.name; });
        table.m_entries.push_back(std::move(entry));
    }
    return table;
}

const Ceilings* CeilingTable::find(std::string_view hardware) const
{
    const Ceilings* best = nullptr;
    for (const Ceilings& entry : m_entries) {
        if (holdsWords(hardware, entry.name) && (best == nullptr || entry.name.size() > best->name.size())) best = &entry;
    }
    return best;
}

Json CeilingTable::document() const
{
    Json gpus = Json::array();
    for (const Ceilings& entry : m_entries) gpus.push_back(ceilingsJson(entry));
    return {{"gpus", std::move(gpus)}};
}

}  // namespace tracedeck
