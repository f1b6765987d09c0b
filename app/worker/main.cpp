// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>
#include <exception>
#include <string>

#include "core/confine/abilities.h"
#include "core/confine/confined_program.h"
#include "core/judge/judge.h"
#include "core/judge/native_host.h"

#if defined(__SANITIZE_ADDRESS__)
namespace {
bool isHost = false;
}
/// A host can't look for leaks when a solution ends it: its walls forbid to trace even itself.
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off()
{
    return isHost ? 1 : 0;
}
#endif

/// `tracedeck-worker judge DEVICE`, `host …`, `confined PLAN PROGRAM…` and `probe FOLDER [GROUP]…`, all started by tracedeck itself.
int main(int argc, char** argv)
{
    const std::string mode = argc > 1 ? argv[1] : "";
    try {
        if (mode == "judge" && argc == 3) {
            return tracedeck::judge::runJudge(argv[2]);
        }
        if (mode == "host" && argc == 5) {
#if defined(__SANITIZE_ADDRESS__)
            isHost = true;
#endif
            return tracedeck::judge::runNativeHost(argv[2], argv[3], argv[4]);
        }
        if (mode == "confined" && argc >= 4) {
            tracedeck::confine::runConfined(argv[2], {argv + 3, argv + argc});
        }
        if (mode == "probe" && argc >= 3) {
            std::puts(tracedeck::confine::probeAbilities(argv[2], {argv + 3, argv + argc}).c_str());
            return 0;
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tracedeck-worker: %s\n", error.what());
        return 1;
    }
    std::fputs("tracedeck-worker is started by tracedeck and tracedeck-gui; it is of no use by itself.\n", stderr);
    return 2;
}
