# SPDX-License-Identifier: GPL-3.0-or-later
# numpy.ndarray: a tensor on the CPU, and numpy's rules of what its operators give. Scalars (_scalars.py) have the same operators.
import torch

from ._arithmetic import (absolute, as_double, bitwise, by_bits, by_order, divide, floor_divide, invert, math, multiply, negative, power,
                          remainder, right_shift, signed, subtract)
from ._dtypes import _BOOL, _FLOAT, _INT, _WORD, can_cast, check_range, dtype, dtype_of_tensor, promote, promote_weak, weak
from ._printing import array_repr, array_text

_NUMBERS = (bool, int, float, complex)


def _flatten(value, depth, numbers, types):
    """The numbers of nested sequences, what dtypes they have, and the shape that they should have."""
    if isinstance(value, (ndarray, Scalar, torch.Tensor)):
        tensor = value if isinstance(value, torch.Tensor) else value._tensor
        types.append(dtype_of_tensor(tensor))
        numbers += tensor.flatten().tolist()
        return tuple(tensor.shape)
    if isinstance(value, (list, tuple, range)):
        found = [_flatten(item, depth + 1, numbers, types) for item in value]
        if any(shape != found[0] for shape in found):
            known = next(n for n in range(len(found[0]) + 1) if any(s[:n + 1] != found[0][:n + 1] for s in found))
            raise ValueError('setting an array element with a sequence. The requested array has an inhomogeneous shape after '
                             f'{depth + 1 + known} dimensions. The detected shape was {(len(found), *found[0][:known])} + '
                             'inhomogeneous part.')
        return (len(found), *(found[0] if found else ()))
    if not isinstance(value, _NUMBERS):
        raise NotImplementedError(f'not supported: numpy arrays of {type(value).__name__}')
    types.append(weak(value))
    numbers.append(value)
    return ()


def tensor_of(value, wanted=None):
    """The tensor of anything that is taken for an array; that of an array is its own."""
    code = None if wanted is None else dtype(wanted)._torch
    if isinstance(value, torch.Tensor):
        tensor = value.detach().cpu()
        dtype_of_tensor(tensor)
    elif isinstance(value, (ndarray, Scalar)):
        tensor = value._tensor
    else:
        numbers, types = [], []
        shape = _flatten(value, 0, numbers, types)
        found = types[0] if types else _FLOAT
        for each in types:
            found = promote(found, each)
        if wanted is not None and found is _INT:
            for number in numbers:
                check_range(number, dtype(wanted))
            found = dtype(wanted)
        if found is _INT and any(number >= 2 ** 63 for number in numbers):
            check_range(max(numbers), _WORD)
            found = _WORD if min(numbers) >= 0 else _FLOAT
        if found is _WORD:
            tensor = torch.tensor([number - 2 ** 64 if number >= 2 ** 63 else number for number in numbers], dtype=torch.int64).view(torch.uint64)
        else:
            tensor = torch.tensor(numbers, dtype=found._torch)
        tensor = tensor.reshape(shape)
    return tensor if code is None or tensor.dtype == code else tensor.to(code)


def wrap(tensor):
    """What functions give: scalars in place of arrays of no dimension."""
    return scalar_of(tensor) if tensor.dim() == 0 else array_of(tensor)


def array_of(tensor):
    made = object.__new__(ndarray)
    made._tensor = tensor
    return made


def written(found, out):
    """Writes a result into `out` by numpy's rule 'same_kind', and returns `out`."""
    out = out[0] if isinstance(out, tuple) else out
    own = dtype_of_tensor(found)
    if not can_cast(own, out.dtype, 'same_kind'):
        raise TypeError(f"Cannot cast ufunc output from {own!r} to {out.dtype!r} with casting rule 'same_kind'")
    try:
        out._tensor.copy_(found)
    except RuntimeError:
        shapes = [str(tuple(each.shape)).replace(' ', '') for each in (out, found)]
        raise ValueError(f"non-broadcastable output operand with shape {shapes[0]} doesn't match the broadcast shape {shapes[1]}") from None
    return out


