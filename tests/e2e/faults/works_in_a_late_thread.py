# SPDX-License-Identifier: GPL-3.0-or-later
# row: C8
# expect: INCORRECT_NUMERICAL
# verdict: output.poisoned|late.write
# style: dps
import threading
import time


def late(x, y):
    time.sleep(0.005)
    y.copy_(x * 2 + 1)


def run(x, y):
    threading.Thread(target=late, args=(x.clone(), y)).start()
