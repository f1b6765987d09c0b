import math

import torch


@torch.no_grad()
def run(q, k_cache, v_cache, kv_indptr, kv_indices, sm_scale):
    batch_size, heads, head_dim = q.shape
    kv_heads = k_cache.shape[2]
    assert (heads, kv_heads, head_dim) == (8, 2, 64)
    assert k_cache.shape[1] == 1
    assert kv_indptr.shape[0] == batch_size + 1
    group = heads // kv_heads

    output = torch.zeros_like(q)
    lse = torch.zeros(batch_size, heads, dtype=torch.float32, device=q.device)
    for sequence in range(batch_size):
        first, last = int(kv_indptr[sequence]), int(kv_indptr[sequence + 1])
        pages = kv_indices[first:last].to(torch.int64)
        keys = k_cache[pages, 0].to(torch.float32)
        values = v_cache[pages, 0].to(torch.float32)
        for kv_head in range(kv_heads):
            shared_by = slice(kv_head * group, (kv_head + 1) * group)
            queries = q[sequence, shared_by].to(torch.float32)
            scores = queries @ keys[:, kv_head].T * sm_scale
            output[sequence, shared_by] = (torch.softmax(scores, dim=-1) @ values[:, kv_head]).to(q.dtype)
            lse[sequence, shared_by] = torch.logsumexp(scores, dim=-1) / math.log(2.0)
    return output, lse
