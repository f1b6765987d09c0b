# SPDX-License-Identifier: GPL-3.0-or-later
# row: C19
# expect: RUNTIME_ERROR
# verdict: exception
import atexit
import os

atexit.register(print, 'PASSED')


def run(x):
    raise KeyboardInterrupt
