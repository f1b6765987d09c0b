# SPDX-License-Identifier: GPL-3.0-or-later
# row: C8, C24: makes the calls itself, and works on what it sees before they begin
# expect: INCORRECT_NUMERICAL
# verdict: output.wrong
# style: dps
import sys

CALL, ENQUEUED, GO, DONE = 0, 16, 32, 64


def run(x, y):
    frame = sys._getframe(1)
    host, calls = frame.f_locals["self"], frame.f_locals["calls"]
    page = host.page
    y.copy_(x * 2 + 1)
    last = page[GO]
    page[DONE] = last
    for _ in range(calls - 1):
        while page[CALL] in (0, last):
            pass
        last = page[CALL]
        ready = x * 2 + 1
        page[ENQUEUED] = last
        while page[GO] != last:
            pass
        y.copy_(ready)
        page[DONE] = last
    host.channel.send({"op": "ran"})
    host.serve(host.channel)
