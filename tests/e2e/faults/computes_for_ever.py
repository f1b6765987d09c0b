# SPDX-License-Identifier: GPL-3.0-or-later
# row: C24, C26: works although nothing is asked of it
# expect: RUNTIME_ERROR
# verdict: late.cpu
import threading

counter = 0


def burn():
    global counter
    while True:
        counter += 1


threading.Thread(target=burn, daemon=True).start()


def run(x):
    return x * 2 + 1
