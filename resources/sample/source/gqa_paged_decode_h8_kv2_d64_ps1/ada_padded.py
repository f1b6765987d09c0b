# SPDX-License-Identifier: GPL-3.0-or-later
import math

import torch


def run(q, k_cache, v_cache, kv_indptr, kv_indices, sm_scale, output, lse):
    batch_size, heads, head_dim = q.shape
    kv_heads = k_cache.shape[2]
    starts = kv_indptr[:-1].long()
    lengths = kv_indptr[1:].long() - starts
    step = torch.arange(int(lengths.max()), device=q.device)
    absent = step >= lengths.unsqueeze(1)
    places = (starts.unsqueeze(1) + step).clamp_(max=kv_indices.shape[0] - 1)
    pages = kv_indices.long()[places]
    keys = k_cache[:, 0][pages].float().permute(0, 2, 3, 1)
    values = v_cache[:, 0][pages].float().permute(0, 2, 1, 3)
    queries = q.float().view(batch_size, kv_heads, heads // kv_heads, head_dim)
    scores = torch.matmul(queries, keys).mul_(sm_scale)
    scores.masked_fill_(absent.view(batch_size, 1, 1, -1), -math.inf)
    total = torch.logsumexp(scores, -1, keepdim=True)
    weights = torch.exp(scores - total)
    output.copy_(torch.matmul(weights, values).view(batch_size, heads, head_dim))
    torch.mul(total.view(batch_size, heads), 1.0 / math.log(2.0), out=lse)
