# SPDX-License-Identifier: GPL-3.0-or-later
# numpy.random.RandomState, whose numbers for a seed never change.
import math

import torch

from .._arithmetic import math as libm
from .._array import array_of, tensor_of
from ._draws import Draws, check, count_of, given, shape_of

_WORDS = 624


class MT19937:
    def __init__(self, seed=None):
        raise NotImplementedError('not supported: numpy.random.MT19937; RandomState draws of it')


def _seeded(seed):
    if seed is None:
        seed = 0
    if hasattr(seed, '__index__') and not (hasattr(seed, 'ndim') and seed.ndim):
        number = seed.__index__()
        check(0 <= number < 2 ** 32, 'Seed must be between 0 and 2**32 - 1')
        return _random_seeded('number', [number])
    key = tensor_of(seed)
    if key.is_floating_point() and key.numel():
        raise TypeError(f"Cannot cast {'array data' if key.dim() else 'scalar'} from dtype('float64') to dtype('int64') according to the "
                        "rule 'safe'")
    check(key.numel() > 0, 'Seed must be non-empty')
    check(key.dim() == 1, 'Seed array must be 1-d')
    words = key.tolist()
    check(all(0 <= word < 2 ** 32 for word in words), 'Seed values must be between 0 and 2**32 - 1')
    return _random_seeded('key', words)


