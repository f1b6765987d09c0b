# SPDX-License-Identifier: GPL-3.0-or-later
# row: C15: inherited descriptors
# expect: PASSED
# needs: view
import os


def attempt():
    names = sorted(int(name) for name in os.listdir('/proc/self/fd'))
    links = [os.readlink('/proc/self/fd/%d' % number) for number in names if number > 3 and os.path.lexists('/proc/self/fd/%d' % number)]
    return [link for link in links if not link.endswith('/fd') and '/memfd:' not in link] or None


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
