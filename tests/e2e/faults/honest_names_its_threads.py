# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest: threads with names, as drivers and thread pools give them
# expect: PASSED
import os
import threading


def name_it():
    with open("/proc/self/task/%d/comm" % threading.get_native_id(), "w") as file:
        file.write("worker\n")
    with open("/proc/self/comm") as file:
        assert file.read()


thread = threading.Thread(target=name_it)
failures = []
threading.excepthook = lambda what: failures.append(str(what.exc_value))
thread.start()
thread.join()
name_it()
assert not failures, failures


def run(x):
    return x * 2 + 1
