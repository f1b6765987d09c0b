// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/line_cursor.h"

#include <algorithm>
#include <bit>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <simdjson.h>

namespace tracedeck {

namespace {

bool isHexadecimal(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool isAscii(char c)
{
    return static_cast<unsigned char>(c) < 0x80;
}

/// The end of the bytes above 7F that begin at `at`; nullptr when they are no UTF-8. An ASCII byte is part of no longer
/// sequence: a text is UTF-8 when each such run of it is.
const char* passNonAscii(const char* at, const char* end)
{
    const char* const behind = std::find_if(at, end, isAscii);
    const auto size = static_cast<std::size_t>(behind - at);
    const bool isOneOfTwoBytes = size == 2 && static_cast<unsigned char>(at[0]) >= 0xC2 && static_cast<unsigned char>(at[0]) <= 0xDF &&
                                 static_cast<unsigned char>(at[1]) < 0xC0;
    return isOneOfTwoBytes || simdjson::validate_utf8(at, size) ? behind : nullptr;
}

#if defined(__x86_64__)

/// Which of 64 bytes are what; the first byte has the lowest bit.
struct ByteMasks {
    std::uint64_t quotes = 0;
    std::uint64_t backslashes = 0;
    std::uint64_t others = 0;         ///< control characters, and bytes above 7F
    std::uint64_t shortEscapes = 0;   ///< what may follow a backslash, but for the u of a number
};

/// The top bits of 32 bytes, as those of one half of a block.
__attribute__((target("avx2"))) inline std::uint64_t bitsOf(__m256i bytes, unsigned half)
{
    return std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes))} << (32 * half);
}

__attribute__((target("avx2"))) inline ByteMasks byteMasks(const char* at)
{
    // By the low half of a byte: the one byte with that half which may follow a backslash; b and r are compared by themselves.
    const __m256i escapes = _mm256_setr_epi8(0, 0, '"', 0, 't', 0, 'f', 0, 0, 0, 0, 0, '\\', 0, 'n', '/', 0, 0, '"', 0, 't', 0, 'f', 0, 0, 0, 0, 0, '\\', 0, 'n', '/');
    ByteMasks masks;
    for (unsigned half = 0; half < 2; ++half) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 32 * half));
        const __m256i listed = _mm256_cmpeq_epi8(bytes, _mm256_shuffle_epi8(escapes, bytes));
        const __m256i unlisted = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('b')), _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('r')));
        masks.quotes |= bitsOf(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"')), half);
        masks.backslashes |= bitsOf(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\')), half);
        masks.shortEscapes |= bitsOf(_mm256_or_si256(listed, unlisted), half);
        masks.others |= bitsOf(_mm256_cmpgt_epi8(_mm256_set1_epi8(' '), bytes), half);   // as signed numbers, bytes above 7F are below 0
    }
    return masks;
}

/// Which bytes stand behind a backslash that is not itself behind one. `isCarried`: of the last byte before, and after.
std::uint64_t escapedBytes(std::uint64_t backslashes, std::uint64_t& isCarried)
{
    constexpr std::uint64_t kEven = 0x5555555555555555;
    backslashes &= ~isCarried;
    const std::uint64_t followers = backslashes << 1U | isCarried;
    // Adding the starts of runs lets each carry run to its end: whether that is odd or even tells the length.
    const std::uint64_t oddStarts = backslashes & ~kEven & ~followers;
    const std::uint64_t sums = oddStarts + backslashes;
    isCarried = sums < backslashes ? 1 : 0;
    return (kEven ^ (sums << 1U)) & followers;
}

/// passJsonString by blocks of 64 bytes, nearly without a branch for what is in them: logs are full of escapes.
__attribute__((target("avx2"))) const char* passJsonStringByBlocks(const char* at, const char* end)
{
    std::uint64_t isCarried = 0;
    const char* checked = at;   // up to where bytes above 7F are checked
    for (; at < end; at += 64) {
        const ByteMasks masks = byteMasks(at);
        const std::uint64_t escaped = escapedBytes(masks.backslashes, isCarried);
        const std::uint64_t closing = masks.quotes & ~escaped;
        const std::uint64_t before = closing ^ (closing - 1);   // all up to the closing quote, or all when there is none
        for (std::uint64_t left = escaped & ~masks.shortEscapes & before; left != 0; left &= left - 1) {
            if (escapeSize(at + std::countr_zero(left) - 1, end) == 0) return nullptr;
        }
        for (std::uint64_t left = masks.others & before; left != 0;) {
            const char* const place = at + std::countr_zero(left);
            if (place >= end || isAscii(*place)) return nullptr;   // it does not end, or that is a control character
            if (place >= checked) {
                checked = passNonAscii(place, end);
                if (checked == nullptr) return nullptr;
            }
            const auto passed = static_cast<unsigned>(std::min<std::ptrdiff_t>(checked - at, 64));
            left = passed == 64 ? 0 : left >> passed << passed;
        }
        if (closing != 0) {
            const char* const quote = at + std::countr_zero(closing);
            return quote < end ? quote + 1 : nullptr;
        }
    }
    return nullptr;
}

