# SPDX-License-Identifier: GPL-3.0-or-later
import torch


@torch.no_grad()
def run(x, weight, bias):
    width = weight.shape[1]
    length = x.shape[2]
    padded = torch.nn.functional.pad(x.to(torch.float32), (width - 1, 0))
    out = bias.to(torch.float32)[None, :, None].expand(x.shape).clone()
    for tap in range(width):
        out += weight[:, tap].to(torch.float32)[None, :, None] * padded[:, :, tap:tap + length]
    return out.to(x.dtype)
