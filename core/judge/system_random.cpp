// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/system_random.h"

#include <sys/random.h>
#include <sys/types.h>

namespace tracedeck::judge {

std::uint64_t systemRandom()
{
    std::uint64_t word = 0;
    // Blocks only before the system has gathered entropy once after boot.
    while (::getrandom(&word, sizeof word, 0) != static_cast<ssize_t>(sizeof word)) {
    }
    return word;
}

}  // namespace tracedeck::judge
