// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/result.h"

namespace tracedeck {

/// Axis name → value.
using AxisValues = std::map<std::string, std::int64_t>;

/// The length of an axis as arithmetic over other axes (SOL-ExecBench dialect §3): a strict subset of Python, namely integer
/// and float literals, names, `+ - * / // % **`, unary `+ -` and parentheses. Parsed once, in time linear in the text and
/// without recursion.
class AxisExpression {
public:
    /// Error: what is wrong with the text, and at which character.
    [[nodiscard]] static Result<AxisExpression> parse(std::string_view text);

    /// As it was written.
    [[nodiscard]] const std::string& text() const { return m_text; }
    /// Each name once, in order of first use.
    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }
    /// Python's result: integers stay integers except under `/` and negative powers; a float counts when it is integral.
    /// Error: a name without a value, a division by zero, a result that is no integer, or one beyond 64 bits.
    [[nodiscard]] Result<std::int64_t> evaluate(const AxisValues& values) const;

private:
    enum class Operation : std::uint8_t { Integer, Float, Name, Add, Subtract, Multiply, Divide, FloorDivide, Modulo, Power, Plus, Minus };
    /// One step of the expression in postfix order.
    struct Step {
        Operation operation = Operation::Integer;
        std::int64_t integer = 0;   ///< of Integer, and the index of a Name
        double number = 0;          ///< of Float
    };
    class Parser;
    struct Number;
    static Result<Number> apply(Operation operation, const Number& left, const Number& right);

    std::string m_text;
    std::vector<std::string> m_names;
    std::vector<Step> m_steps;
};

}  // namespace tracedeck
