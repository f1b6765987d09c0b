# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest: processes that wait for work
# expect: PASSED
# verdict: threads
# needs: view
import multiprocessing

context = multiprocessing.get_context("fork")


def double(values):
    return [value * 2 for value in values]


pool = context.Pool(2)


def run(x):
    assert pool.map(double, [[1.0], [2.0]]) == [[2.0], [4.0]]
    return x * 2 + 1
