# SPDX-License-Identifier: GPL-3.0-or-later
import torch


def run(gate_up):
    half = gate_up.shape[1] // 2
    results = []
    for strip in gate_up.split(4):
        gate, up = strip[:, :half], strip[:, half:]
        results.append(gate * torch.sigmoid(gate) * up)
    return torch.cat(results)
