# SPDX-License-Identifier: GPL-3.0-or-later
import torch


@torch.no_grad()
def run(x, weight, bias):
    wide = x.to(torch.float32)
    centred = wide - wide.mean(dim=-1, keepdim=True)
    scale = torch.rsqrt((centred * centred).mean(dim=-1, keepdim=True) + 1e-5)
    return (centred * scale * weight.to(torch.float32) + bias.to(torch.float32)).to(x.dtype)
