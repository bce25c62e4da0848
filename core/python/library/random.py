# SPDX-License-Identifier: GPL-3.0-or-later
# Python's random can be imported and seeded, not used.

from _refusal import refuse

__getattr__ = refuse("random", "a graph that differs at each tracing cannot be checked; use torch.rand() and its like")


def seed(a=None, version=2):
    pass
