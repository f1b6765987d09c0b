# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest: a stream of its own, joined by events
# expect: PASSED
# least: 0.5 of honest_value
import torch

own = torch.cuda.Stream()


def run(x):
    current = torch.cuda.current_stream()
    own.wait_stream(current)
    with torch.cuda.stream(own):
        y = x * 2 + 1
    current.wait_stream(own)
    y.record_stream(current)
    return y
