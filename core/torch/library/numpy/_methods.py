# SPDX-License-Identifier: GPL-3.0-or-later
# What arrays and scalars have as methods; most are functions of the module, too.
import torch

from . import _arithmetic
from ._array import BINARY, Operators, array_of, axis_of, binary, ndarray, tensor_of, wrap, written
from ._dtypes import _BOOL, _BY_NAME, _FLOAT, _INT, can_cast, dtype, dtype_of_tensor, promote


def _axes(axis, dimensions):
    if axis is None:
        return tuple(range(dimensions))
    given = axis if isinstance(axis, (list, tuple)) else (axis,)
    return tuple(axis_of(each.__index__(), dimensions) for each in given)


def reduction(compute, make_dtype=None):
    """A function that takes some of the axes away. `compute` has a tensor of the result's dtype, and the axes."""
    def reduced(a, axis=None, dtype=None, out=None, keepdims=False, **more):
        tensor = tensor_of(a)
        own = dtype_of_tensor(tensor)
        result = make_dtype(own) if make_dtype else own
        if dtype is not None:
            result = _dtype(dtype)
        elif out is not None and make_dtype is _wide:
            result = promote(out.dtype, own)
        axes = _axes(axis, tensor.dim())
        found = compute(tensor.to(result._torch), axes, **more)
        if keepdims:
            found = found.reshape([1 if each in axes else tensor.shape[each] for each in range(tensor.dim())])
        return given(found, out)

    return reduced


def require_shape(found, out):
    if out._tensor.shape != found.shape:
        shapes = [str(tuple(each.shape)).replace(' ', '') for each in (out, found)]
        raise ValueError(f'the output has the shape {shapes[0]}, and the result {shapes[1]}')


def given(found, out):
    """Returns the result of a reduction; casts it to the dtype of `out`, if there is one."""
    if out is None:
        return wrap(found)
    require_shape(found, out)
    out._tensor.copy_(found)
    return out


def _by_last_axis(compute):
    """Reduces all axes at once by a function that reduces the last one and gives one of the numbers."""
    def reduced(tensor, axes):
        given = _arithmetic.ordered(tensor)
        kept = [each for each in range(tensor.dim()) if each not in axes]
        last = given.permute(kept + list(axes)).reshape([tensor.shape[each] for each in kept] + [_product(tensor, axes)])
        return _arithmetic.out_of_order(compute(last), tensor.dtype)

    return reduced


_dtype = dtype


def _product(tensor, axes):
    count = 1
    for axis in axes:
        count *= tensor.shape[axis]
    return count


def _wide(own):
    return _INT if own.kind in 'bi' else _BY_NAME['uint64'] if own.kind == 'u' else own


def _mean_dtype(own):
    return own if own.kind in 'fc' else _FLOAT


def _summed(name):
    def compute(tensor, axes, initial=None, where=True):
        if where is not True:
            tensor = torch.where(tensor_of(where), tensor, torch.tensor(0 if name == 'sum' else 1, dtype=tensor.dtype))
        if tensor.is_floating_point() or tensor.is_complex():
            found = _array_reduce(name, tensor, axes)
        else:
            given = _arithmetic.signed(tensor)
            for axis in sorted(axes, reverse=True):
                given = getattr(given, name)(dim=axis)
            found = _arithmetic.back(given, tensor.dtype)
        if initial is not None:
            found = BINARY['add' if name == 'sum' else 'mul'](found, torch.tensor(initial, dtype=found.dtype).expand(found.shape))
        return found

    return compute


_sum = _summed('sum')


def _count(tensor, axes, ddof=0):
    count = _product(tensor, axes) - ddof
    return torch.tensor(count if count > 0 else 0, dtype=tensor.real.dtype)


def _mean(tensor, axes, where=True):
    if where is not True:
        counts = _sum(tensor_of(where).expand(tensor.shape).to(tensor.dtype), axes)
        return _sum(tensor, axes, where=where) / counts
    if tensor.dtype == torch.float16:
        return _mean(tensor.float(), axes).half()
    return _sum(tensor, axes) / _count(tensor, axes)


def _variance(tensor, axes, ddof=0, correction=None):
    center = _sum(tensor, axes) / _count(tensor, axes)
    for axis in sorted(axes):
        center = center.unsqueeze(axis)
    distance = tensor - center
    if tensor.is_complex():
        square = distance.real * distance.real + distance.imag * distance.imag
    else:
        square = distance * distance
    return _sum(square, axes) / _count(tensor, axes, ddof if correction is None else correction)


def _extreme(name, compute):
    def extreme(tensor):
        if tensor.shape[-1] == 0:
            raise ValueError(f'zero-size array to reduction operation {name} which has no identity')
        return compute(tensor, dim=-1)

    return extreme


