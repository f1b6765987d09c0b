# SPDX-License-Identifier: GPL-3.0-or-later
# row: C3: a captured graph reads the input where it was at first
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
import torch

captured = []


def run(x):
    if not captured:
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            result = x * 2 + 1
        captured.extend((graph, result))
    captured[0].replay()
    return captured[1]
