# SPDX-License-Identifier: GPL-3.0-or-later
# row: C11: patches what the host says of its times
# expect: PASSED
# verdict: time.unsupported
# style: dps
# least: 0.75 of honest_destination
import gc

import torch

claimed = False


def run(x, y):
    global claimed
    if not claimed:
        claimed = True
        gpu = next(thing for thing in gc.get_objects() if type(thing).__name__ == "Gpu")
        gpu.end = lambda calls: [[3.0e4, 3.0e4, 1, 0] for _ in range(calls)]
    torch.mul(x, 2, out=y)
    y.add_(1)
