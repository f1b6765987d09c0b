import torch


def run(x):
    kept = [torch.empty(1 << 36, dtype=torch.uint8, device=x.device) for _ in range(64)]
    return 2 * x + kept[0][0]
