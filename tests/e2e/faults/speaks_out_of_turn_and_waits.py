# SPDX-License-Identifier: GPL-3.0-or-later
# row: C16
# expect: RUNTIME_ERROR
# verdict: protocol
# says: in the middle of a series
import os
import struct
import time

calls = 0


def run(x):
    global calls
    calls += 1
    if calls == 4:
        text = b'{"op":"ran"}'
        os.write(3, struct.pack('<I', len(text)) + text)
        time.sleep(1000)
    return x * 2 + 1
