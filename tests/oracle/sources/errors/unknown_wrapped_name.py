# SPDX-License-Identifier: GPL-3.0-or-later
# A name is wrapped that the file does not have.
# case: {"expr": "forward", "fails": "error"}

import torch.fx

torch.fx.wrap("never_defined")


def forward(x):
    return x
