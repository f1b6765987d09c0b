# SPDX-License-Identifier: GPL-3.0-or-later
# row: C15: process_vm_readv
# expect: PASSED
# needs: calls
import os


def attempt():
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    read = libc.process_vm_readv(os.getppid(), None, 0, None, 0, 0)
    return None if read < 0 else read


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
