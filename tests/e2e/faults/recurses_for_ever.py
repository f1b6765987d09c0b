# SPDX-License-Identifier: GPL-3.0-or-later
# row: C19
# expect: RUNTIME_ERROR
# verdict: exception
# says: RecursionError
def run(x):
    return run(x)
