# SPDX-License-Identifier: GPL-3.0-or-later
import torch
import triton
import triton.language as tl


@triton.jit
def normalise_row(x_pointer, weight_pointer, output_pointer, epsilon, columns: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * columns
    column = tl.arange(0, columns)
    x = tl.load(x_pointer + start + column).to(tl.float32)
    weight = tl.load(weight_pointer + column).to(tl.float32)
    mean_square = tl.sum(x * x, axis=0) / columns
    y = x / tl.sqrt(mean_square + epsilon) * weight
    tl.store(output_pointer + start + column, y.to(tl.bfloat16))


def run(hidden_states, weight, output):
    rows, columns = hidden_states.shape
    normalise_row[(rows,)](hidden_states, weight, output, 1e-6, columns=columns)
