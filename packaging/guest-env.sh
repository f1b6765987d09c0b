#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the private Python environment that Tracedeck runs references and Python solutions in, once.
#   --light   over the distribution's python3-torch (small; no float8, no float16 products on the CPU, no Triton)
#   --full    torch, triton, numpy and apache-tvm-ffi from PyPI (some 5 GB with the CUDA libraries)
#   --force   make it anew even when it is there
# Without an option: --full where there is an NVIDIA driver, else --light. A full one also serves where a light one is asked for.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/common.sh"

kind="" force=""
for option in "$@"; do
    case "$option" in
        --light) kind=light ;;
        --full) kind=full ;;
        --force) force=yes ;;
        -h|--help) sed -n '3,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
        *) fail "unknown option $option (use --light, --full or --force)" ;;
    esac
done
if [ -z "$kind" ]; then
    if has_nvidia_driver; then kind=full; else kind=light; fi
fi

folder=$(guest_environment_folder)
marker="$folder/tracedeck-kind"   # written last: without it the environment is half made
have=""
[ -f "$marker" ] && have=$(cat "$marker")
if [ -z "$force" ] && { [ "$have" = "$kind" ] || [ "$have" = full ]; } && "$folder/bin/python" -I -c 'import torch, tvm_ffi' 2>/dev/null; then
    say "Python environment: $folder ($have) is ready"
    exit 0
fi

mkdir -p "$(dirname "$folder")"
exec 9>"$folder.lock"
flock -w 900 9 || fail "another run of this script holds $folder.lock"

install_packages python3 python3-venv
if [ "$kind" = light ]; then
    # Not every release carries PyTorch: take it from PyPI then.
    if ! is_installed python3-torch; then
        apt_update_once
        has_candidate python3-torch || { say "this distribution has no python3-torch: making the full environment instead"; kind=full; }
    fi
fi
/usr/bin/python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || fail "Python 3.10 or newer is needed, /usr/bin/python3 is older"

say "Making the Python environment ($kind) in $folder"
rm -rf "$folder"
pip_install() {
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --retries 3 "$@" ||
        fail "pip could not install: $* (is PyPI reachable?)"
}
if [ "$kind" = light ]; then
    install_packages python3-torch python3-numpy
    /usr/bin/python3 -m venv --system-site-packages "$folder"
    pip_install apache-tvm-ffi
else
    /usr/bin/python3 -m venv "$folder"
    pip_install torch triton numpy apache-tvm-ffi
fi
"$folder/bin/python" -I -c 'import torch, tvm_ffi; print("torch", torch.__version__, "· apache-tvm-ffi", tvm_ffi.__version__)' ||
    fail "the new environment does not import torch and tvm_ffi"
printf '%s\n' "$kind" > "$marker"
say "Python environment: $folder ($kind) is ready"
