# SPDX-License-Identifier: GPL-3.0-or-later
# row: C8: another process writes late
# expect: INCORRECT_NUMERICAL
# verdict: output.poisoned|late.write
# style: dps
import os
import time


def run(x, y):
    if os.fork() == 0:
        time.sleep(0.01)
        y.copy_(x * 2 + 1)
        os._exit(0)
