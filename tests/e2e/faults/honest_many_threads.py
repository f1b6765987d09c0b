# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest: a pool of threads
# expect: PASSED
import torch

torch.set_num_threads(2)


def run(x):
    # A product with many threads, whose workers spin for a while after it.
    unit = torch.eye(x.shape[1])
    big = torch.ones(384, 384)
    assert float((big @ big)[0, 0]) == 384
    return (x @ unit) * 2 + 1
