# SPDX-License-Identifier: GPL-3.0-or-later
# row: C25: a library call is honest work
# expect: PASSED
import torch


def run(x):
    return torch.nn.functional.linear(x, torch.eye(x.shape[1]) * 2) + 1
