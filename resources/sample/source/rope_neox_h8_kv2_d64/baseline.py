# SPDX-License-Identifier: GPL-3.0-or-later
import torch


def run(q, k, positions):
    frequencies = 10000.0 ** (torch.arange(32, device=q.device).float() / -32)
    angles = torch.outer(positions.float(), frequencies).unsqueeze(1)
    cosine, sine = angles.cos(), angles.sin()
    results = []
    for x in (q, k):
        first, second = x.chunk(2, -1)
        results.append(torch.cat((first * cosine - second * sine, second * cosine + first * sine), -1))
    return tuple(results)
