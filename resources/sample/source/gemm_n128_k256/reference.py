import torch


@torch.no_grad()
def run(A, B):
    assert A.shape[1] == 256
    assert B.shape == (128, 256)
    return torch.matmul(A, B.T)
