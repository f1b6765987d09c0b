// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/line_cursor.h"

#include <algorithm>
#include <bit>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <simdjson.h>

namespace tracedeck {

namespace {

bool isHexadecimal(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Bytes of the escape whose backslash stands at `at`; 0: it is none, or may be half of a surrogate pair.
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

}  // namespace

const char* findSpecial(const char* at, const char* end)
{
#if defined(__SSE2__)
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

const char* passJsonString(const char* at, const char* end)
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

}  // namespace tracedeck
