# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by quickstart.sh, test.sh and guest-env.sh: sourced, never run.

say() { printf '\n==> %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Runs a command as root: directly, or through sudo where there is one.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        fail "this needs root or sudo: $*"
    fi
}

# No `| grep -q` here: it ends early, and under pipefail the writer's broken pipe would read as "no".
is_installed() {
    local status
    status=$(dpkg-query -W -f='${Status}' "$1" 2>/dev/null) || return 1
    [[ $status == *"ok installed"* ]]
}
has_candidate() {
    local policy
    policy=$(LC_ALL=C apt-cache policy "$1" 2>/dev/null) || return 1
    [[ $policy == *"Candidate: "[!\(]* ]]
}

apt_get() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@"; }

# Package lists are fetched once a run, and only when something has to be installed.
APT_UPDATED=""
apt_update_once() {
    [ -n "$APT_UPDATED" ] && return 0
    apt_get update -qq || fail "could not fetch the package lists; is there a network connection?"
    APT_UPDATED=yes
}

# install_packages NAME…: installs by name what is missing; `a|b` takes the first that this distribution has.
install_packages() {
    command -v apt-get >/dev/null 2>&1 || fail "this script installs with apt-get (Debian 12, Ubuntu 24.04); on another system install what packaging/packages.txt lists, then use the CMake presets"
    local missing=() entry name chosen
    for entry in "$@"; do
        chosen=""
        for name in ${entry//|/ }; do
            is_installed "$name" && { chosen=installed; break; }
        done
        [ "$chosen" = installed ] && continue
        apt_update_once
        for name in ${entry//|/ }; do
            has_candidate "$name" && { chosen=$name; break; }
        done
        [ -n "$chosen" ] || fail "no package named ${entry//|/ or } in the configured sources"
        missing+=("$chosen")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    say "Installing ${#missing[@]} packages: ${missing[*]}"
    apt_get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null || fail "apt-get could not install: ${missing[*]}"
}

install_listed_packages() {
    local list
    mapfile -t list < <(grep -v '^#' "$1")
    install_packages "${list[@]}"
}

has_nvidia_driver() { [ -e /proc/driver/nvidia/version ] || { command -v nvidia-smi >/dev/null 2>&1 && nvidia-smi -L >/dev/null 2>&1; }; }

guest_environment_folder() { printf '%s\n' "${XDG_DATA_HOME:-$HOME/.local/share}/tracedeck/guest-env"; }

# build_preset PRESET SOURCE WARNINGS-AS-ERRORS [TARGET…]: configures (with what is in the array CONFIGURE_OPTIONS) and builds
# (everything, or the targets), quietly unless it fails.
CONFIGURE_OPTIONS=()
build_preset() {
    local preset=$1 source=$2 werror=$3 log
    shift 3
    log="$source/build/$preset.log"
    mkdir -p "$source/build"
    say "Building (preset $preset, log in build/$preset.log)"
    ( cd "$source" && cmake --preset "$preset" -DTRACEDECK_WERROR="$werror" "${CONFIGURE_OPTIONS[@]}" &&
        cmake --build --preset "$preset" --parallel "$(nproc)" ${1:+--target "$@"} ) >"$log" 2>&1 ||
        { tail -n 60 "$log" >&2; fail "the build failed; the whole log is in $log"; }
}
