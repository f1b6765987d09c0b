# SPDX-License-Identifier: GPL-3.0-or-later
# row: a daemon in a session of its own ends with its host
# expect: PASSED
# verdict: threads
# needs: namespaces
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(0)
os.wait()


def run(x):
    return x * 2 + 1
