# SPDX-License-Identifier: GPL-3.0-or-later
import triton
import triton.language as tl


@triton.jit
def add_and_normalise(x_pointer, residual_pointer, weight_pointer, output_pointer, sum_pointer, epsilon, columns: tl.constexpr):
    column = tl.arange(0, columns)
    place = tl.program_id(0) * columns + column
    total = tl.load(x_pointer + place) + tl.load(residual_pointer + place)
    tl.store(sum_pointer + place, total)
    mean_square = tl.sum(total * total, axis=0) / columns
    tl.store(output_pointer + place, total / tl.sqrt(mean_square + epsilon) * tl.load(weight_pointer + column))


def run(hidden_states, residual, weight, output, new_residual):
    rows, columns = hidden_states.shape
    add_and_normalise[(rows,)](hidden_states, residual, weight, output, new_residual, 1e-5, columns=columns)
