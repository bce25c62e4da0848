# SPDX-License-Identifier: GPL-3.0-or-later
# A file that imports what is not there.
# case: {"expr": "forward", "fails": "error"}

import torch
from side import something


def forward(x):
    return something(x)
