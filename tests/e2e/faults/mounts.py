# SPDX-License-Identifier: GPL-3.0-or-later
# row: C15
# expect: PASSED
# needs: calls
import os


def attempt():
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    return None if libc.mount(b'tmpfs', b'/tmp', b'tmpfs', 0, None) else 'mounted'


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
