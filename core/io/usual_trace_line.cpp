// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/usual_trace_line.h"

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <simdjson.h>

namespace tracedeck {

namespace {

/// More digits than these leave the codec to say what the number is.
constexpr std::ptrdiff_t kMostDigitsOfAnInteger = 15;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// What may follow a backslash, but for the u of a number.
bool isShortEscape(char c)
{
    return c == 'n' || c == '"' || c == '\\' || c == 't' || c == 'r' || c == '/' || c == 'b' || c == 'f';
}

/// A place in a line that moves forward over what is expected there.
class LineCursor {
public:
    explicit LineCursor(std::string_view line) : m_at(line.data()), m_end(line.data() + line.size()) {}

    [[nodiscard]] const char* place() const { return m_at; }
    [[nodiscard]] const char* end() const { return m_end; }
    [[nodiscard]] bool isAtEnd() const { return m_at == m_end; }
    bool move(std::size_t bytes)
    {
        m_at += bytes;
        return bytes > 0;
    }

    template <std::size_t N>
    bool pass(const char (&text)[N])
    {
        if (static_cast<std::size_t>(m_end - m_at) < N - 1 || std::memcmp(m_at, text, N - 1) != 0) return false;
        m_at += N - 1;
        return true;
    }
    /// Up to a quote, which is passed too.
    bool passText(std::string_view& text)
    {
        const char* const start = m_at;
        for (; m_at != m_end && *m_at != '"'; ++m_at) {
            if (*m_at < ' ' || *m_at > '~' || *m_at == '\\') return false;
        }
        text = std::string_view(start, static_cast<std::size_t>(m_at - start));
        return m_at++ != m_end;
    }
    /// A string of any valid kind but those with \u escapes, up to its closing quote, which is passed too.
    bool passLog()
    {
        const char* const start = m_at;
        bool isAscii = true;
        while (true) {
            skipOrdinary(isAscii);
            if (m_at == m_end) return false;
            if (*m_at == '"') break;
            if (*m_at != '\\' || m_end - m_at < 2 || !isShortEscape(m_at[1])) return false;
            m_at += 2;
        }
        const auto size = static_cast<std::size_t>(m_at++ - start);
        return isAscii || simdjson::validate_utf8(start, size);
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
        return !text.empty();
    }
    bool passNumber(double& number)
    {
        const char* at = m_at;
        const auto passDigits = [&at, this] {
            const char* const first = at;
            while (at != m_end && isDigit(*at)) ++at;
            return at - first;
        };
        const bool startsWithZero = at != m_end && *at == '0';
        const std::ptrdiff_t digits = passDigits();
        if (digits == 0 || (startsWithZero && digits > 1)) return false;
        bool isInteger = true;
        if (at != m_end && *at == '.') {
            ++at;
            isInteger = false;
            if (passDigits() == 0) return false;
        }
        if (at != m_end && (*at == 'e' || *at == 'E')) {
            ++at;
            isInteger = false;
            if (at != m_end && (*at == '+' || *at == '-')) ++at;
            if (passDigits() == 0) return false;
        }
        if (isInteger && digits > kMostDigitsOfAnInteger) return false;
        const auto parsed = std::from_chars(m_at, at, number);
        if (parsed.ec != std::errc{} || parsed.ptr != at) return false;
        m_at = at;
        return true;
    }

private:
    /// Stops at a quote, a backslash, a control character or the end.
    void skipOrdinary(bool& isAscii)
    {
        // Eight bytes at once. In each of these words the lowest byte with its top bit set is one that was looked for; a
        // borrow can only set others above it.
        constexpr std::uint64_t kOnes = 0x0101010101010101;
        constexpr std::uint64_t kTops = 0x8080808080808080;
        if constexpr (std::endian::native == std::endian::little) {
            while (m_end - m_at >= 8) {
                std::uint64_t bytes = 0;
                std::memcpy(&bytes, m_at, 8);
                const std::uint64_t quote = bytes ^ (kOnes * '"');
                const std::uint64_t backslash = bytes ^ (kOnes * '\\');
                const std::uint64_t found = (((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash) | ((bytes - kOnes * ' ') & ~bytes)) & kTops;
                if (found != 0) {
                    const int before = std::countr_zero(found) / 8;
                    isAscii = isAscii && (bytes & kTops & ((std::uint64_t{1} << (8 * before)) - 1)) == 0;
                    m_at += before;
                    return;
                }
                isAscii = isAscii && (bytes & kTops) == 0;
                m_at += 8;
            }
        }
        for (; m_at != m_end && *m_at != '"' && *m_at != '\\' && static_cast<unsigned char>(*m_at) >= ' '; ++m_at) {
            isAscii = isAscii && static_cast<unsigned char>(*m_at) < 0x80;
        }
    }

    const char* m_at;
    const char* m_end;
};

bool passCorrectness(LineCursor& line, TraceFields& fields)
{
    if (line.pass("null")) return true;
    fields.hasCorrectness = true;
    return line.pass("{\"max_relative_error\":") && line.passNumber(fields.maxRelativeError) && line.pass(",\"max_absolute_error\":") &&
           line.passNumber(fields.maxAbsoluteError) && line.pass(",\"extra\":null}");
}

bool passPerformance(LineCursor& line, TraceFields& fields)
{
    if (line.pass("null")) return true;
    fields.hasPerformance = true;
    return line.pass("{\"latency_ms\":") && line.passNumber(fields.latencyMs) && line.pass(",\"reference_latency_ms\":") &&
           line.passNumber(fields.referenceLatencyMs) && line.pass(",\"speedup_factor\":") && line.passNumber(fields.speedupFactor) &&
           line.pass("}");
}

}  // namespace

bool UsualTraceLine::read(std::string_view text, TraceFields& fields, RepeatedTexts& repeats)
{
    LineCursor line(text);
    std::string_view solution;
    std::string_view statusName;
    if (!line.pass("{\"definition\":\"") || !line.passText(fields.definition, m_definition) || !line.pass(",\"workload\":") ||
        !line.move(repeats.findWorkload(line.place(), line.end(), fields)) || !line.pass(",\"solution\":\"") ||
        !line.passText(solution, m_solution) || !line.pass(",\"evaluation\":{\"status\":\"") || !line.passText(statusName) ||
        !line.pass(",\"environment\":") || !line.move(repeats.findEnvironment(line.place(), line.end(), fields)) ||
        !line.pass(",\"timestamp\":\"") || !line.passText(fields.timestamp) || fields.timestamp.empty() || !line.pass(",\"log\":\"") ||
        !line.passLog() || !line.pass(",\"correctness\":") || !passCorrectness(line, fields) || !line.pass(",\"performance\":") ||
        !passPerformance(line, fields) || !line.pass("}}") || !line.isAtEnd()) {
        return false;
    }
    const auto status = statusFromString(statusName);
    if (!status || !isFormatStatus(*status)) return false;
    fields.solution = solution;
    fields.status = *status;
    fields.hasEvaluation = true;
    return !fields.isInconsistent();
}

}  // namespace tracedeck
