# SPDX-License-Identifier: GPL-3.0-or-later
# row: C20
# expect: RUNTIME_ERROR
# verdict: exception|oom|signal
# says: mory
def run(x):
    kept = []
    while True:
        kept.append(bytearray(64 << 20))
