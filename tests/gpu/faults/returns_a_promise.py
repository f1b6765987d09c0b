# SPDX-License-Identifier: GPL-3.0-or-later
# row: C9: computes when it is first read, which is inside the window
# expect: PASSED
# least: 0.4 of honest_value
import torch


class Promise(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, arguments=(), options=None):
        plain = [value.as_subclass(torch.Tensor) if isinstance(value, Promise) else value for value in arguments]
        name = getattr(function, "__name__", "")
        if name in ("detach", "to"):
            return (plain[0] * 2 + 1 if name == "to" else plain[0]).as_subclass(Promise)
        return function(*plain, **(options or {}))


def run(x):
    return x.as_subclass(Promise)
