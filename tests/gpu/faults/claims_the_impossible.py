# SPDX-License-Identifier: GPL-3.0-or-later
# row: C11: what can't be measured queued has the floor of physics
# expect: RUNTIME_ERROR
# verdict: physics
import gc

claimed = False


def run(x):
    global claimed
    if not claimed:
        claimed = True
        gpu = next(thing for thing in gc.get_objects() if type(thing).__name__ == "Gpu")
        gpu.end = lambda calls: [[1.0e3, 1.0e3, 1, 0] for _ in range(calls)]
    return x * 2 + 1 if x[0, 0].item() < 1e30 else x
