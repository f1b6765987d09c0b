// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/non_finite_tokens.h"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace tracedeck {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// True for the number grammar of JSON, without a sign.
bool isUnsignedNumber(std::string_view token)
{
    std::size_t i = 0;
    const auto digits = [&] {
        const std::size_t start = i;
        while (i < token.size() && isDigit(token[i])) ++i;
        return i - start;
    };
    if (token.empty()) return false;
    if (const std::size_t whole = digits(); whole == 0 || (whole > 1 && token.front() == '0')) return false;
    if (i < token.size() && token[i] == '.') {
        ++i;
        if (digits() == 0) return false;
    }
    if (i < token.size() && (token[i] == 'e' || token[i] == 'E')) {
        ++i;
        if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
        if (digits() == 0) return false;
    }
    return i == token.size();
}

}  // namespace

FiniteText replaceNonFiniteTokens(std::string_view text)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    FiniteText result{std::string(text), {}};
    std::size_t numbers = 0;
    const auto replace = [&](std::size_t position, std::size_t length, double value) {
        result.replaced.emplace_back(numbers, value);
        result.text.replace(position, length, "0." + std::string(length - 2, '0'));
        ++numbers;
    };
    std::size_t i = 0;
    while (i < text.size()) {
        const char c = text[i];
        if (c == '"') {
            for (++i; i < text.size() && text[i] != '"'; ++i) {
                if (text[i] == '\\') ++i;
            }
            ++i;
        } else if (c == 'N' && text.substr(i, 3) == "NaN") {
            if (i == 0 || text[i - 1] != '-') replace(i, 3, std::numeric_limits<double>::quiet_NaN());
            i += 3;
        } else if (c == 'I' && text.substr(i, 8) == "Infinity") {
            replace(i, 8, kInfinity);
            i += 8;
        } else if (isDigit(c)) {
            const std::size_t start = i;
            while (i < text.size() && (isDigit(text[i]) || text[i] == '.' || text[i] == 'e' || text[i] == 'E' ||
                                       text[i] == '+' || text[i] == '-')) {
                ++i;
            }
            const std::string token(text.substr(start, i - start));
            // Short numbers without an exponent cannot overflow.
            const bool canOverflow = token.size() > 300 || token.find_first_of("eE") != std::string::npos;
            if (canOverflow && isUnsignedNumber(token) && std::isinf(std::strtod(token.c_str(), nullptr))) {
                replace(start, token.size(), kInfinity);
            } else {
                ++numbers;
            }
        } else {
            ++i;
        }
    }
    return result;
}

}  // namespace tracedeck