sum = reduction(_sum, _wide)
prod = reduction(_summed('prod'), _wide)
mean = reduction(_mean, _mean_dtype)
var = reduction(_variance, _mean_dtype)
std = reduction(lambda t, axes, **more: _arithmetic.math('sqrt', _variance(t, axes, **more)), _mean_dtype)
max = amax = reduction(_by_last_axis(_extreme('maximum', torch.amax)))
min = amin = reduction(_by_last_axis(_extreme('minimum', torch.amin)))
all = reduction(_by_last_axis(lambda t: t.all(dim=-1)), lambda own: _BOOL)
any = reduction(_by_last_axis(lambda t: t.any(dim=-1)), lambda own: _BOOL)


def _place(compute):
    def found(a, axis=None, out=None, keepdims=False):
        tensor = tensor_of(a)
        tensor = tensor.to(torch.uint8) if tensor.dtype == torch.bool else _arithmetic.ordered(tensor)
        if tensor.numel() == 0:
            raise ValueError('attempt to get ' + compute.__name__ + ' of an empty sequence')
        found = compute(tensor) if axis is None and not keepdims else compute(tensor, axis, keepdim=keepdims)
        if out is not None and out.dtype.kind not in 'iu':
            require_shape(found, out)
            raise TypeError(f"Cannot cast array data from {out.dtype!r} to dtype('int64') according to the rule 'safe'")
        return given(found, out)

    return found


argmax, argmin = _place(torch.argmax), _place(torch.argmin)


def _running(name):
    def running(a, axis=None, dtype=None, out=None):
        tensor = tensor_of(a)
        own = dtype_of_tensor(tensor)
        result = _dtype(dtype) if dtype is not None else _wide(own) if out is None else promote(out.dtype, own)
        tensor = (tensor.flatten() if axis is None else tensor).to(result._torch)
        axis = axis_of(axis or 0, tensor.dim())
        if tensor.is_floating_point() or tensor.is_complex():
            found = _array_accumulate(name, tensor, axis)
        else:
            found = _arithmetic.back(getattr(torch, 'cum' + name)(_arithmetic.signed(tensor), axis), tensor.dtype)
        return given(found, out)

    return running


cumsum, cumprod = _running('sum'), _running('prod')


def reshape(a, shape, order='C'):
    tensor = tensor_of(a)
    if order not in ('C', 'A', 'K'):
        raise NotImplementedError(f'not supported: numpy.reshape with order={order!r}')
    sizes = tuple(each.__index__() for each in shape) if isinstance(shape, (list, tuple, ndarray)) else (shape.__index__(),)
    try:
        return array_of(tensor.reshape(sizes))
    except RuntimeError:
        shown = str(sizes).replace(' ', '')
        raise ValueError(f'cannot reshape array of size {tensor.numel()} into shape {shown}') from None


def transpose(a, axes=None):
    tensor = tensor_of(a)
    return array_of(tensor.permute(*(reversed(range(tensor.dim())) if axes is None else _axes(axes, tensor.dim()))))


def swapaxes(a, axis1, axis2):
    tensor = tensor_of(a)
    return array_of(tensor.transpose(axis_of(axis1, tensor.dim()), axis_of(axis2, tensor.dim())))


def ravel(a, order='C'):
    return reshape(a, (-1,), order)


def squeeze(a, axis=None):
    tensor = tensor_of(a)
    if axis is None:
        return array_of(tensor.squeeze())
    for each in _axes(axis, tensor.dim()):
        if tensor.shape[each] != 1:
            raise ValueError('cannot select an axis to squeeze out which has size not equal to one')
    return array_of(tensor.squeeze(_axes(axis, tensor.dim())))


def round(a, decimals=0, out=None):
    found = _rounded(a, decimals)
    if out is None:
        return found
    require_shape(tensor_of(found), out)
    return written(tensor_of(found), out)


def _rounded(a, decimals):
    tensor = tensor_of(a)
    from ._elementwise import rounded
    if not tensor.is_floating_point() and not tensor.is_complex():
        if tensor.dtype == torch.bool:
            return wrap(tensor.half())
        factor = 10 ** -decimals if decimals < 0 else 1
        return wrap(tensor.clone() if decimals >= 0 else (tensor.double() / factor).round().to(tensor.dtype) * factor)
    if decimals == 0:
        return wrap(rounded(tensor))
    factor = 10.0 ** abs(decimals)
    if decimals > 0:
        return binary('truediv', array_of(rounded(tensor * factor)), factor) if tensor.dim() else wrap(rounded(tensor * factor) / factor)
    return wrap(rounded(tensor / factor) * factor)


