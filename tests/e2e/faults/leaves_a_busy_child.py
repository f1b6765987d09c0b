# SPDX-License-Identifier: GPL-3.0-or-later
# row: C26: slows down what is measured next
# expect: RUNTIME_ERROR
# verdict: late.cpu
import os

if os.fork() == 0:
    while True:
        pass


def run(x):
    return x * 2 + 1
