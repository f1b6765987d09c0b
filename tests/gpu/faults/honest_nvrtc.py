# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest: compiles a kernel when it is loaded
# expect: PASSED
# style: dps
import torch

SOURCE = '''
extern "C" __global__ void affine(const float* x, float* y, int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) y[i] = x[i] * 2 + 1;
}
'''
kernel = torch.cuda._compile_kernel(SOURCE, "affine")


def run(x, y):
    kernel(grid=(1056, 1, 1), block=(256, 1, 1), args=(x, y, x.numel()))
