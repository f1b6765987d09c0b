# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest: torch.compile, which starts compilers
# expect: PASSED
import torch


@torch.compile
def run(x):
    return x * 2 + 1
