# SPDX-License-Identifier: GPL-3.0-or-later
# row: C15
# expect: PASSED
# needs: view|landlock
import os


def attempt():
    with open('@SECRET@') as file:
        return file.read()


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
