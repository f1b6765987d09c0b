// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck {

/// What is wrong with a piece of Python as far as can be told without a Python interpreter (data model §2.1 "Native
/// approximation"); std::nullopt when nothing is. Text is read, never executed; a full syntax check is left to Python.
///
/// Check R: a reference must define a plain function `run` at module level, and its strings and brackets must close.
[[nodiscard]] std::optional<std::string> referenceProblem(std::string_view source);
/// Check C: a constraint must be one expression.
[[nodiscard]] std::optional<std::string> constraintProblem(std::string_view expression);

/// Number of named parameters of the module-level function; std::nullopt when there is no such function, when it takes
/// `*args` or `**kwargs`, or when its parameter list does not close.
[[nodiscard]] std::optional<int> parameterCount(std::string_view source, std::string_view function);

/// The names of the function's positional parameters in order, as far as SOL-ExecBench's program looks at them: not those after
/// `*` or `*args`, nor `**kwargs`. std::nullopt when there is no such function or its parameter list does not close.
[[nodiscard]] std::optional<std::vector<std::string>> positionalParameters(std::string_view source, std::string_view function);

/// Whether the text can be the name of a Python function; ASCII letters only, and not a keyword.
[[nodiscard]] bool isPythonIdentifier(std::string_view text);

}  // namespace tracedeck
