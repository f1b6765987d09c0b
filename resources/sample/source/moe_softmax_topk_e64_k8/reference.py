import torch


@torch.no_grad()
def run(router_logits):
    assert router_logits.shape[1] == 64
    chosen, ids = torch.topk(router_logits, 8, dim=-1, largest=True, sorted=True)
    weights = torch.softmax(chosen, dim=-1)
    return weights, ids.to(torch.int32)
