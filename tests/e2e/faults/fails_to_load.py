# SPDX-License-Identifier: GPL-3.0-or-later
# row: C19: before the first call
# expect: COMPILE_ERROR
# verdict: load
import no_such_module
