# SPDX-License-Identifier: GPL-3.0-or-later
# row: C15: ptrace
# expect: PASSED
# needs: calls
import os


def attempt():
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    for number in (os.getppid(), 1):
        if libc.ptrace(16, number, None, None) == 0:
            return number
    return None


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
