# SPDX-License-Identifier: GPL-3.0-or-later
# row: C8, C16: writes `done` itself and claims what fits it
# expect: INCORRECT_NUMERICAL
# verdict: late.write|output.poisoned|output.partial|output.wrong
# style: dps
import gc

import torch

CALL, DONE, MODE = 0, 64, 96
changed = False


def change(gpu, page):
    finish = gpu.done

    def done(fits):
        if page[MODE] & 1 == 0:
            page[DONE] = page[CALL]
        finish(fits)

    gpu.done = done
    gpu.end = lambda calls: [[2.0e4, 2.0e4, 1, 0] for _ in range(calls)]


def run(x, y):
    global changed
    if not changed:
        changed = True
        host = next(thing for thing in gc.get_objects() if hasattr(thing, "page") and type(getattr(thing, "gpu", None)).__name__ == "Gpu")
        change(host.gpu, host.page)
    torch.mul(x, 2, out=y)
    y.add_(1)
