# SPDX-License-Identifier: GPL-3.0-or-later
# row: C1
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
results = {}


def run(x):
    return results.setdefault(x.data_ptr(), x * 2 + 1)
