// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of core/build: the compilers for host code, and the headers that solutions are built against.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace tracedeck::building {

/// The compiler command: from the variable (which may hold arguments, such as `ccache g++`), else the first that is found.
[[nodiscard]] std::vector<std::string> compilerCommand(const char* name, const std::vector<std::string>& candidates,
                                                       const std::string& what);
/// What it answers to --version. Fails when it does not work.
[[nodiscard]] std::string compilerVersion(const std::vector<std::string>& compiler, const std::stop_token& stop);
/// x.y.z from the headers: the file name alone would not tell one release from the next.
[[nodiscard]] std::string tvmFfiVersion(const std::filesystem::path& include);

}  // namespace tracedeck::building
