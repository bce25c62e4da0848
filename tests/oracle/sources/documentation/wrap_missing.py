# SPDX-License-Identifier: GPL-3.0-or-later
# The same without wrap: an error for len.
# case: {"expr": "normalize", "fails": "error"}

from math import sqrt


def normalize(x):
    return x / sqrt(len(x))
