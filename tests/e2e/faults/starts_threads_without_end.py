# SPDX-License-Identifier: GPL-3.0-or-later
# row: C20: a swarm of threads
# expect: RUNTIME_ERROR
# verdict: exception|limit|oom
# says: can't start new thread
import threading
import time


def run(x):
    for number in range(20000):
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    raise AssertionError("nobody stops it: 20000 threads")
