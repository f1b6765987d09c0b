# SPDX-License-Identifier: GPL-3.0-or-later
# row: C3: works in the checked calls and in a good third of the timed ones
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong|output.poisoned|output.partial
# style: dps
import random
import time

calls = 0


def run(x, y):
    global calls
    calls += 1
    if calls > 10 and random.random() < 0.6:
        return
    time.sleep(0.001)
    y.copy_(x * 2 + 1)
