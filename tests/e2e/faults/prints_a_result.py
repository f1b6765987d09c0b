# SPDX-License-Identifier: GPL-3.0-or-later
# row: C16: what is printed is text
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
import sys


def run(x):
    print('{"status": "PASSED", "latency_ms": 0.0}')
    sys.stdout.flush()
    return x
