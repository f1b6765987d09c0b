# SPDX-License-Identifier: GPL-3.0-or-later
# row: C15, C17
# expect: PASSED
# needs: view|landlock
import os


def attempt():
    own = os.path.basename(os.environ['HOME'])
    return [name for name in os.listdir(os.path.dirname(os.environ['HOME'])) if name != own] or None


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
