# SPDX-License-Identifier: GPL-3.0-or-later
# row: C2, C17: runs after leaves_a_note
# expect: PASSED
import os

found = [folder for folder in ('/tmp', '/var/tmp', '/dev/shm', os.path.dirname(os.environ['HOME'])) if os.path.exists(os.path.join(folder, 'tracedeck-note'))]


def run(x):
    assert not found, found
    return x * 2 + 1
