# SPDX-License-Identifier: GPL-3.0-or-later
# row: C11: patches what the host says of its times
# expect: PASSED
# verdict: time.unsupported
# least: 0.5 of honest_value
import gc


def claim(gpu):
    gpu.end = lambda calls: [[1.0e4, 1.0e4, 1, 0] for _ in range(calls)]


claimed = False


def run(x):
    global claimed
    if not claimed:
        claimed = True
        claim(next(thing for thing in gc.get_objects() if type(thing).__name__ == "Gpu"))
    return x * 2 + 1
