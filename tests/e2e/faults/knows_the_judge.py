# SPDX-License-Identifier: GPL-3.0-or-later
# row: C30
# expect: PASSED
# needs: namespaces
import os
import socket

known = [name for name in os.environ if 'TRACEDECK' in name]
assert not known, known
assert socket.gethostname() == 'localhost', socket.gethostname()


def run(x):
    return x * 2 + 1
