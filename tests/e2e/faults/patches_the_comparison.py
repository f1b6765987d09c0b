# SPDX-License-Identifier: GPL-3.0-or-later
# row: C12
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
import builtins
import math

import torch

torch.allclose = torch.equal = lambda *arguments, **options: True
torch.testing.assert_close = lambda *arguments, **options: None
math.isnan = lambda value: False
builtins.abs = lambda value: 0


def run(x):
    return x
