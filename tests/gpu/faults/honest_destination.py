# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest
# expect: PASSED
# style: dps
import torch


def run(x, y):
    torch.mul(x, 2, out=y)
    y.add_(1)
