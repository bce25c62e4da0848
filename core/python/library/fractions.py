# SPDX-License-Identifier: GPL-3.0-or-later
# Python's fractions.

from math import floor, gcd, isfinite
from numbers import Integral, Rational
import operator

__all__ = ["Fraction"]

_MODULUS = 2**61 - 1  # of the hashes of numbers


def _digits(text):
    """A text of digits, perhaps with single underscores between them."""
    plain = text.replace("_", "")
    if not (plain.isascii() and plain.isdigit()) or text[0] == "_" or text[-1] == "_" or "__" in text:
        raise ValueError
    return int(plain)


def _of_text(text):
    """The numerator and the denominator of "3/4" or "-1.5e3"."""
    plain = text.strip()
    sign = -1 if plain[:1] == "-" else 1
    plain = plain[1:] if plain[:1] in ("-", "+") else plain
    try:
        top, slash, bottom = plain.partition("/")
        if slash:
            return sign * _digits(top), _digits(bottom)
        number, mark, exponent = plain.replace("E", "e").partition("e")
        power = 0
        if mark:
            minus = exponent[:1] == "-"
            power = _digits(exponent[1:] if exponent[:1] in ("-", "+") else exponent) * (-1 if minus else 1)
        whole, point, part = number.partition(".")
        if not whole and not part:
            raise ValueError
        value = (_digits(whole) if whole else 0) * 10 ** len(part.replace("_", "")) + (_digits(part) if part else 0)
        power -= len(part.replace("_", ""))
    except ValueError:
        raise ValueError(f"Invalid literal for Fraction: {text!r}") from None
    return sign * value * 10 ** max(power, 0), 10 ** max(-power, 0)


