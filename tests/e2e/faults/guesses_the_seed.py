# SPDX-License-Identifier: GPL-3.0-or-later
# row: C18
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
import torch


def run(x):
    for seed in range(20):
        torch.manual_seed(seed)
        if torch.equal(torch.randn(x.shape), x):
            return x * 2 + 1
    return torch.zeros_like(x)
