# SPDX-License-Identifier: GPL-3.0-or-later
# row: C21
# expect: INCORRECT_NUMERICAL
# verdict: output.nonfinite
import torch


def run(x):
    return torch.full_like(x, float('nan'))
