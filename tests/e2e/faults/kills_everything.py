# SPDX-License-Identifier: GPL-3.0-or-later
# row: kills the judge and its siblings
# expect: PASSED
# needs: proc
import os


def attempt():
    import signal
    # Only where nothing but itself can be hit.
    assert len([name for name in os.listdir('/proc') if name.isdigit()]) < 10
    for number in (1, os.getppid()):
        if number > 0:
            try:
                os.kill(number, signal.SIGKILL)
            except OSError:
                pass
    try:
        os.kill(-1, signal.SIGKILL)
    except OSError:
        pass
    return None


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
