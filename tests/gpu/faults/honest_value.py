# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest
# expect: PASSED
def run(x):
    return x * 2 + 1
