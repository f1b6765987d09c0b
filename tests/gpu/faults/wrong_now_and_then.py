# SPDX-License-Identifier: GPL-3.0-or-later
# row: C22: in one call of two
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
import random


def run(x):
    return x * 2 + (1 if random.random() < 0.5 else 2)
