# SPDX-License-Identifier: GPL-3.0-or-later
import triton
import triton.language as tl

ROWS = 16


@triton.jit
def multiply(a_pointer, b_pointer, c_pointer, rows, height: tl.constexpr, columns: tl.constexpr, depth: tl.constexpr):
    row = tl.program_id(0) * height + tl.arange(0, height)
    column = tl.arange(0, columns)
    k = tl.arange(0, depth)
    present = row[:, None] < rows
    a = tl.load(a_pointer + row[:, None] * depth + k[None, :], mask=present, other=0.0)
    b = tl.load(b_pointer + column[None, :] * depth + k[:, None])
    c = tl.dot(a, b, input_precision="ieee")
    tl.store(c_pointer + row[:, None] * columns + column[None, :], c, mask=present)


def run(A, B, C):
    rows, depth = A.shape
    multiply[(triton.cdiv(rows, ROWS),)](A, B, C, rows, height=ROWS, columns=B.shape[0], depth=depth)
