# SPDX-License-Identifier: GPL-3.0-or-later
# row: C16
# expect: RUNTIME_ERROR
# verdict: exception
# says: a word too many
import os
import struct

calls = 0


def run(x):
    global calls
    calls += 1
    if calls == 4:
        text = b'{"op":"error","kind":"call","message":"a word too many"}'
        os.write(3, struct.pack('<I', len(text)) + text)
    return x * 2 + 1
