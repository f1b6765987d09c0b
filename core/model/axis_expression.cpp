// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/axis_expression.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/model/text.h"

namespace tracedeck {

namespace {

constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

Error expressionError(std::string reason)
{
    return Error{ErrorCode::InvalidInput, std::move(reason), {}, 0, {}};
}

Error beyond64Bits()
{
    return expressionError("a value of the expression does not fit in 64 bits");
}

bool isAsciiDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool startsName(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool continuesName(char c)
{
    return startsName(c) || isAsciiDigit(c);
}

/// Rounds to minus infinity; the divisor is not 0 and the quotient fits.
std::int64_t floorQuotient(std::int64_t left, std::int64_t right)
{
    const std::int64_t quotient = left / right;
    return left % right != 0 && (left < 0) != (right < 0) ? quotient - 1 : quotient;
}

/// Remainder with the sign of the divisor, which is not 0.
std::int64_t floorRemainder(std::int64_t left, std::int64_t right)
{
    if (right == -1) return 0;   // the smallest number ÷ -1 does not fit
    const std::int64_t remainder = left % right;
    return remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right : remainder;
}

/// Quotient and remainder of floats as Python has them: the remainder has the sign of the divisor.
std::pair<double, double> floatDivision(double left, double right)
{
    double remainder = std::fmod(left, right);
    double quotient = (left - remainder) / right;
    if (remainder != 0.0 && (remainder < 0) != (right < 0)) {
        remainder += right;
        quotient -= 1.0;
    }
    double floored = std::floor(quotient);
    if (quotient - floored > 0.5) floored += 1.0;
    return {floored, remainder};
}

/// The exponent is not negative.
std::optional<std::int64_t> integerPower(std::int64_t base, std::int64_t exponent)
{
    std::int64_t result = 1;
    while (exponent > 0) {
        if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) return std::nullopt;
        exponent >>= 1;
        // The square is needed only when a bit is left; bases of one bit never grow.
        if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) return std::nullopt;
    }
    return result;
}

}  // namespace

struct AxisExpression::Number {
    bool isFloat = false;
    std::int64_t integer = 0;
    double number = 0;

    static Number of(std::int64_t value) { return {false, value, 0}; }
    static Number of(double value) { return {true, 0, value}; }
    [[nodiscard]] double asFloat() const { return isFloat ? number : static_cast<double>(integer); }
};

/// Turns the text into postfix steps with a stack of operators that wait for their right side.
class AxisExpression::Parser {
public:
    explicit Parser(AxisExpression& expression) : m_expression(expression), m_rest(trimWhitespace(expression.m_text)), m_all(m_rest) {}

    std::optional<Error> parse()
    {
        bool wantsOperand = true;
        while (true) {
            skipBlanks();
            if (m_rest.empty()) break;
            if (!(wantsOperand ? readOperand(wantsOperand) : readOperator(wantsOperand))) return m_error;
        }
        if (wantsOperand) return failAt(m_rest, m_all.empty() ? "the expression is empty" : "a value is missing at the end");
        while (!m_waiting.empty()) {
            if (m_waiting.back().isParenthesis) return failAt(m_waiting.back().place, "a '(' is not closed");
            finish();
        }
        return std::nullopt;
    }

private:
    struct Waiting {
        Operation operation = Operation::Plus;
        int strength = 0;
        bool isParenthesis = false;
        std::string_view place;
    };
    static constexpr int kSum = 1;
    static constexpr int kProduct = 2;
    static constexpr int kSign = 3;
    static constexpr int kPower = 4;

    /// Line ends count as blanks only between parentheses, as in Python.
    void skipBlanks()
    {
        while (!m_rest.empty()) {
            const char c = m_rest.front();
            const bool isLineEnd = c == '\n' || c == '\r';
            if (c != ' ' && c != '\t' && c != '\f' && !(isLineEnd && m_depth > 0)) return;
            m_rest.remove_prefix(1);
        }
    }

    bool readOperand(bool& wantsOperand)
    {
        const char c = m_rest.front();
        if (c == '(') {
            m_waiting.push_back({Operation::Plus, 0, true, m_rest});
            ++m_depth;
            m_rest.remove_prefix(1);
            return true;
        }
        if (c == '+' || c == '-') {
            m_waiting.push_back({c == '+' ? Operation::Plus : Operation::Minus, kSign, false, m_rest});
            m_rest.remove_prefix(1);
            return true;
        }
        wantsOperand = false;
        if (isAsciiDigit(c) || (c == '.' && m_rest.size() > 1 && isAsciiDigit(m_rest[1]))) return readNumber();
        if (startsName(c)) {
            readName();
            return true;
        }
        return fail(m_rest, "expected a number, a name or '('");
    }

