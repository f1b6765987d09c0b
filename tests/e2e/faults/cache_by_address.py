# SPDX-License-Identifier: GPL-3.0-or-later
# row: C1
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
results = {}


def run(x):
    if x.data_ptr() not in results:
        results[x.data_ptr()] = x * 2 + 1
    return results[x.data_ptr()]
