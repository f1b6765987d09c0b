// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// Compiled once, in json.cpp: a sixth of the time that most files take.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;
extern template class std::vector<nlohmann::ordered_json>;

namespace tracedeck {
/// The JSON value type of the whole project: keeps key order, since the order of inputs, outputs and axes has meaning.
using Json = nlohmann::ordered_json;

/// The text under `key`; empty when there is none, or something that is no text, or `object` is no object.
[[nodiscard]] std::string textMember(const Json& object, const char* key);
}  // namespace tracedeck
