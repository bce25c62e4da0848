# SPDX-License-Identifier: GPL-3.0-or-later
# A native function drains an endless iterator.
import itertools

sum(itertools.count())
