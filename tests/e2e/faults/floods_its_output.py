# SPDX-License-Identifier: GPL-3.0-or-later
# row: C20: 1.2 GB of text cost no memory
# expect: PASSED
# says: [log truncated: 
import os

block = b'flood ' * 100000


def run(x):
    return x * 2 + 1


for _ in range(2000):
    os.write(1, block)
