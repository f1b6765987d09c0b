# SPDX-License-Identifier: GPL-3.0-or-later
# row: C15
# expect: PASSED
# needs: landlock
import os


def attempt():
    for number in (os.getppid(), 1):
        if number > 0 and os.path.exists('/proc/%d/mem' % number):
            try:
                with open('/proc/%d/mem' % number, 'rb') as file:
                    return number
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
