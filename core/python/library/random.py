# SPDX-License-Identifier: GPL-3.0-or-later
# Python's random: the Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998), with the numbers that CPython draws
# for a seed. What was not seeded has the seed 0, so that a trace means the same each time.

from bisect import bisect_right
from collections.abc import Sequence
from math import acos, ceil, cos, e, exp, floor, isfinite, log, pi, sin, sqrt
from operator import index

__all__ = ["Random", "SystemRandom", "betavariate", "choice", "choices", "expovariate", "gammavariate", "gauss",
           "getrandbits", "getstate", "lognormvariate", "normalvariate", "paretovariate", "randbytes", "randint",
           "random", "randrange", "sample", "seed", "setstate", "shuffle", "triangular", "uniform", "vonmisesvariate",
           "weibullvariate"]

NV_MAGICCONST = 4 * exp(-0.5) / sqrt(2.0)
_LOG4, _SG_MAGICCONST = log(4.0), 1.0 + log(4.5)
_WORD = 0xFFFFFFFF
_SIZE, _MIDDLE = 624, 397


def _state_of_number(number):
    state = [number & _WORD]
    for at in range(1, _SIZE):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + at) & _WORD)
    return state


def _state_of_key(key):
    """MT19937's init_by_array."""
    state = _state_of_number(19650218)
    at, used = 1, 0
    for _ in range(max(_SIZE, len(key))):
        last = state[at - 1]
        state[at] = ((state[at] ^ (last ^ last >> 30) * 1664525) + key[used] + used) & _WORD
        at, used = at + 1, (used + 1) % len(key)
        if at == _SIZE:
            state[0], at = state[-1], 1
    for _ in range(_SIZE - 1):
        last = state[at - 1]
        state[at] = ((state[at] ^ (last ^ last >> 30) * 1566083941) - at) & _WORD
        at += 1
        if at == _SIZE:
            state[0], at = state[-1], 1
    state[0] = 0x80000000
    return state


def _old_number(text):
    """What version 1 makes of a text."""
    text = text.decode("latin-1") if isinstance(text, bytes) else text
    number = ord(text[0]) << 7 if text else 0
    for character in text:
        number = ((1000003 * number) ^ ord(character)) & 0xFFFFFFFFFFFFFFFF
    number ^= len(text)
    return -2 if number == -1 else number


def _whole(value, name):
    """Of a number like 3.0 too."""
    try:
        return index(value)
    except TypeError:
        if int(value) != value:
            raise ValueError(f"non-integer {name} for randrange()") from None
        return int(value)


