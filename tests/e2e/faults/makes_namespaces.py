# SPDX-License-Identifier: GPL-3.0-or-later
# row: C15: namespaces of its own
# expect: PASSED
# needs: calls
import os


def attempt():
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    if libc.unshare(0x10000000) == 0:
        return 'unshared'
    if libc.syscall(56, 0x10000000 | 17, None, None, None, None) > 0:
        return 'cloned'
    return None


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
