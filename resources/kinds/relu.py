# SPDX-License-Identifier: GPL-3.0-or-later
import torch


@torch.no_grad()
def run(x):
    return torch.clamp(x, min=0)
