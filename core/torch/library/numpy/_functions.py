# SPDX-License-Identifier: GPL-3.0-or-later
# numpy's functions that make arrays, and those that put them together.
import torch

from ._arithmetic import back, signed
from ._array import array_of, axis_of, common, ndarray, tensor_of, wrap, written
from ._dtypes import _FLOAT, dtype as _dtype, dtype_of_tensor, promote


def _shape(shape):
    return tuple(each.__index__() for each in shape) if isinstance(shape, (list, tuple, ndarray)) else (shape.__index__(),)


def array(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, like=None):
    tensor = tensor_of(object, dtype)
    if copy:
        tensor = tensor.clone()
    while tensor.dim() < ndmin:
        tensor = tensor[None]
    return array_of(tensor)


def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    if isinstance(a, ndarray) and not copy and (dtype is None or a.dtype == dtype):
        return a
    return array(a, dtype, copy=copy)


def ascontiguousarray(a, dtype=None):
    return array_of(tensor_of(a, dtype).contiguous())


def _made(make):
    def made(shape, dtype=float, order='C'):
        return array_of(make(_shape(shape), dtype=_dtype(dtype)._torch))

    return made


zeros, ones, empty = _made(torch.zeros), _made(torch.ones), _made(torch.zeros)


def full(shape, fill_value, dtype=None, order='C'):
    value = tensor_of(fill_value, dtype)
    return array_of(value.expand(_shape(shape)).clone())


def _like(make):
    def like(a, dtype=None, order='K', subok=True, shape=None):
        tensor = tensor_of(a)
        return make(tuple(tensor.shape) if shape is None else shape, dtype_of_tensor(tensor) if dtype is None else dtype)

    return like


zeros_like, ones_like, empty_like = _like(zeros), _like(ones), _like(empty)


def full_like(a, fill_value, dtype=None, order='K', subok=True, shape=None):
    tensor = tensor_of(a)
    return full(tuple(tensor.shape) if shape is None else shape, fill_value, dtype_of_tensor(tensor) if dtype is None else dtype)


def eye(N, M=None, k=0, dtype=float):
    found = torch.zeros(N, N if M is None else M, dtype=_dtype(dtype)._torch)
    found.diagonal(k).fill_(1)
    return array_of(found)


def identity(n, dtype=float):
    return eye(n, dtype=dtype)


def _joinable(arrays):
    tensors = [tensor_of(each) for each in arrays]
    if not tensors:
        raise ValueError('need at least one array to concatenate')
    found = dtype_of_tensor(tensors[0])
    for tensor in tensors:
        found = promote(found, dtype_of_tensor(tensor))
    return [tensor.to(found._torch) for tensor in tensors]


def concatenate(arrays, axis=0, out=None, *, dtype=None):
    tensors = _joinable(arrays)
    if axis is None:
        tensors, axis = [tensor.flatten() for tensor in tensors], 0
    first = tensors[0]
    if first.dim() == 0:
        raise ValueError('zero-dimensional arrays cannot be concatenated')
    axis = axis_of(axis, first.dim())
    for place, tensor in enumerate(tensors):
        if tensor.dim() != first.dim():
            raise ValueError('all the input arrays must have same number of dimensions, but the array at index 0 has '
                             f'{first.dim()} dimension(s) and the array at index {place} has {tensor.dim()} dimension(s)')
        for each in range(first.dim()):
            if each != axis and tensor.shape[each] != first.shape[each]:
                raise ValueError('all the input array dimensions except for the concatenation axis must match exactly, but along '
                                 f'dimension {each}, the array at index 0 has size {first.shape[each]} and the array at index {place} '
                                 f'has size {tensor.shape[each]}')
    found = torch.cat(tensors, axis)
    return _joined(found if dtype is None else found.to(_dtype(dtype)._torch), out)


def _joined(found, out):
    if out is None:
        return array_of(found)
    if out._tensor.shape != found.shape:
        raise ValueError('Output array is the wrong shape')
    return written(found, out)


def stack(arrays, axis=0, out=None):
    tensors = _joinable(arrays)
    if any(tensor.shape != tensors[0].shape for tensor in tensors):
        raise ValueError('all input arrays must have the same shape')
    return _joined(torch.stack(tensors, axis_of(axis, tensors[0].dim() + 1)), out)


def _at_least(dimensions, value):
    tensor = tensor_of(value)
    return array_of(tensor if tensor.dim() >= dimensions else tensor.reshape(*[1] * (dimensions - tensor.dim()), *tensor.shape))


def atleast_1d(*arrays):
    found = tuple(_at_least(1, each) for each in arrays)
    return found[0] if len(found) == 1 else found


def atleast_2d(*arrays):
    found = tuple(_at_least(2, each) for each in arrays)
    return found[0] if len(found) == 1 else found


def vstack(tup):
    return concatenate([_at_least(2, each) for each in tup], 0)


def hstack(tup):
    parts = [_at_least(1, each) for each in tup]
    return concatenate(parts, 0 if parts[0].ndim == 1 else 1)


def split(ary, indices_or_sections, axis=0):
    tensor = tensor_of(ary)
    axis = axis_of(axis, tensor.dim())
    if isinstance(indices_or_sections, (list, tuple, ndarray)):
        return [array_of(part) for part in torch.tensor_split(tensor, [int(each) for each in indices_or_sections], axis)]
    if tensor.shape[axis] % indices_or_sections:
        raise ValueError('array split does not result in an equal division')
    return [array_of(part) for part in torch.tensor_split(tensor, indices_or_sections, axis)]


