# SPDX-License-Identifier: GPL-3.0-or-later
# row: C3, C4
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
calls = 0
last = None


def run(x):
    global calls, last
    calls += 1
    if calls <= 12:
        last = x * 2 + 1
    return last
