# SPDX-License-Identifier: GPL-3.0-or-later
import torch


def run(q, k, positions, q_rotated, k_rotated):
    frequencies = 10000.0 ** (torch.arange(32, device=q.device).float() / -32)
    angles = torch.outer(positions.float(), frequencies).unsqueeze(1)
    heads = torch.cat((q, k), 1)
    turned = torch.complex(heads[..., :32], heads[..., 32:]) * torch.polar(torch.ones_like(angles), angles)
    both = torch.cat((turned.real, turned.imag), -1)
    q_rotated.copy_(both[:, :8])
    k_rotated.copy_(both[:, 8:])
