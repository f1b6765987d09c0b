# SPDX-License-Identifier: GPL-3.0-or-later
# row: C10: does the work of several calls in one
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
calls = 0
last = None


def run(x):
    global calls, last
    calls += 1
    if calls < 3 or calls % 2:
        last = x * 2 + 1
    return last
