# SPDX-License-Identifier: GPL-3.0-or-later
# row: C2, C17: a message to the next one
# expect: PASSED
# needs: view|landlock
import os

for folder in ('/tmp', '/var/tmp', '/dev/shm', os.path.dirname(os.environ['HOME'])):
    try:
        with open(os.path.join(folder, 'tracedeck-note'), 'w') as file:
            file.write('result')
    except OSError:
        pass


def run(x):
    return x * 2 + 1
