# SPDX-License-Identifier: GPL-3.0-or-later
# Common parts of both kinds of generators: shapes, integers of a dtype, and distributions that are formulas of simpler ones.
import math

import torch

from .._arithmetic import math as libm
from .._array import array_of, broadcast, tensor_of, wrap
from .._dtypes import dtype as _dtype, limits

_WIDEST = 2 ** 63


def shape_of(size):
    if size is None:
        return ()
    return tuple(each.__index__() for each in size) if isinstance(size, (list, tuple)) else (size.__index__(),)


def count_of(shape):
    return math.prod(shape)


def given(found, size):
    """A Python number if no size was given."""
    return found.reshape(()).item() if size is None else array_of(found.reshape(shape_of(size)))


def signed_word(number):
    """A number without a sign, with the same bits as this."""
    return number - 2 * _WIDEST if number >= _WIDEST else number


def check(condition, message):
    if not condition:
        raise ValueError(message)


def spread(size, *parameters):
    """Parameters as tensors of one shape, and that shape; `size` may say more than they do."""
    tensors = [tensor_of(each).double() for each in parameters]
    shape = broadcast(tensors)[0].shape if size is None else shape_of(size)
    isPlain = size is None and not any(tensor.dim() for tensor in tensors)
    return [tensor.expand(shape) for tensor in tensors], tuple(shape), isPlain


