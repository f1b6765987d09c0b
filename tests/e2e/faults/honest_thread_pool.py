# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest: its own threads, joined in every call
# expect: PASSED
# style: dps
from concurrent.futures import ThreadPoolExecutor

import torch

pool = ThreadPoolExecutor(2)


def half(source, target):
    torch.add(source * 2, 1, out=target)


def run(x, y):
    middle = x.shape[0] // 2
    list(pool.map(half, (x[:middle], x[middle:]), (y[:middle], y[middle:])))
