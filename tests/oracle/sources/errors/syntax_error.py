# SPDX-License-Identifier: GPL-3.0-or-later
# A file that is not Python.
# case: {"expr": "forward", "fails": "error"}

import torch


def forward(x)
    return x