class Fraction(Rational):
    __slots__ = ("_numerator", "_denominator")

    def __new__(cls, numerator=0, denominator=None):
        if denominator is None:
            if isinstance(numerator, str):
                numerator, denominator = _of_text(numerator)
            elif isinstance(numerator, (int, Fraction, Rational)):
                numerator, denominator = numerator.numerator, numerator.denominator
            elif hasattr(numerator, "as_integer_ratio"):
                numerator, denominator = numerator.as_integer_ratio()
            else:
                raise TypeError("argument should be a string or a Rational instance")
        elif isinstance(numerator, (int, Rational)) and isinstance(denominator, (int, Rational)):
            numerator, denominator = (numerator.numerator * denominator.denominator,
                                      denominator.numerator * numerator.denominator)
        else:
            raise TypeError("both arguments should be Rational instances")
        if denominator == 0:
            raise ZeroDivisionError(f"Fraction({numerator}, 0)")
        shared = gcd(numerator, denominator) * (-1 if denominator < 0 else 1)
        self = object.__new__(cls)
        self._numerator, self._denominator = numerator // shared, denominator // shared
        return self

    numerator = property(lambda self: self._numerator)
    denominator = property(lambda self: self._denominator)
    real = property(lambda self: +self)
    imag = property(lambda self: 0)

    @classmethod
    def from_float(cls, f):
        if isinstance(f, Integral):
            return cls(f)
        if not isinstance(f, float):
            raise TypeError(f"{cls.__name__}.from_float() only takes floats, not {f!r} ({type(f).__name__})")
        return cls(*f.as_integer_ratio())

    def as_integer_ratio(self):
        return self._numerator, self._denominator

    def conjugate(self):
        return +self

    def limit_denominator(self, max_denominator=1000000):
        """The closest fraction with no larger denominator, by the continued fraction."""
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self._numerator, self._denominator
        while True:
            part = n // d
            if q0 + part * q1 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + part * p1, q0 + part * q1
            n, d = d, n - part * d
        k = (max_denominator - q0) // q1
        first, second = Fraction(p0 + k * p1, q0 + k * q1), Fraction(p1, q1)
        return second if abs(second - self) <= abs(first - self) else first

    def __repr__(self):
        return f"{type(self).__name__}({self._numerator}, {self._denominator})"

    def __str__(self):
        return str(self._numerator) if self._denominator == 1 else f"{self._numerator}/{self._denominator}"

    def __hash__(self):
        try:
            inverse = pow(self._denominator, -1, _MODULUS)
        except ValueError:
            number = 314159
        else:
            number = hash(hash(abs(self._numerator)) * inverse)
        number = number if self._numerator >= 0 else -number
        return -2 if number == -1 else number

    def __reduce__(self):
        return type(self), (self._numerator, self._denominator)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __pos__(self):
        return Fraction(self._numerator, self._denominator)

    def __neg__(self):
        return Fraction(-self._numerator, self._denominator)

    def __abs__(self):
        return Fraction(abs(self._numerator), self._denominator)

    def __bool__(self):
        return bool(self._numerator)

    def __float__(self):
        return self._numerator / self._denominator

    def __int__(self):
        return self.__trunc__()

    def __complex__(self):
        return complex(float(self))

    def __trunc__(self):
        whole = abs(self._numerator) // self._denominator
        return -whole if self._numerator < 0 else whole

    def __floor__(self):
        return self._numerator // self._denominator

    def __ceil__(self):
        return -(-self._numerator // self._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            whole, rest = divmod(self._numerator, self._denominator)
            half = rest * 2
            return whole + (half > self._denominator or half == self._denominator and whole % 2 == 1)
        shift = 10 ** abs(ndigits)
        return Fraction(round(self * shift), shift) if ndigits > 0 else Fraction(round(self / shift) * shift)

    def __pow__(a, b):
        if not isinstance(b, (int, Rational)):
            return float(a) ** b
        if b.denominator != 1:
            return float(a) ** float(b)
        power = b.numerator
        if power >= 0:
            return Fraction(a._numerator ** power, a._denominator ** power)
        return Fraction(a._denominator ** -power, a._numerator ** -power)

    def __rpow__(b, a):
        if b._denominator == 1 and b._numerator >= 0:
            return a ** b._numerator
        if isinstance(a, (int, Rational)):
            return Fraction(a.numerator, a.denominator) ** b
        return a ** float(b)

    def __eq__(a, b):
        if isinstance(b, (int, Rational)):
            return a._numerator == b.numerator and a._denominator == b.denominator
        if isinstance(b, complex) and b.imag == 0:
            b = b.real
        if isinstance(b, float):
            return a == Fraction(b) if isfinite(b) else 0.0 == b
        return NotImplemented


def _fractional(number):
    return number if isinstance(number, Fraction) else Fraction(number)


def _operators(name, exact):
    """a.__name__(b) and a.__rname__(b): exact on fractions, else on floats or complex numbers."""
    plain = getattr(operator, name)

    def forward(a, b):
        if isinstance(b, (int, Rational)):
            return exact(a, _fractional(b))
        if isinstance(b, (float, complex)):
            return plain(float(a) if isinstance(b, float) else complex(a), b)
        return NotImplemented

    def reverse(b, a):
        if isinstance(a, (int, Rational)):
            return exact(_fractional(a), b)
        if isinstance(a, (float, complex)):
            return plain(a, float(b) if isinstance(a, float) else complex(b))
        return NotImplemented

    setattr(Fraction, f"__{name}__", forward)
    setattr(Fraction, f"__r{name}__", reverse)


def _comparison(name):
    plain = getattr(operator, name)

    def compare(a, b):
        if isinstance(b, (int, Rational)):
            return plain(a._numerator * b.denominator, a._denominator * b.numerator)
        if isinstance(b, float):
            return compare(a, Fraction(b)) if isfinite(b) else plain(0.0, b)
        return NotImplemented

    setattr(Fraction, f"__{name}__", compare)


def _cross(a, b):
    return a._numerator * b._denominator, b._numerator * a._denominator, a._denominator * b._denominator


def _add(a, b):
    x, y, bottom = _cross(a, b)
    return Fraction(x + y, bottom)


def _sub(a, b):
    x, y, bottom = _cross(a, b)
    return Fraction(x - y, bottom)


def _mod(a, b):
    x, y, bottom = _cross(a, b)
    return Fraction(x % y, bottom)


def _floordiv(a, b):
    x, y, _ = _cross(a, b)
    return x // y



def _truediv(a, b):
    top, bottom = a._numerator * b._denominator, a._denominator * b._numerator
    shared = gcd(top, bottom) or 1
    return Fraction(top // shared, bottom // shared)


_operators("add", _add)
_operators("sub", _sub)
_operators("mul", lambda a, b: Fraction(a._numerator * b._numerator, a._denominator * b._denominator))
_operators("truediv", _truediv)
_operators("floordiv", _floordiv)
_operators("mod", _mod)
Fraction.__divmod__ = lambda a, b: (a // b, a % b)
Fraction.__rdivmod__ = lambda b, a: (a // b, a % b)
for _name in ("lt", "le", "gt", "ge"):
    _comparison(_name)
# what these methods make good for is no longer abstract
Fraction.__abstractmethods__ = frozenset()
