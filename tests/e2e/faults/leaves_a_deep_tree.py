# SPDX-License-Identifier: GPL-3.0-or-later
# row: resources: folders in folders, deeper than any path is long
# expect: PASSED
import os

made = False


def run(x):
    global made
    if not made:
        made = True
        here = os.open(".", os.O_RDONLY)
        for _ in range(6000):
            os.mkdir("deep")
            os.chdir("deep")
        os.fchdir(here)
        os.close(here)
    return x * 2 + 1
