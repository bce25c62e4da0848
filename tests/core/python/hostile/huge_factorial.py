# SPDX-License-Identifier: GPL-3.0-or-later
# A factorial of ten million.
import math

math.factorial(10**7)
