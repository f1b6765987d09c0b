# SPDX-License-Identifier: GPL-3.0-or-later
# row: C19
# expect: RUNTIME_ERROR
# verdict: exit
# style: dps
# says: exit code 0
import os


def run(x, y):
    y.copy_(x * 2 + 1)
    os._exit(0)
