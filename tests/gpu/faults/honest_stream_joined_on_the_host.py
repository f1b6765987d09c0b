# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest: a stream of its own that the CPU waits for
# expect: PASSED
# style: dps
# verdict: time.claimed_only
# least: 0.5 of honest_destination
import torch

own = torch.cuda.Stream()


def run(x, y):
    with torch.cuda.stream(own):
        torch.mul(x, 2, out=y)
        y.add_(1)
    own.synchronize()
