# SPDX-License-Identifier: GPL-3.0-or-later
# row: changes the clock
# expect: PASSED
# needs: calls
import os


def attempt():
    import time
    time.clock_settime(time.CLOCK_REALTIME, time.time())
    return 'set'


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
