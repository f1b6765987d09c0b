// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace tracedeck::cli {

/// Makes every option of the program that takes a number (those whose type name is left to CLI11) accept plain decimal numbers
/// only: no hexadecimal or octal ones, blanks, NaN or infinity, and what its range allows. Once, when all commands are there.
void acceptPlainNumbersOnly(CLI::App& app);

/// What is wrong with the arguments, in plain words: which option, command or value, and what would be right. `error` is what
/// parsing with `app` threw.
[[nodiscard]] std::string usageErrorText(const CLI::App& app, const CLI::ParseError& error);

/// The innermost command that was named, as it is typed: `tracedeck report best`.
[[nodiscard]] std::string namedCommand(const CLI::App& app);

}  // namespace tracedeck::cli
