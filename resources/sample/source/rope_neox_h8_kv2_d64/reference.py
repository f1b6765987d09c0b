import torch


def rotate(x, cosine, sine):
    first, second = x[..., :32], x[..., 32:]
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], dim=-1)


@torch.no_grad()
def run(q, k, positions):
    assert q.shape[1:] == (8, 64)
    assert k.shape[1:] == (2, 64)
    exponents = torch.arange(32, dtype=torch.float32, device=q.device) / 32
    frequencies = torch.pow(10000.0, -exponents)
    angles = positions.to(torch.float32).unsqueeze(1) * frequencies
    cosine, sine = torch.cos(angles).unsqueeze(1), torch.sin(angles).unsqueeze(1)
    return rotate(q, cosine, sine), rotate(k, cosine, sine)
