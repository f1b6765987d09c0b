#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the reference of each kind of kernel on small inputs and compares it with the formula written out in plain Python, number by number
(usage: check_kinds.py FOLDER_OF_REFERENCES KIND…). Prints `KIND: ok`, or what differs. Needs torch."""
import itertools
import math
import pathlib
import sys

import torch

torch.manual_seed(7)


def attention():
    q, k, v = (torch.randn(2, 5, 3, 4) for _ in range(3))
    out = torch.zeros(2, 5, 3, 4)
    for b, i, h in itertools.product(range(2), range(5), range(3)):
        scores = [sum(float(q[b, i, h, d]) * float(k[b, j, h, d]) for d in range(4)) / 2.0 for j in range(5)]
        weights = [math.exp(score) for score in scores]
        for d in range(4):
            out[b, i, h, d] = sum(w * float(v[b, j, h, d]) for j, w in enumerate(weights)) / sum(weights)
    return (q, k, v), out


def rms_norm():
    x, weight = torch.randn(2, 3, 8), torch.randn(8)
    out = torch.zeros_like(x)
    for b, s in itertools.product(range(2), range(3)):
        row = [float(value) for value in x[b, s]]
        scale = math.sqrt(sum(value * value for value in row) / 8 + 1e-6)
        for d in range(8):
            out[b, s, d] = row[d] / scale * float(weight[d])
    return (x, weight), out


def layer_norm():
    x, weight, bias = torch.randn(2, 3, 8), torch.randn(8), torch.randn(8)
    out = torch.zeros_like(x)
    for b, s in itertools.product(range(2), range(3)):
        row = [float(value) for value in x[b, s]]
        mean = sum(row) / 8
        deviation = math.sqrt(sum((value - mean) ** 2 for value in row) / 8 + 1e-5)
        for d in range(8):
            out[b, s, d] = (row[d] - mean) / deviation * float(weight[d]) + float(bias[d])
    return (x, weight, bias), out


def activation():
    x = torch.randn(3, 8) * 3
    out = torch.zeros(3, 4)
    for t, d in itertools.product(range(3), range(4)):
        gate, up = float(x[t, d]), float(x[t, d + 4])
        out[t, d] = gate / (1 + math.exp(-gate)) * up
    return (x,), out


def relu():
    x = torch.randn(3, 8)
    return (x,), torch.tensor([[max(0.0, float(value)) for value in row] for row in x])


def causal_conv1d():
    x, weight, bias = torch.randn(2, 3, 6), torch.randn(3, 4), torch.randn(3)
    out = torch.zeros_like(x)
    for b, c, t in itertools.product(range(2), range(3), range(6)):
        out[b, c, t] = float(bias[c]) + sum(float(weight[c, w]) * float(x[b, c, t - 3 + w]) for w in range(4) if t - 3 + w >= 0)
    return (x, weight, bias), out


def rotary():
    query, key, cos, sin = torch.randn(2, 3, 2, 8), torch.randn(2, 3, 2, 8), torch.randn(3, 1, 3), torch.randn(3, 1, 3)
    outs = []
    for tensor in (query, key):
        out = tensor.clone()
        for b, s, h, r in itertools.product(range(2), range(3), range(2), range(3)):
            turned = complex(float(tensor[b, s, h, r]), float(tensor[b, s, h, r + 3])) * complex(float(cos[s, 0, r]), float(sin[s, 0, r]))
            out[b, s, h, r], out[b, s, h, r + 3] = turned.real, turned.imag
        outs.append(out)
    return (query, key, cos, sin), tuple(outs)


def openai_moe():
    hidden, experts, width = torch.randn(2, 3, 4), 3, 6
    indices = torch.tensor([[0, 1], [2, 2], [1, 0], [2, 1], [0, 0], [1, 2]])
    routing = torch.softmax(torch.randn(2, 3, experts), dim=-1)
    gate_up, gate_up_bias = torch.randn(experts, 4, width) * 4, torch.randn(experts, width)
    down, down_bias = torch.randn(experts, width // 2, 4), torch.randn(experts, 4)
    out = torch.zeros(2, 3, 4)
    for b, s, chosen in itertools.product(range(2), range(3), range(2)):
        expert = int(indices[b * 3 + s, chosen])
        both = [float(gate_up_bias[expert, c]) + sum(float(hidden[b, s, d]) * float(gate_up[expert, d, c]) for d in range(4)) for c in range(width)]
        inner = []
        for gate, up in zip(both[0::2], both[1::2]):
            gate, up = min(gate, 7.0), max(-7.0, min(up, 7.0))
            inner.append((up + 1) * gate / (1 + math.exp(-1.702 * gate)))
        for d in range(4):
            value = float(down_bias[expert, d]) + sum(inner[c] * float(down[expert, c, d]) for c in range(width // 2))
            out[b, s, d] += float(routing[b, s, expert]) * value
    return (hidden, indices, routing, gate_up, gate_up_bias, down, down_bias), out


def deformable_detr():
    shapes, heads, channels, queries, points = [(4, 6), (3, 2)], 2, 3, 3, 2
    starts = [0, 24]
    value = torch.randn(2, 30, heads, channels)
    places = torch.rand(2, queries, heads, 2, points, 2) * 1.4 - 0.2   # some of them outside
    weights = torch.rand(2, queries, heads, 2, points)
    out = torch.zeros(2, queries, heads * channels)
    for b, q, h, level, p, c in itertools.product(range(2), range(queries), range(heads), range(2), range(points), range(channels)):
        height, width = shapes[level]
        x, y = float(places[b, q, h, level, p, 0]) * width - 0.5, float(places[b, q, h, level, p, 1]) * height - 0.5
        total = 0.0
        for row, column in itertools.product((math.floor(y), math.floor(y) + 1), (math.floor(x), math.floor(x) + 1)):
            if 0 <= row < height and 0 <= column < width:
                total += (1 - abs(y - row)) * (1 - abs(x - column)) * float(value[b, starts[level] + row * width + column, h, c])
        out[b, q, h * channels + c] += total * float(weights[b, q, h, level, p])
    return (value, torch.tensor(shapes), torch.tensor(starts), places, weights), out


def fault(kind):
    """What is wrong with the reference of a kind; None when nothing is."""
    inputs, expected = globals()[kind]()
    module = {}
    exec((pathlib.Path(sys.argv[1]) / (kind + ".py")).read_text(encoding="utf-8"), module)
    before = [tensor.clone() for tensor in inputs]
    got = module["run"](*inputs)
    for result, wanted in zip(got if isinstance(got, tuple) else (got,), expected if isinstance(expected, tuple) else (expected,), strict=True):
        if result.shape != wanted.shape or not torch.allclose(result, wanted, rtol=1e-4, atol=1e-5):
            return f"{result} in place of {wanted}"
    if not all(torch.equal(a, b) for a, b in zip(before, inputs)):
        return "an input was written to"
    for dtype in (torch.bfloat16, torch.float16):
        halves = [tensor.to(dtype) if tensor.is_floating_point() else tensor for tensor in inputs]
        if kind == "causal_conv1d":
            halves[1:] = inputs[1:]   # its weights are float32
        got = module["run"](*halves)
        for result in got if isinstance(got, tuple) else (got,):
            if result.dtype != dtype or not torch.isfinite(result.to(torch.float32)).all():
                return f"{result.dtype} for inputs of {dtype}"
    return None


for name in sys.argv[2:]:
    print(f"{name}: {fault(name) or 'ok'}")
