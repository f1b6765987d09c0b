# SPDX-License-Identifier: GPL-3.0-or-later
# row: C16
# expect: RUNTIME_ERROR
# verdict: protocol
import os


def run(x):
    os.write(3, os.urandom(4096))
    return x * 2 + 1
