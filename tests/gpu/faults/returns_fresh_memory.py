# SPDX-License-Identifier: GPL-3.0-or-later
# row: C7
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong|output.nonfinite|output.poisoned
import torch


def run(x):
    return torch.empty_like(x)
