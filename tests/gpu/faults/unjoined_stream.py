# SPDX-License-Identifier: GPL-3.0-or-later
# row: C8: not joined, but all that it does is in its time
# expect: PASSED
# verdict: late.queued
# style: dps
# least: 0.5 of honest_destination
import torch

own = torch.cuda.Stream()


def run(x, y):
    own.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(own):
        torch.mul(x, 2, out=y)
        y.add_(1)
