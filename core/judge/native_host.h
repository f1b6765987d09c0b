// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tracedeck::judge {

/// `tracedeck-worker host ROLE JUDGE WAIT`: becomes a confined process that loads one built library and calls it, as the
/// judge says on descriptor 3 (protocol.md). ROLE: solution or calibration; JUDGE: process number of the judge; WAIT:
/// `spin` or `yield`. Descriptor 4 is the lifeline. Returns the exit code of the intermediate process.
int runNativeHost(const std::string& role, const std::string& judge, const std::string& wait);

}  // namespace tracedeck::judge
