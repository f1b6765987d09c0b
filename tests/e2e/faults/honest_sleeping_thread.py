# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest: a thread that sleeps, as profilers and loggers have
# expect: PASSED
import threading
import time


def tick():
    while True:
        time.sleep(0.01)


threading.Thread(target=tick, daemon=True).start()


def run(x):
    return x * 2 + 1
