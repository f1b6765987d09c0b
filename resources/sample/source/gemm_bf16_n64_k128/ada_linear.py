# SPDX-License-Identifier: GPL-3.0-or-later
import torch


def run(A, B, C):
    C.copy_(torch.nn.functional.linear(A.float(), B.float()))
