# SPDX-License-Identifier: GPL-3.0-or-later
# pow() with a large exponent and no modulus.
pow(7, 10**12)
