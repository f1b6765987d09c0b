# SPDX-License-Identifier: GPL-3.0-or-later
import torch


def rotated(tensor, cos, sin):
    half = cos.shape[-1]
    first, second = (part.to(torch.float32) for part in (tensor[..., :half], tensor[..., half:2 * half]))
    c, s = cos.to(torch.float32), sin.to(torch.float32)
    turned = torch.cat((first * c - second * s, first * s + second * c), dim=-1).to(tensor.dtype)
    return torch.cat((turned, tensor[..., 2 * half:]), dim=-1)


@torch.no_grad()
def run(query, key, cos, sin):
    return rotated(query, cos, sin), rotated(key, cos, sin)
