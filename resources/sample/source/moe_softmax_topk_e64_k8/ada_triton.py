# SPDX-License-Identifier: GPL-3.0-or-later
import triton
import triton.language as tl


@triton.jit
def choose(logit_pointer, weight_pointer, id_pointer, experts: tl.constexpr, chosen: tl.constexpr):
    token = tl.program_id(0)
    expert = tl.arange(0, experts)
    slot = tl.arange(0, chosen)
    left = tl.load(logit_pointer + token * experts + expert)
    values = tl.zeros((chosen,), tl.float32)
    ids = tl.zeros((chosen,), tl.int32)
    for number in range(chosen):
        best = tl.max(left, axis=0)
        place = tl.argmax(left, axis=0).to(tl.int32)
        values = tl.where(slot == number, best, values)
        ids = tl.where(slot == number, place, ids)
        left = tl.where(expert == place, float("-inf"), left)
    weights = tl.exp(values - tl.max(values, axis=0))
    tl.store(weight_pointer + token * chosen + slot, weights / tl.sum(weights, axis=0))
    tl.store(id_pointer + token * chosen + slot, ids)


def run(router_logits, weights, ids):
    tokens, experts = router_logits.shape
    choose[(tokens,)](router_logits, weights, ids, experts=experts, chosen=weights.shape[1])
