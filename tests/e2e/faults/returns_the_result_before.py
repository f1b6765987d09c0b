# SPDX-License-Identifier: GPL-3.0-or-later
# row: C6
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
last = None


def run(x):
    global last
    before, last = last, x * 2 + 1
    return last if before is None else before
