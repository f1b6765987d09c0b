// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/plain_number.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>

namespace tracedeck {

namespace {

__extension__ typedef unsigned __int128 Wide;

/// More digits than these leave the codec to say what the number is.
constexpr std::ptrdiff_t kMostDigitsOfAnInteger = 15;
/// Every number of so many digits fits 64 bits.
constexpr std::ptrdiff_t kMostDigits = 19;
/// 5^27 is the largest power of five below 2^64.
constexpr int kMostDivisions = 27;
/// 10^22 is the largest power of ten that is a double, 2^53 the largest integer up to which every one is.
constexpr int kMostExactPower = 22;
constexpr std::uint64_t kMostExactInteger = std::uint64_t{1} << 53U;

constexpr std::array<double, kMostExactPower + 1> kPowersOfTen{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// 5^k, moved left until its top bit is set, and what multiplies instead of dividing by it.
struct Divisor {
    std::uint64_t value = 0;
    int moved = 0;
    std::uint64_t inverse = 0;   ///< 2^127 / value, rounded down
};

constexpr std::array<Divisor, kMostDivisions + 1> makeDivisors()
{
    std::array<Divisor, kMostDivisions + 1> divisors{};
    std::uint64_t power = 1;
    for (std::size_t k = 1; k < divisors.size(); ++k) {
        power *= 5;
        divisors[k].moved = std::countl_zero(power);
        divisors[k].value = power << static_cast<unsigned>(divisors[k].moved);
        divisors[k].inverse = static_cast<std::uint64_t>((Wide{1} << 127U) / divisors[k].value);
    }
    return divisors;
}
constexpr std::array<Divisor, kMostDivisions + 1> kDivisors = makeDivisors();

double powerOfTwo(int exponent)
{
    return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52U);
}

/// digits / 10^k, rounded once, to the nearest double (of two equally near ones the even one). digits > 0, 0 < k ≤ 27.
double quotient(std::uint64_t digits, int k)
{
    const Divisor& divisor = kDivisors[static_cast<std::size_t>(k)];
    const int moved = std::countl_zero(digits);
    const std::uint64_t dividend = digits << static_cast<unsigned>(moved);
    // Both in [2^63, 2^64). Their quotient in units of 2^-62 lies in (2^61, 2^63): 9 or 10 bits more than a double has.
    const int exponent = divisor.moved - moved - k - 62;
    // The inverse is rounded down, and so is the product: the estimate is too small, by less than 2.
    const auto estimate = static_cast<std::uint64_t>((Wide{dividend} * divisor.inverse) >> 65U);
    const std::uint64_t half = std::uint64_t{256} << (estimate >> 62U);   // of the unit of a double
    std::uint64_t exact = estimate | 1;   // as more follows, whatever it is
    // With the error added, it must round as it does without: it must not reach or leave the middle, nor reach the next unit.
    if (((estimate + 1) & (half - 1)) <= 1) {
        const Wide scaled = Wide{dividend} << 62U;
        exact = static_cast<std::uint64_t>(scaled / divisor.value);
        if (scaled != Wide{exact} * divisor.value) exact |= 1;
    }
    // The conversion rounds; multiplying by a power of two within the range of a double changes nothing.
    return static_cast<double>(static_cast<std::int64_t>(exact)) * powerOfTwo(exponent);
}

/// The number that eight digits are, each the value of its byte; the first one is in the lowest byte.
std::uint64_t valueOfDigits(std::uint64_t digits)
{
    digits = digits * 10 + (digits >> 8U);   // every other byte: two digits
    constexpr std::uint64_t kPairs = 0x000000FF000000FF;
    return ((digits & kPairs) * (100 + (std::uint64_t{1'000'000} << 32U)) + ((digits >> 16U) & kPairs) * (1 + (std::uint64_t{10'000} << 32U))) >> 32U;
}

constexpr std::array<std::uint64_t, 8> kScales{1, 10, 100, 1000, 10'000, 100'000, 1'000'000, 10'000'000};

/// Passes over digits and adds them to a number, which is right as long as it has at most kMostDigits. Without a branch for
/// each digit: where a number ends cannot be foreseen, and each wrong guess costs as much as reading eight of them. May pass
/// over digits behind the end, but less than eight.
[[gnu::always_inline]] inline const char* passDigits(const char* at, const char* end, std::uint64_t& value)
{
    static_assert(std::endian::native == std::endian::little);
    while (at < end) {
        std::uint64_t digits = 0;
        std::memcpy(&digits, at, 8);
        digits ^= 0x3030303030303030;   // '0' to '9' become 0 to 9
        // Top bits of bytes above 9; a carry out of such a byte can only reach those behind it.
        const std::uint64_t others = ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
        if (others != 0) {
            const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
            value = value * kScales[count] + valueOfDigits(digits << (8 * (7 - count)) << 8U);
            return at + count;
        }
        value = value * 100'000'000 + valueOfDigits(digits);
        at += 8;
    }
    return at;
}

/// How many zeros stand at `at`; 8 when there are more. Eight bytes must be readable.
std::ptrdiff_t zerosAt(const char* at)
{
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, at, 8);
    return std::countr_zero(bytes ^ 0x3030303030303030) / 8;
}

}  // namespace

const char* readPlainNumber(const char* at, const char* end, double& number)
{
    const char* const start = at;
    std::uint64_t digits = 0;
    if (end - at > 1 && at[1] == '.' && *at >= '0' && *at <= '9') {   // most numbers have one digit there
        digits = static_cast<std::uint64_t>(*at - '0');
        ++at;
    } else {
        at = passDigits(at, end, digits);
    }
    std::ptrdiff_t count = at - start;   // without zeros at the start, once it is known that they are good there
    if (count == 0 || (*start == '0' && count > 1)) return nullptr;
    bool isInteger = true;
    std::ptrdiff_t exponent = 0;
    if (at < end && *at == '.') {
        isInteger = false;
        const char* const first = ++at;
        at = passDigits(at, end, digits);
        if (at == first) return nullptr;
        exponent = first - at;
        count = at - first + (*start == '0' ? -zerosAt(first) : count);
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        isInteger = false;
        const bool isNegative = ++at < end && *at == '-';
        if (at < end && (*at == '+' || *at == '-')) ++at;
        std::ptrdiff_t written = 0;
        const char* const first = at;
        // What is larger than this is of no use below.
        for (; at < end && *at >= '0' && *at <= '9'; ++at) written = std::min<std::ptrdiff_t>(written * 10 + (*at - '0'), 9999);
        if (at == first) return nullptr;
        exponent += isNegative ? -written : written;
    }
    if (at > end) return nullptr;   // digits stand behind it: where it ends, the caller knows better
    if (isInteger && count > kMostDigitsOfAnInteger) return nullptr;
    if (count <= kMostDigits) {
        if (digits == 0) {
            number = 0;
            return at;
        }
        if (exponent < 0 && exponent >= -kMostDivisions) {
            number = quotient(digits, static_cast<int>(-exponent));
            return at;
        }
        if (exponent >= 0 && exponent <= kMostExactPower && digits <= kMostExactInteger) {
            number = static_cast<double>(digits) * kPowersOfTen[static_cast<std::size_t>(exponent)];
            return at;
        }
    }
    const auto parsed = std::from_chars(start, at, number);
    return parsed.ec == std::errc{} && parsed.ptr == at ? at : nullptr;
}

}  // namespace tracedeck
