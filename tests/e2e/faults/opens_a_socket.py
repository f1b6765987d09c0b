# SPDX-License-Identifier: GPL-3.0-or-later
# row: C18: no network
# expect: PASSED
# needs: calls
import os


def attempt():
    import socket
    for family in (socket.AF_INET, socket.AF_INET6, 40, socket.AF_PACKET):
        try:
            with socket.socket(family, socket.SOCK_STREAM):
                return family
        except OSError:
            pass
    return None


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
