// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/io/plain_number.h"

namespace tracedeck {

/// The first byte from `at` on that does not stand for itself in a JSON string, or is not ASCII: a quote, a backslash, a
/// control character, a byte above 7F; `end` when there is none. FastTraceLine::kPadding bytes behind `end` must be readable.
[[nodiscard]] const char* findSpecial(const char* at, const char* end);

/// Bytes of the escape whose backslash stands at `at`; 0: it is none or not whole, or may be half of a surrogate pair, the one thing in
/// which two parsers might differ.
[[nodiscard]] std::size_t escapeSize(const char* at, const char* end);

/// Passes over a JSON string of any kind, but for escaped halves of surrogate pairs, whose opening quote stands before `at`.
/// Returns the place behind its closing quote; nullptr when it is not valid UTF-8, has a bad escape or does not end.
[[nodiscard]] const char* passJsonString(const char* at, const char* end);
/// The same for processors without AVX2.
[[nodiscard]] const char* passJsonStringBytewise(const char* at, const char* end);

/// A place in a text that moves forward over what is expected there. Each function returns false when it is not there; the
/// place then means nothing any more. FastTraceLine::kPadding bytes behind the end must be readable.
class LineCursor {
public:
    explicit LineCursor(std::string_view text) : m_at(text.data()), m_end(text.data() + text.size()) {}

    [[nodiscard]] const char* place() const { return m_at; }
    [[nodiscard]] const char* end() const { return m_end; }
    bool move(std::size_t bytes)
    {
        m_at += bytes;
        return bytes > 0;
    }
    template <std::size_t N>
    bool pass(const char (&text)[N])
    {
        if (static_cast<std::size_t>(m_end - m_at) < N - 1 || !isSame<N - 1>(m_at, text)) return false;
        m_at += N - 1;
        return true;
    }
    /// ASCII without escapes up to a quote, which is passed too; not empty.
    bool passText(std::string_view& text)
    {
        const char* const start = m_at;
        m_at = findSpecial(m_at, m_end);
        text = std::string_view(start, static_cast<std::size_t>(m_at - start));
        if (m_at == m_end || *m_at != '"' || text.empty()) return false;
        ++m_at;
        return true;
    }
    /// The same, for a text that is probably the one of the line before.
    bool passText(std::string_view& text, std::string& before)
    {
        const std::size_t size = before.size();
        if (size > 0 && static_cast<std::size_t>(m_end - m_at) > size && m_at[size] == '"' && std::memcmp(m_at, before.data(), size) == 0) {
            text = std::string_view(m_at, size);
            m_at += size + 1;
            return true;
        }
        if (!passText(text)) return false;
        before = text;
        return true;
    }
    bool passString()
    {
        const char* const behind = passJsonString(m_at, m_end);
        if (behind == nullptr) return false;
        m_at = behind;
        return true;
    }
    /// One from 0 up.
    bool passNumber(double& number)
    {
        const char* const behind = readPlainNumber(m_at, m_end, number);
        if (behind == nullptr) return false;
        m_at = behind;
        return true;
    }
    /// One from 0 up, of at most 15 digits.
    bool passInteger(std::int64_t& number)
    {
        const char* const start = m_at;
        number = 0;
        for (; m_at != m_end && *m_at >= '0' && *m_at <= '9'; ++m_at) {
            if (m_at - start == 15) return false;
            number = number * 10 + (*m_at - '0');
        }
        return m_at != start && (*start != '0' || m_at - start == 1);
    }

private:
    /// A comparison whose length the compiler knows, by words that may overlap.
    template <std::size_t Size>
    static bool isSame(const char* a, const char* b)
    {
        if constexpr (Size < sizeof(std::uint64_t)) {
            return std::memcmp(a, b, Size) == 0;
        } else {
            std::uint64_t difference = 0;
            for (std::size_t i = 0; i + sizeof(std::uint64_t) < Size; i += sizeof(std::uint64_t)) difference |= wordAt(a + i) ^ wordAt(b + i);
            constexpr std::size_t kLast = Size - sizeof(std::uint64_t);
            return (difference | (wordAt(a + kLast) ^ wordAt(b + kLast))) == 0;
        }
    }
    static std::uint64_t wordAt(const char* at)
    {
        std::uint64_t word = 0;
        std::memcpy(&word, at, sizeof(word));
        return word;
    }

    const char* m_at;
    const char* m_end;
};

}  // namespace tracedeck
