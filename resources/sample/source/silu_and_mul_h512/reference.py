import torch


@torch.no_grad()
def run(gate_up):
    assert gate_up.shape[1] == 1024
    gate, up = gate_up[:, :512], gate_up[:, 512:]
    return gate / (1.0 + torch.exp(-gate)) * up
