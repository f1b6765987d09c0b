# SPDX-License-Identifier: GPL-3.0-or-later
# row: C19
# expect: RUNTIME_ERROR
# verdict: exception
# says: out of luck
def run(x):
    raise ValueError('out of luck')
