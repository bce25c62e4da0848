# SPDX-License-Identifier: GPL-3.0-or-later
# numpy.random.default_rng: PCG64, and distributions by ziggurats.
import torch

from .._array import ndarray, tensor_of, wrap
from .._dtypes import dtype as _dtype
from ._draws import Draws, check, count_of, given, shape_of


def _words(seed):
    """32 bits each, the lowest first."""
    if isinstance(seed, (list, tuple, ndarray)):
        return [word for each in seed for word in _words(each)]
    number = seed.__index__()
    check(number >= 0, 'expected non-negative integer')
    words = []
    while number or not words:
        words.append(number & 0xFFFFFFFF)
        number >>= 32
    return words


class PCG64:
    def __init__(self, seed=None):
        self._state = _random_seeded('PCG64', _words(0 if seed is None else seed))


def _only_double(dtype):
    if _dtype(dtype).name != 'float64':
        raise NotImplementedError(f'not supported: numpy.random.Generator with dtype={_dtype(dtype).name}')


class Generator(Draws):
    _is_old = False

    def __init__(self, bit_generator):
        if not isinstance(bit_generator, PCG64):
            raise NotImplementedError('not supported: numpy.random.Generator of anything but PCG64')
        self.bit_generator, self._state = bit_generator, bit_generator._state

    def __repr__(self):
        return f'Generator(PCG64) at 0x{id(self):X}'

    def __str__(self):
        return 'Generator(PCG64)'

    def _filled(self, draw, size, out):
        if out is None:
            return given(draw(count_of(shape_of(size))), size)
        if out.dtype.name != 'float64':
            raise TypeError(f'Supplied output array has the wrong type. Expected float64, got {out.dtype.name}')
        check(size is None or shape_of(size) == out.shape, 'size must match out.shape when used together')
        out._tensor.copy_(draw(out.size).reshape(out.shape))
        return out

    def random(self, size=None, dtype=float, out=None):
        _only_double(dtype)
        return self._filled(self._doubles, size, out)

    def standard_normal(self, size=None, dtype=float, out=None):
        _only_double(dtype)
        return self._filled(self._normals, size, out)

    def standard_exponential(self, size=None, dtype=float, method='zig', out=None):
        _only_double(dtype)
        if method != 'zig':
            raise NotImplementedError(f'not supported: numpy.random.Generator.standard_exponential with method={method!r}')
        return self._filled(self._exponentials, size, out)

    def integers(self, low, high=None, size=None, dtype=int, endpoint=False):
        return self._integers(low, high, size, dtype, endpoint)

    def shuffle(self, x, axis=0):
        self._shuffled(x, axis)

    def permutation(self, x, axis=0):
        return self._permuted(x, axis)

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        tensor, population = self._population(a) if axis == 0 else (tensor_of(a), tensor_of(a).shape[axis])
        weights = None if p is None else self._checked_probabilities(p, population)
        shape = shape_of(size)
        count = count_of(shape)
        if replace and p is None:
            places = _random_integers(self._state, population - 1, 64, count)
        elif replace:
            places = self._weighted(self._doubles(count), count, weights)
        else:
            check(count <= population, 'Cannot take a larger sample than population when replace is False')
            places = self._chosen_once(count, weights) if p is not None else self._distinct(population, count, shuffle)
        places = places.reshape(shape)
        if tensor is None:
            return given(places, size)
        return wrap(tensor.index_select(axis, places.flatten()).reshape(*tensor.shape[:axis], *shape, *tensor.shape[axis + 1:]))

    def _distinct(self, population, count, shuffles):
        """The tail of a shuffle for large counts, else Floyd's algorithm, as numpy chooses."""
        if population > 10000 and count > population // (50 if shuffles else 20):
            return _random_permutation(self._state, population, max(population - count, 1), False)[population - count:]
        found = []
        for last in range(population - count, population):
            place = _random_integers(self._state, last, 64, 1).item()
            found.append(last if place in found else place)
        found = torch.tensor(found, dtype=torch.int64)
        return found[_random_permutation(self._state, count, 1, False)] if shuffles else found


def default_rng(seed=None):
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, PCG64) else PCG64(seed))
