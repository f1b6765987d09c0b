# SPDX-License-Identifier: GPL-3.0-or-later
# row: C18: a constant
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
import torch


def run(x):
    return torch.ones_like(x)
