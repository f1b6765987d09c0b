# SPDX-License-Identifier: GPL-3.0-or-later
# row: C20: slow for reasons of its own, and the same in every call
# expect: PASSED
import time


def run(x):
    time.sleep(0.002)
    return x * 2 + 1
