# SPDX-License-Identifier: GPL-3.0-or-later
# row: C16
# expect: RUNTIME_ERROR
# verdict: protocol
import os
import pickle
import struct


class Evil:
    def __reduce__(self):
        return os.system, ('touch @ROOT@/stolen',)


def run(x):
    text = pickle.dumps(Evil())
    os.write(3, struct.pack('<I', len(text)) + text)
    return x * 2 + 1