def axis_of(axis, dimensions):
    if not -dimensions <= axis < dimensions:
        raise AxisError(f'axis {axis} is out of bounds for array of dimension {dimensions}')
    return axis % dimensions


class AxisError(ValueError, IndexError):
    __module__ = 'numpy.exceptions'


def is_operand(value):
    return isinstance(value, (ndarray, Scalar, list, tuple)) or isinstance(value, _NUMBERS)


def common(*values):
    """Tensors of one dtype: numbers of Python's take that of the others."""
    strong = [value for value in values if isinstance(value, (ndarray, Scalar)) or not isinstance(value, _NUMBERS)]
    tensors = {id(value): tensor_of(value) for value in strong}
    found = None
    for value in strong:
        own = dtype_of_tensor(tensors[id(value)])
        found = own if found is None else promote(found, own)
    for value in values:
        if id(value) not in tensors:
            if found is None:
                found = weak(value)
                for other in values:
                    found = promote(found, weak(other))
            else:
                found = promote_weak(found, value)
    return [tensors[id(value)].to(found._torch) if id(value) in tensors else tensor_of(value, found) if found is _WORD
            else torch.tensor(value, dtype=found._torch) for value in values]


def broadcast(tensors):
    try:
        return torch.broadcast_tensors(*tensors)
    except RuntimeError:
        shapes = ' '.join(str(tuple(tensor.shape)).replace(' ', '') for tensor in tensors)
        raise ValueError(f'operands could not be broadcast together with shapes {shapes} ') from None


def _matmul(a, b):
    if 0 in (a.dim(), b.dim()):
        raise ValueError(f'matmul: Input operand {0 if a.dim() == 0 else 1} does not have enough dimensions')
    inner = b.shape[-2 if b.dim() > 1 else 0]
    if a.shape[-1] != inner:
        raise ValueError('matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature '
                         f'(n?,k),(k,m?)->(n?,m?) (size {inner} is different from {a.shape[-1]})')
    return torch.matmul(a, b)


BINARY = {'add': by_bits(torch.add), 'sub': subtract, 'mul': multiply, 'truediv': divide, 'floordiv': floor_divide, 'mod': remainder,
          'pow': power, 'and': bitwise('bitwise_and', torch.bitwise_and), 'or': bitwise('bitwise_or', torch.bitwise_or),
          'xor': bitwise('bitwise_xor', torch.bitwise_xor), 'lshift': bitwise('left_shift', torch.bitwise_left_shift),
          'rshift': right_shift, 'lt': by_order(torch.lt), 'le': by_order(torch.le),
          'gt': by_order(torch.gt), 'ge': by_order(torch.ge), 'eq': lambda a, b: torch.eq(signed(a), signed(b)),
          'ne': lambda a, b: torch.ne(signed(a), signed(b))}


def binary(name, a, b):
    if name == 'matmul':
        return wrap(_matmul(*common(a, b)))
    if name == 'mod' or name == 'floordiv':
        a, b = (value + 0 if isinstance(value, bool) else value for value in (a, b))
    return wrap(BINARY[name](*broadcast(common(a, b))))


def _operator(name, is_reflected=False):
    def method(self, other):
        if issubclass(type(other), torch.Tensor):  # asking a Proxy itself would leave a note
            # A tensor takes scalars for numbers, and an array on its right for a tensor.
            if isinstance(self, ndarray) and not is_reflected:
                return NotImplemented
            mine = self._tensor if isinstance(self, ndarray) else self.item()
            return _on_tensors(name, other, mine) if is_reflected else _on_tensors(name, mine, other)
        if not is_operand(other):
            if name in ('eq', 'ne') and isinstance(self, ndarray) and (other is None or isinstance(other, str)):
                return array_of(torch.full(self.shape, name == 'ne'))
            return NotImplemented
        if name == 'pow' and not is_reflected and isinstance(self, ndarray) and isinstance(other, (int, float)) and other in _POWERS:
            if self.dtype.kind in 'fc' or isinstance(other, float):  # by other functions, which round once
                return wrap(_POWERS[other](self._tensor if self.dtype.kind in 'fc' else as_double(self._tensor)))
        if name == 'mul' and isinstance(other, (list, tuple)) and not isinstance(self, ndarray) and self.dtype.kind in 'iu':
            return other * self.item()
        return binary(name, other, self) if is_reflected else binary(name, self, other)

    return method


