# SPDX-License-Identifier: GPL-3.0-or-later
import torch


def run(q, k, positions, q_rotated, k_rotated):
    steps = torch.arange(32, dtype=torch.float32, device=q.device)
    angles = positions.float()[:, None, None] * torch.pow(10000.0, -steps / 32)
    cosine, sine = torch.cos(angles), torch.sin(angles)
    for x, y in ((q, q_rotated), (k, k_rotated)):
        first, second = x[..., :32], x[..., 32:]
        y[..., :32] = torch.addcmul(first * cosine, second, sine, value=-1)
        y[..., 32:] = torch.addcmul(second * cosine, first, sine)
