# SPDX-License-Identifier: GPL-3.0-or-later
# row: C20: a file over its limit
# expect: RUNTIME_ERROR
# verdict: signal|exception
def run(x):
    with open('huge', 'wb') as file:
        file.truncate(1 << 33)
    return x * 2 + 1
