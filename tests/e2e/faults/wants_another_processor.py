# SPDX-License-Identifier: GPL-3.0-or-later
# row: C8: goes where the judge works, to delay it
# expect: PASSED
# needs: calls
import os

before = os.sched_getaffinity(0)
os.sched_setaffinity(0, range(os.cpu_count()))
if os.sched_getaffinity(0) != before:
    raise RuntimeError("it could move")


def run(x):
    return x * 2 + 1
