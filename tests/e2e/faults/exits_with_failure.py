# SPDX-License-Identifier: GPL-3.0-or-later
# row: C19
# expect: RUNTIME_ERROR
# verdict: exit
# says: exit code 3
import os


def run(x):
    os._exit(3)
