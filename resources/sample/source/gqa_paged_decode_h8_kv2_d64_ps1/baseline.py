# SPDX-License-Identifier: GPL-3.0-or-later
import math

import torch


def run(q, k_cache, v_cache, kv_indptr, kv_indices, sm_scale):
    batch_size, heads, head_dim = q.shape
    kv_heads = k_cache.shape[2]
    bounds = kv_indptr.tolist()
    pages = kv_indices.long()
    queries = q.float().view(batch_size, kv_heads, heads // kv_heads, head_dim)
    outputs, lses = [], []
    for sequence in range(batch_size):
        mine = pages[bounds[sequence]:bounds[sequence + 1]]
        keys = k_cache[mine, 0].float().permute(1, 2, 0)
        values = v_cache[mine, 0].float().transpose(0, 1)
        scores = torch.bmm(queries[sequence], keys) * sm_scale
        lses.append(torch.logsumexp(scores, -1).view(heads) / math.log(2.0))
        outputs.append(torch.bmm(torch.softmax(scores, -1), values).view(heads, head_dim))
    return torch.stack(outputs).to(q.dtype), torch.stack(lses)
