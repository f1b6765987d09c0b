# SPDX-License-Identifier: GPL-3.0-or-later
# row: C14, C27: memory of another process, the driver not having cleared it
# expect: PASSED
import torch

# Fails to load if anything is found.
for _ in range(4):
    found = torch.empty(1 << 30, dtype=torch.float32, device="cuda")
    assert not found.any().item(), "memory of somebody else"


def run(x):
    return x * 2 + 1
