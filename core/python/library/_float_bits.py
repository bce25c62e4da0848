# SPDX-License-Identifier: GPL-3.0-or-later
# The bits of IEEE 754 numbers of 2, 4 and 8 bytes, for struct and array.

from math import copysign, frexp, inf, isinf, isnan, ldexp, nan

# by size in bytes: bits of the exponent, bits of the fraction
_FORMATS = {2: (5, 10), 4: (8, 23), 8: (11, 52)}


def _rounded(number, by):
    """number / 2**by to the nearest whole number; of two, to the even one."""
    whole, rest = number >> by, number & ((1 << by) - 1)
    half = 1 << by >> 1
    return whole + (rest > half or rest == half and by > 0 and whole & 1)


def float_to_bits(value, size):
    """None where the number is too large."""
    exponents, fractions = _FORMATS[size]
    sign = (copysign(1.0, value) < 0) << exponents + fractions
    top = (1 << exponents) - 1
    if isnan(value):
        return sign | top << fractions | 1 << fractions - 1
    if isinf(value):
        return sign | top << fractions
    if value == 0.0:
        return sign
    part, exponent = frexp(abs(value))
    whole = int(ldexp(part, 53))  # value is whole * 2**(exponent - 53)
    biased = exponent - 1 + (top >> 1)
    # below the normal numbers the fraction loses bits
    fraction = _rounded(whole, 52 - fractions + max(0, 1 - biased))
    bits = fraction if biased < 1 else fraction + (biased - 1 << fractions)
    return None if bits >= top << fractions else sign | bits


def float_of_bits(bits, size):
    exponents, fractions = _FORMATS[size]
    top = (1 << exponents) - 1
    sign = -1.0 if bits >> exponents + fractions else 1.0
    biased, fraction = bits >> fractions & top, bits & ((1 << fractions) - 1)
    if biased == top:
        return copysign(nan if fraction else inf, sign)
    fraction |= (biased > 0) << fractions
    return sign * ldexp(float(fraction), max(biased, 1) - (top >> 1) - fractions)
