# SPDX-License-Identifier: GPL-3.0-or-later
# row: C20: memory that no limit on private memory counts
# expect: RUNTIME_ERROR
# verdict: oom|exception
# needs: memory
# says: memory
import mmap


def run(x):
    kept = []
    zeroes = bytes(64 << 20)
    for number in range(400):
        block = mmap.mmap(-1, 64 << 20)
        block.write(zeroes)
        kept.append(block)
    raise AssertionError('nobody stops it: 25 GiB')
