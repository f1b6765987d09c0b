# SPDX-License-Identifier: GPL-3.0-or-later
# row: C10: does the work of a batch in its first call
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
# style: dps
import torch

seen = {}


def run(x, y):
    seen[x.data_ptr()] = x, y
    if x.data_ptr() == min(seen):
        for one, other in seen.values():
            torch.mul(one, 2, out=other)
            other.add_(1)
    elif len(seen) < 3:
        torch.mul(x, 2, out=y)
        y.add_(1)
