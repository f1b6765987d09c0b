# SPDX-License-Identifier: GPL-3.0-or-later
# row: C19
# expect: RUNTIME_ERROR
# verdict: exception
import sys


def run(x):
    sys.exit(0)