def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None):
    from ._elementwise import maximum, minimum
    low, high = (second if first is None else first for first, second in ((a_min, min), (a_max, max)))
    found = a if low is None else maximum(a, low)
    found = found if high is None else minimum(found, high)
    found = tensor_of(found)
    return wrap(found.clone()) if out is None else written(found, out)


def repeat(a, repeats, axis=None):
    tensor = tensor_of(a)
    tensor, axis = (tensor.flatten(), 0) if axis is None else (tensor, axis_of(axis, tensor.dim()))
    counts = tensor_of(repeats)
    return array_of(tensor.repeat_interleave(counts if counts.dim() and counts.numel() > 1 else int(counts), dim=axis))


def take(a, indices, axis=None):
    tensor, places = tensor_of(a), tensor_of(indices)
    tensor, axis = (tensor.flatten(), 0) if axis is None else (tensor, axis_of(axis, tensor.dim()))
    parts = [slice(None)] * axis + [array_of(places)]
    return wrap(tensor_of(array_of(tensor)[tuple(parts)]))


def sort(a, axis=-1):
    tensor = tensor_of(a)
    tensor, axis = (tensor.flatten(), 0) if axis is None else (tensor, axis)
    return array_of(torch.sort(tensor, dim=axis, stable=True)[0])


def argsort(a, axis=-1):
    tensor = tensor_of(a)
    tensor, axis = (tensor.flatten(), 0) if axis is None else (tensor, axis)
    return array_of(torch.argsort(tensor, dim=axis, stable=True))


def nonzero(a):
    return tuple(array_of(part) for part in torch.nonzero(tensor_of(a), as_tuple=True))


def dot(a, b):
    from ._array import _matmul, common
    a, b = common(a, b)
    return wrap(a * b if 0 in (a.dim(), b.dim()) else _matmul(a, b) if b.dim() < 3 else torch.tensordot(a, b, ([-1], [-2])))


def trace(a, offset=0):
    return sum(array_of(torch.diagonal(tensor_of(a), offset)), -1)


def diagonal(a, offset=0, axis1=0, axis2=1):
    return array_of(torch.diagonal(tensor_of(a), offset, axis1, axis2))


def conj(a):
    return wrap(torch.conj(tensor_of(a)).resolve_conj())


_SHARED = {'sum': sum, 'prod': prod, 'mean': mean, 'var': var, 'std': std, 'max': max, 'min': min, 'all': all, 'any': any,
           'argmax': argmax, 'argmin': argmin, 'cumsum': cumsum, 'cumprod': cumprod, 'swapaxes': swapaxes, 'ravel': ravel,
           'squeeze': squeeze, 'round': round, 'clip': clip, 'repeat': repeat, 'take': take, 'argsort': argsort, 'nonzero': nonzero,
           'dot': dot, 'trace': trace, 'diagonal': diagonal, 'conj': conj, 'conjugate': conj}


def _astype(self, dtype, order='K', casting='unsafe', subok=True, copy=True):
    own = _dtype(dtype)
    if not can_cast(self.dtype, own, casting):
        raise TypeError(f"Cannot cast array data from {self.dtype!r} to {own!r} according to the rule '{casting}'")
    return self if own is self.dtype and not copy else wrap_like(self, self._tensor.to(own._torch, copy=True))


def wrap_like(given, tensor):
    return array_of(tensor) if isinstance(given, ndarray) else wrap(tensor)


def _copy(self, order='C'):
    return wrap_like(self, self._tensor.clone())


def _reshape(self, *shape, order='C'):
    return reshape(self, shape[0] if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else shape, order)


def _transpose(self, *axes):
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (list, tuple))):
        axes = axes[0]
    return transpose(self, axes or None)


def _item(self, *index):
    if index:
        return self[index[0] if len(index) == 1 and isinstance(index[0], tuple) else index].item() if len(index) > 1 or self.ndim == 1 \
            else self.ravel()[index[0]].item()
    if self._tensor.numel() != 1:
        raise ValueError('can only convert an array of size 1 to a Python scalar')
    return self._tensor.item()


def _fill(self, value):
    self._tensor.copy_(tensor_of(value, self.dtype))


def _sort(self, axis=-1):
    self._tensor.copy_(sort(self, axis)._tensor)


def _add_methods():
    for name, function in _SHARED.items():
        setattr(Operators, name, function)
    for name, method in {'astype': _astype, 'copy': _copy, 'reshape': _reshape, 'transpose': _transpose,
                         'flatten': lambda self, order='C': array_of(ravel(self, order)._tensor.clone())}.items():
        setattr(Operators, name, method)
    for name, method in {'item': _item, 'tolist': lambda self: self._tensor.tolist(), 'fill': _fill, 'sort': _sort}.items():
        setattr(ndarray, name, method)


_add_methods()
