# SPDX-License-Identifier: GPL-3.0-or-later
# row: C15
# expect: PASSED
# needs: proc
import os


def attempt():
    others = [name for name in os.listdir('/proc') if name.isdigit() and name not in ('1', str(os.getpid()))]
    return others or None


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
