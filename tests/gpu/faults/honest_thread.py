# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest: launches in a thread that it waits for
# expect: PASSED
# style: dps
# least: 0.5 of honest_destination
import threading

import torch


def work(stream, x, y):
    with torch.cuda.stream(stream):
        torch.mul(x, 2, out=y)
        y.add_(1)


def run(x, y):
    worker = threading.Thread(target=work, args=(torch.cuda.current_stream(), x, y))
    worker.start()
    worker.join()
