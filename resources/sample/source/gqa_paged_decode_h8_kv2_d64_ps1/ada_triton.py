# SPDX-License-Identifier: GPL-3.0-or-later
import triton
import triton.language as tl

BLOCK = 32
LOG2_E = 1.4426950408889634


@triton.jit
def decode(q_pointer, key_pointer, value_pointer, indptr_pointer, index_pointer, scale, output_pointer, lse_pointer, log2_e,
           heads: tl.constexpr, kv_heads: tl.constexpr, dim: tl.constexpr, block: tl.constexpr):
    sequence = tl.program_id(0)
    head = tl.program_id(1)
    column = tl.arange(0, dim)
    row = sequence * heads + head
    query = tl.load(q_pointer + row * dim + column).to(tl.float32)
    first = tl.load(indptr_pointer + sequence)
    last = tl.load(indptr_pointer + sequence + 1)
    top = float("-inf")
    total = 0.0
    result = tl.zeros((dim,), tl.float32)
    for start in range(first, last, block):
        token = start + tl.arange(0, block)
        present = token < last
        page = tl.load(index_pointer + token, mask=present, other=0)
        place = (page[:, None] * kv_heads + head // (heads // kv_heads)) * dim + column[None, :]
        keys = tl.load(key_pointer + place, mask=present[:, None], other=0.0).to(tl.float32)
        values = tl.load(value_pointer + place, mask=present[:, None], other=0.0).to(tl.float32)
        scores = tl.where(present, tl.sum(keys * query[None, :], axis=1) * scale, float("-inf"))
        new_top = tl.maximum(top, tl.max(scores, axis=0))
        shrink = tl.exp(top - new_top)
        weights = tl.exp(scores - new_top)
        total = total * shrink + tl.sum(weights, axis=0)
        result = result * shrink + tl.sum(weights[:, None] * values, axis=0)
        top = new_top
    tl.store(output_pointer + row * dim + column, (result / total).to(tl.bfloat16))
    tl.store(lse_pointer + row, tl.log(total) * log2_e + top * log2_e)


def run(q, k_cache, v_cache, kv_indptr, kv_indices, sm_scale, output, lse):
    sequences, heads, dim = q.shape
    decode[(sequences, heads)](q, k_cache, v_cache, kv_indptr, kv_indices, sm_scale, output, lse, LOG2_E, heads=heads, kv_heads=k_cache.shape[2],
                               dim=dim, block=BLOCK)
