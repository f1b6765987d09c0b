// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tracedeck::judge {

/// `tracedeck-worker host ROLE WAIT PLAN`: becomes a confined process that loads one built library and calls it, as the
/// judge says on descriptor 3 (protocol.md). ROLE: solution or calibration; WAIT: `spin` or `yield`; PLAN: a confine::Plan as
/// text. Descriptor 4 is the lifeline. Returns the exit code of the intermediate process.
int runNativeHost(const std::string& role, const std::string& wait, const std::string& plan);

}  // namespace tracedeck::judge
