// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tracedeck::judge {

/// `tracedeck-worker judge DEVICE`: answers the program's messages on descriptor 3 until that closes. Returns the exit code.
int runJudge(const std::string& device);

}  // namespace tracedeck::judge
