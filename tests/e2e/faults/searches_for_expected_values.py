# SPDX-License-Identifier: GPL-3.0-or-later
# row: C14
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong|output.nonfinite|output.poisoned
import gc

import torch


def run(x):
    for found in gc.get_objects():
        if isinstance(found, torch.Tensor) and found is not x and found.shape == x.shape and found.data_ptr() != x.data_ptr():
            return found.clone()
    return torch.zeros_like(x)