#endif

}  // namespace

std::size_t escapeSize(const char* at, const char* end)
{
    if (end - at < 2) return 0;
    switch (at[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': return 2;
    case 'u': {
        if (end - at < 6 || !std::all_of(at + 2, at + 6, isHexadecimal)) return 0;
        const bool isSurrogate = (at[2] == 'd' || at[2] == 'D') && at[3] >= '8';
        return isSurrogate ? 0 : 6;
    }
    default: return 0;
    }
}

const char* findSpecial(const char* at, const char* end)
{
#if defined(__x86_64__)
    // The last block may reach beyond the end. As signed numbers, bytes above 7F are below a space, too.
    const auto isSpecial = [](const char* block) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block));
        const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
        return _mm_or_si128(ends, _mm_cmplt_epi8(bytes, _mm_set1_epi8(' ')));
    };
    const auto placeIn = [end](const char* block, int mask) {
        return std::min(block + std::countr_zero(static_cast<unsigned>(mask)), end);
    };
    for (int i = 0; i < 2; ++i, at += 16) {
        if (at >= end) return end;
        if (const int mask = _mm_movemask_epi8(isSpecial(at)); mask != 0) return placeIn(at, mask);
    }
    for (; at < end; at += 64) {
        const __m128i first = isSpecial(at);
        const __m128i second = isSpecial(at + 16);
        const __m128i third = isSpecial(at + 32);
        const __m128i fourth = isSpecial(at + 48);
        if (_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(first, second), _mm_or_si128(third, fourth))) == 0) continue;
        if (const int mask = _mm_movemask_epi8(first); mask != 0) return placeIn(at, mask);
        if (const int mask = _mm_movemask_epi8(second); mask != 0) return placeIn(at + 16, mask);
        if (const int mask = _mm_movemask_epi8(third); mask != 0) return placeIn(at + 32, mask);
        return placeIn(at + 48, _mm_movemask_epi8(fourth));
    }
    return end;
#else
    if constexpr (std::endian::native == std::endian::little) {
        // Eight bytes at once. In each of these words the lowest byte with its top bit set is one that was looked for; a
        // borrow can only set others above it.
        constexpr std::uint64_t kOnes = 0x0101010101010101;
        constexpr std::uint64_t kTops = 0x8080808080808080;
        for (; end - at >= 8; at += 8) {
            std::uint64_t bytes = 0;
            std::memcpy(&bytes, at, 8);
            const std::uint64_t quote = bytes ^ (kOnes * '"');
            const std::uint64_t backslash = bytes ^ (kOnes * '\\');
            const std::uint64_t found = (((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash) | ((bytes - kOnes * ' ') & ~bytes) | bytes) & kTops;
            if (found != 0) return at + std::countr_zero(found) / 8;
        }
    }
    return std::find_if(at, end, [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ' || !isAscii(c); });
#endif
}

const char* passJsonStringBytewise(const char* at, const char* end)
{
    while (true) {
        at = findSpecial(at, end);
        if (at == end) return nullptr;
        if (*at == '"') return at + 1;
        if (*at == '\\') {
            const std::size_t size = escapeSize(at, end);
            if (size == 0) return nullptr;
            at += size;
        } else if (isAscii(*at)) {
            return nullptr;   // a control character
        } else {
            at = passNonAscii(at, end);
            if (at == nullptr) return nullptr;
        }
    }
}

const char* passJsonString(const char* at, const char* end)
{
    if (at < end && *at == '"') return at + 1;   // most logs are empty
#if defined(__x86_64__)
    static const bool hasAvx2 = __builtin_cpu_supports("avx2") != 0;
    if (hasAvx2) return passJsonStringByBlocks(at, end);
#endif
    return passJsonStringBytewise(at, end);
}

}  // namespace tracedeck
