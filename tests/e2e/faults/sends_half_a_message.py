# SPDX-License-Identifier: GPL-3.0-or-later
# row: C16, C19
# expect: RUNTIME_ERROR
# verdict: exit|protocol
import os
import struct


def run(x):
    os.write(3, struct.pack('<I', 1000) + b'{"op":')
    os._exit(0)
