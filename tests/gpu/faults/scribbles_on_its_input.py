# SPDX-License-Identifier: GPL-3.0-or-later
# row: C5 without intent
# expect: PASSED
# verdict: inputs.mutated
def run(x):
    return x.mul_(2).add_(1)
