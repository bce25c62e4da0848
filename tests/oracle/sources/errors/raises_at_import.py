# SPDX-License-Identifier: GPL-3.0-or-later
# A file whose own work at import fails.
# case: {"expr": "forward", "fails": "error"}

import torch

TABLE = {"a": 1}
VALUE = TABLE["b"]


def forward(x):
    return x * VALUE
