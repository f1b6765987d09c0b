# SPDX-License-Identifier: GPL-3.0-or-later
import torch
import triton
import triton.language as tl

ROWS = 16


@triton.jit
def normalise_rows(x_pointer, weight_pointer, output_pointer, rows, epsilon, height: tl.constexpr, columns: tl.constexpr):
    row = tl.program_id(0) * height + tl.arange(0, height)
    column = tl.arange(0, columns)
    place = row[:, None] * columns + column[None, :]
    present = row[:, None] < rows
    x = tl.load(x_pointer + place, mask=present, other=0.0).to(tl.float32)
    weight = tl.load(weight_pointer + column).to(tl.float32)
    mean_square = tl.sum(x * x, axis=1) / columns
    y = x / tl.sqrt(mean_square + epsilon)[:, None] * weight[None, :]
    tl.store(output_pointer + place, y.to(tl.bfloat16), mask=present)


def run(hidden_states, weight, output):
    rows, columns = hidden_states.shape
    programs = triton.cdiv(rows, ROWS)
    normalise_rows[(programs,)](hidden_states, weight, output, rows, 1e-6, height=ROWS, columns=columns)