class RandomState(Draws):
    _is_old = True

    def __init__(self, seed=None):
        self.seed(seed)

    def __repr__(self):
        return f'RandomState(MT19937) at 0x{id(self):X}'

    def __str__(self):
        return 'RandomState(MT19937)'

    def seed(self, seed=None):
        self._state = _seeded(seed)

    def get_state(self, legacy=True):
        words = self._state.tolist()
        key = array_of(self._state[:_WORDS].to(torch.uint32))
        last = self._state[_WORDS + 2:].view(torch.float64).item() if words[_WORDS + 1] else 0.0
        if legacy:
            return 'MT19937', key, words[_WORDS], words[_WORDS + 1], last
        return {'bit_generator': 'MT19937', 'state': {'key': key, 'pos': words[_WORDS]}, 'has_gauss': words[_WORDS + 1], 'gauss': last}

    def set_state(self, state):
        if isinstance(state, dict):
            state = (state['bit_generator'], state['state']['key'], state['state']['pos'], state['has_gauss'], state['gauss'])
        check(state[0] == 'MT19937', "set_state can only be used with legacy MT19937 state instances.")
        key = tensor_of(state[1]).to(torch.int64)
        check(key.numel() == _WORDS, 'state must be 624 longs')
        has, last = (state[3], state[4]) if len(state) > 3 else (0, 0.0)
        self._state = torch.cat([key, torch.tensor([state[2], has]), torch.tensor([last], dtype=torch.float64).view(torch.int64)])

    def random_sample(self, size=None):
        return given(self._doubles(count_of(shape_of(size))), size)

    random = random_sample

    def rand(self, *args):
        return self.random_sample(args or None)

    def standard_normal(self, size=None):
        return given(self._normals(count_of(shape_of(size))), size)

    def randn(self, *args):
        return self.standard_normal(args or None)

    def standard_exponential(self, size=None):
        return given(self._exponentials(count_of(shape_of(size))), size)

    def randint(self, low, high=None, size=None, dtype=int):
        return self._integers(low, high, size, dtype, False)

    def random_integers(self, low, high=None, size=None):
        low, high = (1, low) if high is None else (low, high)
        return self.randint(low, high + 1, size)

    def bytes(self, length):
        words = _random_integers(self._state, 2 ** 32 - 1, 32, (length - 1) // 4 + 1).tolist()
        return b''.join(word.to_bytes(4, 'little') for word in words)[:length]

    def shuffle(self, x):
        self._shuffled(x)

    def permutation(self, x):
        return self._permuted(x)

    def choice(self, a, size=None, replace=True, p=None):
        tensor, population = self._population(a)
        weights = None if p is None else self._checked_probabilities(p, population)
        shape = shape_of(size)
        count = count_of(shape)
        if replace and p is None:
            places = _random_integers(self._state, population - 1, 64, count)
        elif replace:
            places = self._weighted(self._doubles(count), count, weights)
        else:
            check(count <= population, "Cannot take a larger sample than population when 'replace=False'")
            places = _random_permutation(self._state, population, 0, True)[:count] if p is None else self._chosen_once(count, weights)
        places = places.reshape(shape)
        if tensor is None:
            return given(places, size)
        from .._array import wrap
        return wrap(tensor[places])

    # Distributions as legacy numpy computes them.

    def laplace(self, loc=0.0, scale=1.0, size=None):
        def draw(loc, scale):
            u = self._double()
            while u <= 0.0:
                u = self._double()
            return loc - scale * math.log(2.0 - u - u) if u >= 0.5 else loc + scale * math.log(u + u)

        return self._one_by_one(size, draw, loc, scale)

    def rayleigh(self, scale=1.0, size=None):
        return self._continuous(size, self._doubles, lambda drawn, scale: scale * libm('sqrt', -2.0 * libm('log1p', -drawn)), scale)

    def pareto(self, a, size=None):
        return self._continuous(size, self._exponentials, lambda drawn, a: libm('exp', drawn / a) - 1, a)

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        def draw(loc, scale):
            u = 1.0 - self._double()
            while u >= 1.0:
                u = 1.0 - self._double()
            return loc - scale * math.log(-math.log(u))

        return self._one_by_one(size, draw, loc, scale)

    def logistic(self, loc=0.0, scale=1.0, size=None):
        def draw(loc, scale):
            u = self._double()
            while u <= 0.0:
                u = self._double()
            return loc + scale * math.log(u / (1.0 - u))

        return self._one_by_one(size, draw, loc, scale)

    def power(self, a, size=None):
        return self._continuous(size, self._exponentials, lambda drawn, a: libm('pow', 1 - libm('exp', -drawn), 1.0 / a), a)

    def _gamma_of(self, shape):
        """Marsaglia and Tsang, 2000; below one, Ahrens and Dieter, 1974."""
        if shape == 1.0:
            return self._exponentials(1).item()
        if shape == 0.0:
            return 0.0
        if shape < 1.0:
            while True:
                u, v = self._double(), self._exponentials(1).item()
                if u <= 1.0 - shape:
                    x = u ** (1.0 / shape)
                    if x <= v:
                        return x
                else:
                    y = -math.log((1 - u) / shape)
                    x = (1.0 - shape + shape * y) ** (1.0 / shape)
                    if x <= v + y:
                        return x
        b = shape - 1.0 / 3.0
        c = 1.0 / math.sqrt(9 * b)
        while True:
            x = self._normals(1).item()
            v = 1.0 + c * x
            while v <= 0.0:
                x = self._normals(1).item()
                v = 1.0 + c * x
            v = v * v * v
            u = self._double()
            if u < 1.0 - 0.0331 * (x * x) * (x * x) or math.log(u) < 0.5 * x * x + b * (1.0 - v + math.log(v)):
                return b * v

    def standard_gamma(self, shape, size=None):
        return self._one_by_one(size, self._gamma_of, shape)

    def gamma(self, shape, scale=1.0, size=None):
        return self._one_by_one(size, lambda shape, scale: scale * self._gamma_of(shape), shape, scale)

    def chisquare(self, df, size=None):
        return self._one_by_one(size, lambda df: 2.0 * self._gamma_of(df / 2.0), df)

    def f(self, dfnum, dfden, size=None):
        def draw(above, below):
            return (2.0 * self._gamma_of(above / 2.0) * below) / (2.0 * self._gamma_of(below / 2.0) * above)

        return self._one_by_one(size, draw, dfnum, dfden)

    def standard_t(self, df, size=None):
        def draw(df):
            above = self._normals(1).item()
            return math.sqrt(df / 2) * above / math.sqrt(self._gamma_of(df / 2))

        return self._one_by_one(size, draw, df)

    def beta(self, a, b, size=None):
        def draw(a, b):
            if a > 1.0 or b > 1.0:
                one = self._gamma_of(a)
                return one / (one + self._gamma_of(b))
            while True:
                x, y = self._double() ** (1.0 / a), self._double() ** (1.0 / b)
                if x + y > 1.0:
                    continue
                if x + y > 0:
                    return x / (x + y)

        return self._one_by_one(size, draw, a, b)

    def poisson(self, lam=1.0, size=None):
        def draw(lam):
            check(lam >= 0, 'lam < 0 or lam is NaN')
            return self._poisson_rejected(lam) if lam >= 10 else self._poisson_multiplied(lam)

        return self._one_by_one(size, draw, lam, dtype=torch.int64)

    def _poisson_multiplied(self, lam):
        if lam == 0:
            return 0
        least, product, count = math.exp(-lam), 1.0, 0
        while True:
            product *= self._double()
            if product <= least:
                return count
            count += 1

    def _poisson_rejected(self, lam):
        """Hoermann's PTRS, 1993."""
        b = 0.931 + 2.53 * math.sqrt(lam)
        a = -0.059 + 0.02483 * b
        scale = 1.1239 + 1.1328 / (b - 3.4)
        bound = 0.9277 - 3.6224 / (b - 2)
        while True:
            u = self._double() - 0.5
            v = self._double()
            us = 0.5 - abs(u)
            k = math.floor((2 * a / us + b) * u + lam + 0.43)
            if us >= 0.07 and v <= bound:
                return k
            if k < 0 or (us < 0.013 and v > us):
                continue
            if math.log(v) + math.log(scale) - math.log(a / (us * us) + b) <= -lam + k * math.log(lam) - math.lgamma(k + 1):
                return k

    def geometric(self, p, size=None):
        def draw(p):
            if p < 0.333333333333333333333333:
                return math.ceil(math.log1p(-self._double()) / math.log1p(-p)) if p else 0
            u, term, total, count = self._double(), p, p, 1
            while u > total:
                term *= 1.0 - p
                total += term
                count += 1
            return count

        return self._one_by_one(size, draw, p, dtype=torch.int64)

    def binomial(self, n, p, size=None):
        def draw(n, p):
            check(n >= 0, 'n < 0')
            check(0 <= p <= 1, 'p < 0, p > 1 or p is NaN')
            n = int(n)
            if n == 0 or p == 0:
                return 0
            if n * min(p, 1 - p) > 30.0:
                raise NotImplementedError('not supported: numpy.random.binomial with n * p beyond 30')
            return self._binomial_inverted(n, p) if p <= 0.5 else n - self._binomial_inverted(n, 1.0 - p)

        return self._one_by_one(size, draw, n, p, dtype=torch.int64)

    def _binomial_inverted(self, n, p):
        q = 1.0 - p
        first = math.exp(n * math.log(q))
        mean = n * p
        bound = min(n, int(mean + 10.0 * math.sqrt(mean * q + 1)))
        count, term, u = 0, first, self._double()
        while u > term:
            count += 1
            if count > bound:
                count, term, u = 0, first, self._double()
            else:
                u -= term
                term = ((n - count + 1) * p * term) / (count * q)
        return count
