# SPDX-License-Identifier: GPL-3.0-or-later
# Nested tensors of layout torch.jagged: rows of different lengths, packed, with offsets. Unlike PyTorch's class, no subclass of
# Tensor: an operation that is not defined here is refused.
import torch
from torch.utils._pytree import tree_map

_counts = {}  # of each tensor of offsets its size that has no number, which others with the same offsets share


class NestedInt:
    def __init__(self, number):
        self._number = number

    def __repr__(self):
        return f'j{self._number}'

    def __eq__(self, other):
        return isinstance(other, NestedInt) and self._number == other._number

    def __hash__(self):
        return hash(('j', self._number))


def _ragged_size(offsets):
    entry = _counts.setdefault(id(offsets), (NestedInt(len(_counts) + 1), offsets))
    return entry[0]


class NestedTensor:
    """values: [total, D1, ...]; offsets: int64 [B + 1]; lengths: int64 [B] where there are gaps; longest: of the rows, where it is known."""
    is_nested, layout = True, torch.jagged

    def __init__(self, values, offsets, lengths=None, longest=None):
        self._values, self._offsets, self._lengths, self._longest = values, offsets, lengths, longest

    dtype = property(lambda self: self._values.dtype)
    device = property(lambda self: self._values.device)
    requires_grad = property(lambda self: self._values.requires_grad)
    ndim = property(lambda self: self.dim())

    def values(self):
        return self._values

    def offsets(self):
        return self._offsets

    def lengths(self):
        return self._lengths

    def dim(self):
        return self._values.dim() + 1

    @property
    def shape(self):
        return (self._offsets.numel() - 1, _ragged_size(self._offsets), *self._values.shape[1:])

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def numel(self):
        return self._values.numel()

    def is_contiguous(self, *args):
        return self._lengths is None

    def _spans(self):
        starts = self._offsets.tolist()
        lengths = self._offsets.diff().tolist() if self._lengths is None else self._lengths.tolist()
        return list(zip(starts, lengths))

    def unbind(self, dim=0):
        if dim != 0:
            raise RuntimeError('unbind(): only supported for NestedTensor on dim=0')
        return tuple(self._values.narrow(0, start, length) for start, length in self._spans())

    def contiguous(self):
        return self if self._lengths is None else of_parts(self.unbind())

    def to_padded_tensor(self, padding, output_size=None):
        if self._lengths is not None:
            raise RuntimeError('to_padded_tensor(): not supported for nested tensors with holes')
        longest = output_size[1] if output_size is not None else self._values.shape[0] if self._longest is None else self._longest
        out = self._values.new_full([len(self), longest, *self._values.shape[1:]], padding)
        for place, part in enumerate(self.unbind()):
            out[place, :part.shape[0]] = part[:longest]
        return out

    def _with(self, values):
        return NestedTensor(values, self._offsets, self._lengths, self._longest)

    def _reduced(self, name, dim, keepdim):
        if dim is None:
            return getattr(self.contiguous()._values, name)()
        dim = dim[0] if isinstance(dim, (tuple, list)) and len(dim) == 1 else dim
        if not isinstance(dim, int):
            raise RuntimeError(f'{name}(): not supported here for nested tensors over several dimensions')
        dim = dim % self.dim()
        if dim == 0:
            raise RuntimeError(f'{name}(): not supported for NestedTensor on dim=0')
        if dim == 1:
            return torch.stack([getattr(part, name)(0, keepdim=keepdim) for part in self.unbind()])
        return self._with(getattr(self._values, name)(dim - 1, keepdim=keepdim))

    def sum(self, dim=None, keepdim=False):
        return self._reduced('sum', dim, keepdim)

    def mean(self, dim=None, keepdim=False):
        return self._reduced('mean', dim, keepdim)

    def amax(self, dim=(), keepdim=False):
        return self._reduced('amax', None if dim == () else dim, keepdim)

    def amin(self, dim=(), keepdim=False):
        return self._reduced('amin', None if dim == () else dim, keepdim)

    def _inner(self, name, dim, dimensions=None):
        """Returns the dimension of the values for a dimension of the nested tensor; refuses the batch and the ragged one."""
        dimensions = self.dim() if dimensions is None else dimensions
        if not -dimensions <= dim < dimensions:
            raise IndexError(f'Dimension out of range (expected to be in range of [{-dimensions}, {dimensions - 1}], but got {dim})')
        if dim % dimensions < 2:
            raise RuntimeError(f'{name}(): not supported here for nested tensors over the batch or the ragged dimension')
        return dim % dimensions - 1

    def softmax(self, dim, dtype=None, *, _stacklevel=3):
        return self._with(self._values.softmax(self._inner('softmax', dim), dtype=dtype))

    def log_softmax(self, dim, dtype=None, *, _stacklevel=3):
        return self._with(self._values.log_softmax(self._inner('log_softmax', dim), dtype=dtype))

    def layer_norm(self, normalized_shape, weight=None, bias=None, eps=1e-05):
        normalized_shape = list(normalized_shape)
        if len(normalized_shape) >= self._values.dim():
            raise RuntimeError('layer_norm(): not supported for nested tensors over the ragged dimension')
        return self._with(torch.nn.functional.layer_norm(self._values, normalized_shape, weight, bias, eps))

    def matmul(self, other):
        if not isinstance(other, torch.Tensor) or other.dim() != 2:
            raise NotImplementedError('not supported: matmul of a nested tensor of layout torch.jagged with anything but a matrix')
        return self._with(self._values @ other)

    def unsqueeze(self, dim):
        return self._with(self._values.unsqueeze(self._inner('unsqueeze', dim, self.dim() + 1)))

    def squeeze(self, dim):
        return self._with(self._values.squeeze(self._inner('squeeze', dim)))

    def transpose(self, dim0, dim1):
        return self._with(self._values.transpose(self._inner('transpose', dim0), self._inner('transpose', dim1)))

    def chunk(self, chunks, dim=0):
        return tuple(self._with(part) for part in self._values.chunk(chunks, self._inner('chunk', dim)))

    def __matmul__(self, other):
        return self.matmul(other)

    def __getitem__(self, place):
        if type(place) is not int:
            raise NotImplementedError('not supported: items of a nested tensor of layout torch.jagged but its rows')
        return self.unbind()[place]

    def __bool__(self):
        if self._values.numel() != 1:
            raise RuntimeError('Boolean value of Tensor with more than one value is ambiguous')
        return bool(self._values)

    def __contains__(self, value):
        raise NotImplementedError('not supported: whether a nested tensor of layout torch.jagged contains a value')

    def __len__(self):
        return self._offsets.numel() - 1

    def __iter__(self):
        return iter(self.unbind())

    def __repr__(self):
        shown = f'size={str(self.shape)}, offsets={self._offsets}'
        gradient = ', requires_grad=True' if self.requires_grad else ''
        return f'NestedTensor({shown}{gradient}, contiguous={self._lengths is None})'

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(f"'NestedTensor' object has no attribute {name!r}")
        raise NotImplementedError(f'not supported: {name} of a nested tensor of layout torch.jagged')

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        name = getattr(func, '__name__', '')
        first = args[0] if args else None
        if name in _OF_TWO and len(args) == 2 and not kwargs and any(isinstance(each, cls) for each in args):
            return _of_two(func, name, *args)
        if isinstance(first, cls) and name in (*_METHODS, *_OF_TWO):
            return getattr(first, name)(*args[1:], **(kwargs or {}))
        if isinstance(first, cls) and name in _BY_ROWS:
            return first._with(func(first._values, *args[1:], **(kwargs or {})))
        raise NotImplementedError(f'not supported: torch.{name} of a nested tensor of layout torch.jagged')


