import triton
import triton.language as tl


@triton.jit
def multiply(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        left = tl.load(a + row[:, None].to(tl.int64) * K + start + k[None, :], mask=row[:, None] < M, other=0.0)
        right = tl.load(b + column[None, :].to(tl.int64) * K + start + k[:, None], mask=column[None, :] < N, other=0.0)
        total = tl.dot(left, right, total)
    tl.store(c + row[:, None].to(tl.int64) * N + column[None, :], total.to(tl.float16), mask=(row[:, None] < M) & (column[None, :] < N))


def run(A, B, C):
    M, K = A.shape
    N = B.shape[0]
    multiply[(triton.cdiv(M, 64), triton.cdiv(N, 64))](A, B, C, M, N, K, BM=64, BN=64, BK=64, num_warps=4)
