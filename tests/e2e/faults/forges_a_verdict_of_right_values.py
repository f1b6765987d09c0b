# SPDX-License-Identifier: GPL-3.0-or-later
# row: C16
# expect: RUNTIME_ERROR
# verdict: protocol
import os
import struct


def run(x):
    text = b'{"op":"evaluated","evaluation":{"status":"PASSED"}}'
    os.write(3, struct.pack('<I', len(text)) + text)
    return x * 2 + 1
