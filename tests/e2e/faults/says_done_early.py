# SPDX-License-Identifier: GPL-3.0-or-later
# row: C8, C16
# expect: INCORRECT_NUMERICAL
# verdict: output.poisoned|late.write
# style: dps
import gc


def host():
    return next(found for found in gc.get_objects() if type(found).__name__ == "Host")


def run(x, y):
    import time
    page = host().page
    page[64] = page[32]
    time.sleep(0.02)
    y.copy_(x * 2 + 1)
