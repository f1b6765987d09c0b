# SPDX-License-Identifier: GPL-3.0-or-later
# row: C8, C24: makes the calls itself, works before they begin, and mends what was hidden until then
# expect: RUNTIME_ERROR|PASSED
# verdict: time.ahead|time.late_inputs
# style: dps
import sys
import time

CALL, ENQUEUED, GO, DONE = 0, 16, 32, 64


def work(x):
    until = time.perf_counter() + 0.004
    while time.perf_counter() < until:
        pass
    return x * 2 + 1


def run(x, y):
    frame = sys._getframe(1)
    host, calls = frame.f_locals["self"], frame.f_locals["calls"]
    page = host.page
    y.copy_(work(x))
    last = page[GO]
    page[DONE] = last
    for _ in range(calls - 1):
        while page[CALL] in (0, last):
            pass
        last = page[CALL]
        seen = x.clone()
        ready = work(seen)
        page[ENQUEUED] = last
        while page[GO] != last:
            pass
        others = x != seen
        if others.sum() > 100:
            ready = work(x)
        else:
            ready[others] = x[others] * 2 + 1
        y.copy_(ready)
        page[DONE] = last
    host.channel.send({"op": "ran"})
    host.serve(host.channel)
