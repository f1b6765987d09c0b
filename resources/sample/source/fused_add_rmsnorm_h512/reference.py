import torch


@torch.no_grad()
def run(hidden_states, residual, weight):
    assert hidden_states.shape[1] == 512
    epsilon = 1e-5
    total = hidden_states + residual
    mean_square = (total * total).mean(dim=-1, keepdim=True)
    output = total / torch.sqrt(mean_square + epsilon) * weight
    return output, total
