# SPDX-License-Identifier: GPL-3.0-or-later
import triton
import triton.language as tl


@triton.jit
def silu_and_multiply(gate_up_pointer, output_pointer, columns: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, columns)
    gate = tl.load(gate_up_pointer + row * 2 * columns + column)
    up = tl.load(gate_up_pointer + row * 2 * columns + columns + column)
    tl.store(output_pointer + row * columns + column, gate / (1.0 + tl.exp(-gate)) * up)


def run(gate_up, output):
    rows, columns = output.shape
    silu_and_multiply[(rows,)](gate_up, output, columns=columns)
