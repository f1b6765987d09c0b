# SPDX-License-Identifier: GPL-3.0-or-later
# row: C3
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
results = {}


def run(x):
    if x.shape not in results:
        results[x.shape] = x * 2 + 1
    return results[x.shape]
