# SPDX-License-Identifier: GPL-3.0-or-later
# row: C5
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
def run(x):
    x.zero_()
    return x * 2 + 1