_METHODS = ('sum', 'mean', 'amax', 'amin', 'softmax', 'log_softmax', 'layer_norm', 'matmul', 'unsqueeze', 'squeeze', 'transpose', 'chunk', 'to_padded_tensor', 'unbind', 'is_contiguous', 'numel', 'contiguous', 'size', 'dim')
# Functions that apply to each row independently.
_BY_ROWS = ('abs ceil clamp clone cos detach double dropout elu exp expm1 float floor gelu half hardswish isnan leaky_relu linear log log1p logical_not mish neg '
            'pow reciprocal relu relu6 round rsqrt selu sigmoid sign silu sin softplus sqrt square tanh to').split()


def _by_rows(name):
    return lambda self, *args, **kwargs: self._with(getattr(self._values, name)(*args, **kwargs))


def _values_beside(nested, other, name):
    """Returns the operand that belongs to the values of `nested`, [total, D1, ...]."""
    failure = f'cannot call binary pointwise function {name}.Tensor with inputs of shapes {nested.shape} and {getattr(other, "shape", None)}'
    if isinstance(other, NestedTensor):
        if other.shape[:2] != nested.shape[:2]:
            raise RuntimeError(failure)
        return other._values
    if isinstance(other, torch.Tensor) and other.dim() > nested._values.dim() - 1 and other.dim() > 0:
        if other.dim() != nested.dim() or other.shape[:2] != (1, 1):
            raise RuntimeError(failure)
        return other[0]
    return other