_POWERS = {2: lambda t: multiply(t, t), 0.5: lambda t: torch.sqrt(t) if t.is_complex() else math('sqrt', t), 1: torch.clone,
           -1: lambda t: divide(torch.ones_like(t), t)}


def _on_tensors(name, a, b):
    operations = {'add': lambda: a + b, 'sub': lambda: a - b, 'mul': lambda: a * b, 'truediv': lambda: a / b,
                  'floordiv': lambda: a // b, 'mod': lambda: a % b, 'pow': lambda: a ** b, 'matmul': lambda: a @ b,
                  'lt': lambda: a < b, 'le': lambda: a <= b, 'gt': lambda: a > b, 'ge': lambda: a >= b,
                  'eq': lambda: a == b, 'ne': lambda: a != b, 'and': lambda: a & b, 'or': lambda: a | b, 'xor': lambda: a ^ b}
    return operations[name]() if name in operations else NotImplemented


class Operators:
    def __neg__(self):
        return wrap(negative(self._tensor))

    def __pos__(self):
        return wrap(self._tensor.clone())

    def __abs__(self):
        return wrap(absolute(self._tensor))

    def __invert__(self):
        return wrap(invert(self._tensor))

    def __divmod__(self, other):
        return self // other, self % other

    def __rdivmod__(self, other):
        return other // self, other % self


