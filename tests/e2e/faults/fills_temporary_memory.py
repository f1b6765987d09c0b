# SPDX-License-Identifier: GPL-3.0-or-later
# row: C20: the files in memory have a limit of their own
# expect: PASSED
# needs: view
import os

refused = False
try:
    for number in range(40):
        with open('/dev/shm/%d' % number, 'wb') as file:
            file.write(bytes(100 << 20))
except OSError:
    refused = True


def run(x):
    assert refused, 'nobody stops it'
    return x * 2 + 1
