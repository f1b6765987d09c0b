# SPDX-License-Identifier: GPL-3.0-or-later
# row: C18: no network
# expect: PASSED
# needs: namespaces
import os


def attempt():
    import socket
    connection = socket.create_connection(('127.0.0.1', @PORT@), timeout=1)
    connection.close()
    return 'connected'


def run(x):
    try:
        got = attempt()
    except (OSError, PermissionError, AttributeError) as error:
        got = None
    assert got is None, got
    return x * 2 + 1
