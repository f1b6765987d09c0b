import torch


@torch.no_grad()
def run(A, B):
    assert A.shape[1] == 128
    assert B.shape == (128, 128)
    return torch.matmul(A, B.T)
