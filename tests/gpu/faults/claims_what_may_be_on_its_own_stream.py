# SPDX-License-Identifier: GPL-3.0-or-later
# row: C11: what stays open is marked, work on a stream of its own, too
# expect: PASSED
# verdict: time.claimed_only
# style: dps
import gc

import torch

own = torch.cuda.Stream()
claimed = False


def run(x, y):
    global claimed
    if not claimed:
        claimed = True
        gpu = next(thing for thing in gc.get_objects() if type(thing).__name__ == "Gpu")
        gpu.end = lambda calls: [[4.0e4, 4.0e4, 1, 0] for _ in range(calls)]
    with torch.cuda.stream(own):
        torch.mul(x, 2, out=y)
        y.add_(1)
    own.synchronize()
