# SPDX-License-Identifier: GPL-3.0-or-later
import torch


def run(router_logits):
    chosen, ids = torch.topk(router_logits, 8, -1)
    return torch.softmax(chosen, -1), ids
