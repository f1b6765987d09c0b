# SPDX-License-Identifier: GPL-3.0-or-later
# row: C15
# expect: PASSED
# needs: namespaces
import os


def attempt():
    os.setuid(12345)
    return 'another user' if os.getuid() == 12345 else None


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
