// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tensor_summary.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>

namespace tracedeck {

namespace {

/// Bytes that are read at once; a multiple of every element's size.
constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 20U;

template <class Number>
Number load(const std::byte* at)
{
    static_assert(std::endian::native == std::endian::little);   // as the format is
    Number value{};
    std::memcpy(&value, at, sizeof value);
    return value;
}

template <class Number>
void decodeNumbers(std::span<const std::byte> bytes, std::vector<double>& values)
{
    for (std::size_t at = 0; at + sizeof(Number) <= bytes.size(); at += sizeof(Number)) values.push_back(static_cast<double>(load<Number>(bytes.data() + at)));
}

/// A floating-point number of a few bits: sign, exponent, mantissa. `hasInfinity`: an exponent of ones means infinity and NaN, as in
/// IEEE 754; else only all ones is NaN when `hasNan`.
double smallFloat(unsigned bits, int exponentBits, int mantissaBits, bool hasInfinity, bool hasNan)
{
    const unsigned mantissaMask = (1U << static_cast<unsigned>(mantissaBits)) - 1U;
    const unsigned exponentMask = (1U << static_cast<unsigned>(exponentBits)) - 1U;
    const unsigned mantissa = bits & mantissaMask;
    const unsigned exponent = (bits >> static_cast<unsigned>(mantissaBits)) & exponentMask;
    const bool isNegative = ((bits >> static_cast<unsigned>(mantissaBits + exponentBits)) & 1U) != 0;
    const int bias = (1 << (exponentBits - 1)) - 1;
    double value = 0;
    if (exponent == exponentMask && hasInfinity) {
        value = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    } else if (exponent == exponentMask && mantissa == mantissaMask && hasNan) {
        value = std::numeric_limits<double>::quiet_NaN();
    } else if (exponent == 0) {
        value = std::ldexp(static_cast<double>(mantissa), 1 - bias - mantissaBits);
    } else {
        value = std::ldexp(static_cast<double>(mantissa | (mantissaMask + 1U)), static_cast<int>(exponent) - bias - mantissaBits);
    }
    return isNegative ? -value : value;
}

using Decode = std::function<void(std::span<const std::byte>, std::vector<double>&)>;

/// A table of all values of one byte.
Decode byteTable(int exponentBits, int mantissaBits, bool hasInfinity)
{
    std::array<double, 256> table{};
    for (unsigned i = 0; i < table.size(); ++i) table[i] = smallFloat(i, exponentBits, mantissaBits, hasInfinity, true);
    return [table](std::span<const std::byte> bytes, std::vector<double>& values) {
        for (const std::byte byte : bytes) values.push_back(table[std::to_integer<unsigned>(byte)]);
    };
}

Decode decoderOf(const std::string& dtype)
{
    if (dtype == "F64") return decodeNumbers<double>;
    if (dtype == "F32") return decodeNumbers<float>;
    if (dtype == "I64") return decodeNumbers<std::int64_t>;
    if (dtype == "U64") return decodeNumbers<std::uint64_t>;
    if (dtype == "I32") return decodeNumbers<std::int32_t>;
    if (dtype == "U32") return decodeNumbers<std::uint32_t>;
    if (dtype == "I16") return decodeNumbers<std::int16_t>;
    if (dtype == "U16") return decodeNumbers<std::uint16_t>;
    if (dtype == "I8") return decodeNumbers<std::int8_t>;
    if (dtype == "U8" || dtype == "BOOL") return decodeNumbers<std::uint8_t>;
    if (dtype == "F8_E4M3") return byteTable(4, 3, false);
    if (dtype == "F8_E5M2") return byteTable(5, 2, true);
    if (dtype == "F16") {
        return [](std::span<const std::byte> bytes, std::vector<double>& values) {
            for (std::size_t at = 0; at + 2 <= bytes.size(); at += 2) values.push_back(smallFloat(load<std::uint16_t>(bytes.data() + at), 5, 10, true, true));
        };
    }
    if (dtype == "BF16") {
        return [](std::span<const std::byte> bytes, std::vector<double>& values) {
            for (std::size_t at = 0; at + 2 <= bytes.size(); at += 2) {
                values.push_back(static_cast<double>(std::bit_cast<float>(std::uint32_t{load<std::uint16_t>(bytes.data() + at)} << 16U)));
            }
        };
    }
    if (dtype == "F4") {   // two a byte, the first in the lower half
        return [](std::span<const std::byte> bytes, std::vector<double>& values) {
            for (const std::byte byte : bytes) {
                values.push_back(smallFloat(std::to_integer<unsigned>(byte) & 15U, 2, 1, false, false));
                values.push_back(smallFloat(std::to_integer<unsigned>(byte) >> 4U, 2, 1, false, false));
            }
        };
    }
    return {};
}

/// Calls `take` with the values of one piece after the other.
Result<void> eachPiece(const SafetensorsFile& file, const SafetensorsEntry& entry, const Decode& decode, const std::stop_token& stop,
                       const std::function<void(const std::vector<double>&)>& take)
{
    std::vector<std::byte> bytes;
    std::vector<double> values;
    const std::uint64_t size = entry.end - entry.begin;
    for (std::uint64_t offset = 0; offset < size; offset += kPieceBytes) {
        if (stop.stop_requested()) return Error{ErrorCode::Cancelled, "reading the tensor was cancelled", {}, 0, {}};
        bytes.resize(static_cast<std::size_t>(std::min(kPieceBytes, size - offset)));
        if (auto read = file.readPart(entry, offset, bytes); !read) return read;
        values.clear();
        decode(bytes, values);
        take(values);
    }
    return {};
}

}  // namespace

bool canSummarise(const std::string& dtype)
{
    return static_cast<bool>(decoderOf(dtype));
}

Result<TensorSummary> summariseTensor(const SafetensorsFile& file, const SafetensorsEntry& entry, const std::stop_token& stop)
{
    const Decode decode = decoderOf(entry.dtype);
    if (!decode) return Error{ErrorCode::Unsupported, "values of the dtype " + entry.dtype + " cannot be shown", {}, 0, entry.name};
    TensorSummary summary;
    double scatter = 0;   // sum of squared distances from the mean so far (Welford)
    const auto first = eachPiece(file, entry, decode, stop, [&](const std::vector<double>& values) {
        for (const double value : values) {
            if (summary.firstValues.size() < TensorSummary::kMostFirstValues) summary.firstValues.push_back(value);
            ++summary.elements;
            if (std::isnan(value)) {
                ++summary.nan;
                continue;
            }
            if (std::isinf(value)) {
                ++summary.infinite;
                continue;
            }
            if (value == 0) ++summary.zeros;
            summary.minimum = summary.finite == 0 ? value : std::min(summary.minimum, value);
            summary.maximum = summary.finite == 0 ? value : std::max(summary.maximum, value);
            ++summary.finite;
            const double before = value - summary.mean;
            summary.mean += before / static_cast<double>(summary.finite);
            scatter += before * (value - summary.mean);
        }
    });
    if (!first) return first.error();
    if (summary.finite == 0) return summary;
    summary.deviation = std::sqrt(scatter / static_cast<double>(summary.finite));
    // Halves, as the range of float64 may be beyond what a float64 holds.
    const double halfRange = summary.maximum / 2 - summary.minimum / 2;
    const auto second = eachPiece(file, entry, decode, stop, [&](const std::vector<double>& values) {
        for (const double value : values) {
            if (!std::isfinite(value)) continue;
            const double share = halfRange > 0 ? (value / 2 - summary.minimum / 2) / halfRange : 0;
            const double bin = std::clamp(share * static_cast<double>(TensorSummary::kBins), 0.0, static_cast<double>(TensorSummary::kBins - 1));
            ++summary.histogram[static_cast<std::size_t>(bin)];
        }
    });
    if (!second) return second.error();
    return summary;
}

}  // namespace tracedeck
