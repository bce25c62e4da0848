# SPDX-License-Identifier: GPL-3.0-or-later
# All products of many.
import itertools

list(itertools.product(range(100), repeat=10))
