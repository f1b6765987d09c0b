// SPDX-License-Identifier: GPL-3.0-or-later
// confinement.h for the Python guest, which loads it with ctypes.
#include <algorithm>
#include <cstring>
#include <exception>
#include <string>

#include "core/confine/confinement.h"

namespace {

using tracedeck::Error;
using tracedeck::Result;
namespace confine = tracedeck::confine;

int fail(const std::string& reason, char* text, std::size_t bytes)
{
    if (bytes > 0) {
        const std::size_t count = std::min(reason.size(), bytes - 1);
        std::memcpy(text, reason.data(), count);
        text[count] = '\0';
    }
    return -1;
}

}  // namespace

extern "C" {

/// enterConfinement(): the first process's number, 0 without namespaces, -1 with the reason in `text`.
[[gnu::visibility("default")]] int tracedeck_enter_confinement(const char* planText, int lifeline, char* text, std::size_t bytes)
{
    try {
        const auto plan = confine::decodePlan(planText);
        const auto entered = plan ? confine::enterConfinement(*plan, lifeline) : Result<pid_t>(plan.error());
        return entered ? *entered : fail(entered.error().reason, text, bytes);
    } catch (const std::exception& error) {
        return fail(error.what(), text, bytes);
    }
}

/// sealConfinement(): 0, or -1 with the reason in `text`.
[[gnu::visibility("default")]] int tracedeck_seal_confinement(const char* planText, char* text, std::size_t bytes)
{
    try {
        const auto plan = confine::decodePlan(planText);
        const auto sealed = plan ? confine::sealConfinement(*plan) : Result<void>(plan.error());
        return sealed ? 0 : fail(sealed.error().reason, text, bytes);
    } catch (const std::exception& error) {
        return fail(error.what(), text, bytes);
    }
}

}
