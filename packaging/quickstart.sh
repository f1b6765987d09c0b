#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and opens the window on the bundled sample dataset. Where there is no display (or with
# --headless) it does the same job off-screen: opens the sample, runs a selection on the CPU, and leaves pictures of the
# window, the CSV and a text summary in quickstart-output/. Re-runnable; asks nothing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/common.sh"
root=$(dirname "$here")
headless=""
for option in "$@"; do
    case "$option" in
        --headless) headless=yes ;;
        -h|--help) sed -n '3,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
        *) fail "unknown option $option (use --headless)" ;;
    esac
done
if [ -z "${DISPLAY:-}" ] && [ -z "${WAYLAND_DISPLAY:-}" ]; then headless=yes; fi

install_listed_packages "$here/packages.txt"
if has_nvidia_driver; then "$here/guest-env.sh" --full; else "$here/guest-env.sh" --light; fi
# A warning that only another compiler gives must not stop someone who just wants to see the program.
build_preset release "$root" OFF tracedeck tracedeck-gui tracedeck-worker

bin="$root/build/release/bin"
output="$root/quickstart-output"
sample="$output/sample"
mkdir -p "$output"
# Runs append to the dataset: work on a copy, so that the source tree stays as it is.
if [ ! -d "$sample" ]; then
    rm -rf "$sample.new"
    cp -r "$root/resources/sample" "$sample.new"
    mv "$sample.new" "$sample"
fi

if [ -z "$headless" ]; then
    say "Opening $sample"
    exec "$bin/tracedeck-gui" "$sample" --page overview
fi

say "No display: doing the main job off-screen"
export QT_QPA_PLATFORM=offscreen
"$bin/tracedeck" run --local "$sample" --device cpu --definitions rmsnorm_h512 gemm_n128_k128 --iterations 20 --num-trials 2
"$bin/tracedeck" report summary --local "$sample" | tee "$output/summary.txt"
"$bin/tracedeck" report csv --local "$sample" --out "$output/traces.csv"
for theme in light dark; do
    "$bin/tracedeck-gui" "$sample" --select rmsnorm_h512 --page overview --theme $theme --size 1280x800 --grab "$output/overview-$theme.png"
    "$bin/tracedeck-gui" "$sample" --select rmsnorm_h512 --page charts --theme $theme --size 1280x800 --grab "$output/charts-$theme.png"
    "$bin/tracedeck-gui" "$sample" --select rmsnorm_h512 --page traces --theme $theme --size 1280x800 --grab "$output/traces-$theme.png"
    "$bin/tracedeck-gui" "$sample" --page leaderboard --theme $theme --size 1280x800 --grab "$output/leaderboard-$theme.png"
done
say "Done. Pictures, traces.csv and summary.txt are in $output"
ls -l "$output"
