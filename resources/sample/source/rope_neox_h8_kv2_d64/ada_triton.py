# SPDX-License-Identifier: GPL-3.0-or-later
import math

import triton
import triton.language as tl


@triton.jit
def rotate(x_pointer, position_pointer, result_pointer, log_base, heads: tl.constexpr, half: tl.constexpr):
    token = tl.program_id(0)
    head = tl.arange(0, heads)
    pair = tl.arange(0, half)
    angle = tl.load(position_pointer + token).to(tl.float32) * tl.exp(-log_base * pair / half)
    cosine = tl.cos(angle)[None, :]
    sine = tl.sin(angle)[None, :]
    place = (token * heads + head[:, None]) * (2 * half) + pair[None, :]
    first = tl.load(x_pointer + place)
    second = tl.load(x_pointer + place + half)
    tl.store(result_pointer + place, first * cosine - second * sine)
    tl.store(result_pointer + place + half, second * cosine + first * sine)


def run(q, k, positions, q_rotated, k_rotated):
    tokens = positions.shape[0]
    for x, result in ((q, q_rotated), (k, k_rotated)):
        rotate[(tokens,)](x, positions, result, math.log(10000.0), heads=x.shape[1], half=x.shape[2] // 2)
