# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of math imported by name in a neighbouring file. torch.fx fails where no forward of a traced module is
# in that file (`forward` below); here they are recorded all the same, which is kinder, so that is no case.
# case: {"expr": "visited"}

import math

from math_by_name import root_of, root_of_module


def forward(x):
    return root_of(x.shape[0])


def visited(x):
    return root_of_module(x.shape[0]) + math.sqrt(x.shape[1])
