# SPDX-License-Identifier: GPL-3.0-or-later
# The classes of numpy's scalars. A scalar has a tensor of no dimension, and Python's functions take it for the number that it is.
import numbers

import torch

from _native import _hold
from ._array import Scalar, array_of, tensor_of, wrap
from ._dtypes import _BY_NAME, dtype, dtype_of_tensor
from ._printing import scalar_text


class generic(Scalar):
    __module__ = 'numpy'
    dtype = None

    def __new__(cls, value=0):
        if not isinstance(cls.dtype, dtype):
            raise TypeError(f"cannot create 'numpy.{cls.__name__}' instances")
        if isinstance(value, str):
            value = complex(value) if cls.dtype.kind == 'c' else float(value) if cls.dtype.kind == 'f' else int(value)
        tensor = tensor_of(value, cls.dtype)
        return make_scalar(tensor.clone(), cls) if tensor.dim() == 0 else array_of(tensor.clone())

    shape = property(lambda self: ())
    ndim = property(lambda self: 0)
    size = property(lambda self: 1)
    itemsize = nbytes = property(lambda self: self.dtype.itemsize)
    T = property(lambda self: self)
    real = property(lambda self: wrap(self._tensor.real))
    imag = property(lambda self: wrap(self._tensor.imag if self._tensor.is_complex() else torch.zeros_like(self._tensor)))

    def item(self, *args):
        return self._tensor.item()

    def tolist(self):
        return self._tensor.item()

    def __getitem__(self, index):
        if index == ():
            return self
        if index is Ellipsis or index is None:
            return array_of(self._tensor)[index]
        raise IndexError('invalid index to scalar variable.')

    def __int__(self):
        return int(self._tensor.item())

    def __float__(self):
        return float(self._tensor.item())

    def __complex__(self):
        return complex(self._tensor.item())

    def __bool__(self):
        return bool(self._tensor.item())

    def __hash__(self):
        return hash(self._tensor.item())

    def __repr__(self):
        text = scalar_text(self._tensor.item(), self.dtype)
        return f'np.{text}_' if self.dtype.kind == 'b' else f'np.{self.dtype.name}{text if text.startswith("(") else f"({text})"}'

    def __str__(self):
        return scalar_text(self._tensor.item(), self.dtype)

    def __format__(self, spec):
        return format(self._tensor.item() if self.dtype.kind != 'b' or spec else str(self), spec)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __round__(self, ndigits=None):
        return round(self._tensor.item()) if ndigits is None else self.round(ndigits)

    def __array__(self, dtype=None, copy=None):
        return array_of(tensor_of(self, dtype))


def _abstract(name, base):
    return type(name, (base,), {'__module__': 'numpy'})


number = _abstract('number', generic)
integer = _abstract('integer', number)
signedinteger = _abstract('signedinteger', integer)
unsignedinteger = _abstract('unsignedinteger', integer)
inexact = _abstract('inexact', number)
floating = _abstract('floating', inexact)
complexfloating = _abstract('complexfloating', inexact)
flexible = _abstract('flexible', generic)
character = _abstract('character', flexible)
str_, bytes_ = _abstract('str_', character), _abstract('bytes_', character)
void, object_ = _abstract('void', flexible), _abstract('object_', generic)
datetime64, timedelta64 = _abstract('datetime64', generic), _abstract('timedelta64', signedinteger)
longdouble, clongdouble = _abstract('longdouble', floating), _abstract('clongdouble', complexfloating)


def _index(self):
    return self._tensor.item()


def _make_classes():
    bases = {'b': (generic,), 'i': (signedinteger,), 'u': (unsignedinteger,), 'f': (floating,), 'c': (complexfloating,)}
    builtin = {'float64': (float,), 'complex128': (complex,)}
    for name, own in _BY_NAME.items():
        members = {'__module__': 'numpy', 'dtype': own}
        if own.kind in 'iu':
            members['__index__'] = _index
        if own.kind == 'f':
            members['is_integer'] = lambda self: self._tensor.item().is_integer()
        own.type = type(name, bases[own.kind] + builtin.get(name, ()), members)


def make_scalar(tensor, cls=None):
    cls = cls or dtype_of_tensor(tensor).type
    number = tensor.item()
    if issubclass(cls, (float, complex)):
        made = (float if issubclass(cls, float) else complex).__new__(cls, number)
    else:
        made = object.__new__(cls)
        _hold(made, number)
    made._tensor = tensor
    return made


_make_classes()
for _abstract_number, _class in [(numbers.Number, number), (numbers.Integral, integer), (numbers.Complex, inexact), (numbers.Real, floating)]:
    _abstract_number.register(_class)
