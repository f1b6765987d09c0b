# SPDX-License-Identifier: GPL-3.0-or-later
# row: C2
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
results = {}


def run(x):
    key = x[0, 0].item() > 0
    return results.setdefault(key, x * 2 + 1)
