// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/native_host.h"
namespace tracedeck::judge {
int runNativeHost(const std::string&, const std::string&, const std::string&)
{
    return 1;
}
}
