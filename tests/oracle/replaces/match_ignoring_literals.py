# SPDX-License-Identifier: GPL-3.0-or-later
"""The matcher with literals ignored, overlapping."""

import torch


def model(x):
    return x.add(1).add(2.0).add(None)


def pattern(x):
    return x.add(7).add(7)


MATCH = {"ignore_literals": True, "remove_overlapping_matches": False}