class Random:
    VERSION = 3

    def __init__(self, x=None):
        self.seed(x)

    def seed(self, a=None, version=2):
        if version == 1 and isinstance(a, (str, bytes)):
            a = _old_number(a)
        elif version == 2 and isinstance(a, (str, bytes, bytearray)):
            from hashlib import sha512

            text = a.encode() if isinstance(a, str) else bytes(a)
            a = int.from_bytes(text + sha512(text).digest(), "big")
        elif not isinstance(a, (type(None), int, float, str, bytes, bytearray)):
            raise TypeError("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
        number = 0 if a is None else abs(a) if isinstance(a, int) else hash(a) % 2**64
        words = max(1, (number.bit_length() + 31) // 32)
        self._state = _state_of_key([number >> 32 * at & _WORD for at in range(words)])
        self._at = _SIZE
        self.gauss_next = None

    def getstate(self):
        return self.VERSION, (*self._state, self._at), self.gauss_next

    def setstate(self, state):
        if state[0] != self.VERSION:
            raise ValueError(f"state with version {state[0]} passed to Random.setstate() of version {self.VERSION}")
        _, words, self.gauss_next = state
        if len(words) != _SIZE + 1:
            raise ValueError("state vector is the wrong size")
        self._state, self._at = list(words[:-1]), words[-1]

    def __getstate__(self):
        return self.getstate()

    def __setstate__(self, state):
        self.setstate(state)

    def _refill(self):
        state = self._state
        for at in range(_SIZE):
            mixed = state[at] & 0x80000000 | state[(at + 1) % _SIZE] & 0x7FFFFFFF
            state[at] = state[(at + _MIDDLE) % _SIZE] ^ mixed >> 1 ^ (0x9908B0DF if mixed & 1 else 0)
        self._at = 0

    def _word(self):
        if self._at >= _SIZE:
            self._refill()
        word = self._state[self._at]
        self._at += 1
        word ^= word >> 11
        word ^= word << 7 & 0x9D2C5680
        word ^= word << 15 & 0xEFC60000
        return word ^ word >> 18

    def random(self):
        high = self._word() >> 5
        return (high * 67108864.0 + (self._word() >> 6)) / 9007199254740992.0

    def getrandbits(self, k, /):
        k = index(k)
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        number = 0
        for low in range(0, k, 32):
            number |= self._word() >> max(0, 32 - (k - low)) << low
        return number

    def randbytes(self, n):
        return self.getrandbits(n * 8).to_bytes(n, "little")

    def _below(self, n):
        bits = n.bit_length()
        number = self.getrandbits(bits)
        while number >= n:
            number = self.getrandbits(bits)
        return number

    def randrange(self, start, stop=None, step=1):
        first = _whole(start, "arg 1")
        if stop is None:
            if step != 1:
                raise TypeError("Missing a non-None stop argument")
            if first > 0:
                return self._below(first)
            raise ValueError("empty range for randrange()")
        last, step = _whole(stop, "stop"), _whole(step, "step")
        if step == 0:
            raise ValueError("zero step for randrange()")
        count = len(range(first, last, step))
        if not count:
            raise ValueError(f"empty range for randrange() ({first}, {last}, {last - first})" if step == 1
                             else "empty range for randrange()")
        return first + step * self._below(count)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._below(len(seq))]

    def shuffle(self, x):
        for at in range(len(x) - 1, 0, -1):
            other = self._below(at + 1)
            x[at], x[other] = x[other], x[at]

    def sample(self, population, k, *, counts=None):
        if not isinstance(population, Sequence):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        if counts is not None:
            return self._sample_counted(population, k, list(counts))
        n = len(population)
        if not 0 <= k <= n:
            raise ValueError("Sample larger than population or is negative")
        # a set of those taken is smaller than a list of all, or it is not
        if n <= 21 + (4 ** ceil(log(k * 3, 4)) if k > 5 else 0):
            pool, result = list(population), []
            for left in range(n, n - k, -1):
                at = self._below(left)
                result.append(pool[at])
                pool[at] = pool[left - 1]
            return result
        taken, result = set(), []
        for _ in range(k):
            at = self._below(n)
            while at in taken:
                at = self._below(n)
            taken.add(at)
            result.append(population[at])
        return result

    def _sample_counted(self, population, k, counts):
        sums = _sums(counts)
        if len(sums) != len(population):
            raise ValueError("The number of counts does not match the population")
        total = sums.pop() if sums else 0
        if not isinstance(total, int):
            raise TypeError("Counts must be integers")
        if total <= 0:
            raise ValueError("Total of counts must be greater than zero")
        return [population[bisect_right(sums, at)] for at in self.sample(range(total), k=k)]

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if cum_weights is None:
            if weights is None:
                return [population[floor(self.random() * (n + 0.0))] for _ in range(k)]
            if isinstance(weights, int):
                raise TypeError(f"The number of choices must be a keyword argument: k={weights!r}")
            cum_weights = _sums(weights)
        elif weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        if len(cum_weights) != n:
            raise ValueError("The number of weights does not match the population")
        total = cum_weights[-1] + 0.0
        if total <= 0.0:
            raise ValueError("Total of weights must be greater than zero")
        if not isfinite(total):
            raise ValueError("Total of weights must be finite")
        return [population[bisect_right(cum_weights, self.random() * total, 0, n - 1)] for _ in range(k)]

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def triangular(self, low=0.0, high=1.0, mode=None):
        drawn = self.random()
        if high == low and mode is not None:
            return low
        middle = 0.5 if mode is None else (mode - low) / (high - low)
        if drawn > middle:
            drawn, middle, low, high = 1.0 - drawn, 1.0 - middle, high, low
        return low + (high - low) * sqrt(drawn * middle)

    def normalvariate(self, mu=0.0, sigma=1.0):
        """Kinderman and Monahan, 1977: the ratio of uniform numbers."""
        while True:
            drawn = self.random()
            z = NV_MAGICCONST * (drawn - 0.5) / (other := 1.0 - self.random())
            if z * z / 4.0 <= -log(other):
                return mu + z * sigma

    def gauss(self, mu=0.0, sigma=1.0):
        """Box and Muller; of the two numbers that come at once the second waits for the next call."""
        z, self.gauss_next = self.gauss_next, None
        if z is None:
            angle = self.random() * (2.0 * pi)
            far = sqrt(-2.0 * log(1.0 - self.random()))
            z = cos(angle) * far
            self.gauss_next = sin(angle) * far
        return mu + z * sigma

    def lognormvariate(self, mu, sigma):
        return exp(self.normalvariate(mu, sigma))

    def expovariate(self, lambd):
        return -log(1.0 - self.random()) / lambd

    def vonmisesvariate(self, mu, kappa):
        """Best and Fisher, 1979."""
        if kappa <= 1e-6:
            return 2.0 * pi * self.random()
        s = 0.5 / kappa
        r = s + sqrt(1.0 + s * s)
        while True:
            z = cos(pi * self.random())
            d = z / (r + z)
            other = self.random()
            if other < 1.0 - d * d or other <= (1.0 - d) * exp(d):
                break
        q = 1.0 / r
        f = (q + z) / (1.0 + q * z)
        return (mu + acos(f) if self.random() > 0.5 else mu - acos(f)) % (2.0 * pi)

    def gammavariate(self, alpha, beta):
        if alpha <= 0.0 or beta <= 0.0:
            raise ValueError("gammavariate: alpha and beta must be > 0.0")
        if alpha == 1.0:
            return -log(1.0 - self.random()) * beta
        return (self._gamma_above_one if alpha > 1.0 else self._gamma_below_one)(alpha) * beta

    def _gamma_above_one(self, alpha):
        """Cheng, 1977."""
        scale = sqrt(2.0 * alpha - 1.0)
        shift, slope = alpha - _LOG4, alpha + scale
        while True:
            drawn = self.random()
            if not 1e-7 < drawn < 0.9999999:
                continue
            other = 1.0 - self.random()
            v = log(drawn / (1.0 - drawn)) / scale
            x = alpha * exp(v)
            z = drawn * drawn * other
            r = shift + slope * v - x
            if r + _SG_MAGICCONST - 4.5 * z >= 0.0 or r >= log(z):
                return x

    def _gamma_below_one(self, alpha):
        """Ahrens and Dieter, 1974."""
        while True:
            b = (e + alpha) / e
            p = b * self.random()
            x = p ** (1.0 / alpha) if p <= 1.0 else -log((b - p) / alpha)
            drawn = self.random()
            if drawn <= (x ** (alpha - 1.0) if p > 1.0 else exp(-x)):
                return x

    def betavariate(self, alpha, beta):
        y = self.gammavariate(alpha, 1.0)
        return y / (y + self.gammavariate(beta, 1.0)) if y else 0.0

    def paretovariate(self, alpha):
        return (1.0 - self.random()) ** (-1.0 / alpha)

    def weibullvariate(self, alpha, beta):
        return alpha * (-log(1.0 - self.random())) ** (1.0 / beta)


def _sums(numbers):
    sums = []
    for number in numbers:
        sums.append(sums[-1] + number if sums else number)
    return sums


class SystemRandom(Random):
    def __init__(self, x=None):
        raise NotImplementedError("not supported: random.SystemRandom; a trace must mean the same each time")


_shared = Random()
for _name in __all__[2:]:
    globals()[_name] = getattr(_shared, _name)
