# SPDX-License-Identifier: GPL-3.0-or-later
# row: C6
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
def run(x):
    return x
