# SPDX-License-Identifier: GPL-3.0-or-later
# row: C20: ignores SIGTERM and all others
# expect: TIMEOUT
# verdict: timeout
# timeout: short
import signal
import time

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def run(x):
    time.sleep(1000)