    bool readOperator(bool& wantsOperand)
    {
        if (m_rest.front() == ')') {
            while (!m_waiting.empty() && !m_waiting.back().isParenthesis) finish();
            if (m_waiting.empty()) return fail(m_rest, "a ')' closes nothing");
            m_waiting.pop_back();
            --m_depth;
            m_rest.remove_prefix(1);
            return true;
        }
        struct Symbol {
            std::string_view text;
            Operation operation;
            int strength;
        };
        // The longer of two that begin alike comes first.
        constexpr std::array<Symbol, 7> kSymbols{{{"**", Operation::Power, kPower},
                                                  {"//", Operation::FloorDivide, kProduct},
                                                  {"*", Operation::Multiply, kProduct},
                                                  {"/", Operation::Divide, kProduct},
                                                  {"%", Operation::Modulo, kProduct},
                                                  {"+", Operation::Add, kSum},
                                                  {"-", Operation::Subtract, kSum}}};
        for (const Symbol& symbol : kSymbols) {
            if (!m_rest.starts_with(symbol.text)) continue;
            const bool isRightAssociative = symbol.operation == Operation::Power;
            while (!m_waiting.empty() && !m_waiting.back().isParenthesis &&
                   (m_waiting.back().strength > symbol.strength ||
                    (m_waiting.back().strength == symbol.strength && !isRightAssociative))) {
                finish();
            }
            m_waiting.push_back({symbol.operation, symbol.strength, false, m_rest});
            m_rest.remove_prefix(symbol.text.size());
            wantsOperand = true;
            return true;
        }
        return fail(m_rest, "expected one of + - * / // % ** or the end");
    }

    /// The operator that came last has its right side.
    void finish()
    {
        m_expression.m_steps.push_back({m_waiting.back().operation, 0, 0});
        m_waiting.pop_back();
    }

    void readName()
    {
        std::size_t length = 1;
        while (length < m_rest.size() && continuesName(m_rest[length])) ++length;
        const std::string_view name = m_rest.substr(0, length);
        m_rest.remove_prefix(length);
        if (name == "True" || name == "False") {   // numbers in Python
            m_expression.m_steps.push_back({Operation::Integer, name == "True" ? 1 : 0, 0});
            return;
        }
        const auto [known, isNew] = m_nameIndex.try_emplace(name, static_cast<std::int64_t>(m_expression.m_names.size()));
        if (isNew) m_expression.m_names.emplace_back(name);
        m_expression.m_steps.push_back({Operation::Name, known->second, 0});
    }

    /// Digits with single `_` between them; appended to `digits`. False when there is none or a `_` stands elsewhere.
    bool readDigits(std::string& digits)
    {
        if (m_rest.empty() || !isAsciiDigit(m_rest.front())) return false;
        while (!m_rest.empty()) {
            if (isAsciiDigit(m_rest.front())) {
                digits += m_rest.front();
            } else if (m_rest.front() != '_') {
                return true;
            } else if (m_rest.size() < 2 || !isAsciiDigit(m_rest[1])) {
                return false;
            }
            m_rest.remove_prefix(1);
        }
        return true;
    }

    bool readNumber()
    {
        const std::string_view place = m_rest;
        const auto bad = [&] { return fail(place, "this is not a decimal number"); };
        std::string text;
        bool isFloat = false;
        if (m_rest.front() != '.' && !readDigits(text)) return bad();
        if (m_rest.starts_with('.')) {
            isFloat = true;
            text += '.';
            m_rest.remove_prefix(1);
            if (!m_rest.empty() && isAsciiDigit(m_rest.front()) && !readDigits(text)) return bad();
        }
        if (m_rest.starts_with('e') || m_rest.starts_with('E')) {
            isFloat = true;
            text += 'e';
            m_rest.remove_prefix(1);
            if (m_rest.starts_with('+') || m_rest.starts_with('-')) {
                text += m_rest.front();
                m_rest.remove_prefix(1);
            }
            if (!readDigits(text)) return bad();
        }
        if (!m_rest.empty() && (continuesName(m_rest.front()) || m_rest.front() == '.')) return bad();
        if (isFloat) {
            double number = 0;
            const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
            // Too large becomes infinity, too small becomes zero, as in Python.
            if (code == std::errc::result_out_of_range) number = std::strtod(text.c_str(), nullptr);
            m_expression.m_steps.push_back({Operation::Float, 0, number});
            return end == text.data() + text.size() || bad();
        }
        if (text.front() == '0' && text.find_first_not_of('0') != std::string::npos) {
            return fail(place, "a number must not begin with 0");
        }
        std::int64_t integer = 0;
        if (std::from_chars(text.data(), text.data() + text.size(), integer).ec != std::errc()) {
            return fail(place, "the number does not fit in 64 bits");
        }
        m_expression.m_steps.push_back({Operation::Integer, integer, 0});
        return true;
    }

    Error failAt(std::string_view place, const std::string& what) const
    {
        const auto position = static_cast<std::size_t>(place.data() - m_expression.m_text.data()) + 1;
        return expressionError(what + " (character " + std::to_string(position) + " of the expression)");
    }
    bool fail(std::string_view place, const std::string& what)
    {
        m_error = failAt(place, what);
        return false;
    }

