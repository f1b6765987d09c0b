// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/number_formats.h"

#include <array>
#include <cassert>
#include <cstring>

namespace tracedeck::judge {

namespace {

template <class Element, class Convert>
void decodeEach(std::span<const std::byte> data, std::size_t first, std::span<float> out, Convert convert)
{
    assert((first + out.size()) * sizeof(Element) <= data.size());
    const std::byte* source = data.data() + first * sizeof(Element);
    for (std::size_t i = 0; i < out.size(); ++i) {
        Element element;
        std::memcpy(&element, source + i * sizeof(Element), sizeof(Element));
        out[i] = convert(element);
    }
}

template <class Element, class Convert>
void encodeEach(std::span<const float> values, std::size_t first, std::span<std::byte> data, Convert convert)
{
    assert((first + values.size()) * sizeof(Element) <= data.size());
    std::byte* target = data.data() + first * sizeof(Element);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto element = static_cast<Element>(convert(values[i]));
        std::memcpy(target + i * sizeof(Element), &element, sizeof(Element));
    }
}

template <class Format>
const std::array<float, 256>& decodeTable()
{
    static const std::array<float, 256> table = [] {
        std::array<float, 256> values{};
        for (std::uint32_t code = 0; code < 256; ++code) {
            values[code] = Format::decode(code);
        }
        return values;
    }();
    return table;
}

}  // namespace

float decodeFloat4(std::uint8_t code)
{
    static constexpr std::array<float, 8> kMagnitudes{0.0F, 0.5F, 1.0F, 1.5F, 2.0F, 3.0F, 4.0F, 6.0F};
    const float magnitude = kMagnitudes[code & 7U];
    return (code & 8U) != 0 ? -magnitude : magnitude;
}

void decodeToFloat(DType dtype, std::span<const std::byte> data, std::size_t first, std::span<float> out)
{
    switch (dtype) {
    case DType::Float32: std::memcpy(out.data(), data.data() + first * sizeof(float), out.size_bytes()); return;
    case DType::Float16:
        return decodeEach<std::uint16_t>(data, first, out, [](std::uint16_t code) { return Float16::decode(code); });
    case DType::BFloat16:
        return decodeEach<std::uint16_t>(data, first, out, [](std::uint16_t code) { return decodeBFloat16(code); });
    case DType::Float8E4M3FN: {
        const auto& table = decodeTable<Float8E4M3>();
        return decodeEach<std::uint8_t>(data, first, out, [&table](std::uint8_t code) { return table[code]; });
    }
    case DType::Float8E5M2: {
        const auto& table = decodeTable<Float8E5M2>();
        return decodeEach<std::uint8_t>(data, first, out, [&table](std::uint8_t code) { return table[code]; });
    }
    case DType::Float4E2M1:
        for (std::size_t i = 0; i < out.size(); ++i) {
            const auto pair = std::to_integer<std::uint8_t>(data[(first + i) / 2]);
            out[i] = decodeFloat4(static_cast<std::uint8_t>((first + i) % 2 == 0 ? pair & 15U : pair >> 4));
        }
        return;
    case DType::Int64:
        return decodeEach<std::int64_t>(data, first, out, [](std::int64_t value) { return static_cast<float>(value); });
    case DType::Int32:
        return decodeEach<std::int32_t>(data, first, out, [](std::int32_t value) { return static_cast<float>(value); });
    case DType::Int16:
        return decodeEach<std::int16_t>(data, first, out, [](std::int16_t value) { return static_cast<float>(value); });
    case DType::Int8:
        return decodeEach<std::int8_t>(data, first, out, [](std::int8_t value) { return static_cast<float>(value); });
    case DType::Bool:
        return decodeEach<std::uint8_t>(data, first, out, [](std::uint8_t value) { return value != 0 ? 1.0F : 0.0F; });
    case DType::Float64:
    case DType::Float4E2M1FNx2:
    case DType::Unknown: assert(false && "no buffer has a dtype that cannot be run"); return;
    }
}

void encodeFromFloat(DType dtype, std::span<const float> values, std::size_t first, std::span<std::byte> data)
{
    switch (dtype) {
    case DType::Float32: std::memcpy(data.data() + first * sizeof(float), values.data(), values.size_bytes()); return;
    case DType::Float16: return encodeEach<std::uint16_t>(values, first, data, [](float value) { return Float16::encode(value); });
    case DType::BFloat16: return encodeEach<std::uint16_t>(values, first, data, [](float value) { return encodeBFloat16(value); });
    case DType::Float8E4M3FN:
        return encodeEach<std::uint8_t>(values, first, data, [](float value) { return Float8E4M3::encode(value); });
    case DType::Float8E5M2:
        return encodeEach<std::uint8_t>(values, first, data, [](float value) { return Float8E5M2::encode(value); });
    default: assert(false && "only floating dtypes are rounded into"); return;
    }
}

std::uint64_t poisonElement(DType dtype, std::uint64_t pattern)
{
    const std::uint64_t sign = pattern >> 63;
    switch (dtype) {
    case DType::Float32: return sign << 31 | 0x7FC00000U | (pattern & 0x003FFFFFU);
    case DType::Float16: return sign << 15 | 0x7E00U | (pattern & 0x01FFU);
    case DType::BFloat16: return sign << 15 | 0x7FC0U | (pattern & 0x003FU);
    case DType::Float8E4M3FN: return sign << 7 | 0x7FU;
    case DType::Float8E5M2: return sign << 7 | 0x7CU | (pattern % 3 + 1);
    case DType::Bool: return 0x82U | (pattern & 0x7CU);
    case DType::Int64: return pattern;
    case DType::Int32: return pattern & 0xFFFFFFFFU;
    case DType::Int16: return pattern & 0xFFFFU;
    case DType::Int8:
    case DType::Float4E2M1:
    case DType::Float64:
    case DType::Float4E2M1FNx2:
    case DType::Unknown: return pattern & 0xFFU;
    }
    return 0;
}

}  // namespace tracedeck::judge
