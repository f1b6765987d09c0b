# SPDX-License-Identifier: GPL-3.0-or-later
# row: C19
# expect: RUNTIME_ERROR
# verdict: signal
# says: signal 15
import os
import signal


def run(x):
    os.kill(os.getpid(), signal.SIGTERM)
