# SPDX-License-Identifier: GPL-3.0-or-later
# row: C17
# expect: PASSED
# needs: view|landlock
import os


def attempt():
    import shutil
    shutil.rmtree('@ROOT@')
    return 'deleted'


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
