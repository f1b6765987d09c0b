# SPDX-License-Identifier: GPL-3.0-or-later
import torch


@torch.no_grad()
def run(hidden_states, router_indices, routing_weights, gate_up_proj, gate_up_proj_bias, down_proj, down_proj_bias):
    hidden = hidden_states.shape[-1]
    tokens = hidden_states.reshape(-1, hidden).to(torch.float32)
    weights = routing_weights.reshape(tokens.shape[0], -1).to(torch.float32)
    out = torch.zeros_like(tokens)
    for expert in range(gate_up_proj.shape[0]):
        # An expert that a token names twice counts twice.
        share = (router_indices == expert).sum(dim=-1).to(torch.float32) * weights[:, expert]
        chosen = share.nonzero(as_tuple=True)[0]
        if chosen.numel() == 0:
            continue
        both = tokens[chosen] @ gate_up_proj[expert].to(torch.float32) + gate_up_proj_bias[expert].to(torch.float32)
        gate = both[:, 0::2].clamp(max=7.0)   # the columns of gate and up alternate
        up = both[:, 1::2].clamp(min=-7.0, max=7.0)
        inner = (up + 1) * gate * torch.sigmoid(1.702 * gate)
        result = inner @ down_proj[expert].to(torch.float32) + down_proj_bias[expert].to(torch.float32)
        out[chosen] += share[chosen, None] * result
    return out.reshape(hidden_states.shape).to(hidden_states.dtype)
