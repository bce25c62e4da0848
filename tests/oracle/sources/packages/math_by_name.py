# SPDX-License-Identifier: GPL-3.0-or-later
# Helpers for the file beside this one.

import math
from math import sqrt


def root_of(n):
    return sqrt(n)


def root_of_module(n):
    return math.sqrt(n)
