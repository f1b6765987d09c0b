// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

namespace tracedeck {
/// The JSON value type of the whole project: keeps key order, since the order of inputs, outputs and axes has meaning.
using Json = nlohmann::ordered_json;
}  // namespace tracedeck
