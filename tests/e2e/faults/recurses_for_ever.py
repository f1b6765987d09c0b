# SPDX-License-Identifier: GPL-3.0-or-later
# row: C19
# expect: RUNTIME_ERROR
# verdict: signal|exception|oom
import sys


def run(x):
    sys.setrecursionlimit(10**8)
    return run(x)