def _add_operators():
    reflected = ('add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'pow', 'and', 'or', 'xor', 'lshift', 'rshift', 'matmul')
    for name in (*BINARY, 'matmul'):
        setattr(Operators, f'__{name}__', _operator(name))
        if name in reflected:
            setattr(Operators, f'__r{name}__', _operator(name, True))


_add_operators()


class Scalar(Operators):
    """What _scalars.generic derives from."""


def scalar_of(tensor):
    from ._scalars import make_scalar
    return make_scalar(tensor)


def plain_index(index, shape):
    """What a tensor takes for an index, and whether every number of it is a place."""
    parts = list(index) if isinstance(index, tuple) else [index]
    parts = [part._tensor if isinstance(part, ndarray) else part.item() if isinstance(part, Scalar)
             else tensor_of(part) if isinstance(part, list) else part for part in parts]
    parts = [part.long() if isinstance(part, torch.Tensor) and part.numel() == 0 and part.is_floating_point() else part for part in parts]
    used = sum(part.dim() if isinstance(part, torch.Tensor) and part.dtype == torch.bool else
               part is not None and part is not Ellipsis and not isinstance(part, bool) for part in parts)
    if used > len(shape):
        raise IndexError(f'too many indices for array: array is {len(shape)}-dimensional, but {used} were indexed')
    flipped, axis = [], 0
    for place, part in enumerate(parts):
        if part is Ellipsis:
            axis += len(shape) - used
        elif isinstance(part, slice):
            start, stop, step = part.indices(shape[axis])
            if step < 0:
                flipped.append(axis)
                part = slice(shape[axis] - 1 - start, max(shape[axis] - 1 - stop, 0), -step)
                parts[place] = part
            axis += 1
        elif isinstance(part, torch.Tensor):
            if part.is_floating_point():
                raise IndexError('arrays used as indices must be of integer (or boolean) type')
            if part.dtype != torch.bool and part.numel():
                for number in (part.min().item(), part.max().item()):
                    _check_place(number, axis, shape)
            axis += part.dim() if part.dtype == torch.bool else 1
        elif part is not None and not isinstance(part, bool):
            if not hasattr(part, '__index__'):
                raise IndexError('only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are '
                                 'valid indices')
            _check_place(part, axis, shape)
            axis += 1
    return tuple(parts), flipped


def _check_place(number, axis, shape):
    if not -shape[axis] <= number < shape[axis]:
        raise IndexError(f'index {number} is out of bounds for axis {axis} with size {shape[axis]}')


class ndarray(Operators):
    __module__ = 'numpy'
    __hash__ = None
    __array_priority__ = 0.0

    def __new__(cls, shape, dtype=float):
        from . import _dtypes
        return array_of(torch.zeros(shape if isinstance(shape, (list, tuple)) else (shape,), dtype=_dtypes.dtype(dtype)._torch))

    shape = property(lambda self: tuple(self._tensor.shape))
    ndim = property(lambda self: self._tensor.dim())
    size = property(lambda self: self._tensor.numel())
    dtype = property(lambda self: dtype_of_tensor(self._tensor))
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self.dtype.itemsize * self._tensor.numel())
    T = property(lambda self: self.transpose())
    real = property(lambda self: array_of(self._tensor.real))
    imag = property(lambda self: array_of(self._tensor.imag if self._tensor.is_complex() else torch.zeros_like(self._tensor)))
    flat = property(lambda self: iter(self.ravel()))

    def __len__(self):
        if self._tensor.dim() == 0:
            raise TypeError('len() of unsized object')
        return self._tensor.shape[0]

    def __iter__(self):
        if self._tensor.dim() == 0:
            raise TypeError('iteration over a 0-d array')
        return iter([wrap(part) for part in self._tensor])

    def __contains__(self, value):
        return bool((self == value).any())

    def __getitem__(self, index):
        parts, flipped = plain_index(index, self._tensor.shape)
        tensor = self._tensor.flip(flipped) if flipped else self._tensor
        found = tensor[parts]
        return array_of(found) if found.dim() or Ellipsis in [part for part in parts if part is Ellipsis] else scalar_of(found.clone())

    def __setitem__(self, index, value):
        parts, flipped = plain_index(index, self._tensor.shape)
        if flipped:
            raise NotImplementedError('not supported: setting items of a numpy array from its end backwards')
        given = tensor_of(value, self.dtype)
        while given.dim() > self._tensor[parts].dim() and given.shape[0] == 1:
            given = given[0]
        try:
            self._tensor[parts] = given
        except RuntimeError:
            shapes = [str(tuple(each.shape)).replace(' ', '') for each in (given, self._tensor[parts])]
            raise ValueError(f'could not broadcast input array from shape {shapes[0]} into shape {shapes[1]}') from None

    def _only(self):
        if self._tensor.dim() > 0:
            raise TypeError('only 0-dimensional arrays can be converted to Python scalars')
        return self._tensor.item()

    def __int__(self):
        return int(self._only())

    def __float__(self):
        return float(self._only())

    def __complex__(self):
        return complex(self._only())

    def __index__(self):
        if self._tensor.dim() > 0 or self.dtype.kind not in 'iu':
            raise TypeError('only integer scalar arrays can be converted to a scalar index')
        return self._tensor.item()

    def __bool__(self):
        if self._tensor.numel() != 1:
            words = 'an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.'
            raise ValueError('The truth value of ' + ('an array with more than one element is ambiguous. Use a.any() or a.all()'
                                                      if self._tensor.numel() else words))
        return bool(self._tensor.item())

    def __repr__(self):
        return array_repr(self)

    def __str__(self):
        return array_text(self)

    def __format__(self, spec):
        return format(self._tensor.item() if self._tensor.dim() == 0 else str(self), spec)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __array__(self, dtype=None, copy=None):
        return self if dtype is None else self.astype(dtype)


def _in_place(name):
    def method(self, other):
        return written(tensor_of(binary(name, self, other)), self)

    return method


for _name in ('add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'pow', 'and', 'or', 'xor', 'lshift', 'rshift'):
    setattr(ndarray, f'__i{_name}__', _in_place(_name))
