#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds with warnings as errors, runs every test headless. Re-runnable; asks nothing.
#   packaging/test.sh [PRESET]     debug (default), release or asan
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/common.sh"
root=$(dirname "$here")
preset=${1:-debug}
case "$preset" in debug|release|asan) ;; *) fail "unknown preset $preset (debug, release or asan)" ;; esac

install_listed_packages "$here/packages.txt"
# The tests want the full Python environment; where PyPI can't be reached, those that need it report themselves as skipped.
# It is fetched while the compiler works.
guest=""
mkdir -p "$root/build"
if [ -z "${TRACEDECK_PYTHON:-}" ]; then
    "$here/guest-env.sh" --full >"$root/build/guest-env.log" 2>&1 &
    guest=$!
    trap 'kill "$guest" 2>/dev/null || true' EXIT
fi
# A second judge, watched by sanitizers, for solutions that try to break it (e2e.test_faults).
[ "$preset" = asan ] || CONFIGURE_OPTIONS=(-DTRACEDECK_SANITIZED_JUDGE=ON)
build_preset "$preset" "$root" ON
if [ -n "$guest" ]; then
    have=0
    wait "$guest" || have=$?
    trap - EXIT
    cat "$root/build/guest-env.log"
    [ "$have" -eq 0 ] || say "No full Python environment: tests that need PyTorch from PyPI will be skipped"
fi

say "Running the tests"
export QT_QPA_PLATFORM=offscreen
cd "$root"
status=0
ctest --preset "$preset" --parallel "$(nproc)" || status=$?
# CTest counts a test program as passed even when some of its functions were skipped: say so.
skipped=$(grep -hE '^SKIP' "build/$preset/Testing/Temporary/LastTest.log" 2>/dev/null | sort -u || true)
if [ -n "$skipped" ]; then
    say "Skipped inside test programs:"
    printf '%s\n' "$skipped"
fi
exit "$status"
