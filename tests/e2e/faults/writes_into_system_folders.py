# SPDX-License-Identifier: GPL-3.0-or-later
# row: C17
# expect: PASSED
# needs: view|landlock
import os


def attempt():
    for folder in ('/usr/lib', '/etc', '/', '/usr/local/bin'):
        try:
            with open(os.path.join(folder, 'tracedeck-fault'), 'w'):
                return folder
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
