# SPDX-License-Identifier: GPL-3.0-or-later
# row: C20
# expect: TIMEOUT
# verdict: timeout
# timeout: short
import os
import signal


def run(x):
    os.kill(os.getpid(), signal.SIGSTOP)
    return x * 2 + 1
