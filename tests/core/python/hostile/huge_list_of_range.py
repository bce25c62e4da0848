# SPDX-License-Identifier: GPL-3.0-or-later
# range() as a list.
x = list(range(10**12))
