# SPDX-License-Identifier: GPL-3.0-or-later
# row: kills the judge
# expect: PASSED
# needs: landlock 6
import os


def attempt():
    import signal
    parent = os.getppid()
    if parent <= 1:
        return None
    os.kill(parent, signal.SIGTERM)
    return parent


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