class Draws:
    """`_state` is the tensor of the generator."""

    def _doubles(self, count):
        return _random_draw('double', self._state, count)

    def _normals(self, count):
        return _random_draw('normal', self._state, count)

    def _exponentials(self, count):
        return _random_draw('exponential', self._state, count)

    def _double(self):
        return self._doubles(1).item()

    def _continuous(self, size, draw, compute, *parameters):
        """`compute` has what was drawn, and the parameters."""
        tensors, shape, isPlain = spread(size, *parameters)
        found = compute(draw(count_of(shape)).reshape(shape), *tensors)
        return found.item() if isPlain else array_of(found)

    def _one_by_one(self, size, draw, *parameters, dtype=torch.float64):
        """`draw` has the parameters of one number, as Python's."""
        tensors, shape, isPlain = spread(size, *parameters)
        rows = zip(*(tensor.flatten().tolist() for tensor in tensors))
        found = torch.tensor([draw(*row) for row in rows], dtype=dtype).reshape(shape)
        return found.item() if isPlain else array_of(found)

    def _integers(self, low, high, size, dtype, isClosed):
        own = _dtype(dtype)
        least, most = (0, 1) if own.kind == 'b' else limits(own.kind, own.itemsize)
        if high is None:
            low, high = 0, low
        lows, highs = (each if isinstance(each, int) else each.item() if tensor_of(each).dim() == 0 else tensor_of(each) for each in (low, high))
        bits = 1 if own.kind == 'b' else 8 * own.itemsize
        if not isinstance(lows, torch.Tensor) and not isinstance(highs, torch.Tensor):
            first, last = int(lows), int(highs) - (not isClosed)
            check(first >= least, f'low is out of bounds for {own.name}')
            check(last <= most, f'high is out of bounds for {own.name}')
            check(first <= last, 'low > high' if isClosed else 'low >= high')
            shape = shape_of(size)
            drawn = _random_integers(self._state, signed_word(last - first), bits, count_of(shape))
            return self._of_dtype(drawn + signed_word(first), own, size, dtype)
        lows, highs = torch.broadcast_tensors(torch.as_tensor(lows), torch.as_tensor(highs))
        shape = lows.shape if size is None else shape_of(size)
        drawn = []
        for first, last in zip(lows.expand(shape).flatten().tolist(), highs.expand(shape).flatten().tolist()):
            last -= not isClosed
            check(first <= last, 'low >= high')
            drawn.append(_random_integers(self._state, last - first, bits, 1) + first)
        return self._of_dtype(torch.cat(drawn), own, tuple(shape), dtype)

    def _of_dtype(self, drawn, own, size, dtype):
        found = drawn != 0 if own.kind == 'b' else drawn.view(torch.uint64) if own.name == 'uint64' else drawn.to(own._torch)
        if size is None:
            return found.item() if self._is_old and dtype in (int, bool) else wrap(found.reshape(()))
        return array_of(found.reshape(shape_of(size)))

    def _shuffled(self, x, axis=0):
        """Writes into the array or list."""
        if isinstance(x, list):
            order = _random_permutation(self._state, len(x), 0, True).tolist()
            x[:] = [x[place] for place in order]
            return
        tensor = x._tensor
        order = _random_permutation(self._state, tensor.shape[axis], 0, True)
        tensor.copy_(tensor.index_select(axis, order))

    def _permuted(self, x, axis=0):
        if hasattr(x, '__index__') and not isinstance(x, (list, tuple)) and tensor_of(x).dim() == 0:
            return array_of(_random_permutation(self._state, x.__index__(), 0, True))
        tensor = tensor_of(x)
        return array_of(tensor.index_select(axis, _random_permutation(self._state, tensor.shape[axis], 0, True)))

    def _weighted(self, p, count, probabilities):
        """Indices by their probabilities; `probabilities` may be changed."""
        sums = _array_accumulate('sum', probabilities, 0)
        return torch.searchsorted(sums / sums[-1], p, right=True)

    def _checked_probabilities(self, p, population):
        weights = tensor_of(p).double().clone()
        check(weights.dim() == 1, "'p' must be 1-dimensional")
        check(weights.numel() == population, "'a' and 'p' must have same size")
        check(not bool(weights.isnan().any()), 'probabilities contain NaN')
        check(not bool((weights < 0).any()), 'probabilities are not non-negative')
        check(abs(math.fsum(weights.tolist()) - 1.0) <= 1.5e-8, 'probabilities do not sum to 1')
        return weights

    def _chosen_once(self, count, weights):
        """Indices by their probabilities, each at most once."""
        check(int((weights > 0).sum()) >= count, 'Fewer non-zero entries in p than size')
        found = torch.empty(0, dtype=torch.int64)
        while found.numel() < count:
            drawn = self._doubles(count - found.numel())
            weights[found] = 0
            places = self._weighted(drawn, count, weights).tolist()
            new = [place for at, place in enumerate(places) if place not in places[:at]]
            found = torch.cat([found, torch.tensor(new, dtype=torch.int64)])
        return found

    def _population(self, a):
        if isinstance(a, (list, tuple)) or tensor_of(a).dim():
            tensor = tensor_of(a)
            check(tensor.dim() > 0 and tensor.shape[0] > 0, "'a' cannot be empty unless no samples are taken")
            return tensor, tensor.shape[0]
        size = a.__index__()
        check(size > 0, 'a must be greater than 0 unless no samples are taken' if self._is_old else 'a must be a positive integer unless no samples are taken')
        return None, size

    # Formulas of uniform numbers, exponentials and normals.

    def normal(self, loc=0.0, scale=1.0, size=None):
        check(not bool((tensor_of(scale) < 0).any()), 'scale < 0')
        return self._continuous(size, self._normals, lambda drawn, loc, scale: loc + scale * drawn, loc, scale)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        check(not bool((tensor_of(sigma) < 0).any()), 'sigma < 0')
        return self._continuous(size, self._normals, lambda drawn, mean, sigma: libm('exp', mean + sigma * drawn), mean, sigma)

    def exponential(self, scale=1.0, size=None):
        check(not bool((tensor_of(scale) < 0).any()), 'scale < 0')
        return self._continuous(size, self._exponentials, lambda drawn, scale: scale * drawn, scale)

    def uniform(self, low=0.0, high=1.0, size=None):
        return self._continuous(size, self._doubles, lambda drawn, low, high: low + (high - low) * drawn, low, high)

    def pareto(self, a, size=None):
        return self._continuous(size, self._exponentials, lambda drawn, a: libm('expm1', drawn / a), a)

    def weibull(self, a, size=None):
        return self._continuous(size, self._exponentials, lambda drawn, a: libm('pow', drawn, 1.0 / a), a)

    def rayleigh(self, scale=1.0, size=None):
        return self._continuous(size, self._exponentials, lambda drawn, scale: scale * libm('sqrt', 2.0 * drawn), scale)

    def standard_cauchy(self, size=None):
        pairs = self._normals(2 * count_of(shape_of(size))).reshape(-1, 2)
        return given(pairs[:, 0] / pairs[:, 1], size)

    def triangular(self, left, mode, right, size=None):
        def compute(drawn, left, mode, right):
            base, low = right - left, mode - left
            high = right - mode
            found = left + libm('sqrt', (drawn * (low * base)).contiguous())
            return torch.where(drawn <= low / base, found, right - libm('sqrt', ((1.0 - drawn) * (high * base)).contiguous()))

        return self._continuous(size, self._doubles, compute, left, mode, right)