def _of_two(compute, name, a, b, **kwargs):
    if isinstance(a, NestedTensor):
        return a._with(compute(a._values, _values_beside(a, b, name), **kwargs))
    return b._with(compute(_values_beside(b, a, name), b._values, **kwargs))


def _method_of_two(name):
    compute = getattr(torch.Tensor, name)
    return lambda self, other, **kwargs: _of_two(compute, name, self, other, **kwargs)


def _operator(name):
    def method(self, other):
        found = getattr(self._values, name)(_values_beside(self, other, name.strip('_')))
        return found if found is NotImplemented else self._with(found)

    return method


def _operator_in_place(name):
    def method(self, other):
        getattr(self._values, name)(_values_beside(self, other, name.strip('_')))
        return self

    return method


_OF_TWO = ('add sub mul div true_divide remainder pow eq ne lt le gt ge maximum minimum fmod atan2 logical_and logical_or logical_xor '
           'bitwise_and bitwise_or bitwise_xor').split()
for _name in _OF_TWO:
    setattr(NestedTensor, _name, _method_of_two(_name))
for _name in _BY_ROWS:
    if hasattr(torch.Tensor, _name):
        setattr(NestedTensor, _name, _by_rows(_name))
for _name in ('__neg__', '__abs__', '__invert__'):
    setattr(NestedTensor, _name, _by_rows(_name))
for _name in 'add radd sub rsub mul rmul truediv rtruediv mod pow rpow eq ne lt le gt ge and or xor'.split():
    setattr(NestedTensor, f'__{_name}__', _operator(f'__{_name}__'))
for _name in ('iadd', 'isub', 'imul', 'itruediv'):
    setattr(NestedTensor, f'__{_name}__', _operator_in_place(f'__{_name}__'))
NestedTensor.__hash__ = object.__hash__


def of_parts(parts):
    parts = list(parts)
    if not parts:
        raise RuntimeError('Cannot construct a nested tensor from an empty tensor list')
    if any(part.dim() != parts[0].dim() or part.shape[1:] != parts[0].shape[1:] for part in parts):
        raise NotImplementedError('not supported: nested tensors of layout torch.jagged whose parts differ in another dimension than the first')
    lengths = torch.tensor([0] + [part.shape[0] for part in parts], device=parts[0].device)
    return NestedTensor(torch.cat(parts), lengths.cumsum(0), None, max(part.shape[0] for part in parts))
