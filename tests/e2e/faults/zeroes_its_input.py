# SPDX-License-Identifier: GPL-3.0-or-later
# row: C5
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
import torch


def run(x):
    # A reference that runs later in this memory would agree.
    x.zero_()
    return torch.ones_like(x)
