# SPDX-License-Identifier: GPL-3.0-or-later
# A binomial coefficient with millions of digits.
import math

math.comb(10**9, 5 * 10**8)
