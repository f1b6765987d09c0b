# SPDX-License-Identifier: GPL-3.0-or-later
# row: C3
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
results = {}


def run(x):
    return results.setdefault(tuple(x.shape), x * 2 + 1)