    AxisExpression& m_expression;
    std::string_view m_rest;
    std::string_view m_all;
    std::vector<Waiting> m_waiting;
    std::size_t m_depth = 0;
    std::unordered_map<std::string_view, std::int64_t> m_nameIndex;
    Error m_error;
};

Result<AxisExpression> AxisExpression::parse(std::string_view text)
{
    AxisExpression expression;
    expression.m_text = text;
    if (auto error = Parser(expression).parse()) return *error;
    return expression;
}

Result<AxisExpression::Number> AxisExpression::apply(Operation operation, const Number& left, const Number& right)
{
    const auto divisionByZero = [] { return expressionError("the expression divides by zero"); };
    if (operation == Operation::Divide) {
        if (right.asFloat() == 0.0) return divisionByZero();
        if (left.isFloat || right.isFloat) return Number::of(left.asFloat() / right.asFloat());
        // The wider format holds every 64-bit integer, so that the quotient is rounded once.
        return Number::of(static_cast<double>(static_cast<long double>(left.integer) / static_cast<long double>(right.integer)));
    }
    if (operation == Operation::Power && !left.isFloat && !right.isFloat && right.integer >= 0) {
        const auto power = integerPower(left.integer, right.integer);
        if (!power) return beyond64Bits();
        return Number::of(*power);
    }
    if (operation == Operation::Power) {
        const double base = left.asFloat();
        const double exponent = right.asFloat();
        if (base == 0.0 && exponent < 0) return divisionByZero();
        if (base < 0 && std::isfinite(base) && std::isfinite(exponent) && std::floor(exponent) != exponent) {
            return expressionError("a power of the expression is a complex number");
        }
        const double power = std::pow(base, exponent);
        if (std::isinf(power) && std::isfinite(base) && std::isfinite(exponent)) return beyond64Bits();
        return Number::of(power);
    }
    if (left.isFloat || right.isFloat) {
        const double a = left.asFloat();
        const double b = right.asFloat();
        switch (operation) {
        case Operation::Add: return Number::of(a + b);
        case Operation::Subtract: return Number::of(a - b);
        case Operation::Multiply: return Number::of(a * b);
        default: break;
        }
        if (b == 0.0) return divisionByZero();
        const auto [quotient, remainder] = floatDivision(a, b);
        return Number::of(operation == Operation::FloorDivide ? quotient : remainder);
    }
    const std::int64_t a = left.integer;
    const std::int64_t b = right.integer;
    std::int64_t result = 0;
    bool isTooLarge = false;
    switch (operation) {
    case Operation::Add: isTooLarge = __builtin_add_overflow(a, b, &result); break;
    case Operation::Subtract: isTooLarge = __builtin_sub_overflow(a, b, &result); break;
    case Operation::Multiply: isTooLarge = __builtin_mul_overflow(a, b, &result); break;
    default:
        if (b == 0) return divisionByZero();
        if (operation == Operation::Modulo) {
            result = floorRemainder(a, b);
        } else {
            isTooLarge = a == kSmallest && b == -1;
            if (!isTooLarge) result = floorQuotient(a, b);
        }
    }
    if (isTooLarge) return beyond64Bits();
    return Number::of(result);
}

Result<std::int64_t> AxisExpression::evaluate(const AxisValues& values) const
{
    std::vector<std::int64_t> known;
    known.reserve(m_names.size());
    for (const std::string& name : m_names) {
        const auto found = values.find(name);
        if (found == values.end()) return expressionError("the name '" + name + "' has no value");
        known.push_back(found->second);
    }
    std::vector<Number> stack;
    for (const Step& step : m_steps) {
        switch (step.operation) {
        case Operation::Integer: stack.push_back(Number::of(step.integer)); continue;
        case Operation::Float: stack.push_back(Number::of(step.number)); continue;
        case Operation::Name: stack.push_back(Number::of(known[static_cast<std::size_t>(step.integer)])); continue;
        case Operation::Plus: continue;
        case Operation::Minus:
            if (stack.back().isFloat) {
                stack.back().number = -stack.back().number;
            } else {
                if (stack.back().integer == kSmallest) return beyond64Bits();
                stack.back().integer = -stack.back().integer;
            }
            continue;
        default: break;
        }
        const Number right = stack.back();
        stack.pop_back();
        auto result = apply(step.operation, stack.back(), right);
        if (!result) return result.error();
        stack.back() = *result;
    }
    const Number& result = stack.back();
    if (!result.isFloat) return result.integer;
    if (std::isfinite(result.number) && std::abs(result.number) >= 0x1p63) return beyond64Bits();
    if (!std::isfinite(result.number) || std::trunc(result.number) != result.number) {
        return expressionError("the result is " + fmt::format("{}", result.number) + ", which is not an integer");
    }
    return static_cast<std::int64_t>(result.number);
}

}  // namespace tracedeck
