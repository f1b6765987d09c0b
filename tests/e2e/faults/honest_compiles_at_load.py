# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest: a compiler while it is loaded, as JIT compilers do
# expect: PASSED
# style: dps
import ctypes
import os
import subprocess
import tempfile

folder = tempfile.mkdtemp()
source = os.path.join(folder, "kernel.c")
with open(source, "w") as file:
    file.write("void run(const float* x, float* y, long n) { for (long i = 0; i < n; ++i) y[i] = x[i] * 2 + 1; }\n")
library = os.path.join(folder, "kernel.so")
subprocess.run(["gcc", "-O2", "-shared", "-fPIC", source, "-o", library], check=True)
kernel = ctypes.CDLL(library)


def run(x, y):
    kernel.run(ctypes.c_void_p(x.data_ptr()), ctypes.c_void_p(y.data_ptr()), ctypes.c_long(x.numel()))
