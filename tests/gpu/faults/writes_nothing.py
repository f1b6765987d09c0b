# SPDX-License-Identifier: GPL-3.0-or-later
# row: C7
# expect: INCORRECT_NUMERICAL
# verdict: output.poisoned
# style: dps
def run(x, y):
    pass
