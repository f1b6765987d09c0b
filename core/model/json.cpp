// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/json.h"

template class nlohmann::basic_json<nlohmann::ordered_map>;
template class std::vector<nlohmann::ordered_json>;

namespace tracedeck {

std::string textMember(const Json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace tracedeck
