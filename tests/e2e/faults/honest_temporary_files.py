# SPDX-License-Identifier: GPL-3.0-or-later
# row: honest: writes where it may
# expect: PASSED
import os
import tempfile


def run(x):
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"scratch")
    for folder in (os.environ["HOME"], os.environ["TMPDIR"]):
        with open(os.path.join(folder, "note"), "w") as file:
            file.write("mine")
    return x * 2 + 1