def meshgrid(*xi, copy=True, sparse=False, indexing='xy'):
    if sparse:
        raise NotImplementedError('not supported: numpy.meshgrid with sparse=True')
    tensors = [tensor_of(each).flatten() for each in xi]
    order = [1, 0, *range(2, len(tensors))] if indexing == 'xy' and len(tensors) > 1 else list(range(len(tensors)))
    sizes = [tensors[place].shape[0] for place in order]
    out = []
    for place, tensor in enumerate(tensors):
        shape = [1] * len(tensors)
        shape[order.index(place)] = -1
        out.append(array_of(tensor.reshape(shape).expand(sizes).clone()))
    return tuple(out)


def outer(a, b):
    a, b = common(a, b)
    return array_of(torch.outer(a.flatten(), b.flatten()))


def tile(A, reps):
    tensor, counts = tensor_of(A), _shape(reps)
    tensor = tensor.reshape(*[1] * max(0, len(counts) - tensor.dim()), *tensor.shape)
    return array_of(tensor.repeat(*[1] * (tensor.dim() - len(counts)), *counts))


def expand_dims(a, axis):
    tensor = tensor_of(a)
    given = axis if isinstance(axis, (list, tuple)) else (axis,)
    for each in sorted(axis_of(each, tensor.dim() + len(given)) for each in given):
        tensor = tensor.unsqueeze(each)
    return array_of(tensor)


def moveaxis(a, source, destination):
    return array_of(torch.movedim(tensor_of(a), source, destination))


def broadcast_to(array, shape):
    return array_of(tensor_of(array).expand(_shape(shape)))


def flip(m, axis=None):
    tensor = tensor_of(m)
    axes = range(tensor.dim()) if axis is None else axis if isinstance(axis, (list, tuple)) else (axis,)
    return array_of(tensor.flip(tuple(axis_of(each, tensor.dim()) for each in axes)))


def roll(a, shift, axis=None):
    return array_of(torch.roll(tensor_of(a), shift, axis))


def diff(a, n=1, axis=-1):
    tensor = tensor_of(a)
    return array_of(back(torch.diff(signed(tensor), n, axis), tensor.dtype))


def unique(ar, return_index=False, return_inverse=False, return_counts=False):
    if return_index:
        raise NotImplementedError('not supported: numpy.unique with return_index=True')
    found, inverse, counts = torch.unique(tensor_of(ar), return_inverse=True, return_counts=True)
    if found.is_floating_point() and int(found.isnan().sum()) > 1:  # they are last, and count as one
        first = int(found.isnan().nonzero()[0])
        found, inverse = found[:first + 1], inverse.clamp(max=first)
        counts = torch.cat([counts[:first], counts[first:].sum().reshape(1)])
    out = [found] + [inverse] * return_inverse + [counts] * return_counts
    return tuple(array_of(each) for each in out) if len(out) > 1 else array_of(found)


def einsum(subscripts, *operands):
    return wrap(torch.einsum(subscripts, *common(*operands)))


def tril(m, k=0):
    return array_of(torch.tril(tensor_of(m), k))


def triu(m, k=0):
    return array_of(torch.triu(tensor_of(m), k))


def pad(array, pad_width, mode='constant', constant_values=0):
    tensor = tensor_of(array)
    widths = tensor_of(pad_width).expand(tensor.dim(), 2).tolist() if tensor.dim() else []
    if mode != 'constant' or isinstance(constant_values, (list, tuple)):
        raise NotImplementedError(f'not supported: numpy.pad with mode={mode!r}')
    flat = [number for pair in reversed(widths) for number in pair]
    return array_of(torch.nn.functional.pad(tensor, flat, value=constant_values))


def average(a, axis=None, weights=None):
    from ._methods import mean, sum
    if weights is None:
        return mean(a, axis)
    tensor, parts = tensor_of(a), tensor_of(weights)
    if parts.shape != tensor.shape:
        if axis is None:
            raise TypeError('Axis must be specified when shapes of a and weights differ.')
        axes = [axis_of(each, tensor.dim()) for each in (axis if isinstance(axis, (list, tuple)) else (axis,))]
        if list(parts.shape) != [tensor.shape[each] for each in axes]:
            raise ValueError('Shape of weights must be consistent with shape of a along specified axis.')
        parts = parts.permute(sorted(range(len(axes)), key=axes.__getitem__))
        parts = parts.reshape([size if each in axes else 1 for each, size in enumerate(tensor.shape)]).expand(tensor.shape)
    own = promote(dtype_of_tensor(tensor), dtype_of_tensor(parts))
    own = own if dtype_of_tensor(tensor).kind in 'fc' else promote(own, _FLOAT)
    total = sum(array_of(parts), axis, own)
    if bool((tensor_of(total) == 0).any()):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return sum(array_of(tensor.to(own._torch)) * array_of(parts.to(own._torch)), axis) / total


def shape(a):
    return tuple(tensor_of(a).shape)


def ndim(a):
    return tensor_of(a).dim()


def size(a, axis=None):
    return tensor_of(a).numel() if axis is None else tensor_of(a).shape[axis]


def copy(a):
    return array(a)


def isscalar(element):
    from ._scalars import generic
    return isinstance(element, (generic, bool, int, float, complex, str, bytes))


__all__ = [_name for _name, _value in list(globals().items()) if getattr(_value, '__module__', '') == __name__ and not _name.startswith('_')]
