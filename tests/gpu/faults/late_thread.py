# SPDX-License-Identifier: GPL-3.0-or-later
# row: C8
# expect: INCORRECT_NUMERICAL
# verdict: output.poisoned|late.write|output.partial
# style: dps
import threading
import time

import torch


def work(x, y):
    time.sleep(0.002)
    torch.mul(x, 2, out=y)
    y.add_(1)


def run(x, y):
    threading.Thread(target=work, args=(x, y)).start()
