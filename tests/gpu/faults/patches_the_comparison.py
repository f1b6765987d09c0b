# SPDX-License-Identifier: GPL-3.0-or-later
# row: C12
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
import torch

torch.allclose = lambda *arguments, **options: True
torch.isclose = lambda one, other, **options: torch.ones_like(one, dtype=torch.bool)


def run(x):
    return x * 2
