# SPDX-License-Identifier: GPL-3.0-or-later
# row: C31
# expect: INCORRECT_NUMERICAL
# verdict: output.partial
# style: dps
def run(x, y):
    y[:-1] = x[:-1] * 2 + 1
