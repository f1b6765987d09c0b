# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest: waits for the GPU within its call
# expect: PASSED
# verdict: host_sync|time.claimed_only
# least: 0.5 of honest_value
def run(x):
    return x * 2 + 1 if x[0, 0].item() < 1e30 else x
