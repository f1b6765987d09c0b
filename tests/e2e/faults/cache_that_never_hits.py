# SPDX-License-Identifier: GPL-3.0-or-later
# row: C2: never hits, passes at its honest speed
# expect: PASSED
results = {}


def run(x):
    return results.setdefault((float(x.sum()), float(x[0, 0])), x * 2 + 1)
