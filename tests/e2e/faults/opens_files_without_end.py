# SPDX-License-Identifier: GPL-3.0-or-later
# row: C20
# expect: RUNTIME_ERROR
# verdict: exception
# says: Too many open files
import os


def run(x):
    opened = []
    while len(opened) < 100000:
        opened.append(os.open('/dev/null', os.O_RDONLY))
    return x * 2 + 1
