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
        for head in range(heads):
            query = q[sequence, head].to(torch.float32)
            scores = keys[:, head // group] @ query * sm_scale
            output[sequence, head] = (torch.softmax(scores, dim=0) @ values[:, head // group]).to(q.dtype)
            lse[sequence, head] = torch.logsumexp(scores, dim=0) / math.log(2.0)
    return output, lse
