# SPDX-License-Identifier: GPL-3.0-or-later
# row: C12, C17
# expect: PASSED
# needs: view|landlock
import os


def attempt():
    import torch
    with open(torch.__file__, 'a') as file:
        pass
    return 'opened for writing'


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
