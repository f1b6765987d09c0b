# SPDX-License-Identifier: GPL-3.0-or-later
# row: C10: does the work of a batch in its last call
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong|output.poisoned|output.partial
# style: dps
import torch

seen = {}


def run(x, y):
    is_new = x.data_ptr() not in seen
    seen[x.data_ptr()] = x, y
    if is_new or len(seen) == 1:
        torch.mul(x, 2, out=y)
        y.add_(1)
    elif x.data_ptr() == max(seen):
        for one, other in seen.values():
            torch.mul(one, 2, out=other)
            other.add_(1)
