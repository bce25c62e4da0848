# SPDX-License-Identifier: GPL-3.0-or-later
# A list of a million million items.
x = [0] * 10**12
