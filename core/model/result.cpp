// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/result.h"

namespace tracedeck {

std::string Error::toString() const
{
    std::string text;
    if (!file.empty()) {
        text += file;
        if (line > 0) text += ":" + std::to_string(line);
        text += ": ";
    } else if (line > 0) {
        text += "line " + std::to_string(line) + ": ";
    }
    if (!field.empty()) text += field + ": ";
    return text + reason;
}

}  // namespace tracedeck
