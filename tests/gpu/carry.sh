#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs a build so that it runs on a machine with a GPU but without our libraries, together with this test and its dataset.
#
# usage: carry.sh BUILD_DIR OUT.tar.xz [--dataset REAL_DATASET] [--peer MKSET.PY] [--wheels DIR]
#
# On the other machine:  tar xf OUT.tar.xz && cd carried && ./run.sh tests/gpu/run_gpu.py gpuset --program bin/tracedeck --wheels wheels --pictures pictures
# Wheels are for what its Python lacks, for example:
#   pip download --no-deps --only-binary=:all: --python-version 3.12 --platform manylinux_2_28_x86_64 -d wheels apache-tvm-ffi
set -eu

LIMIT_MIB=60

usage() { sed -n '3,10s/^# \{0,1\}//p' "$0"; exit 2; }
fail() { printf 'carry.sh: %s\n' "$*" >&2; exit 1; }

[ $# -ge 2 ] || usage
build=$1 out=$2
shift 2
dataset= peer= wheels=
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage
    case $1 in
    --dataset) dataset=$2 ;;
    --peer) peer=$2 ;;
    --wheels) wheels=$2 ;;
    *) usage ;;
    esac
    shift 2
done
here=$(cd "$(dirname "$0")" && pwd)
[ -x "$build/bin/tracedeck" ] && [ -x "$build/bin/tracedeck-worker" ] || fail "$build/bin has no tracedeck and tracedeck-worker: build them first"
[ -z "$peer" ] || [ -n "$dataset" ] || fail "--peer makes its set from the one that --dataset names"

staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
root=$staging/carried
mkdir -p "$root/bin" "$root/lib" "$root/plugins/platforms" "$root/plugins/imageformats" "$root/plugins/iconengines" "$root/fonts" "$root/tests/gpu"

for name in tracedeck tracedeck-worker tracedeck-gui libtracedeck-cuda-host.so libtracedeck-confine.so; do
    [ -e "$build/bin/$name" ] || { printf 'carry.sh: without %s, which was not built\n' "$name" >&2; continue; }
    cp "$build/bin/$name" "$root/bin/"
done
for test in "$build"/tests/gpu_test_* "$build/tests/gui_test_run_selected" "$build/tests/gui_test_run_walk"; do
    [ -d "$test" ] || [ ! -x "$test" ] || cp "$test" "$root/bin/"
done
if [ -e "$root/bin/tracedeck-gui" ]; then
    plugins=$(qmake6 -query QT_INSTALL_PLUGINS 2>/dev/null || qtpaths6 --query QT_INSTALL_PLUGINS)
    cp "$plugins/platforms/libqoffscreen.so" "$plugins/platforms/libqminimal.so" "$root/plugins/platforms/"
    for name in imageformats/libqsvg.so iconengines/libqsvgicon.so; do
        [ ! -e "$plugins/$name" ] || cp "$plugins/$name" "$root/plugins/${name%/*}/"
    done
    for name in DejaVuSans DejaVuSans-Bold DejaVuSansMono DejaVuSansMono-Bold; do
        found=$(find /usr/share/fonts -name "$name.ttf" | head -n 1)
        [ -n "$found" ] || fail "the font $name is not installed (apt-get install fonts-dejavu-core)"
        cp "$found" "$root/fonts/"
    done
fi

# What every Linux brings itself stays out, as does what Python and PyTorch there must find in their own versions.
ours='^(ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv|libutil|libstdc\+\+|libgcc_s|libgomp|libcrypto|libssl|libz|liblzma|libexpat|libffi|libcuda|libnvidia.*)\.so'
find "$root/bin" "$root/plugins" -type f | while read -r file; do
    ldd "$file" 2>/dev/null | awk '$2 == "=>" && $3 ~ "^/" { print $3 }'
done | sort -u | while read -r library; do
    name=$(basename "$library")
    printf '%s\n' "$name" | grep -Eq "$ours" || cp -L "$library" "$root/lib/$name"
done
find "$root/bin" "$root/lib" "$root/plugins" -type f -exec strip --strip-unneeded {} + 2>/dev/null || fail "strip failed"

cat > "$root/fonts/fonts.conf" <<'CONF'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
CONF
cat > "$root/run.sh" <<'RUN'
#!/bin/sh
# Runs a program (of bin/, a script, or any other) with the carried libraries.
root=$(cd "$(dirname "$0")" && pwd)
export PATH="$root/bin:$PATH"
export LD_LIBRARY_PATH="$root/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export QT_PLUGIN_PATH="$root/plugins" QT_QPA_PLATFORM=offscreen FONTCONFIG_FILE="$root/fonts/fonts.conf"
exec "$@"
RUN
chmod +x "$root/run.sh"
cp -r "$here/run_gpu.py" "$here/check_diagnose.py" "$here/make_dataset.py" "$here/kernels" "$here/faults" "$root/tests/gpu/"
if [ -n "$dataset" ]; then
    python3 "$here/make_dataset.py" "$dataset" "$root/gpuset"
    [ -z "$peer" ] || python3 "$peer" "$dataset" "$root/peerset"
fi
[ -z "$wheels" ] || cp -r "$wheels" "$root/wheels"

mkdir -p "$(dirname "$out")"
tar -C "$staging" -caf "$out" carried   # compressed as its name says
size=$(($(stat -c %s "$out") / 1048576))
[ "$size" -le "$LIMIT_MIB" ] || fail "$out has $size MiB, more than $LIMIT_MIB"
printf '%s: %d MiB, %d libraries\n' "$out" "$size" "$(ls "$root/lib" | wc -l)"
